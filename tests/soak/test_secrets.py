"""Non-interference: of two games that differ in what a seat may not know, it gets the same, whatever it asks for."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from attack import Attack
from hostile_lines import LineMaker
from two_worlds import OtherWorlds, given_to, reported_to

from adjudicator import present
from adjudicator.cli.files import Opened
from adjudicator.core.ids import MODERATOR
from adjudicator.core.order import FirstOf, When
from adjudicator.library.game import Game
from adjudicator.orders.build import OrderLine
from adjudicator.orders.parser import reader
from adjudicator.rulesets import metas, ruleset
from adjudicator.session import Session
from adjudicator.testing.games import Moment, play_games

GAMES = [name for name, _ in metas()]
BATCH = 400
"""Positions of one batch of games."""


def positions(name: str, attack: Attack, wanted: int) -> Iterator[tuple[OtherWorlds, LineMaker, Moment]]:
    """Yield ``wanted`` positions of games played at random, from batches of games one after another."""
    batch = 0
    while wanted > 0:
        count, seed = 8 if wanted >= BATCH else 2, attack.seed * 1_000 + batch
        games = play_games(ruleset(name), count, seed=seed, most_orders=120, options=attack.options)
        worlds, lines = OtherWorlds(games), LineMaker(name, games)
        for moment in games.sampled(min(wanted, BATCH)):
            wanted -= 1
            yield worlds, lines, moment
        batch += 1


@pytest.mark.parametrize("whole", [1, pytest.param(10_000, marks=pytest.mark.soak)])
@pytest.mark.parametrize("name", GAMES)
def test_no_output_tells_a_secret(
    attack: Attack, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, whole: int
) -> None:
    monkeypatch.chdir(tmp_path)
    compare_positions(attack, monkeypatch, name, attack.times(whole))


def compare_positions(attack: Attack, monkeypatch: pytest.MonkeyPatch, name: str, wanted: int) -> None:
    opened: list[Session] = []
    for method in ("game", "seen"):
        monkeypatch.setattr(Opened, method, lambda _self, _path: Game(opened[-1]))
    # A head is proved with the secret of chance: all of it is different, and tells nothing.
    made = present.proof_maker
    monkeypatch.setattr(present, "proof_maker", lambda secret: made(secret and "5a" * 32))
    for worlds, lines, moment in positions(name, attack, wanted):
        luck = attack.next_round()
        seat = luck.choice(moment.session.seats)
        here, there, differs = worlds.pair(moment, seat, luck)
        attack.count("positions")
        attack.count("positions with other secrets", differs)
        sent = f"{seat}:\n{lines.text(luck, here, luck.randint(1, 6), luck.choice((0.0, 0.1)))}"
        Path("orders.txt").write_bytes(sent.encode("utf-8", "replace"))
        ours, others = ([*given_to(world, seat, "orders.txt", opened.append)] for world in (here, there))
        for (what, one), (_, other) in zip(ours, others, strict=True):
            assert_same(attack, seat, what, one, other)
        opened.clear()
        own = refused(lines, here, seat, luck)
        assert_same(
            attack, seat, "report", *(reported_to(world, seat, own, Random(luck.random())) for world in (here, there))
        )


def refused(lines: LineMaker, session: Session, seat: Any, luck: Random) -> str:
    """Return an order that ``seat`` may not give now, or that is not due: nothing comes of it that chance decides."""
    if all(decision.seat != seat for decision in session.rules.awaiting(session.config, session.game.state)):
        return luck.choice(lines.orders)
    found = [order for order in lines.orders if is_refused(session, seat, order)]
    return luck.choice(found or ["nonsense"]) if luck.random() < 0.8 else "nonsense"


def is_refused(session: Session, seat: Any, text: str) -> bool:
    """Return whether ``text`` is a single order that ``seat`` may not give: not each that it may is listed as legal."""
    parsed = reader(session.rules).read(text)
    order = parsed.expression if isinstance(parsed, OrderLine) else None
    if order is None or isinstance(order, (FirstOf, When)):
        return False
    return session.rules.refusal(session.config, session.game.state, seat, order) is not None


def assert_same(attack: Attack, seat: str, what: str, one: str, other: str) -> None:
    attack.count("outputs compared")
    pairs = zip(one.splitlines(), other.splitlines(), strict=False)
    differing = next(((here, there) for here, there in pairs if here != there), (one[-300:], other[-300:]))
    assert one == other, f"{attack.told}: {what} of {seat}: {differing[0][:600]}\nor\n{differing[1][:600]}"


def test_a_leak_would_be_found(attack: Attack, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """If `pending` told a seat what waits of others, the two games would not look the same."""
    monkeypatch.chdir(tmp_path)
    told = present.waiting_of
    monkeypatch.setattr(present, "waiting_of", lambda session, _viewer: told(session, MODERATOR))
    with pytest.raises(AssertionError, match=r"pending of \w+: "):
        compare_positions(attack, monkeypatch, "checkpoint-rally", 12)

"""Games to audit: played through the engine, corrected, recorded at a table; and a forger who makes chain and seal anew."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from adjudicator.audit.archives import Opener
from adjudicator.audit.found import Source
from adjudicator.audit.judge import judge
from adjudicator.begin import Wish, begin_game
from adjudicator.core.chance import ImpossibleOutcomeError
from adjudicator.core.engine import adjudicate
from adjudicator.core.ids import Seat
from adjudicator.core.order import Instruction, Sheet
from adjudicator.core.ruleset import Player
from adjudicator.correct import amend, hand_over, reveal, undo
from adjudicator.desk import Desk
from adjudicator.moderate import adjudicate_files
from adjudicator.reports.verdict import Finding, Verdict
from adjudicator.rulesets import ruleset
from adjudicator.store.components import shipped
from adjudicator.store.save import dump_game

SECRET = "ab" * 32
RULES = "checkpoint-rally"
Document = dict[str, Any]
Forge = Callable[[Document], bytes]


def begun(**changes: Any) -> Desk:
    players = (Player(Seat("red"), "Ann"), Player(Seat("blue"), "Bob"))
    components, _ = shipped(ruleset(RULES))
    wish = Wish(ruleset=RULES, id="rally-042", players=players, components=components, secret=SECRET)
    return begin_game(replace(wish, **changes))


def due(desk: Desk) -> Seat:
    return desk.rules.awaiting(desk.table, desk.game.state)[0].seat


def legal(desk: Desk) -> list[Any]:
    return list(desk.rules.legal(desk.table, desk.game.state, due(desk)))


def ordered(desk: Desk, *lines: str) -> Desk:
    """Apply lines of text as a sheet of the seat that is due."""
    text = "\n".join((f"{due(desk)}:", *lines)).encode()
    result = adjudicate_files(desk, [("turn", text)])
    assert result.accepted, result.findings
    return result.desk


def played(desk: Desk, orders: int, seed: int = 1) -> Desk:
    """Play so many orders at random, each an adjudication, or until the game is over."""
    chosen = random.Random(seed)
    for _ in range(orders):
        if desk.rules.is_over(desk.table, desk.game.state):
            break
        instruction = _with_outcomes(desk, chosen.choice(_worthwhile(desk, chosen)))
        outcome = adjudicate(desk.rules, desk.table, desk.game, [Sheet(due(desk), (instruction,))])
        assert not outcome.findings
        desk = desk.with_game(outcome.game)
    return desk


def _worthwhile(desk: Desk, chosen: random.Random) -> list[Any]:
    orders = legal(desk)
    moves = [order for order in orders if hasattr(order, "path")]
    return moves if moves and chosen.random() < 0.5 else orders


def _with_outcomes(desk: Desk, order: Any) -> Instruction:
    """Return ``order`` with the outcomes that a game needs whose chance is recorded: always the first possible ones."""
    draws: tuple[str, ...] = ()
    while desk.game.chance.source == "recorded":
        outcome = adjudicate(desk.rules, desk.table, desk.game, [Sheet(due(desk), (Instruction(order, draws),))])
        missing = [finding for finding in outcome.findings if finding.problem.code == "core/impossible-outcome"]
        if not missing:
            break
        draws = (*draws, missing[0].problem.suggestions[0])
    return Instruction(order, draws)


def _recorded_setup() -> list[str]:
    drawn: list[str] = []
    while True:
        try:
            begun(secret=None, recorded=drawn)
        except ImpossibleOutcomeError as asked:
            drawn.append(asked.among[-1])
        else:
            return drawn


def _branching(desk: Desk) -> Desk:
    """Give orders with alternatives and conditions, one of which comes to nothing, and leave some waiting."""
    text = desk.rules.language.text(legal(desk)[0])
    desk = ordered(desk, f"IF minutes > 500 THEN DRAW ELSE {text}")
    text = desk.rules.language.text(legal(desk)[-1])
    desk = ordered(desk, f"IF minutes > 500 THEN REFRESH ELSE ({text} OR DRAW)")
    other = next(seat for seat in desk.seats if seat != due(desk))
    return adjudicate_files(desk, [("early", f"{other}:\nDRAW\nMOVE C3 OR REFRESH".encode())]).desk


def _corrected(desk: Desk) -> Desk:
    entries = len(desk.game.journal)
    desk = undo(played(desk, 3, seed=7), entries - 1, "the wrong mail")
    desk = amend(played(desk, 2, seed=8), ["racers[red].minutes=40"], "a slip of the pen")
    desk = hand_over(desk, Seat("blue"), "Cleo", "Bob is away")
    return reveal(played(desk, 2, seed=9), "all may know", is_forced=True)


@pytest.fixture(scope="session")
def table_talk() -> Desk:
    """Return a small game with everything a record can hold: branches, notes, corrections of each kind, waiting orders."""
    return _branching(_corrected(played(begun(entropy={"red": "horse"}), 4)))


@pytest.fixture(scope="session")
def at_a_table() -> Desk:
    """Return a game whose chance is recorded."""
    desk = played(begun(secret=None, recorded=_recorded_setup()), 14, seed=3)
    return played(undo(desk, 8, "a tile too many"), 4, seed=4)


@pytest.fixture(scope="session")
def finished() -> Desk:
    """Return a game played to its end, its secret told."""
    desk = played(begun(), 4_000, seed=2)
    assert desk.rules.is_over(desk.table, desk.game.state)
    return reveal(desk, "", is_forced=False)


@pytest.fixture(scope="session")
def make_game() -> Callable[..., bytes]:
    """Return the file of a game after so many orders at random."""

    def make(orders: int = 6, seed: int = 1, **changes: Any) -> bytes:
        return dump_game(played(begun(**changes), orders, seed).game)

    return make


@pytest.fixture(scope="session")
def small(make_game: Callable[..., bytes]) -> bytes:
    """Return the file of a game of six orders."""
    return make_game()


@pytest.fixture(scope="session")
def judged() -> Callable[..., Finding]:
    """Return what the audit says of the bytes of a file, or of the file at a path."""

    def run(source: bytes | Path, **options: Any) -> Finding:
        with Opener() as opener:
            if isinstance(source, bytes):
                return judge(Source("game.json", "game.json", is_named=True, data=source), opener, **options)
            return judge(Source(str(source), str(source), is_named=True), opener, **options)

    return run


@pytest.fixture
def spoiled(
    table_talk: Desk, forge: Forge, judged: Callable[..., Finding]
) -> Callable[[Callable[[Document], None]], Verdict]:
    """Return the verdict on the game with everything in it after something was changed, chain and seal made anew."""

    def run(spoil: Callable[[Document], None], desk: Desk | None = None) -> Verdict:
        document = json.loads(dump_game((desk or table_talk).game))
        spoil(document)
        verdict = judged(forge(document))
        assert isinstance(verdict, Verdict)
        return verdict

    return run

"""Non-interference: of two games that differ in what a seat may not know, it gets the same, whatever it asks for.

In both games the moderator has exchanged values of places that the seat is not shown, in each other ones; others have other
pending and withdrawn orders, and other words in their entries; chain and seal are made anew.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cache
from itertools import count
from pathlib import Path
from random import Random
from typing import Any

import pytest

import adjudicator as adj
from adjudicator.desk.requests import Desk
from tests.drivers.attacks import Attack, sizes
from tests.drivers.pages import GAMES, begun, played

Run = Callable[..., Any]
Forge = Callable[[dict[str, Any]], bytes]
Place = tuple[str | int, ...]
ASKED = """show|legal|log --events|pending|check orders.txt|report --format html|report --format md|report --format svg
report --format json|report --since 1|replay --boards""".replace("\n", "|").split("|")
"""The commands that a seat may use on the game of its moderator."""


def seen(game: adj.Game, viewer: str | None) -> Any:
    """Return the position that a viewer is shown, as data."""
    return json.loads(adj.render(game.seen_by(viewer).report(), "json"))["view"]["state"]


def places(value: Any, at: Place = ()) -> Iterator[tuple[Place, Any]]:
    yield at, value
    if isinstance(value, dict | list):
        for key, item in value.items() if isinstance(value, dict) else enumerate(value):
            yield from places(item, (*at, key))


def hidden(whole: Any, shown: Any) -> list[Place]:
    """Return the places of a position whose values are not those that are shown, the innermost ones."""
    known = dict(places(shown))
    differing = [at for at, value in places(whole) if at not in known or known[at] != value]
    return [at for at in differing if not any(other[: len(at)] == at and other != at for other in differing)]


def written(at: Place) -> str:
    """Return a place as the command `amend` names it."""
    return "".join(f"[{key}]" if isinstance(key, int) else f".{key}" for key in at).removeprefix(".")


def value_at(value: Any, at: Place) -> Any:
    for key in at:
        value = value[key]
    return value


@cache
def position(name: str, seed: int, stage: int) -> adj.Game:
    """Return a game of the ruleset after so many stages of simulated play, of one to nine orders each."""
    if stage:
        return played(position(name, seed, stage - 1), Random(f"{name} {seed} {stage}").randint(1, 9))
    options = {"mode": "table", "kit": "deal"} if name == "rally-round" else {}
    return begun(name, 3, seed=seed, options=options)


class Worlds:
    """Positions of games of one ruleset: four stages of four games, each played when it is drawn."""

    def __init__(self, name: str, seed: int) -> None:
        self.name, self.seed = name, seed

    def drawn(self, luck: Random) -> adj.Game:
        """Return one of the positions in which the game is not over."""
        games = (position(self.name, self.seed * 100 + luck.randrange(4), luck.randrange(4)) for _ in count())
        return next(game for game in games if not game.is_over)

    def pair(self, luck: Random, forge: Forge) -> tuple[str, adj.Game, adj.Game, bool]:
        """Return a seat, a game and another one that looks the same to it, and whether their positions differ."""
        game = self.drawn(luck)
        seat = luck.choice(game.seats)
        here, there = self._with_other_secrets(luck, game, seat)
        worlds = []
        for world in (here, there):
            document = json.loads(world.to_bytes())
            self._with_words_of_others(luck, document, game, seat)
            worlds.append(adj.open(forge(document)))
        return seat, *worlds, here != there

    def _with_other_secrets(self, luck: Random, game: adj.Game, seat: str) -> tuple[adj.Game, adj.Game]:
        """Return the game with two of three hidden values exchanged, and with two others of them."""
        state = json.loads(game.to_bytes())["state"]
        own = seen(game, seat)
        every = [at for at in hidden(state, own) if isinstance(value_at(state, at), str | int)]
        for _ in range(12 if len(every) >= 3 else 0):
            one, other, third = luck.sample(every, 3)
            made = []
            for pair in ((one, other), (one, third)):
                first, second = (value_at(state, at) for at in pair)
                changes = [f"{written(at)}={json.dumps(value)}" for at, value in zip(pair, (second, first), strict=True)]
                try:
                    made.append(game.amend(changes, reason="a slip"))
                except adj.AdjudicatorError:  # no such position is possible
                    break
            if len(made) == 2 and made[0] != made[1] and seen(made[0], seat) == seen(made[1], seat) == own:
                return made[0], made[1]
        return game, game

    def _with_words_of_others(self, luck: Random, document: dict[str, Any], game: adj.Game, seat: str) -> None:
        """Let others have written other conditions and notes, and have orders that wait or were withdrawn."""
        others = [one for one in game.seats if one != seat]
        for link in document["journal"]:
            entry = link["entry"]
            if entry.get("seat") in others and luck.random() < 0.5:
                entry["written"] = luck.choice(("DRAW OR DRAW", "GEAR 1 OR GO"))
                entry["notes"] = [luck.choice(("one", "another", "a third"))]
            if entry.get("seat") in others and luck.random() < 0.5:
                entry["note"] = luck.choice(("a trap", "a longer word on a trap"))
            if entry["n"] and luck.random() < 0.3:
                entry["comment"] = luck.choice(("bold", "timid, I would say"))
        sheets = [
            {"is_begun": False, "seat": other, "turn": game.turn, "orders": [{"line": luck.randrange(99), "order": order}]}
            for other in others
            if other not in game.due_seats
            for order in luck.sample([row.order for row in game.seen_by(other).legal_ahead or ()] or ["GO"], 1)
        ]
        document["pending"] = [sheet for sheet in sheets if luck.random() < 0.7]
        document["set_aside"] = [
            {"turn": game.turn, "cause": "withdrawn", "sheet": sheet, "reason": luck.choice("xyz")}
            for sheet in sheets
            if luck.random() < 0.5
        ]


def given_to(run: Run, game: adj.Game, seat: str) -> Iterator[tuple[str, str]]:
    """Yield all that commands and the library give to ``seat``, each with what it is."""
    game.save("g.json", force=True)
    for command in ASKED:
        name, *words = command.split()
        for more in ([], ["--json"]) if name in ("show", "legal", "log", "pending", "check") else ([],):
            result = run(name, "g.json", *words, "--as", seat, *more)
            yield " ".join([command, *more]), f"{result.output}\nexit {result.exit_code}"
    yield "the player's own file", game.seen_by(seat).own_file().decode()
    yield "replay page", game.seen_by(seat).replay_page().text
    desk = Desk()
    desk.open(name="g.json", files=[game.to_bytes()])
    yield "desk", desk.answer("look", json.dumps({"viewer": seat}))[0]
    numbers = sorted({row.n for row in game.seen_by(seat).log()})
    chosen = sorted({*Random(len(numbers)).sample(numbers, min(len(numbers), 6)), *numbers[-2:]})
    for n in chosen:
        yield f"desk at {n}", desk.answer("moment", json.dumps({"viewer": seat, "n": n}))[0]
    for n in chosen[::-3]:  # a fork takes as long as all else
        with suppress(adj.RequestError):
            yield f"fork at {n}", adj.fork_game(game.seen_by(seat), n, secret=f"{n:064x}").to_bytes().decode()


def compare(attack: Attack, run: Run, seat: str, here: adj.Game, there: adj.Game) -> None:
    ours, theirs = ([*given_to(run, world, seat)] for world in (here, there))
    for (what, *pair), (_, second) in zip(ours, theirs, strict=True):
        # A head and its proof are made with the secret of chance and all entries: they differ, and tell nothing.
        one, other = (re.sub(r"\b[0-9a-f]{64}\b", "…", text) for text in (*pair, second))
        attack.count("outputs compared")
        pairs = zip(one.splitlines(), other.splitlines(), strict=False)
        differing = next(((a, b) for a, b in pairs if a != b), (one[-300:], other[-300:]))
        assert one == other, f"{attack.told}: {what} of {seat}: {differing[0][:600]}\nor\n{differing[1][:600]}"


@pytest.mark.parametrize(("name", "whole"), [case for name in GAMES for case in sizes(2, 10_000, name)])
def test_no_output_tells_a_secret(attack: Attack, run: Run, forge: Forge, name: str, whole: int) -> None:
    for number in range(attack.times(whole)):
        luck = attack.next_round()
        made = Worlds(name, attack.seed + number // 400)
        seat, here, there, differs = made.pair(luck, forge)
        text = luck.choice(
            ["DRAW", "GEAR 1", "nonsense", *(row.order for row in (here.seen_by(seat).legal_ahead or ())[:3])]
        )
        Path("orders.txt").write_text(f"{seat}:\n  {text}\n  {luck.choice(('x', 'IF a THEN b', text))}\n")
        attack.count("positions")
        attack.count("positions with other secrets", differs)
        compare(attack, run, seat, here, there)


def test_a_leak_would_be_found(attack: Attack, run: Run, forge: Forge, monkeypatch: pytest.MonkeyPatch) -> None:
    """If a seat were shown what waits of others, the two games would not look the same."""
    told = vars(adj.Reader)["pending"].fget
    leaking = property(lambda reader: told(adj.Reader(reader.game, "moderator")))
    monkeypatch.setattr(adj.Reader, "pending", leaking)
    Path("orders.txt").write_text("red:\n  x\n")
    pairs = [Worlds("checkpoint-rally", 1).pair(attack.next_round(), forge)[:3] for _ in range(4)]
    found = list[str]()
    for pair in pairs:
        try:
            compare(attack, run, *pair)
        except AssertionError as error:
            found.append(str(error))
    assert found and all(": pending" in words for words in found)

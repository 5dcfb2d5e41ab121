"""A toy ruleset in a package of its own, and games of it."""

from __future__ import annotations

import importlib
import json
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from adjudicator import rulesets
from adjudicator.begin import GameChoices, begin_game
from adjudicator.core.chance import ChanceRecord, commitment
from adjudicator.core.engine import adjudicate, begin
from adjudicator.core.game import Game, PendingOrder, PendingSheet, RulesetRef
from adjudicator.core.ids import Seat
from adjudicator.core.journal import Journal
from adjudicator.core.order import Instruction, Sheet
from adjudicator.core.rules import AnyRuleset
from adjudicator.core.ruleset import Player, Setup
from adjudicator.store import components
from adjudicator.store.save import dump_game

PACK = Path(__file__).parent / "pack"
SECRET = bytes(range(32))


@pytest.fixture(scope="module", autouse=True)
def _installed() -> Iterator[None]:
    """Install the toy for one module of tests at a time, so that no other test meets it."""
    sys.path.insert(0, str(PACK))
    importlib.invalidate_caches()
    rulesets.forget()
    yield
    sys.path.remove(str(PACK))
    rulesets.forget()


@pytest.fixture(scope="module")
def toy(_installed: None) -> ModuleType:
    return importlib.import_module("toy_ladder")


@pytest.fixture(scope="module")
def rules(_installed: None) -> AnyRuleset:
    return rulesets.ruleset("toy-ladder")


@pytest.fixture(scope="module")
def make_game(rules: AnyRuleset, toy: ModuleType) -> Callable[..., Game]:
    """Make games after so many orders, with so many left pending; keywords change what the heading says."""

    def make(orders: int = 4, pending: int = 1, **changes: Any) -> Game:
        standard, reference = components.shipped(rules)
        game = Game(
            id="toy-1",
            ruleset=RulesetRef("toy-ladder", 2),
            components=reference,
            chance=ChanceRecord(
                source="committed",
                commitment=commitment(SECRET),
                secret=SECRET.hex(),
                entropy={"red": "a word “é”\u2028"},
            ),
            setup=Setup((Player(Seat("red"), "Ann"), Player(Seat("blue"))), {"pace": "slow"}, standard),
            journal=Journal(),
            pending=(),
            state=None,
        )
        game = replace(game, **changes)
        config = rules.configure(game.setup, rules.meta.version)
        game = begin(rules, config, game)
        lines = tuple(Instruction(toy.Climb(1 + number % 3), line=number + 1) for number in range(orders))
        sheets = [Sheet(Seat("red"), lines[::2]), Sheet(Seat("blue"), lines[1::2])]
        game = adjudicate(rules, config, game, sheets).game
        left = tuple(PendingOrder(number, "CLIMB 9") for number in range(pending))
        return replace(game, pending=(PendingSheet(Seat("red"), game.turn, left),) if pending else ())

    return make


@pytest.fixture(scope="module")
def game(make_game: Callable[..., Game]) -> Game:
    return make_game()


@pytest.fixture
def document(game: Game) -> dict[str, Any]:
    """Return the plain JSON of a game file, to spoil."""
    found: dict[str, Any] = json.loads(dump_game(game))
    return found


@pytest.fixture(scope="module")
def rally() -> bytes:
    """Return the file of a short game of Checkpoint Rally, each seat doing the first thing it may."""
    rules = rulesets.ruleset("checkpoint-rally")
    players = tuple(Player(Seat(seat)) for seat in ("red", "blue", "green"))
    standard, _ = components.shipped(rules)
    session = begin_game(
        GameChoices(ruleset="checkpoint-rally", id="r", players=players, components=standard, secret="5" * 64)
    )
    game = session.game
    for number in range(12):
        seat = rules.awaiting(session.config, game.state)[0].seat
        legal = list(rules.legal(session.config, game.state, seat))
        sheet = Sheet(seat, (Instruction(legal[number % len(legal)], line=1),))
        game = adjudicate(rules, session.config, game, [sheet]).game
    return dump_game(game)

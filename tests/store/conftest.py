"""A toy ruleset in a package of its own, and games of it."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from adjudicator import rulesets
from adjudicator.core.chance import ChanceRecord, commitment
from adjudicator.core.engine import adjudicate, begin
from adjudicator.core.game import Game, PendingOrder, PendingSheet, RulesetRef
from adjudicator.core.ids import Seat
from adjudicator.core.order import Instruction, Sheet
from adjudicator.core.ruleset import Player, Ruleset, Setup
from adjudicator.store import components

PACK = Path(__file__).parent / "pack"
SECRET = bytes(range(32))


@pytest.fixture(scope="session", autouse=True)
def _installed() -> Iterator[None]:
    sys.path.insert(0, str(PACK))
    importlib.invalidate_caches()
    rulesets.forget()
    yield
    sys.path.remove(str(PACK))
    rulesets.forget()


@pytest.fixture(scope="session")
def toy() -> ModuleType:
    return importlib.import_module("toy_ladder")


@pytest.fixture(scope="session")
def rules() -> Ruleset[Any, Any, Any]:
    return rulesets.ruleset("toy-ladder")


@pytest.fixture(scope="session")
def make_game(rules: Ruleset[Any, Any, Any], toy: ModuleType) -> Callable[..., Game]:
    """Games after so many orders, and so many left pending; keywords change what the heading says."""

    def make(orders: int = 4, pending: int = 1, **changes: Any) -> Game:
        standard, reference = components.shipped(rules)
        setup = Setup((Player(Seat("red"), "Ann"), Player(Seat("blue"))), {"pace": "slow"}, standard)
        chance = ChanceRecord(
            source="committed", commitment=commitment(SECRET), secret=SECRET.hex(), entropy={"red": "a word “é”\u2028"}
        )
        game = Game(
            id="toy-1",
            ruleset=RulesetRef("toy-ladder", 2),
            components=reference,
            chance=chance,
            setup=setup,
            journal=(),
            pending=(),
            state=None,
        )
        game = replace(game, **changes)
        table = rules.lay(game.setup)
        game = begin(rules, table, replace(game, state=rules.initial(table)))
        lines = tuple(Instruction(toy.Climb(1 + number % 3), line=number + 1) for number in range(orders))
        outcome = adjudicate(rules, table, game, [Sheet(Seat("red"), lines[::2]), Sheet(Seat("blue"), lines[1::2])])
        orders_left = tuple(PendingOrder(number, "CLIMB 9") for number in range(pending))
        left = (PendingSheet(Seat("red"), outcome.game.turn, orders_left),) if pending else ()
        return replace(outcome.game, pending=left)

    return make


@pytest.fixture(scope="session")
def game(make_game: Callable[..., Game]) -> Game:
    return make_game()

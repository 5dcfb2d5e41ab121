"""A toy ruleset with every kind of order that the engine must cope with, and games of it.

Seats collect coins up to a goal. With the option ``mode=turns`` they act one after the other, with ``mode=together`` all are
awaited at once and a round ends when each has acted.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Generator, Iterator
from types import ModuleType
from typing import Any, ClassVar

import pytest

from adjudicator.core.chance import ChanceRecord, commitment
from adjudicator.core.each_seat import exchanged
from adjudicator.core.engine import Outcome, adjudicate, begin
from adjudicator.core.game import ComponentsRef, Game, RulesetRef
from adjudicator.core.journal import Journal
from adjudicator.core.order import Expression, Instruction, Sheet
from adjudicator.core.rules import AnyRuleset
from adjudicator.core.ruleset import Player
from adjudicator.game import (
    OWNER,
    Chance,
    Decision,
    Event,
    Fact,
    Meta,
    Option,
    Order,
    Part,
    Problem,
    Public,
    Rules,
    Seat,
    Setup,
    Spent,
    Standing,
    Unit,
    View,
    change,
    drawing,
    event,
    events_of,
    frozen,
    of_seat,
    order,
)

SECRET = bytes(range(32))
DICE = ("1", "2", "3", "4", "5", "6")
MOST = 9

META = Meta(
    id="toy-coins",
    name="Toy Coins",
    version=3,
    prefix="TC",
    players=(1, 3),
    unit=Unit("coin", "coins"),
    options=(
        Option("mode", ("turns", "together"), "turns", "who is asked"),
        Option("goal", (), "1000", "how many coins end the game"),
        Option("luck", ("none", "much"), "none", "of a seat", per_seat=True),
    ),
    component_sets=("standard",),
    ruleset="nowhere:RULES",
)


@frozen
class Purse:
    seat: Public[Seat]
    coins: Public[int] = 0
    acts: Public[int] = 0
    has_quit: Public[bool] = False


@frozen
class State:
    purses: Public[tuple[Purse, ...]]
    rounds: Public[int] = 0
    is_over: Public[bool] = False

    def purse(self, seat: Seat) -> Purse:
        return of_seat(self.purses, seat)

    def with_purse(self, seat: Seat, **changes: Any) -> State:
        return change(self, purses=exchanged(self.purses, change(self.purse(seat), **changes)))


@order("ADD 1")
class Add(Order):
    """So many coins: 1 to 9 ever, at most 5 at a time."""

    coins: int


@order()
class Roll(Order):
    """As many coins as so many dice show."""

    dice: int = 1

    def text(self) -> str:
        return f"ROLL {self.dice}"


@order()
class Hide(Order):
    """One coin, and nobody else reads which order it was."""


@order()
class Quit(Order):
    """Never to be asked again."""


@event("TC-1", "{seat} gains {coins}", seen_by=OWNER)
class Gained(Event):
    seat: Public[Seat]
    coins: Public[int]

    def apply(self, config: Setup, state: State) -> State:
        purse = state.purse(self.seat)
        return state.with_purse(self.seat, coins=purse.coins + self.coins, acts=purse.acts + 1)


@event("TC-4", "{seat} leaves")
class Left(Event):
    seat: Public[Seat]

    def apply(self, config: Setup, state: State) -> State:
        return state.with_purse(self.seat, has_quit=True)


@event("TC-5", "{lucky} is lucky")
class RoundEnded(Event):
    lucky: Public[str]

    def apply(self, config: Setup, state: State) -> State:
        return change(state, rounds=state.rounds + 1)


@event("TC-6", "it is over")
class GameOver(Event):
    def apply(self, config: Setup, state: State) -> State:
        return change(state, is_over=True)


def own_coins(_config: Setup, view: View[State]) -> int | None:
    return None if view.viewer is None else view.state.purse(view.viewer).coins


class ToyCoins(Rules[Setup, State]):
    meta, components, state, position = META, dict, State, dict
    events, orders = events_of(__name__), (Add, Roll, Hide, Quit)
    facts: ClassVar[Any] = {
        "coins": Fact.of_game("the own coins", own_coins),
        "round": Fact.of_game("rounds so far", lambda config, view: view.state.rounds),
        "friends": Fact.of_game("ann and bob", lambda config, view: ("ann", "bob")),
        "echo": Fact.at("`echo of WORD`", lambda config, view, word: word),
    }

    def begin(self, config: Setup) -> State:
        return State(tuple(map(Purse, config.seats)))

    def due(self, config: Setup, state: State) -> tuple[Seat, ...]:
        active = [purse for purse in state.purses if not (purse.has_quit or state.is_over)]
        least = min((purse.acts for purse in active), default=0)
        due = [purse.seat for purse in active if purse.acts == least]
        if config.options["mode"] == "turns":
            due = due[:1]
        return tuple(due)

    def decision(self, config: Setup, state: State, seat: Seat) -> Decision | Problem | None:
        if state.purse(seat).has_quit:
            return Problem("toy/gone", f"{seat} has left", "TC-4")
        return Decision(seat, "coins", "how many?", "TC-1") if seat in self.due(config, state) else None

    def is_over(self, config: Setup, state: State) -> bool:
        return state.is_over

    def validate(self, config: Setup, order: Any) -> Problem | None:
        if isinstance(order, Add) and not 1 <= order.coins <= MOST:
            return Problem("toy/impossible", f"nobody can ever add {order.coins}", "TC-2", "coins")
        return None

    def check(self, config: Setup, state: State, seat: Seat, order: Any) -> Problem | None:
        if isinstance(order, Add) and order.coins > 5:
            return Problem("toy/too-many", f"{order.coins} coins are more than 5", "TC-3", "coins")
        return None

    def candidates(self, config: Setup, state: State, seat: Seat) -> Iterator[Any]:
        yield from (order for order in (Add(1), Roll(), Hide(), Quit()) if seat in self.due(config, state))

    def cost(self, config: Setup, state: State, seat: Seat, order: Any) -> tuple[Part, ...]:
        return (Part(getattr(order, "coins", 1), "coins", "TC-1"),)

    def decide(self, config: Setup, state: State, seat: Seat, order: Any, chance: Chance) -> Generator[Any, State, None]:
        if isinstance(order, Quit):
            yield Left(seat=seat)
            return
        coins = getattr(order, "coins", 1)
        if isinstance(order, Roll):
            coins = sum(int(chance.pick(f"die {number + 1} of {seat}", DICE)) for number in range(order.dice))
        before = state.purse(seat).coins
        state = yield Gained(seat=seat, coins=coins)
        yield Spent(seat=seat, before=before, after=state.purse(seat).coins, why=(Part(coins, "coins", "TC-1"),))

    def proceed(self, config: Setup, state: State, chance: Chance) -> Generator[Any, State, None]:
        if state.is_over:
            return
        if any(purse.coins >= int(config.options["goal"]) for purse in state.purses):
            yield GameOver()
        elif config.options["mode"] == "together":
            active = [purse.acts for purse in state.purses if not purse.has_quit]
            if active and min(active) > state.rounds:
                yield RoundEnded(lucky=chance.pick("who is lucky", tuple(purse.seat for purse in state.purses)))

    def public_text(self, config: Setup, state: State, seat: Seat, order: Any) -> str | None:
        return "HIDE or ADD 1" if isinstance(order, Hide) else None

    def standings(self, config: Setup, state: State) -> tuple[Standing, ...]:
        return tuple(Standing(1, purse.seat, purse.coins, "coins") for purse in state.purses)

    def draw(self, config: Setup, view: View[State]) -> drawing.Drawing:
        return drawing.Drawing(())


RULES: AnyRuleset = ToyCoins().changed(names=lambda config: {*config.seats, "ann", "bob"})


def sheet(seat: str, *lines: Expression | tuple[Expression, tuple[str, ...]], turn: int | None = None) -> Sheet:
    """Return a sheet; a line is an expression, or an expression with its recorded outcomes."""
    return Sheet(Seat(seat), tuple(_instruction(number, line) for number, line in enumerate(lines, 1)), turn)


def _instruction(number: int, line: Any) -> Instruction:
    expression, draws = line if isinstance(line, tuple) else (line, ())
    return Instruction(expression, draws, number, f"line {number}", "turn.txt")


@pytest.fixture(scope="session")
def toy() -> ModuleType:
    """Return this module: the toy ruleset ``RULES``, its orders and events, and ``sheet``."""
    return sys.modules[__name__]


@pytest.fixture
def new_game() -> Callable[..., Game]:
    """Return games just begun: ``seats`` in order, options as keywords, chance committed or ``recorded``."""

    def make(
        *seats: str,
        rules: AnyRuleset = RULES,
        recorded: tuple[str, ...] | None = None,
        entropy: dict[str, str] | None = None,
        **options: str,
    ) -> Game:
        players = tuple(Player(Seat(seat)) for seat in seats or ("red", "blue"))
        chance = ChanceRecord(source="recorded")
        if recorded is None:
            chance = ChanceRecord(
                source="committed", commitment=commitment(SECRET), secret=SECRET.hex(), entropy=entropy or {}
            )
        game = Game(
            id="toy-1",
            ruleset=RulesetRef(META.id, META.version),
            components=ComponentsRef("standard", 1, "0" * 64),
            chance=chance,
            setup=Setup(players, {"mode": "turns", "goal": "1000", **options}, None),
            journal=Journal(),
            pending=(),
            state=None,
        )
        return begin(rules, game.setup, game, recorded or ())

    return make


@pytest.fixture(scope="session")
def play() -> Callable[..., Outcome]:
    """Return the engine with the toy ruleset: a game and sheets in, the outcome out."""

    def run(game: Game, *sheets: Sheet, rules: AnyRuleset = RULES) -> Outcome:
        return adjudicate(rules, game.setup, game, sheets)

    return run

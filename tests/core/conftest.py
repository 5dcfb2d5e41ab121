"""A toy ruleset with every kind of order that the engine must cope with, and games of it.

Seats collect coins up to a goal. With the option ``mode=turns`` they act one after the other, with ``mode=together`` all are
awaited at once and a round ends when each has acted.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass, replace
from types import ModuleType
from typing import Any

import pytest

from adjudicator.core.chance import Chance, ChanceRecord, commitment
from adjudicator.core.drawing import Drawing
from adjudicator.core.engine import Outcome, adjudicate, begin
from adjudicator.core.event import Part, Spent
from adjudicator.core.game import ComponentsRef, Game, RulesetRef
from adjudicator.core.ids import MODERATOR, RuleId, Seat, Viewer
from adjudicator.core.order import Expression, Instruction, Sheet
from adjudicator.core.problem import Problem
from adjudicator.core.ruleset import Decision, Language, Meta, Option, Player, Ruleset, Setup, Standing, Types

SECRET = bytes(range(32))
DICE = ("1", "2", "3", "4", "5", "6")
MOST = 9


@dataclass(frozen=True, slots=True)
class Purse:
    seat: Seat
    coins: int = 0
    acts: int = 0
    has_quit: bool = False


@dataclass(frozen=True, slots=True)
class State:
    purses: tuple[Purse, ...]
    rounds: int = 0
    is_over: bool = False

    def purse(self, seat: Seat) -> Purse:
        return next(purse for purse in self.purses if purse.seat == seat)


@dataclass(frozen=True, slots=True)
class Add:
    """So many coins: 1 to 9 ever, at most 5 at a time."""

    coins: int


@dataclass(frozen=True, slots=True)
class Roll:
    """As many coins as so many dice show."""

    dice: int = 1


@dataclass(frozen=True, slots=True)
class Hide:
    """One coin, and nobody else reads which order it was."""


@dataclass(frozen=True, slots=True)
class Quit:
    """Never to be asked again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Gained:
    seat: Seat
    coins: int
    kind: str = "gained"


@dataclass(frozen=True, slots=True, kw_only=True)
class Left:
    seat: Seat
    kind: str = "left"


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundEnded:
    lucky: str
    kind: str = "round-ended"


@dataclass(frozen=True, slots=True, kw_only=True)
class GameOver:
    kind: str = "game-over"


def initial(setup: Setup) -> State:
    return State(tuple(Purse(player.seat) for player in setup.players))


def awaiting(setup: Setup, state: State) -> tuple[Decision, ...]:
    if state.is_over:
        return ()
    active = [purse for purse in state.purses if not purse.has_quit]
    least = min((purse.acts for purse in active), default=0)
    due = [purse.seat for purse in active if purse.acts == least]
    if setup.options["mode"] == "turns":
        due = due[:1]
    return tuple(Decision(seat, "coins", "how many?", RuleId("TC-1")) for seat in due)


def validate(_setup: Setup, order: Any) -> Problem | None:
    if isinstance(order, Add) and not 1 <= order.coins <= MOST:
        return Problem("toy/impossible", f"nobody can ever add {order.coins}", "TC-2", "coins")
    return None


def check(_setup: Setup, _state: State, _seat: Seat, order: Any) -> Problem | None:
    if isinstance(order, Add) and order.coins > 5:
        return Problem("toy/too-many", f"{order.coins} coins are more than 5", "TC-3", "coins")
    return None


def decide(_setup: Setup, state: State, seat: Seat, order: Any, chance: Chance) -> Generator[Any, State, None]:
    if isinstance(order, Quit):
        yield Left(seat=seat)
        return
    coins = getattr(order, "coins", 1)
    if isinstance(order, Roll):
        coins = sum(int(chance.pick(f"die {number + 1} of {seat}", DICE)) for number in range(order.dice))
    before = state.purse(seat).coins
    state = yield Gained(seat=seat, coins=coins)
    yield Spent(seat=seat, before=before, after=state.purse(seat).coins, why=(Part(coins, "coins", "TC-1"),))


def proceed(setup: Setup, state: State, chance: Chance) -> Generator[Any, State, None]:
    if state.is_over:
        return
    if any(purse.coins >= int(setup.options["goal"]) for purse in state.purses):
        yield GameOver()
    elif setup.options["mode"] == "together":
        active = [purse.acts for purse in state.purses if not purse.has_quit]
        if active and min(active) > state.rounds:
            lucky = chance.pick("who is lucky", tuple(purse.seat for purse in state.purses))
            yield RoundEnded(lucky=lucky)


def evolve(_setup: Setup, state: State, event: Any) -> State:
    match event:
        case Gained(seat=seat, coins=coins):
            changed = {
                seat: replace(state.purse(seat), coins=state.purse(seat).coins + coins, acts=state.purse(seat).acts + 1)
            }
        case Left(seat=seat):
            changed = {seat: replace(state.purse(seat), has_quit=True)}
        case RoundEnded():
            return replace(state, rounds=state.rounds + 1)
        case GameOver():
            return replace(state, is_over=True)
        case _:
            return state
    return replace(state, purses=tuple(changed.get(purse.seat, purse) for purse in state.purses))


def redact(_setup: Setup, event: Any, viewer: Viewer) -> Any:
    """Nobody but its seat and the moderator sees what somebody gained."""
    return event if not isinstance(event, Gained) or viewer in (event.seat, MODERATOR) else None


def facts(_setup: Setup, view: tuple[State, Viewer]) -> dict[str, Any]:
    state, viewer = view
    if viewer is None:
        return {}
    return {
        "coins": state.purse(Seat(viewer)).coins,
        "round": state.rounds,
        "friends": ("ann", "bob"),
        "echo": lambda word: word,
    }


def cost(setup: Setup, state: State, seat: Seat, order: Any) -> tuple[Part, ...] | None:
    return None if check(setup, state, seat, order) else (Part(getattr(order, "coins", 1), "coins", "TC-1"),)


def standings(_setup: Setup, state: State) -> tuple[Standing, ...]:
    return tuple(Standing(1, purse.seat, purse.coins, "coins") for purse in state.purses)


def eliminated(_setup: Setup, state: State, seat: Seat) -> Problem | None:
    return Problem("toy/gone", f"{seat} has left", "TC-4") if state.purse(seat).has_quit else None


def legal(setup: Setup, state: State, seat: Seat) -> Iterator[Any]:
    due = [decision.seat for decision in awaiting(setup, state)]
    yield from (order for order in (Add(1), Roll(), Hide(), Quit()) if seat in due)


META = Meta(
    id="toy-coins",
    name="Toy Coins",
    version=3,
    prefix="TC",
    players=(1, 3),
    unit=("coin", "coins"),
    options=(
        Option("mode", ("turns", "together"), "turns", "who is asked"),
        Option("goal", (), "1000", "how many coins end the game"),
        Option("luck", ("none", "much"), "none", "of a seat", per_seat=True),
    ),
    component_sets=("standard",),
    ruleset="nowhere:RULES",
)
TEXTS: dict[type, Callable[[Any], str]] = {
    Add: lambda order: f"ADD {order.coins}",
    Roll: lambda order: f"ROLL {order.dice}",
    Hide: lambda _order: "HIDE",
    Quit: lambda _order: "QUIT",
}
RULES: Ruleset[Any, Any, Any] = Ruleset(
    meta=META,
    language=Language("nowhere.lark", {}, TEXTS, {}, ("ADD 1",)),
    types=Types(dict, dict, State, (Gained, Left, RoundEnded, GameOver, Spent), State),
    configure=lambda setup, _version: setup,
    initial=initial,
    awaiting=awaiting,
    validate=validate,
    check=check,
    decide=decide,
    proceed=proceed,
    evolve=evolve,
    legal=legal,
    cost=cost,
    public_text=lambda _setup, _state, _seat, order: "HIDE or ADD 1" if isinstance(order, Hide) else None,
    view=lambda _setup, state, viewer: (state, viewer),
    redact=redact,
    facts=facts,
    fact_names={"coins": "", "round": "", "friends": "", "echo": ""},
    standings=standings,
    is_over=lambda _setup, state: state.is_over,
    eliminated=eliminated,
    tell=lambda _setup, event: str(event),
    draw=lambda _setup, _view: Drawing(()),
)


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
        rules: Ruleset[Any, Any, Any] = RULES,
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
            journal=(),
            pending=(),
            state=None,
        )
        return begin(rules, game.setup, game, recorded or ())

    return make


@pytest.fixture(scope="session")
def play() -> Callable[..., Outcome]:
    """Return the engine with the toy ruleset: a game and sheets in, the outcome out."""

    def run(game: Game, *sheets: Sheet, rules: Ruleset[Any, Any, Any] = RULES) -> Outcome:
        return adjudicate(rules, game.setup, game, sheets)

    return run

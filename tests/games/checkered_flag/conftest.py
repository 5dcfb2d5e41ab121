"""Tracks and positions to race on: a small track drawn in letters, scenes whose spins are told beside each order.

Test modules are imported by path, so everything they share comes as a fixture: ``parts`` makes a component set, ``scene`` a
position, ``start`` a game from a seed, ``wander`` plays on at random.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from importlib.resources import files
from itertools import groupby
from random import Random
from typing import Any

import pytest
from pydantic import TypeAdapter

from adjudicator.core.chance import ChanceRecord, commitment
from adjudicator.core.engine import Outcome, adjudicate, begin
from adjudicator.core.event import Spent
from adjudicator.core.game import ComponentsRef, Game, RulesetRef
from adjudicator.core.options import fill_options
from adjudicator.core.order import Instruction, Sheet
from adjudicator.core.problem import Problem
from adjudicator.core.ruleset import Player, Setup
from adjudicator.games.checkered_flag.components import Components, Curve, Ground, Spot, Width, Zone
from adjudicator.games.checkered_flag.position import Position, SeatAt
from adjudicator.games.checkered_flag.ruleset import RULESET
from adjudicator.games.checkered_flag.state import Racer, Spun, State

SEATS = ("red", "blue")
TRACK = ".....aaa....bbccc...==.dDd...."
"""Danger on 6–8, on 13–17 with two curves (13–14, 15–17), and on 24–26; narrow on 21, 22 and 25; 30 positions."""


def _parts(track: str = TRACK, *, wheel_a: Sequence[int] = range(1, 7), wheel_b: Sequence[int] = range(1, 7)) -> Components:
    """Make a component set from a drawing of its track.

    A dot is straight, ``=`` straight and narrow, a letter is danger (narrow if it is a capital): a letter for each curve,
    and letters that touch are one zone, named by the first.
    """
    spots, zones = [], []
    for number, sign in enumerate(track, 1):
        ground = Ground.DANGER if sign.isalpha() else Ground.STRAIGHT
        spots.append(Spot(number, ground, Width.NARROW if sign == "=" or sign.isupper() else Width.WIDE))
    numbered = list(enumerate(track.lower(), 1))
    for is_danger, group in groupby(numbered, lambda at: at[1].isalpha()):
        if not is_danger:
            continue
        curves = []
        for _, places in groupby(group, lambda at: at[1]):
            numbers = list(places)
            curves.append((numbers[0][1], Curve(numbers[0][0], numbers[-1][0])))
        name = curves[0][0]
        zones.append(Zone(name, f"Zone {name.upper()}", tuple(curve for _, curve in curves)))
    return Components(
        id="drawn",
        version=1,
        name="Drawn track",
        note="for tests",
        wheel_a=tuple(wheel_a),
        wheel_b=tuple(wheel_b),
        track=tuple(spots),
        zones=tuple(zones),
    )


def _game(table: Any, setup: Setup, chance: ChanceRecord, recorded: Sequence[str] = ()) -> Game:
    game = Game(
        id="test",
        ruleset=RulesetRef(RULESET.meta.id, RULESET.meta.version),
        components=ComponentsRef(setup.components.id, setup.components.version, "0" * 64),
        chance=chance,
        setup=setup,
        journal=(),
        pending=(),
        state=None,
    )
    return begin(RULESET, table, game, recorded)


def _setup(parts: Components, options: Mapping[str, str], position: Position | None = None) -> Setup:
    filled = fill_options(RULESET.meta, SEATS, options)
    return Setup(tuple(Player(seat) for seat in SEATS), filled, parts, position)


class Told(tuple[Any, ...]):
    """The events of one order."""

    def of(self, kind: type) -> list[Any]:
        """Return the events of ``kind``, in order."""
        return [event for event in self if isinstance(event, kind)]

    @property
    def kinds(self) -> list[str]:
        return [event.kind for event in self]

    @property
    def why(self) -> list[tuple[int, str]]:
        """The parts of the move: spaces and the rule."""
        return [(part.amount, part.rule) for spent in self.of(Spent) for part in spent.why]


@dataclass
class Scene:
    """A game that moves on with every order; what the wheels show is told beside the order."""

    table: Any
    game: Game

    @property
    def state(self) -> State:
        return self.game.state

    def racer(self, seat: str) -> Racer:
        return self.state.racer(seat)

    def at(self, seat: str) -> int:
        """Return the position of the car of ``seat``."""
        return self.table.position_at(self.racer(seat).driven)

    def due(self) -> list[tuple[str, str]]:
        """Return who is asked for what."""
        return [(decision.seat, decision.kind) for decision in RULESET.awaiting(self.table, self.state)]

    def ask(self) -> str:
        (decision,) = RULESET.awaiting(self.table, self.state)
        return decision.ask

    def send(self, seat: str, *orders: Any, draws: Sequence[str] = ()) -> Outcome:
        """Adjudicate a sheet of ``orders``; ``draws`` stands beside the first. The game goes on from there."""
        lines = [Instruction(order, tuple(draws) if n == 0 else ()) for n, order in enumerate(orders)]
        outcome = adjudicate(RULESET, self.table, self.game, [Sheet(seat, tuple(lines))])
        self.game = outcome.game
        return outcome

    def do(self, seat: str, order: Any, *draws: int) -> Told:
        """Carry out one order, for which exactly ``draws`` come by chance; return its events."""
        outcome = self.send(seat, order, draws=tuple(map(str, draws)))
        assert not outcome.findings, [finding.problem for finding in outcome.findings]
        (accepted,) = outcome.accepted
        return Told(accepted.entry.events)

    def refuse(self, seat: str, order: Any) -> Problem:
        """Return why ``order`` is refused; it must be, and must leave no trace."""
        before = self.game
        outcome = self.send(seat, order)
        assert not outcome.accepted
        assert self.game == before
        (finding,) = outcome.findings
        return finding.problem

    def wrong(self, seat: str, order: Any) -> tuple[str, str]:
        """Return the code and the rule by which ``check`` refuses ``order`` now, also where the engine would let it wait."""
        problem = RULESET.check(self.table, self.state, seat, order)
        assert problem is not None
        game, _, code = problem.code.partition("/")
        assert game == "checkered-flag"
        return code, problem.rule

    def allows(self, seat: str, order: Any) -> bool:
        return RULESET.check(self.table, self.state, seat, order) is None

    def legal(self, seat: str) -> list[Any]:
        return list(RULESET.legal(self.table, self.state, seat))

    def cost(self, seat: str, order: Any) -> int | None:
        why = RULESET.cost(self.table, self.state, seat, order)
        return None if why is None else sum(part.amount for part in why)

    def view(self, viewer: str | None) -> Any:
        return RULESET.view(self.table, self.state, viewer)

    def fact(self, viewer: str | None, name: str, argument: str = "") -> Any:
        value = RULESET.facts(self.table, self.view(viewer))[name]
        return value(argument) if callable(value) else value

    def places(self) -> list[tuple[int, str, int, str]]:
        found = RULESET.standings(self.table, self.state)
        return [(standing.place, standing.seat, standing.score, standing.note) for standing in found]

    def told(self, events: Iterable[Any]) -> list[str]:
        return [words for event in events if (words := RULESET.tell(self.table, event))]

    def is_over(self) -> bool:
        return RULESET.is_over(self.table, self.state)


@pytest.fixture(scope="session")
def parts() -> Callable[..., Components]:
    """Make a component set, see ``_parts``."""
    return _parts


@pytest.fixture(scope="session")
def house() -> Components:
    """Return the component set that is shipped."""
    text = (files("adjudicator.games.checkered_flag") / "data" / "house.json").read_text(encoding="utf-8")
    return TypeAdapter(Components).validate_json(text)


@pytest.fixture(scope="session")
def scene() -> Callable[..., Scene]:
    """Make a position: ``red`` and ``blue`` are fields of ``SeatAt``, ``turn`` has red unless told, ``spun`` two numbers.

    ``outcomes`` are what happens before the first order, as words in one string.
    """

    def make(
        track: str = TRACK,
        *,
        red: Mapping[str, Any] | None = None,
        blue: Mapping[str, Any] | None = None,
        turn: str | None = "red",
        spun: tuple[int, int] | None = None,
        laps: int = 1,
        outcomes: str = "",
        parts: Components | None = None,
    ) -> Scene:
        seats = (SeatAt(seat="red", **(red or {})), SeatAt(seat="blue", **(blue or {})))
        position = Position(seats=seats, turn=turn, spun=None if spun is None else Spun(*spun))
        setup = _setup(parts or _parts(track), {"laps": str(laps)}, position)
        table = RULESET.lay(setup)
        return Scene(table, _game(table, setup, ChanceRecord(source="recorded"), outcomes.split()))

    return make


@pytest.fixture(scope="session")
def begun() -> Callable[..., Scene]:
    """Begin a game at the line by the recorded ``outcomes`` of the spins for the first turn."""

    def make(outcomes: str, parts: Components | None = None, laps: int = 1) -> Scene:
        setup = _setup(parts or _parts(), {"laps": str(laps)})
        table = RULESET.lay(setup)
        return Scene(table, _game(table, setup, ChanceRecord(source="recorded"), outcomes.split()))

    return make


@pytest.fixture(scope="session")
def start() -> Callable[..., Scene]:
    """Begin a game at the line from a seed."""

    def make(seed: int, parts: Components, laps: int = 1) -> Scene:
        secret = sha256(str(seed).encode()).digest()
        setup = _setup(parts, {"laps": str(laps)})
        table = RULESET.lay(setup)
        chance = ChanceRecord(source="committed", commitment=commitment(secret), secret=secret.hex())
        return Scene(table, _game(table, setup, chance))

    return make


@pytest.fixture(scope="session")
def wander() -> Callable[..., Scene]:
    """Play random legal orders, chosen by ``seed``, for so many ``steps``; they are added to ``played`` as (seat, order)."""

    def go_on(race: Scene, steps: int, seed: int, played: list[tuple[str, Any]] | None = None) -> Scene:
        rng = Random(seed)
        for _ in range(steps):
            due = race.due()
            if not due:
                break
            seat, _ = due[0]
            order = rng.choice(race.legal(seat))
            outcome = race.send(seat, order)
            assert outcome.accepted, (seat, order, outcome.findings)
            if played is not None:
                played.append((seat, order))
        return race

    return go_on

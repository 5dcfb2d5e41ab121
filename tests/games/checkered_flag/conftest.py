"""Tracks and positions to race on: a small track drawn in letters, scenes whose spins are told beside each order.

Test modules are imported by path, so everything they share comes as a fixture: ``parts`` makes a component set, ``scene`` a
position, ``start`` a game from a seed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import groupby
from typing import Any, ClassVar

import pytest
import scenes

from adjudicator.games.checkered_flag.components import Components, Curve, Spot, Width, Zone
from adjudicator.games.checkered_flag.rules import RULESET
from adjudicator.games.checkered_flag.state import Position, Racer, SeatAt, Spun

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
        spots.append(Spot(number, Width.NARROW if sign == "=" or sign.isupper() else Width.WIDE))
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


class Told(scenes.Told):
    """The events of one order."""

    @property
    def why(self) -> list[tuple[int, str]]:
        """The parts of the move: spaces and the rule."""
        return [(part.amount, part.rule) for part in self.parts]


class Race(scenes.Scene):
    """A race that moves on with every order; what the wheels show is told beside the order."""

    rules: ClassVar[Any] = RULESET

    def racer(self, seat: str) -> Racer:
        return self.state.racer(seat)

    def at(self, seat: str) -> int:
        """Return the position of the car of ``seat``."""
        return self.config.position_at(self.racer(seat).driven)

    def ask(self) -> str:
        (decision,) = RULESET.awaiting(self.config, self.state)
        return decision.ask

    def do(self, seat: str, order: Any, *draws: object) -> Told:
        return Told(super().do(seat, order, *draws))

    def places(self) -> list[tuple[int, str, int, str]]:
        found = RULESET.standings(self.config, self.state)
        return [(standing.place, standing.seat, standing.score, standing.note) for standing in found]

    def told(self, events: Iterable[Any]) -> list[str]:
        return [words for event in events if (words := RULESET.tell(self.config, event))]


@pytest.fixture(scope="session")
def parts() -> Callable[..., Components]:
    """Make a component set, see ``_parts``."""
    return _parts


@pytest.fixture(scope="session")
def house() -> Components:
    """Return the component set that is shipped."""
    return scenes.shipped(Components)


@pytest.fixture(scope="session")
def scene() -> Callable[..., Race]:
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
        braking: str = "free",
        outcomes: str = "",
        parts: Components | None = None,
        version: int = 0,
    ) -> Race:
        seats = (SeatAt(seat="red", **(red or {})), SeatAt(seat="blue", **(blue or {})))
        position = Position(seats=seats, turn=turn, spun=None if spun is None else Spun(*spun))
        options = {"laps": str(laps), "braking": braking}
        return Race.begin(
            SEATS, parts or _parts(track), options, position=position, outcomes=outcomes.split(), version=version
        )

    return make


@pytest.fixture(scope="session")
def begun() -> Callable[..., Race]:
    """Begin a game at the line by the recorded ``outcomes`` of the spins for the first turn."""

    def make(outcomes: str, parts: Components | None = None, laps: int = 1) -> Race:
        return Race.begin(SEATS, parts or _parts(), {"laps": str(laps)}, outcomes=outcomes.split())

    return make


@pytest.fixture(scope="session")
def start() -> Callable[..., Race]:
    """Begin a game at the line from a seed."""

    def make(seed: int, parts: Components, laps: int = 1, braking: str = "free") -> Race:
        return Race.begin(SEATS, parts, {"laps": str(laps), "braking": braking}, seed=seed)

    return make

"""The state of a race: everything that changes, and explicit positions."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

from adjudicator.game import At, Meta, Seat, Value, count
from adjudicator.game import State as BaseState
from adjudicator.games.checkered_flag.components import GEAR_LETTERS, GEAR_NAMES, NEUTRAL, Config, Gear, Lost, box_beside
from adjudicator.games.checkered_flag.danger import Face


class Spun(Value):
    """What the wheels A and B show."""

    a: Face
    b: Face


class Racer(Value, kw_only=True):
    """The values of a seat: ``driven`` counts spaces since the start, all laps together, 0 at the line.

    ``lost`` turns a crashed car has still to lose; its marker lies beside the box ``lost`` + 1, its ``gear`` (CF-X1).
    """

    seat: Seat
    driven: Annotated[int, Meta(ge=0, le=2_000)] = 0
    gear: Gear = NEUTRAL
    lost: Lost = 0


def doing(racer: Racer) -> str:
    """Describe a car by its gear, or by the turns that its crash still costs."""
    return f"crashed, {count(racer.lost, 'turn')} to lose" if racer.lost else GEAR_NAMES[racer.gear]


class State(BaseState[Racer], kw_only=True):
    """The whole position: ``turn`` is the seat to move, ``None`` before the first turn is spun for.

    ``spun`` is what that seat has spun while it has still to say whether it brakes (CF-B2).
    """

    own_in, account = "racers", "driven"

    racers: tuple[Racer, ...]
    turn: Seat | None = None
    spun: Spun | None = None

    def winner(self, config: Config) -> Seat | None:
        """Return the seat that is beyond the finish line (CF-V1), ``None`` before the race is over."""
        for racer in self.racers:
            if racer.driven > config.distance:
                return racer.seat
        return None


Here = At[Config, State, Racer]
"""A position of the game."""


class SeatAt(Value, kw_only=True):
    """The place of a seat: on ``position`` of ``lap`` (0: at the starting line), in ``gear``, 0 for neutral.

    ``lost`` is the number of turns that a crashed car has still to lose; its gear follows from that and is optional.
    """

    seat: Seat
    position: Annotated[int, Meta(ge=0, le=200)] = 0
    lap: Annotated[int, Meta(ge=1, le=9)] = 1
    gear: Gear | None = None
    lost: Lost = 0

    def driven(self, config: Config) -> int:
        """Return the spaces since the start; an impossible place becomes the nearest possible one."""
        return (min(self.lap, config.laps) - 1) * config.length + min(self.position, config.length)

    def flaws(self, config: Config) -> Iterator[str]:
        """Yield the reasons why the place is impossible."""
        if self.position > config.length:
            yield f"there is no position {self.position} on a track of {config.length}"
        if self.lap > config.laps:
            yield f"there is no lap {self.lap} in a race of {config.laps}"
        if self.lap > 1 and not self.position:
            yield "a car is at the line only at the start of lap 1"
        if self.lost and self.gear not in (None, box_beside(self.lost)):
            box, gear = (GEAR_LETTERS[one or NEUTRAL] for one in (box_beside(self.lost), self.gear))
            yield f"with {count(self.lost, 'turn')} to lose the marker lies beside box {box}, not {gear}"


class Position(Value, kw_only=True):
    """A position for puzzles, tests, games begun elsewhere; without ``turn`` the first turn is spun for (CF-S1).

    ``spun`` are the wheels that the seat to move has spun already where it has still to say whether it brakes.
    """

    seats: Annotated[tuple[SeatAt, ...], Meta(min_length=2, max_length=2)]
    turn: Seat | None = None
    spun: Spun | None = None

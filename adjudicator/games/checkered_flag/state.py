"""The state of a game: everything that changes (CF-S, CF-G, CF-M, CF-X)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, Any

from annotated_types import Ge, Le

from adjudicator.core.change import change
from adjudicator.core.ids import Seat
from adjudicator.core.seated import exchanged, of_seat
from adjudicator.games.checkered_flag.components import NEUTRAL, Face, Gear


class Stage(StrEnum):
    """How far the game is: the first turn is spun for, the race is on, the game is over."""

    STARTING = "starting"
    RACING = "racing"
    OVER = "over"


@dataclass(frozen=True, slots=True)
class Spun:
    """What the wheels A and B show."""

    a: Face
    b: Face


@dataclass(frozen=True, slots=True, kw_only=True)
class Racer:
    """What belongs to one seat.

    ``driven`` counts spaces since the start, all laps together, 0 at the line. ``lost`` is how many turns a crashed car has
    still to lose; its marker lies beside the box ``lost`` + 1, which is its ``gear`` (CF-X1).
    """

    seat: Seat
    driven: Annotated[int, Ge(0), Le(2_000)] = 0
    gear: Gear = NEUTRAL
    lost: Annotated[int, Ge(0), Le(2)] = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    """The whole position.

    ``turn`` is the seat to move (``None`` before the first turn is spun for). ``spun`` is what that seat has spun while it
    has still to say whether it brakes (CF-B2). ``winner`` has crossed the finish line.
    """

    stage: Stage
    racers: tuple[Racer, ...]
    turn: Seat | None = None
    spun: Spun | None = None
    winner: Seat | None = None

    def racer(self, seat: Seat) -> Racer:
        """Return what belongs to ``seat``."""
        return of_seat(self.racers, seat)

    def with_racer(self, racer: Racer, **changes: Any) -> State:
        """Return the state with ``racer`` in the place of the one of that seat, and other fields changed."""
        return change(self, racers=exchanged(self.racers, racer), **changes)

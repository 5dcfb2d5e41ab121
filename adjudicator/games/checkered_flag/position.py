"""A position given explicitly instead of a start from the line: puzzles, tests, games begun elsewhere."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from annotated_types import Ge, Le, Len

from adjudicator.core.ids import Seat
from adjudicator.games.checkered_flag.components import Gear
from adjudicator.games.checkered_flag.state import Spun


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatAt:
    """Where a seat stands: on ``position`` of ``lap`` (0: at the starting line), in ``gear``, 0 for neutral.

    ``lost`` is how many turns a crashed car has still to lose; its gear follows from that and may be left out.
    """

    seat: Seat
    position: Annotated[int, Ge(0), Le(200)] = 0
    lap: Annotated[int, Ge(1), Le(9)] = 1
    gear: Gear | None = None
    lost: Annotated[int, Ge(0), Le(2)] = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Position:
    """The whole table.

    ``turn`` is the seat to move; without it the first turn is spun for (CF-S1). ``spun`` are the wheels that this seat
    has spun already where it has still to say whether it brakes.
    """

    seats: Annotated[tuple[SeatAt, ...], Len(2, 2)]
    turn: Seat | None = None
    spun: Spun | None = None

"""The state of a game: everything that changes (CR-T, CR-F)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, Any, Literal

from annotated_types import Ge, Le, Len

from adjudicator.core.change import change
from adjudicator.core.ids import Name, Seat
from adjudicator.core.seated import exchanged, of_seat
from adjudicator.games.checkpoint_rally.components import CELLS, Cell, Rotation, TileId


class Stage(StrEnum):
    """How far the game is: the table is laid, start tiles are placed, the race is on, the game is over."""

    DEALING = "dealing"
    STARTING = "starting"
    RACING = "racing"
    OVER = "over"


@dataclass(frozen=True, slots=True)
class Laid:
    """A tile on the board, turned ``rot`` degrees clockwise."""

    tile: TileId
    rot: Rotation


@dataclass(frozen=True, slots=True)
class Frame:
    """One side of the border: which piece lies there, and which of its sides shows."""

    piece: Name
    face: Literal["front", "back"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Racer:
    """What belongs to one seat.

    ``cell`` is where the car stands (``None``: not started, or finished), ``marked`` the checkpoints visited in order,
    ``minutes`` the time spent, ``place`` the order of finishing from 1. ``has_chance`` turns false when the seat will act
    no more (CR-F2).
    """

    seat: Seat
    corner: Cell
    car: Name | None = None
    card: Name | None = None
    cell: Cell | None = None
    hand: tuple[TileId, ...] = ()
    marked: tuple[Cell, ...] = ()
    gps: Annotated[int, Ge(0), Le(2)] = 2
    minutes: Annotated[int, Ge(0)] = 0
    place: Annotated[int, Ge(1), Le(4)] | None = None
    has_chance: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    """The whole position.

    ``board`` goes row by row from A1 to E5. ``stack`` is a bag of unseen tiles in the order of the component set: no state
    holds a hidden order. ``order`` lists the markers as they are due: least time first, the top of a stack first (CR-T1).
    ``starting`` lists the seats that still place their start tile. ``acting`` has the turn in its last chance (CR-F2).
    """

    stage: Stage
    border: Annotated[tuple[Frame, ...], Len(0, 4)]
    board: Annotated[tuple[Laid | None, ...], Len(25, 25)]
    stack: tuple[TileId, ...]
    discard: tuple[TileId, ...]
    row: tuple[TileId, ...]
    racers: tuple[Racer, ...]
    order: tuple[Seat, ...]
    starting: tuple[Seat, ...]
    acting: Seat | None

    def racer(self, seat: Seat) -> Racer:
        """Return what belongs to ``seat``."""
        return of_seat(self.racers, seat)

    def with_racer(self, racer: Racer, **changes: Any) -> State:
        """Return the state with ``racer`` in the place of the one of that seat, and other fields changed."""
        return change(self, racers=exchanged(self.racers, racer), **changes)

    @property
    def finishers(self) -> tuple[Racer, ...]:
        """The seats that have finished, in the order of finishing."""
        return tuple(sorted((racer for racer in self.racers if racer.place), key=lambda racer: racer.place or 0))


EMPTY_BOARD: tuple[Laid | None, ...] = (None,) * len(CELLS)

"""A position given explicitly instead of by chance: puzzles, tests, games begun elsewhere."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Final

from annotated_types import Ge, Le, Len

from adjudicator.core.ids import Name, Seat
from adjudicator.games.checkpoint_rally.components import Cell, Rotation, TileId
from adjudicator.games.checkpoint_rally.state import Frame

MOST_MINUTES: Final = 100_000
"""Minutes up to which a clock can be set by hand."""
MOST_IN_HAND: Final = 12
"""Tiles up to which a hand can be filled by hand."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TileAt:
    """A tile on the board, turned ``rot`` degrees clockwise."""

    cell: Cell
    tile: TileId
    rot: Rotation = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatAt:
    """Where a seat stands.

    Without ``cell`` the seat has still to place its start tile (or has finished, with ``place``). ``car`` and ``card``
    default to the first of the component set that are free. ``has_chance`` is false for a seat whose last chance is over.
    """

    seat: Seat
    car: Name | None = None
    card: Name | None = None
    cell: Cell | None = None
    hand: Annotated[tuple[TileId, ...], Len(0, MOST_IN_HAND)] = ()
    marked: Annotated[tuple[Cell, ...], Len(0, 4)] = ()
    gps: Annotated[int, Ge(0), Le(2)] = 2
    minutes: Annotated[int, Ge(0), Le(MOST_MINUTES)] = 0
    place: Annotated[int, Ge(1), Le(4)] | None = None
    has_chance: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Position:
    """The whole table.

    ``border`` (north, east, south, west) defaults to the first four pieces, front up. ``stack`` defaults to every tile that
    is nowhere else. ``order`` lists the markers as they are due (least time first, the top of a stack first) and defaults
    to the clocks, ties in the order of the seats. ``acting`` has the turn in its last chance.
    """

    seats: Annotated[tuple[SeatAt, ...], Len(2, 4)]
    board: Annotated[tuple[TileAt, ...], Len(0, 25)] = ()
    row: Annotated[tuple[TileId, ...], Len(0, 3)] = ()
    discard: tuple[TileId, ...] = ()
    stack: tuple[TileId, ...] | None = None
    border: tuple[Frame, Frame, Frame, Frame] | None = None
    order: tuple[Seat, ...] | None = None
    acting: Seat | None = None

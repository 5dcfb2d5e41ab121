"""Describe the board for its picture and its text: squares with tiles, grounds, roads and markers."""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from adjudicator.game import Seat, Value
from adjudicator.games.checkpoint_rally.components import Road, Terrain
from adjudicator.scenes import Sign


class Stroke(StrEnum):
    """The stroke of a kind of road, so that readers can distinguish the kinds without colour."""

    DOUBLE = "double"
    SINGLE = "single"
    DOTTED = "dotted"


STROKES: Final = {Road.HIGHWAY: Stroke.DOUBLE, Road.GRAVEL: Stroke.DOTTED, Road.URBAN: Stroke.SINGLE}
TERRAINS: Final = tuple(Terrain)


class Marker(Value):
    """A car, a mark or a goal of a seat on a square."""

    seat: Seat
    sign: Sign


class Edge(Value):
    """One side of a square: the ground there, and the kind of road that crosses it."""

    ground: Terrain
    road: Road | None = None


class Square(Value):
    """A square: ``edges`` north, east, south, west (empty for a free square), its tile, its rotation and its markers."""

    edges: tuple[Edge, ...] = ()
    label: str = ""
    corner: str = ""
    markers: tuple[Marker, ...] = ()


class Grid(Value):
    """Squares row by row, with the grounds that frame them (north, east, south, west; west–east, north–south).

    ``is_apart`` says that the squares are separate tiles and no board: no road leads from one square to the next.
    """

    columns: tuple[str, ...]
    rows: tuple[str, ...]
    squares: tuple[Square, ...]
    frame: tuple[tuple[Terrain, ...], ...] = ()
    is_apart: bool = False

    def name(self, at: int) -> str:
        """Return the name of square number ``at``: ``C3``."""
        row, column = divmod(at, max(len(self.columns), 1))
        return f"{self.columns[column]}{self.rows[row]}"

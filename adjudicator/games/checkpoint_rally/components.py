"""The parts of the game: tiles, border pieces, checkpoint cards, cars, and the grid of the board (CR-C)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, Final, Literal, NewType

from annotated_types import Ge, Len

from adjudicator.core.ids import Name

TileId = NewType("TileId", str)
Cell = NewType("Cell", str)
Rotation = Literal[0, 90, 180, 270]
"""Degrees clockwise from the printed orientation."""

SIZE: Final = 5
"""Cells along one side of the board."""
HAND_LIMIT: Final = 3
"""Tiles a hand may hold when its turn ends (CR-T2)."""
HAND_DEALT: Final = 4
"""Tiles a player draws before placing the start tile (CR-S6)."""
ROW: Final = 3
"""Tiles in the face-up row (CR-C6)."""
GPS_UPDATES: Final = 2
"""GPS updates a player begins with (CR-C6)."""
ROTATIONS: Final[tuple[Rotation, ...]] = (0, 90, 180, 270)


class Road(StrEnum):
    """The road types (CR-C2)."""

    HIGHWAY = "highway"
    GRAVEL = "gravel"
    URBAN = "urban"


class Terrain(StrEnum):
    """The terrain types (CR-C2)."""

    CITY = "city"
    MOUNTAINS = "mountains"
    GRASSLAND = "grassland"
    DESERT = "desert"


class Side(StrEnum):
    """The sides of a tile or of the board, clockwise from the north."""

    NORTH = "N"
    EAST = "E"
    SOUTH = "S"
    WEST = "W"


SIDES: Final = tuple(Side)
CELLS: Final = tuple(Cell(f"{column}{row}") for row in range(1, SIZE + 1) for column in "ABCDE")
"""All cells, row by row from the north-west: the order of the board in a state (CR-C1)."""
INDEX: Final[dict[Cell, int]] = {cell: index for index, cell in enumerate(CELLS)}
CORNERS: Final = (Cell("A1"), Cell("E1"), Cell("E5"), Cell("A5"))
"""The corners, clockwise from the north-west."""
LAYOUTS: Final[dict[str, tuple[Cell, ...]]] = {
    "diamond": (Cell("B2"), Cell("D2"), Cell("D4"), Cell("B4")),
    "cross": (Cell("C2"), Cell("D3"), Cell("C4"), Cell("B3")),
}
EDGE_MIDDLES: Final = (Cell("C1"), Cell("E3"), Cell("C5"), Cell("A3"))
CENTRE: Final = Cell("C3")


def _neighbours(index: int) -> tuple[int | None, ...]:
    row, column = divmod(index, SIZE)
    return (
        index - SIZE if row > 0 else None,
        index + 1 if column < SIZE - 1 else None,
        index + SIZE if row < SIZE - 1 else None,
        index - 1 if column > 0 else None,
    )


NEIGHBOURS: Final = tuple(_neighbours(index) for index in range(len(CELLS)))
"""For each cell the indexes of its neighbours north, east, south, west; ``None`` where the border is."""


@dataclass(frozen=True, slots=True)
class Tile:
    """A map tile: one road type, the sides its road leaves by, and the terrain at N, E, S, W as printed."""

    id: Annotated[TileId, Len(1, 8)]
    road: Road
    exits: Annotated[tuple[Side, ...], Len(0, 4)]
    sides: tuple[Terrain, Terrain, Terrain, Terrain]


Five = tuple[Terrain, Terrain, Terrain, Terrain, Terrain]
"""The terrains along one side of the board: west to east, or north to south (CR-C3)."""


@dataclass(frozen=True, slots=True)
class BorderPiece:
    """A border piece with its two sides."""

    id: Annotated[Name, Len(1, 8)]
    front: Five
    back: Five


@dataclass(frozen=True, slots=True)
class Card:
    """A checkpoint card: the map of its upper half and of its lower half (CR-C4)."""

    id: Annotated[Name, Len(1, 8)]
    upper: Annotated[tuple[Cell, ...], Len(1, 4)]
    lower: Annotated[tuple[Cell, ...], Len(1, 4)]


@dataclass(frozen=True, slots=True)
class Car:
    """A car: the minutes it needs for a tile of each road type (CR-C5)."""

    id: Annotated[Name, Len(1, 24)]
    name: Name
    highway: Annotated[int, Ge(1)]
    gravel: Annotated[int, Ge(1)]
    urban: Annotated[int, Ge(1)]


@dataclass(frozen=True, slots=True)
class Components:
    """A component set: everything in the box that differs from set to set."""

    id: Name
    version: Annotated[int, Ge(1)]
    name: Name
    note: Annotated[str, Len(0, 500)]
    tiles: Annotated[tuple[Tile, ...], Len(1, 200)]
    borders: Annotated[tuple[BorderPiece, ...], Len(4, 40)]
    cards: Annotated[tuple[Card, ...], Len(2, 200)]
    cars: Annotated[tuple[Car, ...], Len(2, 60)]

"""The orders of Checkpoint Rally."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from adjudicator.game import Order, Term, order
from adjudicator.games.checkpoint_rally.components import Cell, TileId


@order("PLACE H3 at C2 rot 90")
class Place(Order):
    """Lay ``tile`` from the hand at ``cell``, turned ``rot`` degrees clockwise; keep the replaced tile with a GPS update."""

    tile: TileId
    cell: Cell
    rot: int = 0
    gps: bool = False

    def text(self) -> str:
        return f"PLACE {self.tile} at {self.cell} rot {self.rot}{' gps' if self.gps else ''}"


@order("MOVE C3 D3")
class Move(Order):
    """Drive the car to each of ``path`` in turn, one or two cells."""

    path: tuple[Cell, ...]

    @classmethod
    def read(cls, children: list[Any]) -> Move:
        """Return the order that the cells of its grammar rule make."""
        return cls(tuple(children))

    def text(self) -> str:
        return f"MOVE {' '.join(self.path)}"


@order("DRAW")
class DrawTwo(Order):
    """Draw two tiles from the stack."""

    def text(self) -> str:
        return "DRAW"


@order("REFRESH")
class Refresh(Order):
    """Replace the row."""


@order("TAKE U7")
class Take(Order):
    """Take ``tile`` out of the row with a GPS update."""

    tile: TileId


class _OfHand(Order):
    """An order about tiles of the hand: sorted, so that the order of naming them makes no difference."""

    __slots__ = ()
    tiles: tuple[TileId, ...]

    @classmethod
    def read(cls, children: list[Any]) -> Any:
        """Return the order that the tiles of its grammar rule make."""
        return cls(in_order(children))  # type: ignore[call-arg]

    def text(self) -> str:
        return f"{type(self).__name__.upper()} {' '.join(self.tiles)}"


@order("DISCARD G7 H2")
class Discard(_OfHand):
    """Put ``tiles`` of the hand on the discard pile."""

    tiles: tuple[TileId, ...]


@order("KEEP H3 U1 U2")
class Keep(_OfHand):
    """Keep ``tiles`` in the hand and discard the rest."""

    tiles: tuple[TileId, ...]


ORDERS: Final = (Place, Move, DrawTwo, Refresh, Take, Discard, Keep)


def in_order(tiles: Iterable[TileId]) -> tuple[TileId, ...]:
    """Return ``tiles`` sorted as people sort them: H2 before H10."""
    return tuple(sorted(tiles, key=lambda tile: (tile.rstrip("0123456789"), len(tile), tile)))


def _turned_first(children: list[Any]) -> Place:
    tile, rot, cell, gps = children
    return Place(tile, cell, rot, gps is not None)


TERMS: Final = {
    "tile": Term("a tile such as H3", lambda children: TileId(children[0].upper()), "CR-C2"),
    "cell": Term("a cell such as C2", lambda children: Cell(children[0].upper()), "CR-C1"),
    "turned": Term.number("a rotation such as `rot 90`", rule="CR-P1"),
    "gps": Term.constant(True, "`gps`", "CR-P5"),
    "place_turned": Term("", _turned_first),
    "place_gps_turned": Term("", lambda children: Place(children[0], children[1], children[3], gps=True)),
    "fact": Term("a fact such as `minutes`"),
    "draw": Term("an outcome such as H5"),
}
"""The parts of the grammar."""

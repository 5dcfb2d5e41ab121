"""The orders of Checkpoint Rally: what they are, how they are built from words, and their canonical words."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from adjudicator.core.ruleset import Language
from adjudicator.games.checkpoint_rally.components import Cell, TileId


@dataclass(frozen=True, slots=True)
class Place:
    """Lay ``tile`` from the hand at ``cell``, turned ``rot`` degrees clockwise; keep the replaced tile with a GPS update."""

    tile: TileId
    cell: Cell
    rot: int = 0
    gps: bool = False


@dataclass(frozen=True, slots=True)
class Move:
    """Drive the car to each of ``path`` in turn, one or two cells."""

    path: tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class Draw:
    """Draw two tiles from the stack."""


@dataclass(frozen=True, slots=True)
class Refresh:
    """Replace the row."""


@dataclass(frozen=True, slots=True)
class Take:
    """Take ``tile`` out of the row with a GPS update."""

    tile: TileId


@dataclass(frozen=True, slots=True)
class Discard:
    """Put ``tiles`` of the hand on the discard pile; sorted, so that the order of naming them makes no difference."""

    tiles: tuple[TileId, ...]


@dataclass(frozen=True, slots=True)
class Keep:
    """Keep ``tiles`` in the hand (sorted) and discard the rest."""

    tiles: tuple[TileId, ...]


Order = Place | Move | Draw | Refresh | Take | Discard | Keep


def _tile(children: list[Any]) -> TileId:
    return TileId(children[0].upper())


def _cell(children: list[Any]) -> Cell:
    return Cell(children[0].upper())


def _place(children: list[Any]) -> Place:
    tile, cell, rot, gps = children
    return Place(tile, cell, rot or 0, gps is not None)


def _place_turned(children: list[Any]) -> Place:
    tile, rot, cell, gps = children
    return Place(tile, cell, rot, gps is not None)


def in_order(tiles: Iterable[TileId]) -> tuple[TileId, ...]:
    """Return ``tiles`` sorted as people sort them: H2 before H10."""
    return tuple(sorted(tiles, key=lambda tile: (tile.rstrip("0123456789"), len(tile), tile)))


BUILDERS: Final[Mapping[str, Callable[[list[Any]], Any]]] = {
    "tile": _tile,
    "cell": _cell,
    "turned": lambda children: int(children[0]),
    "gps": lambda _children: True,
    "place": _place,
    "place_turned": _place_turned,
    "place_gps_turned": lambda children: Place(children[0], children[1], children[3], gps=True),
    "move": lambda children: Move(tuple(children)),
    "draw_two": lambda _children: Draw(),
    "refresh": lambda _children: Refresh(),
    "take": lambda children: Take(children[0]),
    "discard": lambda children: Discard(in_order(children)),
    "keep": lambda children: Keep(in_order(children)),
}


def _place_text(order: Place) -> str:
    return f"PLACE {order.tile} at {order.cell} rot {order.rot}{' gps' if order.gps else ''}"


TEXTS: Final[Mapping[type, Callable[[Any], str]]] = {
    Place: _place_text,
    Move: lambda order: f"MOVE {' '.join(order.path)}",
    Draw: lambda _order: "DRAW",
    Refresh: lambda _order: "REFRESH",
    Take: lambda order: f"TAKE {order.tile}",
    Discard: lambda order: f"DISCARD {' '.join(order.tiles)}",
    Keep: lambda order: f"KEEP {' '.join(order.tiles)}",
}

LANGUAGE: Final = Language(
    grammar="checkpoint_rally.lark",
    builders=BUILDERS,
    texts=TEXTS,
    terms={
        "tile": "a tile such as H3",
        "cell": "a cell such as C2",
        "turned": "a rotation such as `rot 90`",
        "gps": "`gps`",
        "fact": "a fact such as `minutes`",
        "draw": "an outcome such as H5",
    },
    examples=("PLACE H3 at C2 rot 90", "MOVE C3 D3", "DRAW", "REFRESH", "TAKE U7", "DISCARD G7 H2", "KEEP H3 U1 U2"),
)

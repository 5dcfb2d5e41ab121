"""Shapes a game is drawn with. Games say what there is; the reports alone know how it looks in text or pictures."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Edge:
    """One side of a square: the ``ground`` there, and the kind of ``road`` that leaves by it (empty: none)."""

    ground: str
    road: str = ""


@dataclass(frozen=True, slots=True)
class Square:
    """A square of a grid: ``edges`` north, east, south, west (empty for an empty square), its label and its badges."""

    edges: tuple[Edge, ...] = ()
    label: str = ""
    corner: str = ""
    badges: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Grid:
    """A board of squares, row by row, with the grounds that frame it (north, east, south, west; west–east, north–south)."""

    columns: tuple[str, ...]
    rows: tuple[str, ...]
    squares: tuple[Square, ...]
    frame: tuple[tuple[str, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class Fields:
    """A heading with rows of label and value."""

    title: str
    rows: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Columns:
    """A table with a heading for each column."""

    title: str
    headings: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class Legend:
    """What the signs of a grid mean: grounds by their letter and name."""

    entries: tuple[tuple[str, str], ...]


Shape = Grid | Fields | Columns | Legend


@dataclass(frozen=True, slots=True)
class Drawing:
    """Shapes from top to bottom."""

    shapes: tuple[Shape, ...]

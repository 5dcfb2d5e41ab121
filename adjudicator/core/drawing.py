"""Shapes a game is drawn with. Games say what there is; the reports alone know how it looks in text or pictures."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from typing import Any

from adjudicator.core.frozen import frozen


class Stroke(StrEnum):
    """How a kind of road is drawn, so that kinds are told apart without colour."""

    DOUBLE = "double"
    SINGLE = "single"
    DOTTED = "dotted"


class Sign(StrEnum):
    """What a badge stands for: a piece that can move, a mark left behind, a goal still to be reached, or plain words."""

    PIECE = "piece"
    MARK = "mark"
    GOAL = "goal"
    NOTE = "note"


@frozen
class Badge:
    """Something on a square: its ``text`` (a seat's name, or words), what it stands for, and the ``seat`` it belongs to."""

    text: str
    sign: Sign = Sign.NOTE
    seat: str = ""


@frozen
class Edge:
    """One side of a square: the ``ground`` there, and the kind of ``road`` that leaves by it (empty: none)."""

    ground: str
    road: str = ""


@frozen
class Square:
    """A square of a grid: ``edges`` north, east, south, west (empty for an empty square), its label and its badges.

    ``label`` is the name of what lies there (``H3``), ``corner`` a short addition (``90°``). A badge that is a bare
    string is plain words.
    """

    edges: tuple[Edge, ...] = ()
    label: str = ""
    corner: str = ""
    badges: tuple[Badge | str, ...] = ()


@frozen
class Grid:
    """A board of squares, row by row, with the grounds that frame it (north, east, south, west; west–east, north–south).

    ``is_apart`` says that it is no board, but things to look at one by one: nothing leads from a square into the next.
    """

    columns: tuple[str, ...]
    rows: tuple[str, ...]
    squares: tuple[Square, ...]
    frame: tuple[tuple[str, ...], ...] = ()
    is_apart: bool = False


@frozen
class Space:
    """A space of a track: its ``label``, its ``ground`` (empty: nothing worth telling) with a short ``mark``, its badges.

    ``lanes`` says how many pieces have room there side by side.
    """

    label: str
    ground: str = ""
    mark: str = ""
    lanes: int = 1
    badges: tuple[Badge | str, ...] = ()


@frozen
class Track:
    """Spaces in the order in which they are gone through, the first behind the start; ``closed`` fills missing lanes."""

    title: str
    spaces: tuple[Space, ...]
    closed: str = ""


@frozen
class Spot:
    """A spot of a map, in column ``x`` and row ``y``, both from 1: its ``label``, its ``ground``, its badges.

    ``sign`` is short: in text its first character stands for it. ``name`` is what the place is called, if it is.
    """

    x: int
    y: int
    label: str
    ground: str = ""
    sign: str = ""
    name: str = ""
    badges: tuple[Badge | str, ...] = ()


@frozen
class Roadmap:
    """A map of spots, wherever they lie: ``roads`` and hidden ``tracks`` between two spots each, by their labels.

    ``route`` are the labels of the spots that a marked way leads over, in its order.
    """

    title: str
    spots: tuple[Spot, ...]
    roads: tuple[tuple[str, str], ...]
    tracks: tuple[tuple[str, str], ...] = ()
    route: tuple[str, ...] = ()


@frozen
class Fields:
    """A heading with rows of label and value."""

    title: str
    rows: tuple[tuple[str, str], ...]


@frozen
class Columns:
    """A table with a heading for each column."""

    title: str
    headings: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@frozen
class Legend:
    """What the signs of the grids of the same drawing mean, and how they are drawn.

    ``entries`` gives grounds by their letter and name (an ``Edge`` may use either), ``roads`` the kinds of road and their
    strokes, ``signs`` says what each sign of a badge stands for in this game.
    """

    entries: tuple[tuple[str, str], ...] = ()
    roads: tuple[tuple[str, Stroke], ...] = ()
    signs: tuple[tuple[Sign, str], ...] = ()


Shape = Grid | Track | Roadmap | Fields | Columns | Legend


@frozen
class Drawing:
    """Shapes from top to bottom."""

    shapes: tuple[Shape, ...]


def table(title: str, headings: tuple[str, ...], rows: Iterable[Iterable[Any]], *, is_counted: bool = False) -> Columns:
    """Return ``rows`` of any values as a table: ``None`` is left empty, several things stand side by side.

    With ``is_counted`` the title says how many rows there are: ``Cars (6)``.
    """
    cells = tuple(tuple(map(_cell, row)) for row in rows)
    return Columns(f"{title} ({len(cells)})" if is_counted else title, headings, cells)


def box(components: Any, *shapes: Shape) -> Drawing:
    """Return what is in the box: the name of a component set and its note, then ``shapes`` of what it has."""
    return Drawing((Fields("", ((components.name, components.note),)), *shapes))


def of_seats(seats: Iterable[str], sign: Sign) -> tuple[Badge, ...]:
    """Return a badge for each of ``seats``, with its name and its ``sign``."""
    return tuple(Badge(seat, sign, seat) for seat in seats)


def _cell(value: Any) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, tuple):
        return " ".join(map(str, value))
    return "" if value is None else str(value)

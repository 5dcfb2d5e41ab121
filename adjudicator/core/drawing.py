"""Shapes to draw a game with: games say what there is, reports decide how it looks in text and in pictures."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from enum import StrEnum
from typing import Any

from adjudicator.core import scene
from adjudicator.core.frozen import frozen
from adjudicator.core.scene import Scene
from adjudicator.core.scene import Sign as Sign
from adjudicator.core.tableau import Tableau


class Stroke(StrEnum):
    """The stroke of a kind of road, so that readers can distinguish the kinds without colour."""

    DOUBLE = "double"
    SINGLE = "single"
    DOTTED = "dotted"


@frozen
class Badge:
    """Something on a square: its ``text`` (a seat's name, or words), its meaning, and the ``seat`` it belongs to."""

    text: str
    sign: Sign = Sign.NOTE
    seat: str = ""


class Icon(StrEnum):
    """A small sign on a region; the legend explains its meaning in a game."""

    DROP = "drop"
    NUT = "nut"
    BOLT = "bolt"
    STOP = "stop"
    CARD = "card"


@frozen
class Mark:
    """An ``icon`` on a region, with a ``number`` (0: none)."""

    icon: Icon
    number: int = 0


@frozen
class Region:
    """A region of a chart, its middle at ``x`` to the east and ``y`` to the south: its ``label``, its ``ground``, its marks.

    An empty region has no ground. A region may be hatched or ringed; the legend explains the meaning.
    """

    x: int
    y: int
    label: str
    ground: str = ""
    marks: tuple[Mark, ...] = ()
    badges: tuple[Badge, ...] = ()
    is_hatched: bool = False
    is_ringed: bool = False


@frozen
class Passage:
    """A line between two regions that do not touch, by their labels: its ``kind``, a road of the legend, and a ``text``."""

    ends: tuple[str, str]
    kind: str
    text: str


@frozen
class Lane:
    """A lane of a chart, ``at`` its distance south (or east): its ``label``, and markers, the lowest of a stack first."""

    label: str
    at: int
    badges: tuple[Badge, ...] = ()


@frozen
class Chart:
    """A map of regions that touch each other like the cells of a comb, with ``ways`` between regions, by their labels.

    Regions lie side by side in rows, 2 apart in ``x``; the rows are 1 apart in ``y``, shifted by 1 against each other. A
    chart that ``is_across`` has columns instead of rows, 2 apart in ``y``. Its lanes are the rows (or the columns). A
    picture marks missing ways between regions that touch, and existing ways between regions that do not.
    """

    title: str
    regions: tuple[Region, ...]
    ways: tuple[tuple[str, str], ...]
    passages: tuple[Passage, ...] = ()
    lanes: tuple[Lane, ...] = ()
    is_across: bool = False


@frozen
class Gauge:
    """A gauge at ``level`` of at most ``most``."""

    label: str
    level: int
    most: int


@frozen
class Panel:
    """The panel of one seat: a title, gauges, and rows of label and value."""

    title: str
    seat: str
    gauges: tuple[Gauge, ...]
    rows: tuple[tuple[str, str], ...]


@frozen
class Panels:
    """Panels side by side that all show the same kinds of values."""

    title: str
    panels: tuple[Panel, ...]


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
    """A legend: the meaning of the signs of the same drawing, and their look.

    ``entries`` gives grounds by their letter and name (an ``Edge`` may use either), ``roads`` the kinds of road and their
    strokes, ``signs`` the meaning of each sign of a badge in this game, ``icons`` the meaning of each icon of a mark.
    ``hatched``, ``ringed`` and ``closed`` explain regions of a chart that are hatched or ringed, and missing ways.
    """

    entries: tuple[tuple[str, str], ...] = ()
    roads: tuple[tuple[str, Stroke], ...] = ()
    signs: tuple[tuple[Sign, str], ...] = ()
    icons: tuple[tuple[Icon, str], ...] = ()
    hatched: str = ""
    ringed: str = ""
    closed: str = ""


Shape = Scene | scene.Legend | Chart | Panels | Tableau | Fields | Columns | Legend


@frozen
class Drawing:
    """Shapes from top to bottom."""

    shapes: tuple[Shape, ...]


def table(title: str, headings: tuple[str, ...], rows: Iterable[Iterable[Any]], *, is_counted: bool = False) -> Columns:
    """Return ``rows`` of any values as a table: ``None`` becomes an empty cell, the items of a tuple share a cell.

    With ``is_counted`` the title gives the number of rows: ``Cars (6)``.
    """
    cells = tuple([tuple([cell if type(cell) is str else _cell(cell) for cell in row]) for row in rows])
    return Columns(f"{title} ({len(cells)})" if is_counted else title, headings, cells)


def records(title: str, rows: Iterable[Mapping[str, Any]], *, is_counted: bool = False) -> Columns:
    """Return ``rows`` (at least one), each a mapping from headings to values, as a table (see ``table``)."""
    listed = list(rows)
    return table(title, tuple(listed[0]), (row.values() for row in listed), is_counted=is_counted)


def box(components: Any, *shapes: Shape) -> Drawing:
    """Return the contents of a box: the name and note of a component set, then ``shapes`` of its parts."""
    return Drawing((Fields("", ((components.name, components.note),)), *shapes))


def of_seats(seats: Iterable[str], sign: Sign) -> tuple[Badge, ...]:
    """Return a badge for each of ``seats``, with its name and ``sign``."""
    return tuple(Badge(seat, sign, seat) for seat in seats)


def pieces(places: Mapping[str, Hashable]) -> dict[Any, tuple[Badge, ...]]:
    """Return the badges of the pieces at each place of the board; ``places`` gives the place of each seat's piece."""
    return {at: of_seats((seat for seat, place in places.items() if place == at), Sign.PIECE) for at in places.values()}


def _cell(value: Any) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, tuple):
        return " ".join(map(str, value))
    return "" if value is None else str(value)

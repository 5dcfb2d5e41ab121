"""Shapes a game is drawn with. Games say what there is; the reports alone know how it looks in text or pictures."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from enum import StrEnum
from typing import Any

from adjudicator.core.frozen import frozen
from adjudicator.core.tableau import Tableau


class Stroke(StrEnum):
    """How a kind of road is drawn, so that kinds are told apart without colour."""

    DOUBLE = "double"
    SINGLE = "single"
    DOTTED = "dotted"


class Figure(StrEnum):
    """What pieces on a board look like."""

    DISC = "disc"
    CAR = "car"


class Texture(StrEnum):
    """What a ground looks like, so that grounds are told apart without colour and without words."""

    TOWN = "town"
    PEAKS = "peaks"
    GRASS = "grass"
    SAND = "sand"


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
class Shelf:
    """Squares that lie beside a board, in rows with their names: what each hand holds, what can be taken."""

    title: str
    rows: tuple[tuple[str, tuple[Square, ...]], ...]


@frozen
class Stack:
    """Markers on one figure of a dial, ``at`` which they stand: that on the top of the stack first."""

    at: int
    badges: tuple[Badge, ...]


@frozen
class Dial:
    """A dial with figures from 1 to ``most``, the last one at its top, and the stacks of markers on it."""

    title: str
    most: int
    stacks: tuple[Stack, ...]


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
class Circuit(Track):
    """A track that leads back to its beginning: its first space is the line, the last ``off`` ones lie beyond the finish.

    It bends on spaces with the ground ``bend``: each mark there is a bend of its own. ``names`` are those of stretches, each
    with the labels of its first and its last space. ``stopped`` are the seats whose pieces cannot move, with for how many
    turns. ``panels`` are drawn beside it in pictures only: what they tell, tables of the same drawing tell in words.
    """

    bend: str = ""
    off: int = 0
    names: tuple[tuple[str, str, str], ...] = ()
    stopped: tuple[tuple[str, int], ...] = ()
    panels: tuple[Panel, ...] = ()


@frozen
class Spot:
    """A spot of a map, in column ``x`` and row ``y``, both from 1: its ``label``, its ``ground``, its badges.

    ``sign`` is short: in text its first character stands for it; ``is_marker`` says that it lies on the map, and is no part
    of it. ``name`` is what the place is called, if it is.
    """

    x: int
    y: int
    label: str
    ground: str = ""
    sign: str = ""
    name: str = ""
    badges: tuple[Badge | str, ...] = ()
    is_marker: bool = False


@frozen
class Roadmap:
    """A map of spots, wherever they lie: ``roads`` and hidden ``tracks`` between two spots each, by their labels.

    ``route`` are the labels of the spots that a marked way leads over, in its order, ``sections`` its parts by their names.
    ``track_names`` are what the hidden tracks are called, in their order.
    """

    title: str
    spots: tuple[Spot, ...]
    roads: tuple[tuple[str, str], ...]
    tracks: tuple[tuple[str, str], ...] = ()
    route: tuple[str, ...] = ()
    sections: tuple[tuple[str, tuple[str, ...]], ...] = ()
    track_names: tuple[str, ...] = ()


class Icon(StrEnum):
    """A small sign that tells something of a region; what it stands for in a game, the legend says."""

    DROP = "drop"
    NUT = "nut"
    BOLT = "bolt"
    STOP = "stop"
    CARD = "card"


@frozen
class Mark:
    """An ``icon`` on a region, with a ``number`` where that says something (0: nothing)."""

    icon: Icon
    number: int = 0


@frozen
class Region:
    """A region of a chart, its middle at ``x`` to the east and ``y`` to the south: its ``label``, its ``ground``, its marks.

    The ground is empty where nothing lies. A region may be hatched, or ringed (what that means, the legend says).
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
    """A line between two regions, by their labels, that lie apart: its ``kind``, a road of the legend, and what is on it."""

    ends: tuple[str, str]
    kind: str
    text: str


@frozen
class Lane:
    """A lane of a chart at ``at`` to the south (or to the east): its ``label``, and markers, the lowest of a stack first."""

    label: str
    at: int
    badges: tuple[Badge, ...] = ()


@frozen
class Chart:
    """A map of regions that touch each other like the cells of a comb, with ``ways`` between regions, by their labels.

    Regions lie side by side in rows, 2 apart in ``x``, and the rows 1 apart in ``y``, shifted by 1 against each other; a
    chart that ``is_across`` has columns in the place of rows, 2 apart in ``y``. Its lanes are the rows (or the columns).
    Between regions that touch, a missing way is drawn; between others, a way that is there.
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
class Lever:
    """A lever ``at`` one of the ``places`` of a gate: the first is in the middle, the others are on either side in turn."""

    places: tuple[str, ...]
    at: str


@frozen
class Wheel:
    """A wheel with the numbers ``faces`` that shows ``value``."""

    label: str
    faces: tuple[int, ...]
    value: int


@frozen
class Panel:
    """What stands before one seat: a title, gauges, and rows of label and value; a lever and wheels in pictures only."""

    title: str
    seat: str
    gauges: tuple[Gauge, ...]
    rows: tuple[tuple[str, str], ...]
    lever: Lever | None = None
    wheels: tuple[Wheel, ...] = ()


@frozen
class Panels:
    """Panels side by side, alike in what they tell."""

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
    """What the signs of the grids of the same drawing mean, and how they are drawn.

    ``entries`` gives grounds by their letter and name (an ``Edge`` may use either), ``roads`` the kinds of road and their
    strokes, ``signs`` says what each sign of a badge stands for in this game, ``icons`` what each icon of a mark does.
    ``hatched``, ``ringed`` and ``closed`` say what it means that a region of a chart is so, or that no way leads on.
    ``spot_signs`` says what the signs on the spots of a map mean: in pictures, which have no words beside them.
    ``textures`` says by its name what a ground looks like in a picture, ``pieces`` what the pieces on a grid do.
    """

    entries: tuple[tuple[str, str], ...] = ()
    roads: tuple[tuple[str, Stroke], ...] = ()
    signs: tuple[tuple[Sign, str], ...] = ()
    icons: tuple[tuple[Icon, str], ...] = ()
    hatched: str = ""
    ringed: str = ""
    closed: str = ""
    spot_signs: tuple[tuple[str, str], ...] = ()
    textures: tuple[tuple[str, Texture], ...] = ()
    pieces: Figure = Figure.DISC


Shape = Grid | Shelf | Dial | Circuit | Track | Roadmap | Chart | Panels | Tableau | Fields | Columns | Legend


@frozen
class Drawing:
    """Shapes from top to bottom."""

    shapes: tuple[Shape, ...]


def table(title: str, headings: tuple[str, ...], rows: Iterable[Iterable[Any]], *, is_counted: bool = False) -> Columns:
    """Return ``rows`` of any values as a table: ``None`` is left empty, several things stand side by side.

    With ``is_counted`` the title says how many rows there are: ``Cars (6)``.
    """
    cells = tuple([tuple([cell if type(cell) is str else _cell(cell) for cell in row]) for row in rows])
    return Columns(f"{title} ({len(cells)})" if is_counted else title, headings, cells)


def records(title: str, rows: Iterable[Mapping[str, Any]], *, is_counted: bool = False) -> Columns:
    """Return ``rows``, at least one, each with its values by their headings, as a table (see ``table``)."""
    listed = list(rows)
    return table(title, tuple(listed[0]), (row.values() for row in listed), is_counted=is_counted)


def box(components: Any, *shapes: Shape) -> Drawing:
    """Return what is in the box: the name of a component set and its note, then ``shapes`` of what it has."""
    return Drawing((Fields("", ((components.name, components.note),)), *shapes))


def of_seats(seats: Iterable[str], sign: Sign) -> tuple[Badge, ...]:
    """Return a badge for each of ``seats``, with its name and its ``sign``."""
    return tuple(Badge(seat, sign, seat) for seat in seats)


def pieces(places: Mapping[str, Hashable]) -> dict[Any, tuple[Badge, ...]]:
    """Return the pieces that stand at each place of the board, from the place of each seat's."""
    return {at: of_seats((seat for seat, place in places.items() if place == at), Sign.PIECE) for at in places.values()}


def _cell(value: Any) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, tuple):
        return " ".join(map(str, value))
    return "" if value is None else str(value)

"""Draw a map of roads: its squares with signs and names, the marked route, the cars; in a picture, as text, in sentences.

Kinds of road differ in colour, in brightness, and in the lines around squares and between them, so that a map is legible in
grey and for colour-blind readers.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from math import hypot
from typing import Final

from adjudicator.game import Seat, Value, count, remembered, replace
from adjudicator.games.rally_round.components import ROLLING, Colour, Feature, Side, Square, SquareId
from adjudicator.games.rally_round.roads import Network, Way
from adjudicator.games.rally_round.speeds import sign_limit
from adjudicator.scenes import (
    SIGNS,
    Box,
    Element,
    Entry,
    Focus,
    Frame,
    Group,
    Later,
    Legend,
    Lines,
    Path,
    Point,
    Road,
    Run,
    Scene,
    Sign,
    Strip,
    Strips,
    Token,
    circle,
    ground_ink,
    group,
    line,
    placed_names,
    polygon,
    rect,
    text_width,
    words,
)

STEP: Final = 52
"""Pixels from one column to the next."""
EDGE: Final = 34
"""Pixels from the middle of the outermost squares to the edge, if there is no name."""
_HALF: Final = 20
_NAME: Final = 12
_MARGIN: Final = 6
_CARS: Final = 12
"""The height of cars above their square."""
_APART: Final = 17
"""From one car on a square to the next."""
_AHEAD: Final = 6
"""The squares ahead of a car that its crew needs to see first."""
_ROW: Final = 3
"""The greatest number of cars above a square, as long as as many below are enough."""
_BESIDE: Final = 24
"""From the middles of squares to the arrows of moved cars."""
_PART: Final = (5, 11)
"""The greatest number of columns and rows of a part of a section: it is as wide as a phone, and as high as a window."""
_MOST_COLUMNS: Final = 40
"""A wider map does not fit into a mail."""
_CELL: Final = 3
_LABEL: Final = re.compile(r"(?P<column>[^\W\d_]{1,2})(?P<row>\d{1,3})", re.ASCII)
"""A name that is also the place of its square: `K12`."""
BLACK_SPOT: Final = "●"
"""The sign of a Black Spot, which is a disc in pictures."""
_ROUTE: Final = "#2563a8"
_DARK: Final = "#17406f"
_LINE: Final = "#3a3a3a"
_HIDDEN: Final = "#7a1f14"


_SIGNS: Final = (
    ("TC", "time control (STC, RTC, SSF: timed to the second)"),
    ("PC", "passage control"),
    (BLACK_SPOT, "Black Spot"),
    ("GW", "Give Way"),
    ("QZ", "Quiet Zone"),
    ("HB", "humpbacked bridge"),
    ("40", "bend with its limit"),
    ("~", "ford"),
    (":", "rough"),
    ("!", "hazard"),
    ("#", "chequered"),
    ("→", "gradient, downhill"),
    ("⇒", "double gradient"),
    ("HT1", "hidden track"),
)


class Look(Value):
    """The lines around the squares of a kind of road and between them: widths, dashes; ``core`` is a white line within."""

    border: float
    dash: str
    road: float
    road_dash: str = ""
    core: float = 0


_LOOKS: Final = {
    Colour.RED: Look(3.4, "", 13, core=5),
    Colour.ORANGE: Look(1.8, "", 9),
    Colour.YELLOW: Look(1.6, "6 3", 4),
    Colour.WHITE: Look(1.6, "1.5 3", 3, "1.5 4"),
}
COLOURS: Final = tuple(Colour)


class Map(Value):
    """What a map shows: ``squares`` of a network, the ``marks`` of markers on them, ``cars`` by their squares, a ``route``.

    ``sections`` are the parts of the route by name, ``current`` is the part that the reader needs now, ``here`` the square
    of its car.
    """

    network: Network
    squares: tuple[Square, ...]
    title: str = ""
    marks: tuple[tuple[SquareId, str], ...] = ()
    cars: tuple[tuple[SquareId, tuple[Seat, ...]], ...] = ()
    route: Way = ()
    sections: tuple[tuple[str, Way], ...] = ()
    current: str = ""
    here: str = ""


def sign_of(square: Square) -> str:
    """Return the sign of the feature of ``square``, empty without one.

    A gradient without its side has the sign ``?``: only a set with which no game can begin has one.
    """
    feature = square.feature
    if feature is None:
        return ""
    if feature is Feature.BEND:
        return str(sign_limit(square))
    if feature in ROLLING:
        return "?" if square.toward is None else feature.sign[list(Side).index(square.toward)]
    return feature.sign


# The picture ------------------------------------------------------------------------------------------------------------


class _Sheet(Value):
    """A map on paper without cars: ``drawn``, moved so that all of it is visible, and ``words`` above marks of changes.

    ``middles`` are those of its squares.
    """

    drawn: Group
    words: Group
    width: int
    height: int
    middles: Mapping[str, Point]


def map_scene(plan: Map) -> Scene:
    """Return the map with its cars; each section of the route is a detail."""
    sheet, cars = _sheet(plan.network, plan.squares, plan.marks, plan.route), list[Token]()
    shown = dict(plan.cars)
    for square in plan.squares:
        seats = shown.get(square.id, ())
        row = _ROW if len(seats) <= 2 * _ROW else -(-len(seats) // 2)
        apart = min(_APART, 2 * _APART / max(row - 1, 1))
        for at, seat in enumerate(seats):  # side by side above the square, from the fourth on below
            (x, y), (below, column) = sheet.middles[square.id], divmod(at, row)
            x, y = round(x + 14 - apart * column, 1), y + (_HALF + 5 if below else -_HALF)
            cars.append(Token(seat, x, y, square.id, seat, seat))
    way = dict(plan.sections).get(plan.current, ())
    first, focus = way.index(plan.here) if plan.here in way else 0, None
    along = [sheet.middles[one] for one in (plan.here, *way[first : first + _AHEAD]) if one in sheet.middles]
    if along:  # around the car and the next squares
        (west, north), (east, south) = ([cut(side) for side in zip(*along, strict=True)] for cut in (min, max))
        frame = Frame((west + east) / 2, (north + south) / 2, east - west + 2 * EDGE, south - north + 2 * EDGE)
        focus = Focus(plan.current, frame)
    return Scene(
        "map",
        plan.title,
        (sheet.drawn,),
        sheet.width,
        sheet.height,
        (sheet.words, *cars),
        Later(map_text, (plan,)),
        tuple(_sentences(plan)),
        details=tuple((name, Later(_details, (plan, name, section))) for name, section in plan.sections),
        focus=focus,
        road=Road(_steps(plan.network), _BESIDE),
    )


@remembered
def _steps(network: Network) -> tuple[tuple[str, str], ...]:
    """Return the steps along roads and hidden tracks, in both directions."""
    pairs = (*_roads(network), *network.tracks.values())
    return tuple(step for one, other in pairs for step in ((one, other), (other, one)))


@remembered
def _roads(network: Network) -> tuple[tuple[SquareId, SquareId], ...]:
    return tuple((here, there) for here, others in network.links.items() for there in others if here < there)


@remembered
def _sheet(network: Network, squares: tuple[Square, ...], marks: tuple[tuple[SquareId, str], ...], route: Way) -> _Sheet:
    """Return a map without cars, which is the same for most pictures of a game."""
    left, top = min((one.x for one in squares), default=1), min((one.y for one in squares), default=1)
    middles: dict[str, Point] = {one.id: ((one.x - left) * STEP, (one.y - top) * STEP) for one in squares}
    colours = {one.id: one.colour for one in squares}
    roads = [(one, other, middles[one], middles[other]) for one, other in _roads(network) if {one, other} <= middles.keys()]
    tracks = [(name, *ends) for name, ends in network.tracks.items() if middles.keys() >= {*ends}]
    drawn, told, signs = list[Element](), list[Element](), dict(marks)
    # A diagonal road is in the way of no name: the rectangle around it is large and almost empty.
    boxes = [Box(x - _HALF - 2, y - _HALF - 2, x + _HALF + 2, y + _HALF + 2) for x, y in middles.values()]
    boxes += [
        Box(min(x, u) - 5, min(y, v) - 5, max(x, u) + 5, max(y, v) + 5) for _, _, (x, y), (u, v) in roads if x == u or y == v
    ]
    names = {str(one.id): one.place for one in squares if one.place}
    placed = placed_names(names, middles, _HALF + _CARS, boxes, _NAME)
    along = [middles[one] for one in route if one in middles]
    if along:
        caps = {"stroke_linejoin": "round", "stroke_linecap": "round"}
        drawn.append(line(along, stroke=_ROUTE, stroke_width=2 * _HALF + 12, stroke_opacity=0.38, **caps))
    for _, one, other in tracks:
        ends = middles[one], middles[other]
        drawn.append(line(ends, stroke="#ffffff", stroke_width=7, stroke_linecap="round"))
        drawn.append(line(ends, stroke=_HIDDEN, stroke_width=3.5, stroke_dasharray="1 7", stroke_linecap="round"))
    for one, other, (x, y), (u, v) in roads:
        half = (x + u) / 2, (y + v) / 2
        drawn += _half_road(_LOOKS[colours[one]], (x, y), half)
        drawn += _half_road(_LOOKS[colours[other]], (u, v), half)
    for square in squares:  # a square without its words and its cars, as a place
        (x, y), place, is_marked = middles[square.id], square.place or "", square.id in signs
        frame, sign = Frame(x, y, 2 * _HALF + 6, 2 * _HALF + 6), signs.get(square.id) or sign_of(square)
        holds = (square.colour, sign, place, is_marked)
        drawn.append(group((_square(square.colour, (x, y), _HALF),), id=square.id, frame=frame, holds=holds, told=place))
        told.append(group(_sign(square.id, sign, (x, y), is_marked=is_marked), id=square.id))
    drawn += _arrows(along)
    for name in placed:
        x, y = round((name.box.left + name.box.right) / 2, 1), round(name.box.bottom - 2, 1)
        told.append(words(name.name, x, y, _NAME, is_bold=True, halo=3))
    for track, start, end in tracks:
        (x, y), (u, v) = middles[start], middles[end]
        at = (x + u) / 2, (y + v) / 2
        shown = (words(track, at[0], at[1] + 4, 11, fill=_HIDDEN, is_bold=True, halo=4),)
        place = f"the track from {start} to {end}"
        told.append(group(shown, id=track, name=place, frame=Frame(*at, 20, 20), holds=(start, end)))
    around = [Box(x - EDGE, y - EDGE, x + EDGE, y + EDGE) for x, y in middles.values()]
    for name in placed:  # it has room at its sides for letters that are wider than usual
        box = name.box
        around.append(Box(box.left - _MARGIN, box.top - 2, box.right + _MARGIN, box.bottom + 3))
    west, north = min((box.left for box in around), default=0), min((box.top for box in around), default=0)
    east, south = max((box.right for box in around), default=0), max((box.bottom for box in around), default=0)
    x, y = round(-west), round(-north)
    moved = {name: (at[0] + x, at[1] + y) for name, at in middles.items()}
    return _Sheet(group(drawn, x, y), group(told, x, y), round(east - west), round(south - north), moved)


def _half_road(look: Look, start: Point, end: Point) -> Iterator[Element]:
    """Yield half a road, from the middle of a square to its edge."""
    yield line((start, end), stroke=_LINE, stroke_width=look.road, stroke_dasharray=look.road_dash)
    if look.core:
        yield line((start, end), stroke="#ffffff", stroke_width=look.core)


def _square(colour: Colour, middle: Point, half: float) -> Path:
    (x, y), look = middle, _LOOKS[colour]
    area = rect(2 * half, 2 * half, x - half, y - half, fill=ground_ink(colour, COLOURS), stroke=_LINE)
    return replace(area, stroke_width=look.border, stroke_dasharray=look.dash)


def _sign(name: str, sign: str, middle: Point, *, is_marked: bool) -> Iterator[Element]:
    """Yield the ``sign`` on a square, and its ``name``."""
    x, y = middle
    if is_marked and sign == BLACK_SPOT:
        yield circle(x, y - 5, 10, fill="#000000")
    elif is_marked and sign:
        yield rect(2 * _HALF - 2, 19, x - _HALF + 1, y - 16, fill=_DARK)
        yield words(sign, x, y - 2, _fitting(sign, 14, is_bold=True), fill="#ffffff", is_bold=True)
    elif sign:
        yield words(sign, x, y + 1, 15, is_bold=True)
    yield words(name, x, y + _HALF - 5, _fitting(name, 12), fill="#333333")


def _fitting(text: str, most: int, *, is_bold: bool = False) -> int:
    """Return the largest size of letters from 9 to ``most`` in which ``text`` fits into a square."""
    room = 2 * _HALF - 1
    return next((size for size in range(most, 9, -1) if text_width(text, size, is_bold=is_bold) <= room), 9)


def _arrows(along: Sequence[Point]) -> Iterator[Element]:
    """Yield an arrow between each two squares of the route, to show its direction."""
    for (x1, y1), (x2, y2) in pairwise(along):
        long = hypot(x2 - x1, y2 - y1)
        if not long or long > 3 * STEP:
            continue
        ux, uy, x, y = (x2 - x1) / long, (y2 - y1) / long, (x1 + x2) / 2, (y1 + y2) / 2
        tips = (
            (x + 6 * ux, y + 6 * uy),
            (x - 5 * ux - 7 * uy, y - 5 * uy + 7 * ux),
            (x - 5 * ux + 7 * uy, y - 5 * uy - 7 * ux),
        )
        yield polygon(tips, fill=_DARK, stroke="#ffffff")


def legend() -> Legend:
    """Return the legend: the colours of roads, the signs on squares (in pictures only), and the sign of a car."""
    kinds = list[Entry]()
    for place, colour in enumerate(COLOURS):
        swatch = (*_half_road(_LOOKS[colour], (0, 7), (30, 7)), _square(colour, (15, 7), 7))
        kinds.append(Entry(colour, swatch, 36, Run(colour[0], word=colour, place=place)))
    told = (
        Entry(name, (words(sign, 0, 11, 11, "start", is_bold=True),), 8 + text_width(sign, 11, is_bold=True))
        for sign, name in _SIGNS
    )
    car = Token("", 8, 7, ink="#555555", is_key=True)
    return Legend((tuple(kinds), tuple(told), (Entry("car", (car,), 22, Run(SIGNS[Sign.PIECE])),)))


# A section in parts -------------------------------------------------------------------------------------------------------


def _details(plan: Map, name: str, way: Way) -> tuple[Scene, ...]:
    """Return the section to ``name`` in parts of a few squares, each starting with the last square of the previous part.

    The part with the car of the reader is first, and the parts that the car has left are last.
    """
    lying = {square.id: square for square in plan.squares}
    route = [lying[square] for square in way if square in lying]
    if not route:
        return ()
    columns, rows = _PART  # as few parts as possible, all about as large
    fewest = len(_cut(route, columns, rows))
    rows = next(most for most in range(1, rows + 1) if len(_cut(route, columns, most)) == fewest)
    columns = next(most for most in range(1, columns + 1) if len(_cut(route, most, rows)) == fewest)
    parts, scenes = _cut(route, columns, rows), list[Scene]()
    for number, own in enumerate(parts, 1):
        title = f"To {name}" + (f", part {number} of {len(parts)}" if len(parts) > 1 else "")
        xs, ys = [square.x for square in own], [square.y for square in own]
        across, down = range(min(xs) - 1, max(xs) + 2), range(min(ys) - 1, max(ys) + 2)
        squares = tuple(square for square in plan.squares if square.x in across and square.y in down)
        part = replace(plan, title=title, squares=squares, route=way, sections=(), current="", here="")
        scenes.append(replace(map_scene(part), id=f"map {title}"))
    first = max((at for at, own in enumerate(parts) if plan.here in {square.id for square in own}), default=0)
    return (*scenes[first:], *scenes[:first])


def _cut(route: Sequence[Square], columns: int, rows: int) -> list[list[Square]]:
    """Return ``route`` in parts of at most so many ``columns`` and ``rows`` (one step can be longer)."""
    parts = [[route[0]]]
    for square in route[1:]:
        xs, ys = [one.x for one in (*parts[-1], square)], [one.y for one in (*parts[-1], square)]
        is_long = max(xs) - min(xs) >= columns or max(ys) - min(ys) >= rows
        if is_long and len(parts[-1]) > 1:
            parts.append([parts[-1][-1], square])
        else:
            parts[-1].append(square)
    return parts


# Text ---------------------------------------------------------------------------------------------------------------------


def map_text(plan: Map, _width: int | None = None) -> Strips | Lines:
    """Return ``plan`` as text, with capital letters for squares of the marked route and small letters for others.

    If the names of the squares name columns and rows, as `K12` does, these frame the map.
    """
    columns, rows = [square.x for square in plan.squares], [square.y for square in plan.squares]
    left, wide = min(columns, default=1), max(columns, default=0) - min(columns, default=1) + 1
    if wide > _MOST_COLUMNS:
        return Lines(((Run(f"too wide for text, {wide} columns: see the picture"),),))
    route, cars, signs, cells = frozenset(plan.route), dict(plan.cars), dict(plan.marks), dict[tuple[int, int], str]()
    heads, sides, is_framed = dict[int, str](), dict[int, str](), True
    for square in plan.squares:
        letter = square.colour[0].upper() if square.id in route else square.colour[0]
        sign = (signs.get(square.id) or sign_of(square))[:1] or " "
        cells[square.x, square.y] = f"{letter}{sign}{'▲' if square.id in cars else ''}".ljust(_CELL)
        place = _LABEL.fullmatch(square.id)
        is_framed = is_framed and place is not None and heads.setdefault(square.x, place["column"]) == place["column"]
        is_framed = is_framed and place is not None and sides.setdefault(square.y, place["row"]) == place["row"]
    heads, sides = (heads, sides) if is_framed else ({}, {})
    margin = max(map(len, sides.values()), default=-1) + 1

    def strip(head: str, lines: Iterable[str]) -> Strip:
        ruler = (head,) if heads else ()
        return Strip(tuple((Run(line),) for line in (*ruler, *lines, *ruler)))

    down = range(min(rows, default=1), max(rows, default=0) + 1)
    before = strip(" " * margin, (sides.get(y, "").rjust(margin - 1).ljust(margin) for y in down))
    strips = (
        strip(heads.get(x, "").ljust(_CELL), (cells.get((x, y), " " * _CELL) for y in down))
        for x in range(left, left + wide)
    )
    after, notes = strip("", ("" for _ in down)), ("capital letters: the marked route",) if route else ()
    return Strips(tuple(strips), before, after, before, after, notes)


def _sentences(plan: Map) -> Iterator[str]:
    """Yield sentences about the map: its size, the route, and the squares with a name or a car."""
    title, roads = f"{plan.title}: " if plan.title else "", count(len(_roads(plan.network)), "road")
    yield f"{title}{count(len(plan.squares), 'spot')} and {roads} between them."
    if plan.route:
        yield f"The marked route begins at {plan.route[0]} and ends at {plan.route[-1]}."
    cars, signs = dict(plan.cars), dict(plan.marks)
    for square in plan.squares:
        if square.id in cars or square.place:
            told = filter(None, (square.place, f"on {square.colour}", signs.get(square.id) or sign_of(square)))
            yield f"{square.id}: {', '.join((*told, *(f'{seat} (car)' for seat in cars.get(square.id, ()))))}."

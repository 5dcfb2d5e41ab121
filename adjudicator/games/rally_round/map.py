"""Draw a map of roads: its squares with signs and names, the marked route, the cars; in a picture and as text.

Kinds of road differ in colour, in brightness, and in the lines around squares and between them, so that a map is legible in
grey and for colour-blind readers.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from math import hypot
from typing import Final

from adjudicator.game import Seat, Value, count, remembered, replace, scenes
from adjudicator.games.rally_round.components import ROLLING, Colour, Feature, Side, Square, SquareId
from adjudicator.games.rally_round.roads import Network, Way
from adjudicator.games.rally_round.way import sign_limit
from adjudicator.scenes import (
    SIGNS,
    Box,
    Element,
    Entry,
    Frame,
    Group,
    Legend,
    Point,
    Sign,
    Token,
    circle,
    group,
    line,
    polygon,
    rect,
    words,
)

# Sizes in pixels: `_STEP` from one column to the next, `_HALF` a square, `_EDGE` from the middle of the outermost squares to
# the edge, `_CAR` the height of cars above their square, `_APART` from one car to the next, `_PHONE` a phone.
_STEP, _HALF, _EDGE, _CAR, _APART, _NAME, _PHONE = 46, 19, 30, 12, 17, 13, (334, 600)
_ROW: Final = 3
"""The greatest number of cars above a square, as long as as many below are enough."""
_MOST_COLUMNS: Final = 40
"""A wider map does not fit into a mail."""
_CELL: Final = 3
"""The columns of a square in text."""
_LABEL: Final = re.compile(r"(?P<column>[^\W\d_]{1,2})(?P<row>\d{1,3})", re.ASCII)
"""A name that is also the place of its square: `K12`."""
BLACK_SPOT: Final = "●"
"""The sign of a Black Spot, which is a disc in pictures."""
_ROUTE, _DARK, _LINE, _HIDDEN = "#2563a8", "#17406f", "#3a3a3a", "#7a1f14"
_SIGNS: Final = (
    {"TC": "time control (STC, RTC, SSF: timed to the second)", "PC": "passage control", BLACK_SPOT: "Black Spot"},
    {"GW": "Give Way", "QZ": "Quiet Zone", "HB": "humpbacked bridge", "40": "bend with its limit"},
    {"~": "ford", ":": "rough", "!": "hazard", "#": "chequered"},
    {"→": "gradient, downhill", "⇒": "double gradient", "HT1": "hidden track"},
)
"""The signs on squares, and what they mean, in lines."""


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


# The picture --------------------------------------------------------------------------------------------------------------


def map_scene(plan: Map) -> scenes.Scene:
    """Return the map with its cars; each section of the route is a detail, that of the reader from its car on first."""
    roads, names, middles, width, height = _sheet(plan.network, plan.squares, plan.marks, plan.route)
    over, cars, details = list[Element]([names]), dict(plan.cars), list[tuple[str, tuple[Frame, ...]]]()
    for square in plan.squares:
        seats = cars.get(square.id, ())
        row = _ROW if len(seats) <= 2 * _ROW else -(-len(seats) // 2)
        apart = min(_APART, 2 * _APART / max(row - 1, 1))
        for at, seat in enumerate(seats):  # side by side above the square, from the fourth on below
            (x, y), (below, column) = middles[square.id], divmod(at, row)
            x, y = round(x + 14 - apart * column, 1), y + (_HALF + 5 if below else -_HALF - 3)
            over.append(Token(seat, x, y, square.id, seat, seat, told=f"car, on {square.colour}"))
    for name, way in plan.sections:
        first = way.index(plan.here) if name == plan.current and plan.here in way else 0
        ahead, behind = ([middles[one] for one in part if one in middles] for part in (way[first:], way[: first + 1]))
        windows = [*_windows(ahead, width, height), *(_windows(behind, width, height) if first else ())]
        details.append((f"To {name}", tuple(windows)))
    told = f"{plan.title}, {count(len(plan.squares), 'square')}"
    if plan.route:
        told += f"; the marked route leads from {plan.route[0]} to {plan.route[-1]}"
    return scenes.Scene(
        "map",
        plan.title,
        (roads,),
        width,
        height,
        tuple(over),
        text=scenes.Later(map_text, (plan,)),
        told=told,
        details=tuple(details),
        focus=f"To {plan.current}" if plan.current else "",
    )


def _windows(along: Sequence[Point], width: float, height: float) -> Iterator[Frame]:
    """Yield windows for a phone on the squares ``along`` a road, on a map of that size; each begins with the last square."""
    start = 0
    while start < len(along):
        end = start + 1
        for end in range(start + 2, len(along) + 1):
            spans = [max(side) - min(side) + 2 * _EDGE for side in zip(*along[start:end], strict=True)]
            if spans[0] > _PHONE[0] or spans[1] > _PHONE[1]:
                end -= 1
                break
        end = max(end, min(start + 2, len(along)))  # one step can be longer
        (west, east), (north, south) = ((min(side), max(side)) for side in zip(*along[start:end], strict=True))
        wide, high = min(_PHONE[0], width), min(south - north + 2 * _EDGE, height)
        x = min(max((west + east) / 2, wide / 2), width - wide / 2)
        y = min(max((north + south) / 2, high / 2), height - high / 2)
        yield Frame(round(x, 1), round(y, 1), wide, high)
        start = end - 1 if end < len(along) else end


@remembered
def _sheet(
    network: Network, squares: tuple[Square, ...], marks: tuple[tuple[SquareId, str], ...], route: Way
) -> tuple[Group, Group, Mapping[str, Point], int, int]:
    """Return a map without cars, the same for most pictures of a game: roads, words, middles of squares, width, height."""
    left, top = min((one.x for one in squares), default=1), min((one.y for one in squares), default=1)
    middles: dict[str, Point] = {one.id: ((one.x - left) * _STEP, (one.y - top) * _STEP) for one in squares}
    looks, signs = {one.id: _LOOKS[one.colour] for one in squares}, dict(marks)
    drawn, told = list[Element](), list[Element]()
    along = [middles[one] for one in route if one in middles]
    if along:
        caps = {"stroke_linejoin": "round", "stroke_linecap": "round"}
        drawn.append(line(along, stroke=_ROUTE, stroke_width=2 * _HALF + 12, stroke_opacity=0.38, **caps))
    tracks = [(name, ends, [middles[end] for end in ends]) for name, ends in network.tracks.items() if {*ends} <= {*middles}]
    for _, _, ends in tracks:
        drawn.append(line(ends, stroke="#ffffff", stroke_width=7, stroke_linecap="round"))
        drawn.append(line(ends, stroke=_HIDDEN, stroke_width=3.5, stroke_dasharray="1 7", stroke_linecap="round"))
    taken = scenes.Taken(Box(x - _HALF - 2, y - _HALF - 2, x + _HALF + 2, y + _HALF + 2) for x, y in middles.values())
    for here, others in network.links.items():
        for there in others:
            if here in middles and there in middles:
                (x, y), (u, v) = middles[here], middles[there]
                drawn += _half_road(looks[here], (x, y), ((x + u) / 2, (y + v) / 2))
                if x == u or y == v:  # a diagonal road is in the way of no name: the box around it is almost empty
                    taken.add(Box(min(x, u) - 5, min(y, v) - 5, max(x, u) + 5, max(y, v) + 5))
    for square in squares:
        at, mark = middles[square.id], signs.get(square.id)
        sign = mark or sign_of(square)
        facts = (square.place, f"on {square.colour}", sign) if square.place or mark else ()
        frame, fact = Frame(0, 0, 2 * _HALF + 6, 2 * _HALF + 6), ", ".join(filter(None, facts))
        place = group((_area(square.colour, _HALF),), *at, id=f"at {square.id}", name=square.id, frame=frame)
        drawn.append(replace(place, holds=sign, told=fact))
        told.append(group(_words_on(square.id, sign, is_marked=bool(mark)), *at))
    drawn += _arrows(along)
    around = [Box(x - _EDGE, y - _EDGE, x + _EDGE, y + _EDGE) for x, y in middles.values()]
    for square in squares:
        if square.place:
            (x, y), gap = middles[square.id], _HALF + _CAR
            wide = scenes.text_width(square.place, _NAME, is_bold=True)
            rows, sides = (y - gap - _NAME, y + gap), (x - wide / 2, x + _HALF + 5, x - _HALF - 5 - wide)
            corners = [(side, row) for side in sides for row in rows]
            spots = [*corners[:2], (x + gap + 4, y - 6), (x - gap - 4 - wide, y - 6), *corners[2:]]
            box = taken.best(Box(west, north, west + wide, north + _NAME) for west, north in spots)
            taken.add(box)
            around.append(Box(box.left - 6, box.top - 2, box.right + 6, box.bottom + 3))  # some fonts are wider
            middle = round((box.left + box.right) / 2, 1)
            told.append(words(square.place, middle, round(box.bottom - 2, 1), _NAME, is_bold=True, halo=3))
    for track, (start, end), ((x, y), (u, v)) in tracks:
        label = words(track, (x + u) / 2, (y + v) / 2 + 4, 12, fill=_HIDDEN, is_bold=True, halo=4)
        told.append(group((label,), id=track, told=f"hidden track from {start} to {end}"))
    west, north = min((box.left for box in around), default=0), min((box.top for box in around), default=0)
    east, south = max((box.right for box in around), default=0), max((box.bottom for box in around), default=0)
    x, y = round(-west), round(-north)
    moved = {name: (at[0] + x, at[1] + y) for name, at in middles.items()}
    return group(drawn, x, y), group(told, x, y), moved, round(east - west), round(south - north)


def _half_road(look: Look, start: Point, end: Point) -> Iterator[Element]:
    """Yield half a road, from the middle of a square to its edge."""
    yield line((start, end), stroke=_LINE, stroke_width=look.road, stroke_dasharray=look.road_dash)
    if look.core:
        yield line((start, end), stroke="#ffffff", stroke_width=look.core)


def _words_on(name: str, sign: str, *, is_marked: bool) -> Iterator[Element]:
    """Yield the ``sign`` on a square around 0, 0, white on dark for a marker, and its ``name``."""
    room = 2 * _HALF - 1
    if is_marked and sign == BLACK_SPOT:
        yield circle(0, -5, 10, fill="#000000")
    elif is_marked:
        yield rect(room - 1, 19, 1 - _HALF, -16, fill=_DARK)
        size = scenes.fitting([sign], room, range(14, 9, -1), is_bold=True)
        yield words(sign, 0, -2, size, fill="#ffffff", is_bold=True)
    elif sign:
        yield words(sign, 0, 1, 15, is_bold=True)
    yield words(name, 0, _HALF - 4, scenes.fitting([name], room, range(13, 9, -1)), fill="#333333")


def _area(colour: Colour, half: float, x: float = 0, y: float = 0) -> Element:
    look, ink = _LOOKS[colour], scenes.ground_ink(colour, COLOURS)
    size = 2 * half, 2 * half, x - half, y - half
    return rect(*size, fill=ink, stroke=_LINE, stroke_width=look.border, stroke_dasharray=look.dash)


def _arrows(along: Sequence[Point]) -> Iterator[Element]:
    """Yield an arrow between each two squares of the route, to show its direction."""
    for (x1, y1), (x2, y2) in pairwise(along):
        long = hypot(x2 - x1, y2 - y1)
        if not long or long > 3 * _STEP:
            continue
        ux, uy, x, y = (x2 - x1) / long, (y2 - y1) / long, (x1 + x2) / 2, (y1 + y2) / 2
        tips = (
            (x + 6 * ux, y + 6 * uy),
            (x - 5 * ux - 7 * uy, y - 5 * uy + 7 * ux),
            (x - 5 * ux + 7 * uy, y - 5 * uy - 7 * ux),
        )
        yield polygon(tips, fill=_DARK, stroke="#ffffff")


def legend() -> Legend:
    """Return the legend: the colours of roads, the signs on squares, and the sign of a car."""
    kinds = list[Entry]()
    for colour in COLOURS:
        swatch = (*_half_road(_LOOKS[colour], (0, 7), (30, 7)), _area(colour, 7, 15, 7))
        kinds.append(Entry(colour, swatch, 36, colour[0], colour))
    signs = [
        tuple(
            Entry(
                name, (words(sign, 0, 11, 11, "start", is_bold=True),), 8 + scenes.text_width(sign, 11, is_bold=True), sign
            )
            for sign, name in row.items()
        )
        for row in _SIGNS
    ]
    car = Token("", 8, 7, ink="#555555", is_key=True)
    return Legend((tuple(kinds), *signs, (Entry("car", (car,), 22, SIGNS[Sign.PIECE]),)))


# Text ---------------------------------------------------------------------------------------------------------------------


def map_text(plan: Map, width: int | None = None) -> list[str]:
    """Return ``plan`` as text, with capital letters for squares of the marked route and small letters for others.

    If the names of the squares name columns and rows, as `K12` does, these frame the map.
    """
    columns, rows = [square.x for square in plan.squares] or [1], [square.y for square in plan.squares] or [0]
    left, many = min(columns), max(columns) - min(columns) + 1
    if many > _MOST_COLUMNS:
        return [f"too wide for text, {many} columns: see the picture"]
    route, cars, signs, cells = frozenset(plan.route), dict(plan.cars), dict(plan.marks), dict[tuple[int, int], str]()
    heads, sides, is_framed = dict[int, str](), dict[int, str](), True
    for square in plan.squares:
        letter = square.colour[0].upper() if square.id in route else square.colour[0]
        sign = (signs.get(square.id) or sign_of(square))[:1] or " "
        cells[square.x, square.y] = f"{letter}{sign}{'▲' if square.id in cars else ''}"
        place = _LABEL.fullmatch(square.id)
        is_framed = is_framed and place is not None and heads.setdefault(square.x, place["column"]) == place["column"]
        is_framed = is_framed and place is not None and sides.setdefault(square.y, place["row"]) == place["row"]
    heads, sides = (heads, sides) if is_framed else ({}, {})
    margin = max(map(len, sides.values()), default=-1) + 1

    def part(first: int, last: int) -> list[str]:
        across, ruler = range(left + first, left + last), [""] if heads else []
        ruler = [" " * margin + "".join(heads.get(x, "").ljust(_CELL) for x in across) for _ in ruler]
        lines = [
            sides.get(y, "").rjust(margin - 1).ljust(margin) + "".join(cells.get((x, y), "").ljust(_CELL) for x in across)
            for y in range(min(rows), max(rows) + 1)
        ]
        return [*ruler, *lines, *ruler]

    notes = ["capital letters: the marked route"] if route else []
    return scenes.in_parts(many, many if width is None else (width - margin) // _CELL, part) + notes

"""Draw a tile: the ground at each side, roads from edge to edge, and its name; and the markers on a square.

A picture defines common parts of tiles once, such as a side with its ground or a road with its joints, and refers to them.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import combinations
from typing import Any, Final

from adjudicator.core.values import Value
from adjudicator.games.checkpoint_rally.components import Terrain
from adjudicator.games.checkpoint_rally.squares import STROKES, TERRAINS, Square, Stroke
from adjudicator.scenes import (
    SEAT,
    Element,
    Path,
    Point,
    Sign,
    Symbol,
    Token,
    ground_ink,
    rect,
    text_width,
    words,
)

SIDE: Final = 100
"""Pixels along one side of a square."""
MIDDLE: Final[Point] = (SIDE / 2, SIDE / 2)
_SIDES: Final = ("M0 0H100L50 50Z", "M100 0V100L50 50Z", "M100 100H0L50 50Z", "M0 100V0L50 50Z")
_FIGURES: Final[tuple[tuple[Point, Point], ...]] = (
    ((35, 26), (70, 20)),
    ((79, 34), (81, 67)),
    ((31, 82), (70, 79)),
    ((21, 34), (19, 67)),
)
"""The places of the figures of the ground at each side, away from the roads."""
_LETTERS: Final[tuple[Point, ...]] = ((64, 11), (92.5, 40), (64, 95), (7.5, 40))
"""The place of the letter of each side, beside a road and within a frame."""
_EXITS: Final[tuple[Point, ...]] = ((50, 0), (100, 50), (50, 100), (0, 50))
_DIAGONALS: Final = ("M50 50L100 0", "M50 50L100 100", "M50 50L0 100", "M50 50L0 0")
"""Between each side and the next, clockwise from the north."""
_PLATE: Final = 39
"""The room for the name of a tile, between its corner and the road to the north."""
_DARK: Final = "#2f2f2f"
_SPOTS: Final[tuple[Point, ...]] = ((12, 88), (88, 88), (88, 12), (30, 88), (70, 88), (88, 30), (88, 70), (12, 70))
"""The places of marks: first the corners, then beside them."""
_CARS: Final[tuple[tuple[Point, ...], ...]] = (
    ((50, 50),),
    ((35, 50), (65, 50)),
    ((35, 40), (65, 40), (50, 61)),
    ((35, 39), (65, 39), (35, 61), (65, 61)),
)
"""The places of one, two, three or four cars on a square without a road."""
_ALONG: Final = ((0.5,), (0.3, 0.7), (0.18, 0.5, 0.82), (0.12, 0.37, 0.63, 0.88))
"""The places of one, two, three or four cars along a road."""
_BEND: Final = 0.55
"""How far a bend leads towards the middle of its tile."""


def _drawn(along: str, ink: str, width: float = 1.5) -> Path:
    return Path(along, stroke=ink, stroke_width=width, stroke_linecap="round")


_FIGURE_PARTS: Final[dict[Terrain, tuple[Element, ...]]] = {
    Terrain.CITY: (
        Path("M-9 6V-1L-5 -5L-1 -1V6Z", fill="#a6452e"),
        Path("M0 6V-8H6V6ZM7 6V-3H10V6Z", fill="#7e3120"),
        Path(
            "M-6 6V2H-4V6ZM1.5 -6H3V-4.5H1.5ZM1.5 -3H3V-1.5H1.5ZM3.8 -6H5.2V-4.5H3.8ZM3.8 -3H5.2V-1.5H3.8Z", fill="#ffffff"
        ),
    ),
    Terrain.MOUNTAINS: (
        Path("M-10 6L-3.5 -7L0.5 0.5L3.5 -4L10 6Z", fill="#62627c"),
        Path("M-3.5 -7L-6 -2L-4.4 -3L-3.3 -1.6L-2.2 -3L-0.9 -2.2ZM3.5 -4L1.9 -1.6L3.4 -2.2L5 -1.7Z", fill="#ffffff"),
    ),
    Terrain.GRASSLAND: (
        _drawn("M-8 5Q-8 0 -10 -3M-7 5V-4M-6 5Q-6 0 -4 -3M-1 1Q-1 -3 -2.6 -5M0 1V-6M1 1Q1 -3 2.6 -5", "#47792f"),
        _drawn("M5 6Q5 1 3 -2M6 6V-3M7 6Q7 1 9 -2", "#47792f"),
    ),
    Terrain.DESERT: (
        _drawn("M-10 5Q-6 0 -1 4Q4 1 10 5", "#a8781c"),
        _drawn("M3 2V-7M3 -1H-0.5V-4M3 -2.5H6.2V-5.5", "#5d7a2c", 2),
        _drawn("M-8 -1H-7.9M-5 -4H-4.9M-7 -6H-6.9M8 1H8.1", "#a8781c", 1.6),
    ),
}


_BODY: Final = (
    "M-12.5 4v-5q0 -2.5 2.5 -3l3 -.6l3.2 -4.2q.8 -1 2 -1h5.2q1.2 0 2 1l3.2 4.2q3.4 .6 3.4 3v5.6q0 1 -1 1h-23q-1 0 -1 -1z"
)
"""The outline of a car from the side."""
_WHEELS: Final = "M-6.5 5.5h0.1M6.5 5.5h0.1"


def car_body(ink: str = SEAT) -> tuple[Element, ...]:
    """Return a car from the side, in the colour of its seat."""
    body = Path(_BODY, fill=ink, stroke="#ffffff", stroke_width=2.4, paint_order="stroke")
    rims = (("#ffffff", 8), ("#1d1d1d", 6))
    return body, *(Path(_WHEELS, stroke=rim, stroke_width=wide, stroke_linecap="round") for rim, wide in rims)


_CAR: Final = car_body()


def figure(terrain: Terrain, x: float, y: float) -> Symbol:
    """Return the small figure of ``terrain`` around ``x``, ``y``, about 18 pixels wide and 14 high."""
    return Symbol(terrain.value, _FIGURE_PARTS[terrain], x, y)


@lru_cache(maxsize=1 << 11)
def tile(square: Square) -> tuple[Element, ...]:
    """Return ``square`` without its markers, with its corner at 0, 0: grounds, roads and its name."""
    return tuple(_tile_parts(square))


def _tile_parts(square: Square) -> Iterator[Element]:
    for side, edge in enumerate(square.edges):
        yield _side(edge.ground, side)
    lines = [line for side, line in enumerate(_DIAGONALS) if _is_border(square, side)]
    if lines:
        yield Path("".join(lines), stroke="#ffffff", stroke_width=1.5)
    yield rect(SIDE, SIDE, stroke="#7d7d7d", stroke_width=0.8)
    yield from (_road_symbol(stroke, exits) for stroke, exits in _roads(square))
    if square.label:
        yield from _label(square)


@lru_cache(maxsize=64)
def _side(ground: Terrain, side: int) -> Symbol:
    """Return a side of a square: its ground, figures on it, and its letter."""
    ink = ground_ink(ground, TERRAINS)
    drawn = Path(_SIDES[side], fill=ink, stroke=ink, stroke_width=0.6)
    letter = words(ground[0], *_LETTERS[side], 10, fill="#444444")
    return Symbol(f"{ground}-{'nesw'[side]}", (drawn, *(figure(ground, x, y) for x, y in _FIGURES[side]), letter))


def _is_border(square: Square, side: int) -> bool:
    """Return whether another ground begins after ``side``, clockwise."""
    return len(square.edges) == 4 and square.edges[side].ground != square.edges[(side + 1) % 4].ground


def _label(square: Square) -> Iterator[Element]:
    """Yield the name of the tile above its rotation, on a plate that is legible on every ground and covers no road."""
    size = next((size for size in (13, 12, 11, 10) if text_width(square.label, size, is_bold=True) <= _PLATE - 5), 9)
    room = max(text_width(square.label, size, is_bold=True), text_width(square.corner, 11)) + 5
    yield rect(round(room, 1), 27 if square.corner else 15, 1.5, 1.5, 3, fill="#ffffff", fill_opacity=0.88)
    yield words(square.label, 4, 13.5, size, "start", is_bold=True)
    if square.corner:
        yield words(square.corner, 4, 25, 11, "start", fill="#333333")


def _roads(square: Square) -> list[tuple[Stroke, int]]:
    """Return the roads of ``square``: all its exits joined, or each kind of road separately.

    Exits are a sum: 1 north, 2 east, 4 south, 8 west.
    """
    exits = [(STROKES[edge.road], 1 << side) for side, edge in enumerate(square.edges) if edge.road]
    kinds = {stroke for stroke, _ in exits}
    return [(stroke, sum(exit_ for _, exit_ in exits)) for stroke in kinds] if len(kinds) == 1 else exits


@lru_cache(maxsize=64)
def _road_symbol(stroke: Stroke, exits: int) -> Symbol:
    return Symbol(f"{stroke.value}{exits}", tuple(_road(stroke, exits)))


def _road(stroke: Stroke, exits: int) -> Iterator[Element]:
    """Yield a road to ``exits``: the layers of its ``stroke`` above each other, so that its ways join smoothly."""
    sides = [side for side in range(4) if exits >> side & 1]
    if len(sides) == 1:
        yield from road_layers(stroke, Way(_line(_EXITS[sides[0]], MIDDLE), is_ended=True))
    elif len(sides) == 2:
        yield from road_layers(stroke, Way(_way(*sides, is_alone=True)))
    else:
        ways = "".join(_way(one, other) for one, other in combinations(sides, 2))
        middle = "".join(_line(_EXITS[side], _inwards(_EXITS[side], 0.54)) for side in sides)
        corners = (_inwards(_EXITS[side], 0.62) for side in sides)
        crossing = "L".join(f"{_short(x)} {_short(y)}" for x, y in corners)
        yield from road_layers(stroke, Way(ways, middle, f"M{crossing}Z"))


class Way(Value):
    """The course of a road as SVG path data: its ``ways``, and a line along its ``middle`` if that is different.

    ``crossing`` is the area between ways that join. A road that ``is_ended`` leads nowhere.
    """

    ways: str
    middle: str = ""
    crossing: str = ""
    is_ended: bool = False


def road_layers(stroke: Stroke, way: Way) -> Iterator[Element]:
    """Yield a road along ``way``: three parallel lines, one broad line, or a light line with dotted edges."""
    look, path = _LOOKS[stroke], dict[str, Any]()
    if way.is_ended:
        path["stroke_linecap"] = "round"
    if look.edge_dash:  # a light line below makes dots visible on every ground
        yield Path(way.ways, stroke="#ffffff", stroke_width=look.width + 1, **path)
    dots = {"stroke_dasharray": look.edge_dash} if look.edge_dash else path
    yield Path(way.ways, stroke=look.edge, stroke_width=look.width, **dots)
    yield Path(way.ways, stroke=look.ink, stroke_width=look.inner, **path)
    if way.crossing:
        yield Path(way.crossing, fill=look.ink)
    yield Path(way.middle or way.ways, stroke=look.line, stroke_width=look.thin, stroke_dasharray=look.dash)


class _Look(Value):
    """The layers of a road: an ``edge`` of ``width`` pixels, ``ink`` on it, a ``line`` along its middle; dashes of them."""

    edge: str
    width: float
    ink: str
    inner: float
    line: str
    thin: float
    dash: str = ""
    edge_dash: str = ""


_LOOKS: Final = {
    Stroke.DOUBLE: _Look(_DARK, 18, "#ffffff", 13, _DARK, 2.4),
    Stroke.SINGLE: _Look("#ffffff", 15, "#4a4a4a", 12, "#ffffff", 1.4, "5 4"),
    Stroke.DOTTED: _Look("#5e4420", 12, "#d8b98a", 7.5, "#5e4420", 1.6, "1.6 5", "2.4 2.6"),
}


def _way(one: int, other: int, *, is_alone: bool = False) -> str:
    """Return the way from one exit to another: straight, a bend, or, if ways join, a bend closer to the middle."""
    (x1, y1), (x2, y2) = _EXITS[one], _EXITS[other]
    if other - one == 2:
        return _line((x1, y1), (x2, y2))
    pull = _BEND if is_alone else 0.8
    (a, b), (c, d) = _inwards((x1, y1), pull), _inwards((x2, y2), pull)
    return f"M{_short(x1)} {_short(y1)}C{_short(a)} {_short(b)} {_short(c)} {_short(d)} {_short(x2)} {_short(y2)}"


def _line(start: Point, end: Point) -> str:
    return f"M{_short(start[0])} {_short(start[1])}L{_short(end[0])} {_short(end[1])}"


def _inwards(start: Point, part: float) -> Point:
    return start[0] + (MIDDLE[0] - start[0]) * part, start[1] + (MIDDLE[1] - start[1]) * part


def _short(number: float) -> str:
    return f"{round(number, 1):g}"


def tokens(place: str, square: Square, corner: Point) -> Iterator[Token]:
    """Yield the markers of ``square``, called ``place``, at ``corner``: cars on the road, others in the corners."""
    cars = [marker for marker in square.markers if marker.sign is Sign.PIECE]
    others = [marker for marker in square.markers if marker.sign is not Sign.PIECE]
    points = _car_points(tuple(side for side, edge in enumerate(square.edges) if edge.road), len(cars))
    for marker, (x, y) in (*zip(cars, points, strict=False), *zip(others, _spots(len(others)), strict=False)):
        is_car, seat = marker.sign is Sign.PIECE, marker.seat
        look: dict[str, Any] = {"size": 26, "body": _CAR, "drop": 2.5} if is_car else {}
        yield Token(seat, round(corner[0] + x, 1), round(corner[1] + y, 1), place, seat, seat, marker.sign, **look)


@lru_cache(maxsize=1 << 8)
def _car_points(exits: tuple[int, ...], many: int) -> tuple[Point, ...]:
    """Return the places of ``many`` cars on a road to ``exits``: along it, or on its arms if it has three or four."""
    if many > len(_ALONG):
        return _in_rows(many)
    if not exits:
        return _CARS[many - 1] if many else ()
    if len(exits) > 2:
        arms = [_inwards(_EXITS[side], 0.45) for side in exits]
        return (MIDDLE,) if many == 1 else (*arms, MIDDLE)[:many]
    ends = _EXITS[exits[0]], _EXITS[exits[1]] if len(exits) == 2 else MIDDLE
    return tuple(_on_way(*ends, part) for part in _ALONG[many - 1]) if many else ()


def _on_way(start: Point, end: Point, part: float) -> Point:
    """Return the point at ``part`` (0 to 1) of the way between two exits, which bends as its road does."""
    rest = 1 - part
    weights = rest**3, 3 * rest * rest * part, 3 * rest * part * part, part**3
    points = start, _inwards(start, _BEND), _inwards(end, _BEND), end
    x, y = (sum(weight * point[side] for weight, point in zip(weights, points, strict=True)) for side in (0, 1))
    return round(x, 1), round(y, 1)


def _spots(many: int) -> tuple[Point, ...]:
    return _SPOTS[:many] if many <= len(_SPOTS) else _in_rows(many)


def _in_rows(many: int) -> tuple[Point, ...]:
    """Return places for ``many`` badges in rows from the bottom, as far apart as possible."""
    across = max(4, -(-many // 4))
    pitch = 84 / across
    return tuple((8 + (at % across + 0.5) * pitch, 88 - at // across * 20) for at in range(many))

"""Draw a square of a board: the ground at each side, roads from edge to edge, and its name.

A picture defines common parts of squares once, such as a side with its ground or a road with its joints, and refers to them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import combinations
from typing import Any, Final

from adjudicator.core.drawing import Badge, Square, Stroke
from adjudicator.core.frozen import frozen
from adjudicator.core.scene import Sign
from adjudicator.reports.legend import Key, as_badge
from adjudicator.reports.picture_textures import figure, texture_definitions
from adjudicator.reports.sketch import Anchor, Point, Use
from adjudicator.reports.svg import element, words
from adjudicator.scenes.colors import ground_ink
from adjudicator.scenes.letters import text_width

SIDE: Final = 100
"""Pixels along one side of a square."""
MIDDLE: Final[Point] = (SIDE / 2, SIDE / 2)
_SIDES: Final = ("M0 0H100L50 50Z", "M100 0V100L50 50Z", "M100 100H0L50 50Z", "M0 100V0L50 50Z")
_FIGURES: Final[tuple[tuple[Point, Point], ...]] = (
    ((35, 26), (70, 20)),
    ((84, 33), (84, 67)),
    ((31, 83), (69, 83)),
    ((16, 33), (16, 67)),
)
"""The places of the figures of the ground at each side, away from the roads."""
_LETTERS: Final[tuple[Point, ...]] = ((64, 9), (95, 39), (64, 97), (5, 39))
"""The place of the letter of each side, beside a road."""
_EXITS: Final[tuple[Point, ...]] = ((50, 0), (100, 50), (50, 100), (0, 50))
_DIAGONALS: Final = ("M50 50L100 0", "M50 50L100 100", "M50 50L0 100", "M50 50L0 0")
"""Between each side and the next, clockwise from the north."""
_DARK: Final = "#2f2f2f"
_SPOTS: Final[tuple[Point, ...]] = ((12, 88), (88, 88), (88, 12), (30, 88), (70, 88), (88, 30), (88, 70), (12, 70))
"""The places of marks: first the corners, then beside them."""
_CARS: Final[tuple[tuple[Point, ...], ...]] = (
    ((50, 50),),
    ((35, 50), (65, 50)),
    ((35, 40), (65, 40), (50, 61)),
    ((35, 39), (65, 39), (35, 61), (65, 61)),
)
"""The places of one, two, three or four pieces."""


@lru_cache(maxsize=64)
def tile_definitions(uses: frozenset[Use], key: Key, grounds: tuple[str, ...]) -> str:
    """Return the definitions for squares with these ``uses``, which a picture needs once; empty for none."""
    own = [(at, ground) for at, ground in enumerate(grounds) if ground in uses]
    inner = [*texture_definitions(key.textures[ground] for _, ground in own if ground in key.textures)]
    inner += [_ground_definition(at, ground, key, grounds) for at, ground in own]
    inner += [_road_definition(stroke, exits) for stroke, exits in sorted(use for use in uses if not isinstance(use, str))]
    return element("defs", *inner) if inner else ""


def tile_uses(square: Square, key: Key) -> tuple[Use, ...]:
    """Return the grounds and the roads of ``square``."""
    return (*(edge.ground for edge in square.edges), *_roads(square, key))


@lru_cache(maxsize=1 << 11)
def tile(square: Square, key: Key, grounds: tuple[str, ...]) -> str:
    """Return ``square`` without its badges, with its corner at 0, 0: grounds, roads and its name.

    The result is cached, because a replay draws the same square hundreds of times.
    """
    return "".join(_tile_parts(square, key, grounds))


def _tile_parts(square: Square, key: Key, grounds: Sequence[str]) -> Iterator[str]:
    for side, edge in enumerate(square.edges):
        if edge.ground not in grounds:
            yield from _side(edge.ground, side, key, grounds)
    for side, edge in enumerate(square.edges):
        if edge.ground in grounds:
            yield element("use", href=f"#{'nesw'[side]}{grounds.index(edge.ground)}")
    lines = [line for side, line in enumerate(_DIAGONALS) if _is_border(square, side)]
    if lines:
        yield element("path", d="".join(lines), stroke="#ffffff", stroke_width=1.5)
    if square.edges:
        yield element("rect", width=SIDE, height=SIDE, fill="none", stroke="#7d7d7d", stroke_width=0.8)
    for stroke, exits in _roads(square, key):
        yield element("use", href=f"#{_road_id(stroke, exits)}")
    if square.label:
        yield from _label(square)


def _side(ground: str, side: int, key: Key, grounds: Sequence[str]) -> Iterator[str]:
    """Yield a side of a square: its ground, figures on it, and its letter."""
    ink = ground_ink(ground, grounds)
    yield element("path", d=_SIDES[side], fill=ink, stroke=ink, stroke_width=0.6)
    if ground in key.textures:
        for x, y in _FIGURES[side]:
            yield figure(key.textures[ground], x, y)
    yield words(key.letter(ground), *_LETTERS[side], size=8, fill="#444444")


def _is_border(square: Square, side: int) -> bool:
    """Return whether another ground begins after ``side``, clockwise."""
    return len(square.edges) == 4 and square.edges[side].ground != square.edges[(side + 1) % 4].ground


def _label(square: Square) -> Iterator[str]:
    """Yield the name of the tile and its rotation, on a plate that is legible on every ground."""
    wide = text_width(square.label, 13, is_bold=True)
    room = wide + (text_width(square.corner, 11) + 2 if square.corner else 0) + 5
    yield element("rect", x=1.5, y=1.5, width=round(room, 1), height=15, rx=3, fill="#ffffff", fill_opacity="0.88")
    yield words(square.label, 4, 13.5, size=13, anchor="start", font_weight="bold")
    if square.corner:
        yield words(square.corner, round(wide + 5, 1), 13, size=11, anchor="start", fill="#333333")


def _roads(square: Square, key: Key) -> list[tuple[Stroke, int]]:
    """Return the roads of ``square``: all its exits joined, or each kind of road separately.

    Exits are a sum: 1 north, 2 east, 4 south, 8 west.
    """
    exits = [(key.strokes[edge.road], 1 << side) for side, edge in enumerate(square.edges) if edge.road]
    kinds = {stroke for stroke, _ in exits}
    return [(stroke, sum(exit_ for _, exit_ in exits)) for stroke in kinds] if len(kinds) == 1 else exits


def _road_id(stroke: Stroke, exits: int) -> str:
    return f"{stroke.value}{exits}"


@lru_cache(maxsize=1 << 8)
def _ground_definition(at: int, ground: str, key: Key, grounds: tuple[str, ...]) -> str:
    """Return the four sides of ``ground``, which is number ``at``."""
    return "".join([element("g", *_side(ground, side, key, grounds), id=f"{'nesw'[side]}{at}") for side in range(4)])


@lru_cache(maxsize=1 << 6)
def _road_definition(stroke: Stroke, exits: int) -> str:
    return element("g", *_road(stroke, exits), id=_road_id(stroke, exits))


def _road(stroke: Stroke, exits: int) -> Iterator[str]:
    """Yield a road to ``exits``: the layers of its ``stroke`` above each other, so that its ways join smoothly."""
    sides = [side for side in range(4) if exits >> side & 1]
    if len(sides) == 1:
        yield from road_layers(stroke, Way(_line(_EXITS[sides[0]], MIDDLE), is_ended=True))
    elif len(sides) == 2:
        yield from road_layers(stroke, Way(_way(*sides, is_alone=True)))
    else:
        ways = "".join(_way(one, other) for one, other in combinations(sides, 2))
        middle = "".join(_line(_EXITS[side], _between(_EXITS[side], MIDDLE, 0.54)) for side in sides)
        corners = (_between(_EXITS[side], MIDDLE, 0.62) for side in sides)
        crossing = "L".join(f"{_short(x)} {_short(y)}" for x, y in corners)
        yield from road_layers(stroke, Way(ways, middle, f"M{crossing}Z"))


@frozen
class Way:
    """The course of a road as SVG path data: its ``ways``, and a line along its ``middle`` if that is different.

    ``crossing`` is the area between ways that join. A road that ``is_ended`` leads nowhere.
    """

    ways: str
    middle: str = ""
    crossing: str = ""
    is_ended: bool = False


def road_layers(stroke: Stroke, way: Way) -> Iterator[str]:
    """Yield a road along ``way``: three parallel lines, one broad line, or a light line with dotted edges."""
    path: dict[str, Any] = {"fill": "none", **({"stroke_linecap": "round"} if way.is_ended else {})}
    look = _LOOKS[stroke]
    if look.edge_dash:  # a light line below makes dots visible on every ground
        yield element("path", d=way.ways, stroke="#ffffff", stroke_width=look.width + 1, **path)
    dots = {"stroke_dasharray": look.edge_dash} if look.edge_dash else {}
    yield element("path", d=way.ways, stroke=look.edge, stroke_width=look.width, **(dots or path) | {"fill": "none"})
    yield element("path", d=way.ways, stroke=look.ink, stroke_width=look.inner, **path)
    if way.crossing:
        yield element("path", d=way.crossing, fill=look.ink)
    dashes = {"stroke_dasharray": look.dash} if look.dash else {}
    yield element("path", d=way.middle or way.ways, stroke=look.line, stroke_width=look.thin, fill="none", **dashes)


@frozen
class _Look:
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
    pull = 0.55 if is_alone else 0.8
    (a, b), (c, d) = _between((x1, y1), MIDDLE, pull), _between((x2, y2), MIDDLE, pull)
    return f"M{_short(x1)} {_short(y1)}C{_short(a)} {_short(b)} {_short(c)} {_short(d)} {_short(x2)} {_short(y2)}"


def _line(start: Point, end: Point) -> str:
    return f"M{_short(start[0])} {_short(start[1])}L{_short(end[0])} {_short(end[1])}"


def _between(start: Point, end: Point, part: float) -> Point:
    return start[0] + (end[0] - start[0]) * part, start[1] + (end[1] - start[1]) * part


def _short(number: float) -> str:
    return f"{round(number, 1):g}"


def tile_badges(place: str, badges: Iterable[Badge | str], corner: Point) -> Iterator[Anchor]:
    """Yield the place of each of ``badges`` on the square at ``corner``: pieces on the road, others in the corners."""
    shown = [as_badge(badge) for badge in badges]
    pieces = [badge for badge in shown if badge.sign is Sign.PIECE]
    others = [badge for badge in shown if badge.sign is not Sign.PIECE]
    points = _CARS[len(pieces) - 1] if 0 < len(pieces) <= len(_CARS) else _in_rows(len(pieces))
    for badge, (x, y) in (*zip(pieces, points, strict=False), *zip(others, _spots(len(others)), strict=False)):
        size = 26 if badge.sign is Sign.PIECE else 20
        yield Anchor(place, badge, round(corner[0] + x, 1), round(corner[1] + y, 1), size, size)


def _spots(many: int) -> tuple[Point, ...]:
    return _SPOTS[:many] if many <= len(_SPOTS) else _in_rows(many)


def _in_rows(many: int) -> tuple[Point, ...]:
    """Return places for ``many`` badges in rows from the bottom, as far apart as possible."""
    across = max(4, -(-many // 4))
    pitch = 84 / across
    return tuple((8 + (at % across + 0.5) * pitch, 88 - at // across * 20) for at in range(many))

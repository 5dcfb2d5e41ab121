"""Draw a map: spots, roads between them, the marked route, signs, names and pieces.

Kinds of road differ in colour, in brightness, and in the lines around spots and between them, so that a map is legible in
grey and for colour-blind readers.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import pairwise
from math import hypot
from operator import attrgetter
from typing import Any, Final

from adjudicator.core.drawing import Roadmap, Spot
from adjudicator.core.frozen import frozen
from adjudicator.reports.changes import track_name
from adjudicator.reports.legend import Key
from adjudicator.reports.map_names import Box, placed_names
from adjudicator.reports.picture_colors import ground_ink
from adjudicator.reports.sketch import Anchor, Part, Point, badge_anchors, badges_at
from adjudicator.reports.svg import element, grouped, text_width, words

STEP: Final = 46
"""Pixels from one column to the next."""
EDGE: Final = 26
"""Pixels from the middle of the outermost spots to the edge, if there is no name."""
_HALF: Final = 16
_NAME: Final = 10
_DISC: Final = "●"
"""A marker without words."""
_ROUTE: Final = "#2563a8"
_DARK: Final = "#17406f"
_LINE: Final = "#3a3a3a"
_HIDDEN: Final = "#7a1f14"


@frozen
class Look:
    """The lines around the spots of a kind of road and between them: widths, dashes; ``core`` is a white line within."""

    border: float
    dash: str
    road: float
    road_dash: str = ""
    core: float = 0


_LOOKS: Final = {
    "red": Look(3.4, "", 13, core=5),
    "orange": Look(1.8, "", 9),
    "yellow": Look(1.6, "6 3", 4),
    "white": Look(1.6, "1.5 3", 3, "1.5 4"),
}
_PLAIN: Final = Look(1.0, "", 8)


_BARE: Final = attrgetter("x", "y", "label", "ground", "sign", "name", "is_marker")
_Bare = tuple[tuple[int, int, str, str, str, str, bool], ...]
"""The spots of a map without pieces: their drawing is the same for most pictures of a game."""
_Lines = tuple[Any, Any, Any, Any]


@frozen
class _Sheet:
    """A map on paper without pieces: ``drawn``, moved by ``x`` and ``y`` so that all of it is visible.

    ``middles`` are those of its spots before the move, ``anchors`` are its places after the move.
    """

    drawn: str
    x: int
    y: int
    width: int
    height: int
    middles: Mapping[str, Point]
    anchors: tuple[Anchor, ...]


def roadmap_parts(roadmap: Roadmap, key: Key, grounds: Sequence[str]) -> Part:
    """Return ``roadmap`` drawn in the colours for ``grounds`` and ``key``."""
    lines = roadmap.roads, roadmap.tracks, roadmap.route, roadmap.track_names
    sheet = _sheet(tuple(map(_BARE, roadmap.spots)), lines, tuple(grounds))
    pieces = [piece for spot in roadmap.spots if spot.badges for piece in _pieces(spot, sheet.middles[spot.label])]
    shift = f"translate({sheet.x} {sheet.y})"
    shifted = grouped((sheet.drawn, *badges_at(pieces, key)), transform=shift)
    moved = (replace(piece, x=piece.x + sheet.x, y=piece.y + sheet.y) for piece in pieces)
    return Part(shifted, sheet.width, sheet.height, (*sheet.anchors, *moved))


@lru_cache(maxsize=16)
def _sheet(bare: _Bare, lines: _Lines, grounds: tuple[str, ...]) -> _Sheet:
    """Return the map with the spots ``bare`` and the ``lines`` between them: roads, tracks, route, names of the tracks."""
    spots = tuple([Spot(x, y, label, ground, sign, name, (), marker) for x, y, label, ground, sign, name, marker in bare])
    roadmap = Roadmap("", spots, lines[0], lines[1], lines[2], track_names=lines[3])
    left, top = min((spot.x for spot in spots), default=1), min((spot.y for spot in spots), default=1)
    middles = {spot.label: ((spot.x - left) * STEP, (spot.y - top) * STEP) for spot in spots}
    boxes = [*(_box(middle, _HALF + 2) for middle in middles.values()), *_roads_taken(roadmap, middles)]
    names = {spot.label: spot.name for spot in spots if spot.name}
    placed = placed_names(names, middles, _HALF + 2, boxes, _NAME)
    drawn = [*_lines(roadmap, middles, {spot.label: spot.ground for spot in spots})]
    for spot in spots:
        drawn.append(_spot(spot, middles[spot.label], ground_ink(spot.ground, grounds)))
    drawn += [element("g", *_arrows(roadmap, middles))]
    drawn += [_name(one.name, one.box) for one in placed]
    drawn += _track_names(roadmap, middles)
    around = [*(_box(middle, EDGE) for middle in middles.values()), *(one.box for one in placed)]
    west, north = min((box.left for box in around), default=0), min((box.top for box in around), default=0)
    east, south = max((box.right for box in around), default=0), max((box.bottom for box in around), default=0)
    x, y = round(-west), round(-north)
    anchors = tuple([replace(anchor, x=anchor.x + x, y=anchor.y + y) for anchor in _anchors(roadmap, middles)])
    return _Sheet("".join(drawn), x, y, round(east - west), round(south - north), middles, anchors)


def road_swatch(ground: str, ink: str, x: float) -> Iterator[str]:
    """Yield a spot of ``ground`` with its road on both sides, from ``x`` on, for a legend."""
    look = _LOOKS.get(ground, _PLAIN)
    yield from _half_road(look, (x, 7), (x + 30, 7))
    yield _square(look, (x + 15, 7), ink, 7)


def _box(middle: Point, half: float) -> Box:
    x, y = middle
    return Box(x - half, y - half, x + half, y + half)


def _roads_taken(roadmap: Roadmap, middles: Mapping[str, Point]) -> Iterator[Box]:
    for one, other in roadmap.roads:
        if one in middles and other in middles:
            (x1, y1), (x2, y2) = middles[one], middles[other]
            if x1 == x2 or y1 == y2:  # the rectangle around a diagonal road is large and almost empty
                yield Box(min(x1, x2) - 5, min(y1, y2) - 5, max(x1, x2) + 5, max(y1, y2) + 5)


def _lines(roadmap: Roadmap, middles: Mapping[str, Point], kinds: Mapping[str, str]) -> Iterator[str]:
    points = " ".join(f"{x},{y}" for x, y in (middles[label] for label in roadmap.route if label in middles))
    if points:
        wide = {"fill": "none", "stroke_linejoin": "round", "stroke_linecap": "round"}
        yield element("polyline", points=points, stroke=_ROUTE, stroke_width=2 * _HALF + 12, stroke_opacity="0.38", **wide)
    for one, other in roadmap.tracks:
        if one in middles and other in middles:
            (x1, y1), (x2, y2) = middles[one], middles[other]
            line = {"x1": x1, "y1": y1, "x2": x2, "y2": y2, "stroke_linecap": "round"}
            yield element("line", **line, stroke="#ffffff", stroke_width=7)
            yield element("line", **line, stroke=_HIDDEN, stroke_width=3.5, stroke_dasharray="1 7")
    for one, other in roadmap.roads:
        if one in middles and other in middles:
            (x1, y1), (x2, y2) = middles[one], middles[other]
            half = (x1 + x2) / 2, (y1 + y2) / 2
            for label, start in ((one, (x1, y1)), (other, (x2, y2))):
                yield _half(kinds[label], start, half)


@lru_cache(maxsize=1 << 11)
def _half(kind: str, start: Point, end: Point) -> str:
    """Return half a road between points of a map from a cache: most pictures of a game have the same roads."""
    return "".join(_half_road(_LOOKS.get(kind, _PLAIN), start, end))


def _half_road(look: Look, start: Point, end: Point) -> Iterator[str]:
    line = {"x1": start[0], "y1": start[1], "x2": end[0], "y2": end[1]}
    dashed = {"stroke_dasharray": look.road_dash} if look.road_dash else {}
    yield element("line", **line, stroke=_LINE, stroke_width=look.road, **dashed)
    if look.core:
        yield element("line", **line, stroke="#ffffff", stroke_width=look.core)


def _square(look: Look, middle: Point, ink: str, half: float) -> str:
    x, y = middle
    dashed = {"stroke_dasharray": look.dash} if look.dash else {}
    box = {"x": x - half, "y": y - half, "width": 2 * half, "height": 2 * half}
    return element("rect", fill=ink, stroke=_LINE, stroke_width=look.border, **box, **dashed)


@lru_cache(maxsize=1 << 11)
def _spot(spot: Spot, middle: Point, ink: str) -> str:
    """Return a ``spot`` without its pieces from a cache: few spots of a map change."""
    return "".join(_spot_parts(spot, middle, ink))


def _spot_parts(spot: Spot, middle: Point, ink: str) -> Iterator[str]:
    x, y = middle
    yield _square(_LOOKS.get(spot.ground, _PLAIN), middle, ink, _HALF)
    if spot.is_marker and spot.sign == _DISC:
        yield element("circle", cx=x, cy=y - 3, r=9, fill="#000000")
    elif spot.is_marker and spot.sign:
        yield element("rect", x=x - _HALF + 1, y=y - 12, width=2 * _HALF - 2, height=17, fill=_DARK)
        yield words(spot.sign, x, y + 1, size=_fitting(spot.sign, 13, 8), fill="#ffffff", font_weight="bold")
    elif spot.sign:
        yield words(spot.sign, x, y + 2, size=14, font_weight="bold")
    yield words(spot.label, x, y + _HALF - 3, size=_fitting(spot.label, 8, 5), fill="#333333")


def _fitting(text: str, most: int, least: int) -> int:
    """Return the largest size of letters from ``least`` to ``most`` in which ``text`` fits into a spot."""
    return next((size for size in range(most, least, -1) if text_width(text, size, is_bold=True) <= 2 * _HALF), least)


def _arrows(roadmap: Roadmap, middles: Mapping[str, Point]) -> Iterator[str]:
    """Yield an arrow between each two spots of the route, to show its direction."""
    for one, other in pairwise(label for label in roadmap.route if label in middles):
        (x1, y1), (x2, y2) = middles[one], middles[other]
        long = hypot(x2 - x1, y2 - y1)
        if not long or long > 3 * STEP:
            continue
        ux, uy, x, y = (x2 - x1) / long, (y2 - y1) / long, (x1 + x2) / 2, (y1 + y2) / 2
        tips = (
            (x + 6 * ux, y + 6 * uy),
            (x - 5 * ux - 7 * uy, y - 5 * uy + 7 * ux),
            (x - 5 * ux + 7 * uy, y - 5 * uy - 7 * ux),
        )
        points = " ".join(f"{round(px, 1)},{round(py, 1)}" for px, py in tips)
        yield element("polygon", points=points, fill=_DARK, stroke="#ffffff", stroke_width=1)


def _name(name: str, box: Box) -> str:
    middle, base = round((box.left + box.right) / 2, 1), round(box.bottom - 2, 1)
    return words(name, middle, base, size=_NAME, font_weight="bold", stroke="#ffffff", stroke_width=3, paint_order="stroke")


def _track_names(roadmap: Roadmap, middles: Mapping[str, Point]) -> Iterator[str]:
    for (one, other), name in zip(roadmap.tracks, roadmap.track_names, strict=False):
        if one in middles and other in middles:
            (x1, y1), (x2, y2) = middles[one], middles[other]
            x, y, bold = (x1 + x2) / 2, (y1 + y2) / 2 + 3, "bold"
            yield words(
                name, x, y, size=9, fill=_HIDDEN, font_weight=bold, stroke="#ffffff", stroke_width=4, paint_order="stroke"
            )


def _anchors(roadmap: Roadmap, middles: Mapping[str, Point]) -> Iterator[Anchor]:
    """Yield the places of the spots and the middles of the hidden tracks."""
    for spot in roadmap.spots:
        yield Anchor(spot.label, None, *middles[spot.label], 2 * _HALF + 6, 2 * _HALF + 6)
    for one, other in roadmap.tracks:
        if one in middles and other in middles:
            (x1, y1), (x2, y2) = middles[one], middles[other]
            yield Anchor(track_name((one, other)), None, (x1 + x2) / 2, (y1 + y2) / 2)


def _pieces(spot: Spot, middle: Point) -> Iterator[Anchor]:
    x, y = middle
    return badge_anchors(spot.label, spot.badges, ((x + 11 - 7 * at, y - 11) for at in range(len(spot.badges))))

"""A map as a picture: spots where they lie, roads between them, the marked route, signs, names and pieces."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from adjudicator.core.drawing import Roadmap, Spot
from adjudicator.reports.legend import Key, as_badge
from adjudicator.reports.picture_colors import ground_ink, seat_ink
from adjudicator.reports.sketch import Part, Point, badge_parts
from adjudicator.reports.svg import element, words

_STEP: Final = 34
_HALF: Final = 13
_EDGE: Final = 24
_ROUTE: Final = "#2563a8"


def roadmap_parts(roadmap: Roadmap, key: Key, grounds: Sequence[str]) -> Part:
    """Return ``roadmap`` drawn; colours go by ``grounds`` and ``key``."""
    left, top = min((spot.x for spot in roadmap.spots), default=1), min((spot.y for spot in roadmap.spots), default=1)
    middles = {spot.label: (_EDGE + (spot.x - left) * _STEP, _EDGE + (spot.y - top) * _STEP) for spot in roadmap.spots}
    drawn = [*_lines(roadmap, middles)]
    for spot in roadmap.spots:
        drawn += _spot(spot, middles[spot.label], ground_ink(spot.ground, grounds))
    for spot in roadmap.spots:
        drawn += _over(spot, middles[spot.label], key)
    width, height = (max((middle[side] for middle in middles.values()), default=0) + _EDGE for side in (0, 1))
    return Part(tuple(drawn), width, height)


def _lines(roadmap: Roadmap, middles: Mapping[str, Point]) -> Iterator[str]:
    for one, other in roadmap.tracks:
        yield _line(middles, one, other, stroke="#c0392b", stroke_width=3, stroke_dasharray="2 5", stroke_linecap="round")
    for one, other in roadmap.roads:
        yield _line(middles, one, other, stroke="#888888", stroke_width=8)
    points = " ".join(f"{x},{y}" for x, y in (middles[label] for label in roadmap.route if label in middles))
    if points:
        yield element(
            "polyline", points=points, fill="none", stroke=_ROUTE, stroke_width=_HALF * 2 + 6, stroke_opacity="0.35"
        )


def _line(middles: Mapping[str, Point], one: str, other: str, **look: object) -> str:
    (x1, y1), (x2, y2) = middles[one], middles[other]
    return element("line", x1=x1, y1=y1, x2=x2, y2=y2, **look)


def _spot(spot: Spot, middle: Point, ink: str) -> Iterator[str]:
    x, y = middle
    box = {"x": x - _HALF, "y": y - _HALF, "width": 2 * _HALF, "height": 2 * _HALF}
    yield element("rect", fill=ink, stroke="#777777", **box)
    if spot.sign:
        yield words(spot.sign, x, y + 1, size=9, font_weight="bold")
    yield words(spot.label, x, y + _HALF - 2, size=6, fill="#666666")


def _over(spot: Spot, middle: Point, key: Key) -> Iterator[str]:
    """Yield what lies over the roads: names and pieces."""
    x, y = middle
    if spot.name:
        yield words(spot.name, x, y - _HALF + 6, size=7, font_weight="bold")
    for at, badge in enumerate(map(as_badge, spot.badges)):
        ink = seat_ink(badge.seat or badge.text, key.seats)
        yield from badge_parts(badge, x + 8 - 6 * at, y - 4, ink, key.initial(badge))

"""Mark the changes in a picture: frames, bars and rings for new things, a ghost and an arrow for moved pieces.

The marks are dark lines on white ones, visible on every ground and in grey.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from math import hypot
from typing import Any, Final

from adjudicator.core.values import replace
from adjudicator.reports.changes import Change
from adjudicator.reports.road_ways import road_between
from adjudicator.reports.scene_parts import Badge
from adjudicator.reports.sketch import Anchor, Part, Point
from adjudicator.reports.svg import element
from adjudicator.scenes.scene import Sign

_INK: Final = "#b0005e"
_WHITE: Final = "#ffffff"
_FRAME_DASH: Final = "9 4"
_SMALL_DASH: Final = "4 2"
_GHOST_DASH: Final = "2 3"
_RING: Final = 10.5
"""The least radius of the ring around a badge, in pixels."""
_LEAST: Final = 12
"""The least distance in pixels between a ghost and a badge; a nearer ghost would cover it."""
_ARROW: Final = 18
"""The least distance in pixels between ghost and ring for an arrow."""
_BEND: Final = 0.16
"""How far an arrow bows to its side, as a part of its length, so that it looks different from a road."""


def marked(part: Part, before: Part, changes: Iterable[Change]) -> Part:
    """Return ``part`` with marks for the ``changes``; ``before`` has the earlier places of moved pieces."""
    listed = [*changes]
    drawn, at = part.drawn, len(part.drawn) if part.under is None else part.under
    shown = [anchor for change, anchor in _shown(part, listed) if change.badge is None]
    areas = [mark for anchor in shown if anchor.corners for mark in _outline(anchor)]
    places = [mark for anchor in shown if not anchor.corners for mark in _place_mark(anchor)]
    pieces = [*_piece_marks(part, before, listed)]
    if part.under is None:
        return replace(part, drawn=(*drawn, *_group(areas + places + pieces)))
    return replace(part, drawn=(*drawn[:at], *_group(areas + pieces), *drawn[at:], *_group(places)), under=None)


def _group(marks: Sequence[str]) -> tuple[str, ...]:
    return (element("g", *marks, class_="new"),) if marks else ()


def new_swatch(x: float) -> Iterator[str]:
    """Yield the sign for new things in a legend: a frame and a ring, 40 pixels wide from ``x`` on."""
    yield from _frame(Anchor("", None, x + 8, 7, 16, 16))
    yield from _ring((x + 29, 7), 7)


def moved_swatch(x: float) -> Iterator[str]:
    """Yield the sign for moved pieces in a legend: a ghost, an arrow and a ring, 52 pixels wide."""
    yield from _ghost((x + 6, 7), 6)
    yield from _arrow((x + 6, 7), (x + 43, 7), (x, 0), 7)
    yield from _ring((x + 43, 7), 7)


def _place_mark(anchor: Anchor) -> Iterator[str]:
    """Return the mark of a place with new contents."""
    return _frame(anchor) if anchor.height > anchor.width / 3 else _bar(anchor)


def _outline(anchor: Anchor) -> Iterator[str]:
    """Yield a frame in the shape of a place."""
    points = " ".join(f"{_rounded(anchor.x + x)},{_rounded(anchor.y + y)}" for x, y in anchor.corners)
    shape = {"points": points, "fill": "none", "stroke_linejoin": "round"}
    yield element("polygon", **shape, stroke=_WHITE, stroke_width=5, stroke_opacity="0.85")
    yield element("polygon", **shape, stroke=_INK, stroke_width=2.6, stroke_dasharray=_FRAME_DASH)


def _shown(part: Part, changes: Iterable[Change]) -> list[tuple[Change, Anchor]]:
    now = _found(part)
    return [(change, now[thing]) for change in changes if (thing := (change.place, change.badge)) in now]


def _piece_marks(part: Part, before: Part, changes: Iterable[Change]) -> Iterator[str]:
    """Yield the marks of badges: ghosts and arrows, then rings, so that nothing covers a ring."""
    now, was, shown = _found(part), _found(before), _shown(part, changes)
    standing = [anchor for anchor in part.anchors if anchor.badge is not None]
    for change, anchor in shown:
        origin = _origin(change, now, was)
        if origin is None:
            continue
        far = hypot(anchor.x - origin[0], anchor.y - origin[1])
        along = road_between(part, change.origin, change.place)
        yield _way((origin, *along, (anchor.x, anchor.y)), anchor.id)
        if all(hypot(other.x - origin[0], other.y - origin[1]) > _LEAST for other in standing):
            yield from _ghost(origin)
        if far > _radius(anchor) + _ARROW:
            if along:
                yield from _road_arrow((origin, *along, (anchor.x, anchor.y)), _radius(anchor))
            else:
                yield from _arrow(origin, (anchor.x, anchor.y), (part.width / 2, part.height / 2), _radius(anchor))
    for change, anchor in shown:
        if change.badge is not None:
            yield from _frame(anchor) if change.badge.sign is Sign.NOTE else _ring((anchor.x, anchor.y), _radius(anchor))


def _way(points: Iterable[Point], name: str) -> str:
    """Return the way of the piece ``name`` as an invisible line, along which a replay lets it move."""
    return element("path", class_="way", data_of=name, d=_line(points), fill="none")


def _line(points: Iterable[Point]) -> str:
    return "M" + "L".join(f"{_rounded(x)} {_rounded(y)}" for x, y in points)


def _radius(anchor: Anchor) -> float:
    """Return the radius of the ring around a badge."""
    return anchor.width / 2 + 0.5


def _found(part: Part) -> dict[tuple[str, Badge | None], Anchor]:
    return {(anchor.place, anchor.badge): anchor for anchor in part.anchors}


def _origin(change: Change, now: dict[Any, Anchor], was: dict[Any, Anchor]) -> Point | None:
    """Return the old place of the badge of ``change`` in the new picture; ``None`` if it has none."""
    stood = was.get((change.origin, change.badge)) if change.origin else None
    if stood is None:
        return None
    then, there = was.get((change.origin, None)), now.get((change.origin, None))
    if then is None:
        return stood.x, stood.y
    return None if there is None else (there.x + stood.x - then.x, there.y + stood.y - then.y)


def _frame(anchor: Anchor) -> Iterator[str]:
    box: dict[str, Any] = {
        "x": _rounded(anchor.x - anchor.width / 2),
        "y": _rounded(anchor.y - anchor.height / 2),
        "width": _rounded(anchor.width),
        "height": _rounded(anchor.height),
        "rx": _rounded(min(anchor.width, anchor.height, 40) / 5),
        "fill": "none",
    }
    dash = _FRAME_DASH if min(anchor.width, anchor.height) > 30 else _SMALL_DASH
    yield element("rect", **box, stroke=_WHITE, stroke_width=5, stroke_opacity="0.85")
    yield element("rect", **box, stroke=_INK, stroke_width=2.6, stroke_dasharray=dash)


def _bar(anchor: Anchor) -> Iterator[str]:
    """Yield a bar before a line of words, like a change bar in the margin of a text."""
    x, y = _rounded(anchor.x - anchor.width / 2), _rounded(anchor.y - anchor.height / 2 + 1.5)
    yield element("rect", x=x, y=y, width=4, height=_rounded(anchor.height - 3), fill=_INK, stroke=_WHITE, stroke_width=0.8)


def _ring(middle: Point, radius: float = _RING) -> Iterator[str]:
    circle = {"cx": _rounded(middle[0]), "cy": _rounded(middle[1]), "r": radius, "fill": "none"}
    yield element("circle", **circle, stroke=_WHITE, stroke_width=4.6)
    yield element("circle", **circle, stroke=_INK, stroke_width=2.6)


def _ghost(middle: Point, radius: float = 8) -> Iterator[str]:
    circle = {"cx": _rounded(middle[0]), "cy": _rounded(middle[1]), "r": radius}
    yield element("circle", **circle, fill="none", stroke=_WHITE, stroke_width=4)
    yield element("circle", **circle, fill="none", stroke=_INK, stroke_width=2, stroke_dasharray=_GHOST_DASH)


def _arrow(start: Point, end: Point, centre: Point, ring: float = _RING) -> Iterator[str]:
    """Yield an arrow from the ghost at ``start`` to the ring around ``end``, slightly bent towards the ``centre``."""
    (x1, y1), (x2, y2) = start, end
    side = (centre[0] - x1) * (y2 - y1) - (centre[1] - y1) * (x2 - x1)
    bow = _BEND if side >= 0 else -_BEND
    bend = (x1 + x2) / 2 + (y2 - y1) * bow, (y1 + y2) / 2 - (x2 - x1) * bow
    (ax, ay), (bx, by) = _towards(start, bend, 9), _towards(end, bend, ring + 2)
    way = f"M{_rounded(ax)} {_rounded(ay)} Q{_rounded(bend[0])} {_rounded(bend[1])} {_rounded(bx)} {_rounded(by)}"
    yield from _shaft(way, bend, (bx, by))


def _road_arrow(points: Sequence[Point], ring: float) -> Iterator[str]:
    """Yield an arrow along ``points``, from the ghost at the first to the ring around the last."""
    first, last = _towards(points[0], points[1], 9), _towards(points[-1], points[-2], ring + 2)
    shown = (first, *points[1:-1], last)
    yield from _shaft(_line(shown), points[-2], last)


def _shaft(way: str, before: Point, end: Point) -> Iterator[str]:
    """Yield the line of an arrow and its tip at ``end``, which points away from ``before``."""
    ux, uy = end[0] - before[0], end[1] - before[1]
    long = hypot(ux, uy) or 1
    ux, uy = ux / long, uy / long
    tip = " ".join(
        f"{_rounded(end[0] + far * ux - side * uy)},{_rounded(end[1] + far * uy + side * ux)}"
        for far, side in ((1, 0), (-8, 4.5), (-8, -4.5))
    )
    yield element("path", d=way, fill="none", stroke=_WHITE, stroke_width=5, stroke_opacity="0.85", stroke_linejoin="round")
    yield element("path", d=way, fill="none", stroke=_INK, stroke_width=2.2, stroke_linejoin="round")
    yield element("polygon", points=tip, fill=_INK, stroke=_WHITE, stroke_width=1)


def _towards(start: Point, end: Point, far: float) -> Point:
    """Return the point ``far`` pixels from ``start`` in the direction of ``end``."""
    long = hypot(end[0] - start[0], end[1] - start[1]) or 1
    return start[0] + (end[0] - start[0]) * far / long, start[1] + (end[1] - start[1]) * far / long


def _rounded(number: float) -> float:
    return round(number, 1)

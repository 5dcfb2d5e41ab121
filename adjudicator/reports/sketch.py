"""Draw the small parts of pictures: badges and roads, and parts with their size and the places in them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Final

from adjudicator.core.drawing import Badge, Stroke
from adjudicator.core.frozen import frozen
from adjudicator.core.scene import Scene, Sign
from adjudicator.reports.legend import Key, as_badge, badge_of
from adjudicator.reports.scene_parts import Found, found_in
from adjudicator.reports.scene_svg import scene_svg
from adjudicator.reports.svg import element, words
from adjudicator.scenes.colors import letter_ink, seat_ink

Point = tuple[float, float]
_ROAD: Final = "#444444"


@frozen
class Anchor:
    """A place in a picture, or the ``badge`` there: its middle, its width and its height in pixels.

    ``place`` is its name in `changes`.
    """

    place: str
    badge: Badge | None
    x: float
    y: float
    width: float = 20
    height: float = 20


@frozen
class Part:
    """Drawn elements with the corner at 0, 0, and their width and height in pixels.

    ``anchors`` are its places and badges, for marks of changes. If pieces fill their rings, the marks of pieces go ``under``
    them: above that number of elements only. ``definitions`` are ids and SVG that a picture needs once.
    """

    drawn: tuple[str, ...]
    width: float
    height: float
    anchors: tuple[Anchor, ...] = ()
    under: int | None = None
    definitions: tuple[tuple[str, str], ...] = ()


def scene_part(scene: Scene, key: Key) -> Part:
    """Return ``scene`` drawn in the colours of ``key``."""
    parts, definitions = scene_svg(scene.parts, key)
    over, others = scene_svg(scene.over, key)
    anchors = tuple(map(_anchor, found_in(scene)))
    under = len(parts) if over else None
    named = tuple({**definitions, **others}.items())
    return Part((*parts, *over), scene.width, scene.height, anchors, under=under, definitions=named)


def _anchor(found: Found) -> Anchor:
    badge, at = as_badge(badge_of(found.token)) if found.token else None, found.frame
    return Anchor(found.name, badge, at.x, at.y, at.width, at.height)


def standing(place: str, badges: Iterable[Badge | str], points: Iterable[Point]) -> Iterator[Anchor]:
    """Yield the place of each of the ``badges`` on ``place``: its point."""
    for badge, (x, y) in zip(map(as_badge, badges), points, strict=False):
        yield Anchor(place, badge, x, y)


def standing_parts(anchors: Iterable[Anchor], key: Key) -> Iterator[str]:
    """Yield the badges of ``anchors``, each in the colour of its seat."""
    for anchor in anchors:
        if anchor.badge is not None:
            yield _standing(anchor.badge, anchor.x, anchor.y, key)


@lru_cache(maxsize=1 << 12, typed=True)
def _standing(badge: Badge, x: float, y: float, key: Key) -> str:
    """Return ``badge`` around ``x``, ``y`` from a cache: in most pictures most badges have not moved."""
    ink = seat_ink(badge.seat or badge.text, key.seats)
    return "".join(badge_parts(badge, x, y, ink, key.initial(badge)))


def badge_parts(badge: Badge, x: float, y: float, ink: str, initial: str = "") -> Iterator[str]:
    """Yield ``badge`` around ``x``, ``y``: a disc with its ``initial``, a ring with a tick, two rings, or words."""
    match badge.sign:
        case Sign.PIECE:
            yield element("circle", cx=x, cy=y, r=8, fill=ink, stroke="#ffffff")
            if initial:
                yield words(initial, x, y + 4, size=10 if len(initial) == 1 else 8, fill=letter_ink(ink), font_weight="bold")
        case Sign.MARK:
            yield element("circle", cx=x, cy=y, r=8, fill="#ffffff", stroke=ink, stroke_width=2)
            yield from _tick(x, y, ink, initial)
        case Sign.GOAL:
            yield element("circle", cx=x, cy=y, r=8.5, fill="#ffffff", stroke=ink, stroke_width=1.6)
            if initial:
                yield element("circle", cx=x, cy=y, r=6, fill=ink)
                yield words(initial, x, y + 3, size=9 if len(initial) == 1 else 7, fill=letter_ink(ink), font_weight="bold")
            else:
                yield element("circle", cx=x, cy=y, r=3, fill=ink)
        case _:
            yield words(badge.text, x, y + 4, size=9)


def _tick(x: float, y: float, ink: str, initial: str) -> Iterator[str]:
    """Yield the tick of a mark, after an ``initial`` if there is one."""
    if not initial:
        yield element("path", d=f"M{x - 3} {y} l2 3 l4 -6", fill="none", stroke=ink, stroke_width=2)
        return
    yield words(initial, x - 2, y + 1.5, size=8 if len(initial) == 1 else 6, fill="#000000", font_weight="bold")
    yield element("path", d=f"M{x - 0.5} {y + 3.5} l2 2.5 l4 -6", fill="none", stroke=ink, stroke_width=2)


def road_line(stroke: Stroke, start: Point, end: Point) -> Iterator[str]:
    """Yield a road from ``start`` to ``end``: two lines, one line or dots, so that kinds differ without colour."""
    line = {"x1": start[0], "y1": start[1], "x2": end[0], "y2": end[1], "stroke": _ROAD}
    if stroke is Stroke.DOUBLE:
        yield element("line", **line, stroke_width=9)
        yield element("line", **{**line, "stroke": "#ffffff"}, stroke_width=3)
    elif stroke is Stroke.DOTTED:
        yield element("line", **line, stroke_width=5, stroke_dasharray="2 5", stroke_linecap="round")
    else:
        yield element("line", **line, stroke_width=5)


def road_curve(stroke: Stroke, way: str) -> Iterator[str]:
    """Yield a line above other things along ``way``, SVG path data: like a road, but thinner and with bright sides."""
    line = {"d": way, "fill": "none"}
    yield element("path", **line, stroke="#ffffff", stroke_width=7, stroke_opacity="0.7")
    if stroke is Stroke.DOUBLE:
        yield element("path", **line, stroke=_ROAD, stroke_width=5)
        yield element("path", **line, stroke="#ffffff", stroke_width=2)
    elif stroke is Stroke.DOTTED:
        yield element("path", **line, stroke=_ROAD, stroke_width=3.5, stroke_dasharray="1 6", stroke_linecap="round")
    else:
        yield element("path", **line, stroke=_ROAD, stroke_width=2.5)

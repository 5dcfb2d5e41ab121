"""Draw the small parts of pictures: badges and roads, and parts with their size and the places in them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Final

from adjudicator.core.drawing import Badge, Figure, Sign, Stroke
from adjudicator.core.frozen import frozen
from adjudicator.reports.legend import Key, as_badge
from adjudicator.reports.picture_colors import letter_ink, seat_ink
from adjudicator.reports.svg import element, words

Point = tuple[float, float]
Use = str | tuple[Stroke, int]
"""A ground by its name, or a road: its stroke and its exits (a sum: 1 north, 2 east, 4 south, 8 west)."""
_ROAD: Final = "#444444"
_CAR: Final = "v-5q0 -2.5 2.5 -3l3 -.6l3.2 -4.2q.8 -1 2 -1h5.2q1.2 0 2 1l3.2 4.2q3.4 .6 3.4 3v5.6q0 1 -1 1h-23q-1 0 -1 -1z"
"""The outline of a car from its left side on."""


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

    ``anchors`` are its places and badges, for marks of changes. ``uses`` are the definitions that a picture needs once for
    it: grounds by their names, and roads. If pieces fill their rings, the marks of pieces go ``under`` them: above that
    number of elements only.
    """

    drawn: tuple[str, ...]
    width: float
    height: float
    anchors: tuple[Anchor, ...] = ()
    uses: frozenset[Use] = frozenset()
    under: int | None = None


def badge_anchors(place: str, badges: Iterable[Badge | str], points: Iterable[Point]) -> Iterator[Anchor]:
    """Yield the place of each of the ``badges`` on ``place``: its point."""
    for badge, (x, y) in zip(map(as_badge, badges), points, strict=False):
        yield Anchor(place, badge, x, y)


def badges_at(anchors: Iterable[Anchor], key: Key, pieces: Figure = Figure.DISC) -> Iterator[str]:
    """Yield the badges of ``anchors``, each in the colour of its seat, with ``pieces`` as the look of pieces."""
    for anchor in anchors:
        if anchor.badge is not None:
            yield _badge_parts(anchor.badge, anchor.x, anchor.y, key, pieces)


@lru_cache(maxsize=1 << 12, typed=True)
def _badge_parts(badge: Badge, x: float, y: float, key: Key, pieces: Figure) -> str:
    """Return ``badge`` around ``x``, ``y`` from a cache: in most pictures most badges have not moved."""
    ink = seat_ink(badge.seat or badge.text, key.seats)
    return "".join(badge_parts(badge, x, y, ink, key.initial(badge), pieces))


def badge_parts(badge: Badge, x: float, y: float, ink: str, initial: str = "", piece: Figure = Figure.DISC) -> Iterator[str]:
    """Yield ``badge`` around ``x``, ``y``: its ``piece`` with its ``initial``, a ring with a tick, two rings, or words."""
    match badge.sign:
        case Sign.PIECE if piece is Figure.CAR:
            yield from _car(x, y, ink)
            if initial:
                yield words(
                    initial, x, y + 2.5, size=11 if len(initial) == 1 else 8, fill=letter_ink(ink), font_weight="bold"
                )
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


def _car(x: float, y: float, ink: str) -> Iterator[str]:
    wheels = f"M{x - 6.5} {y + 5.5}h0.1M{x + 6.5} {y + 5.5}h0.1"
    body = f"M{x - 12.5} {y + 4}{_CAR}"
    yield element("path", d=body, fill=ink, stroke="#ffffff", stroke_width=2.4, paint_order="stroke")
    yield element("path", d=wheels, stroke="#ffffff", stroke_width=8, stroke_linecap="round")
    yield element("path", d=wheels, stroke="#1d1d1d", stroke_width=6, stroke_linecap="round")


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

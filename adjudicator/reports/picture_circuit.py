"""A circuit as a picture: a closed track with its bends where they are, kerbs, numbers, cars, and what stands beside it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import groupby
from math import cos, degrees, hypot, sin
from typing import Final

from adjudicator.core.drawing import Circuit, Panels, Space
from adjudicator.core.frozen import frozen
from adjudicator.reports.legend import Key
from adjudicator.reports.loop import Loop, Stretch, loop_of
from adjudicator.reports.picture_cars import car_parts
from adjudicator.reports.picture_colors import ground_ink, seat_ink
from adjudicator.reports.picture_panels import panels_part
from adjudicator.reports.sketch import Anchor, Part, Point, standing
from adjudicator.reports.svg import element, words

_UNIT: Final = 30
_LEAST_UNIT: Final = 22
_FITTING: Final = 2_400
"""Pixels that a lap may be long before its spaces become shorter."""
_HALF: Final = 17
"""Half the width of a track with two lanes."""
_NARROW: Final = 9.5
_LANE: Final = 8.5
_NUMBERS: Final = 32
_NAMES: Final = 32
_APART: Final = 84
_EDGE: Final = 46
_FINE: Final = 4
"""Into how many pieces each space is cut."""
_GRASS: Final = "#edf2e4"
_ASPHALT: Final = "#d9dbe0"
_DARK: Final = "#3a3a3a"
_HATCH: Final = "bends"


@frozen
class _Way:
    """The ``loop`` of a circuit and its ``spaces``; ``x`` and ``y`` move it into the picture."""

    loop: Loop
    spaces: tuple[Space, ...]
    x: float
    y: float

    def beside(self, station: float, left: float) -> Point:
        """Return the point ``left`` pixels beside the way, so many spaces from its beginning."""
        (x, y), angle = self.loop.at(station)
        return round(self.x + x + left * sin(angle), 1), round(self.y + y - left * cos(angle), 1)

    def half(self, at: int) -> float:
        """Return half the width of the track on space ``at``."""
        return _HALF if self.spaces[at].lanes > 1 else _NARROW

    def edge(self, start: float, end: float, left: float) -> list[Point]:
        """Return the points of a line ``left`` pixels beside the way from one place to another."""
        steps = max(1, round((end - start) * _FINE))
        return [self.beside(start + (end - start) * step / steps, left) for step in range(steps + 1)]


def circuit_parts(circuit: Circuit, key: Key, grounds: Sequence[str]) -> Part:
    """Return ``circuit`` drawn, with its panels within it or below; colours go by ``grounds`` and ``key``."""
    spaces = circuit.spaces[: len(circuit.spaces) - circuit.off]
    unit = max(_LEAST_UNIT, min(_UNIT, _FITTING / max(len(spaces), 1)))
    loop = loop_of(list(_stretches(spaces, circuit.bend)), unit, _APART)
    right, low = (max(point[side] for point in loop.points) + _EDGE for side in (0, 1))
    way = _Way(loop, spaces, right, low)
    anchors = [*_anchors(way, circuit)]
    drawn = [
        element("rect", width=round(2 * right, 1), height=round(2 * low, 1), rx=18, fill=_GRASS),
        *_road(way, circuit, grounds),
        *_line(way),
        *_words(way, circuit),
        *_cars(way, circuit, anchors, key),
    ]
    part = Part(tuple(drawn), round(2 * right, 1), round(2 * low, 1), tuple(anchors))
    return _with_panels(part, way, circuit, key) if circuit.panels else part


def _stretches(spaces: Sequence[Space], bend: str) -> Iterator[Stretch]:
    """Yield the straights and bends of ``spaces``."""
    for is_bend, group in groupby(spaces, key=lambda space: bool(bend) and space.ground == bend):
        marks = [space.mark for space in group]
        parts = tuple(len([*same]) for _, same in groupby(marks)) if is_bend else (len(marks),)
        yield Stretch(parts, is_bend)


def _path(points: Iterable[Point], *, closed: bool = False) -> str:
    return "M" + "L".join(f"{x:g} {y:g}" for x, y in points) + ("Z" if closed else "")


def _road(way: _Way, circuit: Circuit, grounds: Sequence[str]) -> Iterator[str]:
    """Yield the track: kerbs where it bends, the ground of each space, hatching, and the line between two lanes."""
    bends = [at for at, space in enumerate(way.spaces) if circuit.bend and space.ground == circuit.bend]
    kerbs = "".join(_path(way.edge(at, at + 1, side * (way.half(at) + 2))) for at in bends for side in (1, -1))
    kerb = {"d": kerbs, "fill": "none", "stroke_width": 5}
    yield element("path", **kerb, stroke="#ffffff")
    yield element("path", **kerb, stroke="#a8281c", stroke_dasharray="6 6")
    outlines = {at: way.edge(at, at + 1, way.half(at)) + way.edge(at, at + 1, -way.half(at))[::-1] for at in range(len(way.spaces))}
    for at, space in enumerate(way.spaces):
        ink = ground_ink(space.ground, grounds) if space.ground else _ASPHALT
        yield element("path", d=_path(outlines[at], closed=True), fill=ink, stroke=_DARK, stroke_width=1)
    stripe = element("path", d="M0 0 L0 6", stroke="#8c3b22", stroke_width=1.6, stroke_opacity="0.75")
    pattern = {"width": 6, "height": 6, "patternUnits": "userSpaceOnUse", "patternTransform": "rotate(45)"}
    yield element("defs", element("pattern", stripe, id=_HATCH, **pattern))
    yield element("path", d="".join(_path(outlines[at], closed=True) for at in bends), fill=f"url(#{_HATCH})")
    lanes = "".join(_path(way.edge(at, at + 1, 0)) for at, space in enumerate(way.spaces) if space.lanes > 1)
    yield element("path", d=lanes, fill="none", stroke="#ffffff", stroke_width=1.6, stroke_dasharray="7 8")


def _line(way: _Way) -> Iterator[str]:
    """Yield the chequered line behind the first space."""
    size = 2 * _HALF / 6
    (x, y), angle = way.beside(1, 0), way.loop.at(1)[1]
    dark = [(column, row) for column in range(2) for row in range(6) if (column + row) % 2 == 0]
    squares = "".join(f"M{(column - 1) * size:.1f} {-_HALF + row * size:.1f}h{size:.1f}v{size:.1f}h-{size:.1f}Z" for column, row in dark)
    box = element("rect", x=round(-size, 1), y=-_HALF, width=round(2 * size, 1), height=2 * _HALF, fill="#ffffff", stroke=_DARK)
    yield element("g", box, element("path", d=squares, fill="#111111"), transform=f"translate({x} {y}) rotate({degrees(angle):.1f})")


def _words(way: _Way, circuit: Circuit) -> Iterator[str]:
    """Yield the numbers of the spaces, the marks of bends, and the names of stretches."""
    for at, space in enumerate(way.spaces):
        x, y = way.beside(at + 0.5, _NUMBERS)
        yield words(space.label, x, round(y + 4, 1), size=11, fill="#333333")
    labels = [space.label for space in way.spaces]
    for name, first, last in circuit.names:
        if first in labels and last in labels:
            middle = (labels.index(first) + labels.index(last) + 1) / 2
            (x, y), (tx, _) = way.beside(middle, -_NAMES), way.beside(middle, 0)
            anchor = "middle" if abs(x - tx) < 12 else "start" if x > tx else "end"
            yield words(name, x, round(y + 4, 1), anchor=anchor, size=12, font_weight="bold", fill="#5b1d12")


def _anchors(way: _Way, circuit: Circuit) -> Iterator[Anchor]:
    """Yield where the spaces are, and the pieces on them: side by side; those beyond the finish beside the line."""
    for at, space in enumerate(way.spaces):
        x, y = way.beside(at + 0.5, 0)
        yield Anchor(space.label, None, x, y, 2 * _HALF, 2 * _HALF)
        side = _LANE if space.lanes > 1 else 0
        yield from standing(space.label, space.badges, [way.beside(at + 0.45, side), way.beside(at + 0.45, -side)])
    for space in circuit.spaces[len(way.spaces) :]:
        x, y = way.beside(1.6, -44)
        yield Anchor(space.label, None, x, y, 2 * _HALF, 2 * _HALF)
        yield from standing(space.label, space.badges, [way.beside(1.6 + at * 1.2, -44) for at in range(len(space.badges))])


def _cars(way: _Way, circuit: Circuit, anchors: Iterable[Anchor], key: Key) -> Iterator[str]:
    stopped = dict(circuit.stopped)
    directions = {space.label: way.loop.at(at + 0.45)[1] for at, space in enumerate(way.spaces)}
    for anchor in anchors:
        if anchor.badge is not None:
            seat = anchor.badge.seat or anchor.badge.text
            ink, letter = seat_ink(seat, key.seats), key.initial(anchor.badge)
            direction = directions.get(anchor.place, 0.0)
            yield from car_parts(anchor.x, anchor.y, direction, ink, letter, stopped=stopped.get(seat, 0))


def _with_panels(part: Part, way: _Way, circuit: Circuit, key: Key) -> Part:
    """Return ``part`` with the panels of ``circuit``: within the loop if there is room, else below it."""
    for shape in (panels_part(Panels("", circuit.panels), key, 1), panels_part(Panels("", circuit.panels), key, 2)):
        corner = _room(way, shape)
        if corner is not None:
            return _joined(part, shape, corner, part.width, part.height)
    shape = panels_part(Panels("", circuit.panels), key, 2)
    return _joined(part, shape, (0, part.height + 12), max(part.width, shape.width), part.height + 12 + shape.height)


def _joined(part: Part, other: Part, corner: Point, width: float, height: float) -> Part:
    x, y = corner
    anchors = (replace(anchor, x=anchor.x + x, y=anchor.y + y) for anchor in other.anchors)
    moved = element("g", *other.drawn, transform=f"translate({x:g} {y:g})")
    return Part((*part.drawn, moved), width, height, (*part.anchors, *anchors))


def _room(way: _Way, shape: Part) -> Point | None:
    """Return the corner of a free place for ``shape`` within the loop, the nearest to its middle; ``None`` without one."""
    track = [way.beside(half / 2, 0) for half in range(2 * len(way.spaces))]
    wide, high = shape.width / 2 + _EDGE, shape.height / 2 + _EDGE
    tries = [(way.x + 10 * across, way.y + 10 * down) for across in range(-15, 16) for down in range(-15, 16)]
    tries.sort(key=lambda at: (hypot(at[0] - way.x, at[1] - way.y), at))
    for x, y in tries:
        if _is_within(x, y, track) and all(abs(px - x) > wide or abs(py - y) > high for px, py in track):
            return round(x - shape.width / 2, 1), round(y - shape.height / 2, 1)
    return None


def _is_within(x: float, y: float, points: Sequence[Point]) -> bool:
    """Return whether a point lies within the loop of ``points``: a ray from it crosses that an odd number of times."""
    is_in = False
    for (x1, y1), (x2, y2) in zip(points, [*points[1:], points[0]], strict=True):
        if (y1 > y) != (y2 > y) and x < x1 + (y - y1) * (x2 - x1) / (y2 - y1):
            is_in = not is_in
    return is_in


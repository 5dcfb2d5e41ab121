"""Draw a circuit: a closed track with its bends, kerbs, numbers and cars, and the panels beside it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import groupby
from math import ceil, cos, degrees, hypot, pi, sin
from operator import attrgetter
from typing import Final

from adjudicator.core.drawing import Circuit, Panels, Space
from adjudicator.core.frozen import frozen
from adjudicator.reports.legend import Key
from adjudicator.reports.loop import Loop, Stretch, loop_of
from adjudicator.reports.picture_cars import BURST, CAR, car_parts
from adjudicator.reports.picture_colors import ground_ink, seat_ink
from adjudicator.reports.picture_panels import panels_part
from adjudicator.reports.picture_track import track_parts
from adjudicator.reports.sketch import Anchor, Part, Point, badge_anchors
from adjudicator.reports.svg import element, text_width, words

_UNIT: Final = 26
_LEAST_UNIT: Final = 22
_FITTING: Final = 2_400
"""The greatest length of a lap in pixels; the spaces of a longer lap become shorter."""
_HALF: Final = 17
"""Half the width of a track with two lanes."""
_NARROW: Final = 9.5
_LANE: Final = 8.5
_NUMBERS: Final = 31
"""From the middle of the track to its numbers, in pixels."""
_TIGHT: Final = 0.3
"""A bend that turns by more than this on one space, in radians, is tight."""
_APART: Final = 84
_EDGE: Final = 46
_FINE: Final = 4
"""The number of pieces of each space."""
_GRASS: Final = "#edf2e4"
_ASPHALT: Final = "#d9dbe0"
_DARK: Final = "#3a3a3a"
_RED: Final = "#a8281c"
_STRIPE: Final = "#a8553a"
_KERB: Final = {"fill": "none", "stroke_width": 5}
_HATCH: Final = "bends"
_GAP: Final = 12
_FEWEST: Final = 12
"""The least number of spaces for a loop; a shorter track is drawn in rows."""
_OFF: Final = 44
"""From the middle of the line to the pieces beyond the finish, in pixels."""


@frozen
class _Way:
    """The ``loop`` of a circuit and its ``spaces``; ``x`` and ``y`` move it into the picture."""

    loop: Loop
    spaces: tuple[Space, ...]
    x: float
    y: float

    def beside(self, station: float, left: float) -> Point:
        """Return the point ``left`` pixels beside the way, ``station`` spaces from its beginning."""
        (x, y), angle = self.loop.at(station)
        return round(self.x + x + left * sin(angle), 1), round(self.y + y - left * cos(angle), 1)

    def half(self, at: int) -> float:
        """Return half the width of the track on space ``at``."""
        return _HALF if self.spaces[at].lanes > 1 else _NARROW

    def edge(self, start: float, end: float, left: float) -> list[Point]:
        """Return the points of a line ``left`` pixels beside the way, from ``start`` to ``end``."""
        steps = max(1, round((end - start) * _FINE))
        return [self.beside(start + (end - start) * step / steps, left) for step in range(steps + 1)]


def circuit_parts(circuit: Circuit, key: Key, grounds: Sequence[str]) -> Part:
    """Return ``circuit`` drawn in the colours for ``grounds`` and ``key``, with its panels within it or below."""
    spaces = circuit.spaces[: len(circuit.spaces) - circuit.off]
    if len(spaces) < _FEWEST:
        return track_parts(circuit, key, grounds)
    sheet = _sheet(tuple(map(_BARE, spaces)), circuit.bend, circuit.names, tuple(grounds))
    way = sheet.way
    anchors = [*_anchors(sheet, circuit)]
    has_flag = any(space.badges for space in circuit.spaces[len(spaces) :])
    drawn = (sheet.road, *(_flag(way) if has_flag else ()), sheet.words)
    with_cars = (*drawn, *_cars(way, circuit, anchors, key))
    # Marks are below cars and below the numbers of spaces.
    part = Part(with_cars, round(2 * way.x, 1), round(2 * way.y, 1), tuple(anchors), under=len(drawn) - 1)
    return _with_panels(part, circuit, key) if circuit.panels else part


_BARE: Final = attrgetter("label", "ground", "mark", "lanes")


@frozen
class _Sheet:
    """A circuit on paper without cars: the ``way``, the drawn ``road``, the ``words`` on it, and the ``places``."""

    way: _Way
    road: str
    words: str
    places: tuple[Anchor, ...]


@lru_cache(maxsize=16)
def _sheet(
    bare: tuple[tuple[str, str, str, int], ...], bend: str, names: tuple[tuple[str, str, str], ...], grounds: tuple[str, ...]
) -> _Sheet:
    """Return the circuit of the spaces ``bare``, which is the same for every picture of a game."""
    spaces = tuple([Space(*one) for one in bare])
    circuit = Circuit("", spaces, bend=bend, names=names)
    unit = max(_LEAST_UNIT, min(_UNIT, _FITTING / max(len(spaces), 1)))
    loop = loop_of(tuple(_stretches(spaces, bend)), unit, _APART)
    right, low = (max(point[side] for point in loop.points) + _EDGE for side in (0, 1))
    way = _Way(loop, spaces, right, low)
    grass = element("rect", width=round(2 * right, 1), height=round(2 * low, 1), rx=18, fill=_GRASS)
    road = "".join((grass, *_road(way, circuit, grounds), *_line(way)))
    places = [Anchor(one.label, None, *way.beside(at + 0.5, 0), 2 * _HALF, 2 * _HALF) for at, one in enumerate(spaces)]
    return _Sheet(way, road, "".join(_words(way, circuit)), tuple(places))


def _stretches(spaces: Sequence[Space], bend: str) -> Iterator[Stretch]:
    """Yield the straights and bends of ``spaces``."""
    for is_bend, group in groupby(spaces, key=lambda space: bool(bend) and space.ground == bend):
        marks = [space.mark for space in group]
        parts = tuple(len([*same]) for _, same in groupby(marks)) if is_bend else (len(marks),)
        yield Stretch(parts, is_bend)


def _path(points: Iterable[Point], *, closed: bool = False) -> str:
    return "M" + "L".join(f"{x:g} {y:g}" for x, y in points) + ("Z" if closed else "")


def _road(way: _Way, circuit: Circuit, grounds: Sequence[str]) -> Iterator[str]:
    """Yield the track: kerbs at bends, the ground of each space, hatching, and the line between two lanes."""
    bends = [at for at, space in enumerate(way.spaces) if circuit.bend and space.ground == circuit.bend]
    kerbs = "".join(_path(way.edge(at, at + 1, side * (way.half(at) + 2))) for at in bends for side in (1, -1))
    if bends:
        yield element("path", d=kerbs, **_KERB, stroke="#ffffff")
        yield element("path", d=kerbs, **_KERB, stroke=_RED, stroke_dasharray="6 6")
    outlines = {
        at: way.edge(at, at + 1, way.half(at)) + way.edge(at, at + 1, -way.half(at))[::-1] for at in range(len(way.spaces))
    }
    for at, space in enumerate(way.spaces):
        ink = ground_ink(space.ground, grounds) if space.ground else _ASPHALT
        yield element("path", d=_path(outlines[at], closed=True), fill=ink, stroke=_DARK, stroke_width=1)
    if bends:
        stripe = element("path", d="M0 0 L0 6", stroke=_STRIPE, stroke_width=1.6)
        pattern = {"width": 6, "height": 6, "patternUnits": "userSpaceOnUse", "patternTransform": "rotate(45)"}
        yield element("defs", element("pattern", stripe, id=_HATCH, **pattern))
        yield element("path", d="".join(_path(outlines[at], closed=True) for at in bends), fill=f"url(#{_HATCH})")
    lanes = "".join(_path(way.edge(at, at + 1, 0)) for at, space in enumerate(way.spaces) if space.lanes > 1)
    yield element("path", d=lanes, fill="none", stroke="#ffffff", stroke_width=1.6, stroke_dasharray="7 8")


def _line(way: _Way) -> Iterator[str]:
    """Yield the chequered line at the start of the first space."""
    size = 2 * _HALF / 6
    (x, y), angle = way.beside(1, 0), way.loop.at(1)[1]
    dark = [(column, row) for column in range(2) for row in range(6) if (column + row) % 2 == 0]
    squares = "".join(
        f"M{(column - 1) * size:.1f} {-_HALF + row * size:.1f}h{size:.1f}v{size:.1f}h-{size:.1f}Z" for column, row in dark
    )
    box = element(
        "rect", x=round(-size, 1), y=-_HALF, width=round(2 * size, 1), height=2 * _HALF, fill="#ffffff", stroke=_DARK
    )
    yield element(
        "g", box, element("path", d=squares, fill="#111111"), transform=f"translate({x} {y}) rotate({degrees(angle):.1f})"
    )


def _flag(way: _Way) -> Iterator[str]:
    """Yield a chequered flag beside the line, at the place of pieces beyond the finish."""
    x, y = way.beside(1, -_OFF)
    squares = "".join(
        f"M{column * 5} {row * 5}h5v5h-5Z" for column in range(4) for row in range(3) if (column + row) % 2 == 0
    )
    pole = element("path", d="M0 -1V24", stroke=_DARK, stroke_width=2)
    cloth = element("rect", width=20, height=15, fill="#ffffff", stroke=_DARK)
    yield element(
        "g", pole, cloth, element("path", d=squares, fill="#111111"), transform=f"translate({x - 12:g} {y - 11:g})"
    )


def _words(way: _Way, circuit: Circuit) -> Iterator[str]:
    """Yield the numbers of the spaces, and the names of stretches at places where they cover nothing."""
    taken = []
    unit = hypot(*(one - other for one, other in zip(way.beside(0, 0), way.beside(1, 0), strict=True)))
    widest = max(text_width(space.label, 12) for space in way.spaces[1:])
    every = max(1, ceil((widest + 3) / max(unit, 1)))
    for at, space in [*enumerate(way.spaces)][::every]:
        # A tight bend has no room for numbers inside: they are outside.
        turn = _turned(way.loop.at(at)[1], way.loop.at(at + 1)[1])
        x, y = way.beside(at + 0.5, -_NUMBERS if turn < -_TIGHT else _NUMBERS)
        taken.append((x, y, text_width(space.label, 12) / 2, 6.0))
        yield words(space.label, x, round(y + 4, 1), size=12, fill="#333333")
    taken += [(*way.beside(part / 4, 0), 22.0, 22.0) for part in range(4 * len(way.spaces))]
    labels = [space.label for space in way.spaces]
    for name, first, last in circuit.names:
        if first in labels and last in labels:
            half = text_width(name, 12, is_bold=True) / 2
            x, y = _free(way, (labels.index(first) + labels.index(last) + 1) / 2, half, taken)
            taken.append((x, y, half, 7.0))
            yield words(name, x, round(y + 4, 1), size=12, font_weight="bold", fill="#5b1d12")


def _free(way: _Way, station: float, half: float, taken: Sequence[tuple[float, float, float, float]]) -> Point:
    """Return a place inside or outside the loop where a name, ``half`` its width from middle to side, covers nothing."""
    for far in range(28, 160, 4):
        for side in (-far, far):
            x, y = way.beside(station, side)
            fits = half < x < 2 * way.x - half and 8 < y < 2 * way.y - 8
            if fits and all(abs(x - tx) > half + wide or abs(y - ty) > 7 + high for tx, ty, wide, high in taken):
                return x, y
    return way.beside(station, -_NUMBERS)


def _turned(before: float, after: float) -> float:
    """Return the change of a direction in radians, positive to the right."""
    return (after - before + pi) % (2 * pi) - pi


def _anchors(sheet: _Sheet, circuit: Circuit) -> Iterator[Anchor]:
    """Yield the places of spaces and of pieces: side by side, or beside the line if beyond the finish."""
    way, stopped = sheet.way, dict(circuit.stopped)
    for at, place in enumerate(sheet.places):
        yield place
        space = circuit.spaces[at]
        if space.badges:
            side = _LANE if space.lanes > 1 else 0
            sides = way.beside(at + 0.45, side), way.beside(at + 0.45, -side)
            yield from _around(badge_anchors(space.label, space.badges, sides), stopped)
    for space in circuit.spaces[len(way.spaces) :]:
        x, y = way.beside(1, -_OFF)
        yield Anchor(space.label, None, x, y, 2 * _HALF, 2 * _HALF)
        points = tuple((x + 34 * (at + 1), y) for at in range(len(space.badges)))
        yield from _around(badge_anchors(space.label, space.badges, points), stopped)


def _around(cars: Iterable[Anchor], stopped: Mapping[str, int]) -> Iterator[Anchor]:
    """Yield ``cars`` with the room of each in any direction; ``stopped`` cars with their burst."""
    for car in cars:
        size = BURST if car.badge is not None and stopped.get(car.badge.seat or car.badge.text) else CAR
        yield replace(car, width=size, height=size)


def _cars(way: _Way, circuit: Circuit, anchors: Iterable[Anchor], key: Key) -> Iterator[str]:
    stopped = dict(circuit.stopped)
    places = {space.label: at for at, space in enumerate(way.spaces)}
    for anchor in anchors:
        if anchor.badge is not None:
            seat = anchor.badge.seat or anchor.badge.text
            ink, letter = seat_ink(seat, key.seats), key.initial(anchor.badge)
            at = places.get(anchor.place)
            direction = 0.0 if at is None else way.loop.at(at + 0.45)[1]
            yield from car_parts(anchor.x, anchor.y, direction, ink, letter, stopped=stopped.get(seat, 0))


def _with_panels(part: Part, circuit: Circuit, key: Key) -> Part:
    """Return ``part`` with the panels of ``circuit`` below it, two in each row."""
    panels = panels_part(Panels("", circuit.panels), key, 2)
    top = part.height + _GAP
    anchors = (replace(anchor, y=anchor.y + top) for anchor in panels.anchors)
    moved = element("g", *panels.drawn, transform=f"translate(0 {top:g})")
    size = max(part.width, panels.width), top + panels.height
    return Part((*part.drawn, moved), *size, (*part.anchors, *anchors), under=part.under)


def way_swatch(ink: str, x: float, *, is_bend: bool) -> Iterator[str]:
    """Yield a piece of track for a legend, 28 pixels wide: a bend with its kerbs, or a narrowing."""
    if is_bend:
        yield element("path", d=f"M{x:g} 0.5h28M{x:g} 13.5h28", **_KERB, stroke="#ffffff")
        yield element("path", d=f"M{x:g} 0.5h28M{x:g} 13.5h28", **_KERB, stroke=_RED, stroke_dasharray="4 4")
        yield element("rect", x=x, y=2, width=28, height=10, fill=ink)
        hatches = "".join(f"M{x + at:g} 12l8 -10" for at in range(0, 24, 5))
        yield element("path", d=hatches, stroke=_STRIPE, stroke_width=1.4)
    else:
        way = f"M{x:g} 0h14v3.5h14v7h-14v3.5h-14Z"
        yield element("path", d=way, fill=_ASPHALT, stroke=_DARK)

"""Compute a closed loop of straights and bends that never crosses itself, without drawing it.

The corners of a polygon lie around a middle in their order, so that its sides cannot cross; then they are rounded. The part
of the circle for each stretch is adjusted step by step until all spaces are about equally long.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import accumulate, combinations, pairwise
from math import atan2, cos, hypot, pi, sin
from typing import Final

from adjudicator.core.values import Value, replace

Point = tuple[float, float]
_TALL: Final = 1.75
"""The height of a loop divided by its width."""
_LONGEST: Final = 0.3
"""A straight that is a greater part of the loop than this needs a bend, or the loop would not close."""
_FORMS: Final = ((0.58, 1.0), (0.74, 1.0), (0.88, 1.0), (1.0, 1.0), (1.0, 0.4), (1.0, 0.0))
"""The shapes of loops to try: how near to the middle every third bend is, and by how many radians the parts of a bend turn.

The prettiest come first; the last has no dent, and turns to one side only.
"""
_ROOM: Final = 5
"""The number of spaces that a straight needs to lead towards the middle and back."""
_ROUNDS: Final = 60
_FINE: Final = 12
"""The number of pieces of each part of a bend."""


class Stretch(Value):
    """A straight of a number of spaces, or a bend with ``parts`` that turn to alternating sides."""

    parts: tuple[int, ...]
    is_bend: bool

    @property
    def spaces(self) -> int:
        """The number of its spaces."""
        return sum(self.parts)


class Loop(Value):
    """A closed line through ``points``; ``stations`` are their distances from the first point in spaces.

    The way begins ``shift`` spaces before the first point.
    """

    points: tuple[Point, ...]
    stations: tuple[float, ...]
    shift: float = 0

    def at(self, station: float) -> tuple[Point, float]:
        """Return the point ``station`` spaces from the beginning, and the direction of the way there in radians."""
        along = (station - self.shift) % self.stations[-1]
        index = min(bisect_right(self.stations, along), len(self.stations) - 1) - 1
        (x1, y1), (x2, y2) = self.points[index : index + 2]
        share = (along - self.stations[index]) / ((self.stations[index + 1] - self.stations[index]) or 1)
        return (x1 + (x2 - x1) * share, y1 + (y2 - y1) * share), self._direction(index, share)

    def _direction(self, index: int, share: float) -> float:
        """Return the direction within a piece, between those at its ends, so that it never jumps."""
        last = len(self.points) - 1
        ends = []
        for middle in (index, index + 1):
            (x1, y1), (x2, y2) = self.points[(middle - 1) % last], self.points[(middle + 1) % last]
            ends.append(atan2(y2 - y1, x2 - x1))
        turn = (ends[1] - ends[0] + pi) % (2 * pi) - pi
        return ends[0] + turn * share


@lru_cache(maxsize=64)
def loop_of(stretches: tuple[Stretch, ...], unit: float, apart: float) -> Loop:
    """Return the loop of ``stretches`` with spaces about ``unit`` long, and its parts ``apart`` from each other if possible.

    It begins in the middle of the top and leads to the right there. All lengths are in pixels.
    """
    corners, shift = _begun_with_a_bend(_closable(_joined(stretches)))
    shift += sum(_begun(stretches).parts)
    loops = (_loop(corners, unit, *form) for form in _FORMS)
    found = next((loop for loop in loops if _is_even(loop, unit) and _is_clear(loop, apart, unit)), None)
    total = sum(stretch.spaces for stretch in stretches)
    oval = [*_shorter(Stretch((total,), True), max(1, total // 8))]  # the last resort: an oval never crosses itself
    return _level(replace(found or _loop(oval, unit, *_FORMS[-1]), shift=shift))


def _begun(stretches: Sequence[Stretch]) -> Stretch:
    """Return the straight at the beginning of ``stretches`` if the last stretch is a straight, too; else an empty one."""
    is_cut = len(stretches) > 1 and not (stretches[0].is_bend or stretches[-1].is_bend)
    return stretches[0] if is_cut else Stretch((), False)


def _joined(stretches: Sequence[Stretch]) -> list[Stretch]:
    """Return ``stretches`` with a first straight joined to a last straight."""
    first = _begun(stretches)
    if not first.parts:
        return [*stretches]
    return [*stretches[1:-1], Stretch((first.spaces + stretches[-1].spaces,), False)]


def _begun_with_a_bend(stretches: Sequence[Stretch]) -> tuple[list[Stretch], int]:
    """Return ``stretches`` from the first bend on, and the number of spaces before it."""
    at = next(at for at, stretch in enumerate(stretches) if stretch.is_bend)
    before, after = [*stretches[:at]], [*stretches[at:]]
    begun = sum(stretch.spaces for stretch in before)
    if before and not after[-1].is_bend:
        before[0] = Stretch((after.pop().spaces + before[0].spaces,), False)
    return [*after, *before], begun


def _closable(stretches: Sequence[Stretch]) -> list[Stretch]:
    """Return ``stretches`` with bends in straights that are too long, and with four bends or more if there is room.

    A bend that is too long becomes several bends, one after the other.
    """
    total = sum(stretch.spaces for stretch in stretches)
    found = [part for stretch in stretches for part in _shorter(stretch, max(4, int(_LONGEST * total)))]
    while True:
        straights = [(stretch.spaces, -at) for at, stretch in enumerate(found) if not stretch.is_bend]
        longest, at = max(straights, default=(0, 0))
        if longest < 4 or (longest <= _LONGEST * total and sum(stretch.is_bend for stretch in found) >= 4):
            return found
        bend = min(3, longest // 4 or 1)
        before = (longest - bend) // 2
        parts = Stretch((before,), False), Stretch((bend,), True), Stretch((longest - bend - before,), False)
        found[-at : -at + 1] = parts


def _shorter(stretch: Stretch, most: int) -> Iterator[Stretch]:
    """Yield ``stretch``; a bend with more than ``most`` spaces is cut into several."""
    if not stretch.is_bend or stretch.spaces <= most:
        yield stretch
        return
    for part in stretch.parts:
        pieces = -(-part // most)
        yield from (Stretch((part * (at + 1) // pieces - part * at // pieces,), True) for at in range(pieces))


def _loop(stretches: Sequence[Stretch], unit: float, dent: float, swing: float) -> Loop:
    """Return the loop of ``stretches`` with every third bend ``dent`` times as far from the middle as the others.

    The parts of a bend turn to its sides by ``swing`` radians.
    """
    spans = [float(stretch.spaces) for stretch in stretches]
    points: list[list[Point]] = []
    for _ in range(_ROUNDS):
        whole = sum(spans)
        spans = [span * 2 * pi / whole for span in spans]
        points = _laid(stretches, spans, dent, swing)
        lengths = [max(_length(part), 1e-6) for part in points]
        scale = sum(stretch.spaces for stretch in stretches) / sum(lengths)
        spans = [
            span * (stretch.spaces / (length * scale)) ** 0.5
            for span, stretch, length in zip(spans, stretches, lengths, strict=True)
        ]
    return _measured(stretches, points, unit)


def _laid(stretches: Sequence[Stretch], spans: Sequence[float], dent: float, swing: float) -> list[list[Point]]:
    """Return the points of each of ``stretches``, which takes its part of ``spans``, in radians."""
    ends = [0.0, *accumulate(spans)]
    bends = [at for at, stretch in enumerate(stretches) if stretch.is_bend]
    far = {
        at: dent if order % 3 == 1 and len(bends) >= 4 and _has_room(stretches, at) else 1.0
        for order, at in enumerate(bends)
    }
    corners = {at: (_around(ends[at], far[at]), _around(ends[at + 1], far[at])) for at in bends}
    found: list[list[Point]] = []
    for at, stretch in enumerate(stretches):
        before, after = corners[_other(bends, at, -1)][1], corners[_other(bends, at, 1)][0]
        if stretch.is_bend:
            start, end = corners[at]
            ways = _way(before, start, ends[at]), _way(end, after, ends[at + 1])
            found.append(list(_bend(stretch.parts, start, end, ways, swing)))
        else:
            found.append([before, after])
    return found


def _has_room(stretches: Sequence[Stretch], at: int) -> bool:
    """Return whether the straights before and after a bend are long enough to lead towards the middle."""
    beside = (stretches[at - 1], stretches[(at + 1) % len(stretches)])
    return all(not stretch.is_bend and stretch.spaces >= _ROOM for stretch in beside)


def _way(start: Point, end: Point, angle: float) -> float:
    """Return the direction of a straight; for an empty one that of a circle around the middle at ``angle``."""
    return (
        _angle(start, end) if hypot(end[0] - start[0], end[1] - start[1]) > 1e-6 else atan2(_TALL * cos(angle), -sin(angle))
    )


def _other(bends: Sequence[int], at: int, step: int) -> int:
    """Return the bend next to the stretch ``at``, before it (``step`` -1) or after it."""
    if step < 0:
        return max((bend for bend in bends if bend < at), default=bends[-1])
    return min((bend for bend in bends if bend > at), default=bends[0])


def _around(angle: float, far: float) -> Point:
    return far * cos(angle), far * _TALL * sin(angle)


def _bend(parts: Sequence[int], start: Point, end: Point, ways: tuple[float, float], swing: float) -> Iterator[Point]:
    """Yield the points of a bend from ``start`` to ``end``; ``ways`` are its directions there."""
    across = _angle(start, end)
    directions, knots = [ways[0]], [start]
    for share in list(accumulate(parts))[:-1]:
        side = swing if len(directions) % 2 else -swing
        part = share / sum(parts)
        knots.append((start[0] + (end[0] - start[0]) * part, start[1] + (end[1] - start[1]) * part))
        directions.append(across + side)
    knots.append(end)
    directions.append(ways[1])
    yield start
    for (one, towards), (other, leaving) in pairwise(zip(knots, directions, strict=True)):
        yield from _curve(one, towards, other, leaving)


def _curve(start: Point, towards: float, end: Point, leaving: float) -> Iterator[Point]:
    """Yield points of a cubic curve from ``start`` to ``end`` with the given directions there, without the start."""
    far = hypot(end[0] - start[0], end[1] - start[1])
    turn = abs((leaving - towards + pi) % (2 * pi) - pi)
    pull = far * (0.36 + 0.05 * turn)
    one = start[0] + pull * cos(towards), start[1] + pull * sin(towards)
    two = end[0] - pull * cos(leaving), end[1] - pull * sin(leaving)
    for step in range(1, _FINE + 1):
        t = step / _FINE
        weights = ((1 - t) ** 3, 3 * (1 - t) ** 2 * t, 3 * (1 - t) * t**2, t**3)
        yield (
            sum(weight * point[0] for weight, point in zip(weights, (start, one, two, end), strict=True)),
            sum(weight * point[1] for weight, point in zip(weights, (start, one, two, end), strict=True)),
        )


def _measured(stretches: Sequence[Stretch], points: Sequence[Sequence[Point]], unit: float) -> Loop:
    """Return the loop through ``points``, in pixels, with its stations; all spaces of a stretch are equally long."""
    total = sum(stretch.spaces for stretch in stretches)
    scale = unit * total / sum(_length(part) for part in points)
    found, stations = [points[0][0]], [0.0]
    for stretch, part in zip(stretches, points, strict=True):
        begun, length = stations[-1] if len(stations) > 1 else 0.0, _length(part)
        done = 0.0
        for one, other in pairwise(part):
            done += hypot(other[0] - one[0], other[1] - one[1])
            found.append(other)
            stations.append(begun + stretch.spaces * done / length)
    return Loop(tuple((x * scale, y * scale) for x, y in found), tuple(stations))


def _is_even(loop: Loop, unit: float) -> bool:
    """Return whether every space of ``loop`` is about one ``unit`` long."""
    ends = [loop.at(station)[0] for station in range(round(loop.stations[-1]) + 1)]
    lengths = [hypot(there[0] - here[0], there[1] - here[1]) for here, there in pairwise(ends)]
    return 0.6 * unit < min(lengths) and max(lengths) < 1.4 * unit


def _is_clear(loop: Loop, apart: float, unit: float) -> bool:
    """Return whether ``loop`` never crosses itself, and distant parts of it are ``apart`` or more."""
    total = loop.stations[-1]
    spots = [loop.at(half / 2)[0] for half in range(int(2 * total))]
    pieces = [*pairwise([*spots, spots[0]])]
    if any(_do_cross(one, other) for one, other in combinations(pieces, 2)):
        return False
    away = int(4 * apart / unit)
    for at, (x1, y1) in enumerate(spots):
        for other in range(at + away, min(len(spots), at + len(spots) - away)):
            x2, y2 = spots[other]
            if hypot(x2 - x1, y2 - y1) < apart:
                return False
    return True


def _do_cross(one: tuple[Point, Point], other: tuple[Point, Point]) -> bool:
    (a, b), (c, d) = one, other
    # Pieces of one straight lie on one line, except for rounding.
    return _side(a, b, c) * _side(a, b, d) < -1e-6 and _side(c, d, a) * _side(c, d, b) < -1e-6


def _side(start: Point, end: Point, point: Point) -> float:
    """Return the side of a line on which ``point`` lies: a number above or below 0."""
    return (end[0] - start[0]) * (point[1] - start[1]) - (end[1] - start[1]) * (point[0] - start[0])


def _level(loop: Loop) -> Loop:
    """Return ``loop`` turned so that it begins to the right, and moved so that its middle is at 0, 0."""
    (x0, y0), turn = loop.at(0)
    c, s = cos(-turn), sin(-turn)
    turned = [((x - x0) * c - (y - y0) * s, (x - x0) * s + (y - y0) * c) for x, y in loop.points]
    wide, high = ([point[side] for point in turned] for side in (0, 1))
    x, y = (min(wide) + max(wide)) / 2, (min(high) + max(high)) / 2
    return replace(loop, points=tuple((px - x, py - y) for px, py in turned))


def _length(points: Sequence[Point]) -> float:
    return sum(hypot(other[0] - one[0], other[1] - one[1]) for one, other in pairwise(points))


def _angle(start: Point, end: Point) -> float:
    return atan2(end[1] - start[1], end[0] - start[0])

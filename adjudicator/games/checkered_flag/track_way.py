"""Lay the track out on paper: the way through its spaces, and free places beside it for numbers and names."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from itertools import product
from math import cos, dist, sin
from typing import Final

from adjudicator import scenes
from adjudicator.core.values import Value, Whole
from adjudicator.games.checkered_flag.facts import DANGER
from adjudicator.scenes import Point

HALF: Final = 17
"""Half the width of the track in pixels."""
NARROW: Final = 9.5
"""The same where only one car has room."""
NUMBERS: Final = 25
"""From the middle of the track to the nearest numbers, in pixels."""
_NAMES: Final = 31
"""The same for the name of a stretch without a free place."""
_FARTHEST: Final = 64
_NEAR: Final = (0, -0.1, 0.1, -0.25, 0.25, -0.4, 0.4)
_BY: Final = (0.6, 0.8)
"""How many spaces a number may be off along the track, and how many where other numbers leave no room."""
_ASIDE: Final = 4
"""Pixels between a number without room beside its own space and the number of the space before, next to which it is."""
_FINE: Final = 4
"""The number of pieces of each space."""

Taken = Sequence[tuple[float, float, float, float]]
"""The rectangles that are not free: their middles, half their widths and half their heights."""


class Space(Value):
    """A space of the track: its label, its ground (empty: straight), the number of its curve, and its lanes."""

    label: str
    ground: str
    mark: str
    lanes: Whole

    @property
    def is_bend(self) -> bool:
        """Whether the space is in a danger zone."""
        return self.ground == DANGER


class Way:
    """The ``loop`` of a track and its ``spaces``; ``x`` and ``y`` move it into the picture."""

    def __init__(self, loop: scenes.Loop, spaces: tuple[Space, ...], x: float, y: float) -> None:
        """Lay ``spaces`` along ``loop``."""
        self.loop, self.spaces, self.x, self.y = loop, spaces, x, y

    def beside(self, station: float, left: float) -> Point:
        """Return the point ``left`` pixels beside the way, ``station`` spaces from its beginning."""
        (x, y), angle = self.loop.at(station)
        return round(self.x + x + left * sin(angle), 1), round(self.y + y - left * cos(angle), 1)

    def half(self, at: int) -> float:
        """Return half the width of the track on space ``at``."""
        return HALF if self.spaces[at].lanes > 1 else NARROW

    def edge(self, start: float, end: float, left: float) -> list[Point]:
        """Return the points of a line ``left`` pixels beside the way, from ``start`` to ``end``."""
        steps = max(1, round((end - start) * _FINE))
        return [self.beside(start + (end - start) * step / steps, left) for step in range(steps + 1)]

    @cached_property
    def middles(self) -> Sequence[tuple[float, Point]]:
        """The points along the middle of the track, each after its station."""
        stations = [step / _FINE for step in range(_FINE * len(self.spaces))]
        return [(station, self.beside(station, 0)) for station in stations]

    def number_place(self, station: float, half: Point, taken: Taken, before: Point | None) -> Point:
        """Return the place of a number outside the track, ``half`` as wide and high, where it covers nothing of ``taken``.

        It is beside its space, or, without room there, after the number at ``before``. The broad word for the line is
        inside the track.
        """
        side, others = (-1 if station < 1 else 1), list[Point]()
        for shifts in (_NEAR, _BY):
            for far, shift in product(range(NUMBERS, _FARTHEST, 3), shifts):
                at = self.beside(station + shift, side * far)
                if self._is_free(at, half, taken):
                    if shifts is _NEAR and self._is_nearest(at, station):
                        return at
                    others.append(at)
        after = (at for at in others if before is None or self._is_after(at, before, station))
        return next(after, (*others, self.beside(station, side * NUMBERS))[0])

    def name_place(self, station: float, half: Point, taken: Taken) -> Point:
        """Return a place inside or outside the loop where a name, ``half`` as wide and high, covers nothing."""
        for far, shift, side in product(range(28, 160, 4), (0, 1, -1), (-1, 1)):
            at = self.beside(station + shift, far * side)
            if self._is_free(at, half, taken):
                return at
        return self.beside(station, -_NAMES)

    def _is_free(self, at: Point, half: Point, taken: Taken) -> bool:
        """Return whether words around ``at`` are on the paper and cover nothing."""
        is_on_paper = half[0] < at[0] < 2 * self.x - half[0] and half[1] < at[1] < 2 * self.y - half[1]
        return is_on_paper and all(
            abs(at[0] - x) > half[0] + wide or abs(at[1] - y) > half[1] + high for x, y, wide, high in taken
        )

    def _is_nearest(self, at: Point, station: float) -> bool:
        """Return whether the track is nearest to ``at`` in the space around ``station``, not in another one."""
        many = len(self.spaces)
        nearest, _ = min(self.middles, key=lambda one: dist(at, one[1]))
        return min((nearest - station) % many, (station - nearest) % many) <= 0.75

    def _is_after(self, at: Point, before: Point, station: float) -> bool:
        """Return whether ``at`` is beside or after ``before`` in the direction of travel."""
        angle = self.loop.at(station)[1]
        return (at[0] - before[0]) * cos(angle) + (at[1] - before[1]) * sin(angle) >= -_ASIDE

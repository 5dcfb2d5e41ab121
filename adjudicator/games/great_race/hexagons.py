"""Place hexagons side by side: their corners, and which of them touch.

Hexagons lie in rows, 2 apart in ``x``; the rows are 1 apart in ``y``, shifted by 1 against each other. A map that is across
has columns instead of rows, 2 apart in ``y``.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from math import cos, hypot, pi, sin, sqrt

from adjudicator.scenes import Point


def pitch(radius: float, *, is_across: bool) -> tuple[float, float]:
    """Return the pixels from one ``x`` and ``y`` to the next, for hexagons with a ``radius`` from middle to corner."""
    short, long = radius * sqrt(3) / 2, radius * 1.5
    return (long, short) if is_across else (short, long)


@lru_cache(maxsize=1 << 10)
def corners(middle: Point, radius: float, is_across: bool) -> tuple[Point, ...]:
    """Return the corners of the hexagon around ``middle``."""
    turns = [(0 if is_across else pi / 6) + at * pi / 3 for at in range(6)]
    return tuple([(round(middle[0] + radius * cos(one), 1), round(middle[1] + radius * sin(one), 1)) for one in turns])


def touch(one: tuple[int, int], other: tuple[int, int], *, is_across: bool) -> bool:
    """Return whether the hexagons at two places have a common border."""
    across, down = abs(one[0] - other[0]), abs(one[1] - other[1])
    return (across, down) in (((0, 2), (1, 1)) if is_across else ((2, 0), (1, 1)))


def border(ones: Iterable[Point], others: Sequence[Point]) -> list[Point]:
    """Return the common corners of two hexagons."""
    return [one for one in ones if any(hypot(one[0] - other[0], one[1] - other[1]) < 1 for other in others)]

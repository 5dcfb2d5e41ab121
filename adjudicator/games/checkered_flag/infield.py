"""Draw the standings in the infield, the free place within the track."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise, product
from typing import Final

from adjudicator import scenes
from adjudicator.game import Seat
from adjudicator.scenes import Element, Group, Point, circle, group, text_width, words

Taken = tuple[tuple[float, float, float, float], ...]
"""The rectangles that are not free: their middles, half their widths and half their heights."""
_LONGEST: Final = 16
"""The greatest number of columns of the name of a seat."""
_STEP: Final = 12


def standings(rows: Sequence[tuple[Seat, str]], taken: Taken, border: tuple[Point, ...], size: int) -> Iterator[Group]:
    """Yield the seats in their order, each with its words, at a free place within the ``border``, if there is one."""
    names = [scenes.clip(seat, _LONGEST) for seat, _ in rows]
    first = max((text_width(name, size, is_bold=True) for name in names), default=0) + 4 * size
    wide = first + max((text_width(told, size) for _, told in rows), default=0)
    line = 1.7 * size
    high = line * len(rows)
    place = _free(round(wide / 2 + 8), round(high / 2 + 8), taken, border) if rows else None
    if place is not None:
        left, top = place[0] - wide / 2, place[1] - high / 2
        lines = [(f"{at}.", seat, name, told) for at, ((seat, told), name) in enumerate(zip(rows, names, strict=True), 1)]
        drawn = [group(_row(*one, first, size), 0, round(at * line, 1)) for at, one in enumerate(lines)]
        yield group(drawn, round(left, 1), round(top, 1))


def _row(rank: str, seat: Seat, name: str, told: str, first: float, size: int) -> Iterator[Element]:
    base, drop = 1.2 * size, round(0.36 * size, 1)
    disc = circle(0, 0, round(0.7 * size, 1), fill=scenes.SEAT, stroke="#ffffff")
    yield words(rank, 1.1 * size, base, size, "end", fill="#333333")
    yield scenes.Token(
        seat, 2.2 * size, base - drop, seat=seat, text=seat, body=(disc,), letter=size, drop=drop, is_key=True
    )
    yield words(name, 3.3 * size, base, size, "start", is_bold=True)
    yield words(told, round(first, 1), base, size, "start", fill="#333333")


@lru_cache(maxsize=64)
def _free(half: int, high: int, taken: Taken, border: tuple[Point, ...]) -> Point | None:
    """Return the middle of the free rectangle that is nearest to the middle of the border."""
    (left, right), (top, bottom) = ([cut(point[side] for point in border) for cut in (min, max)] for side in (0, 1))
    x, y = (left + right) / 2, (top + bottom) / 2
    across, down = (range(-int(far / 2), int(far / 2) + 1, _STEP) for far in (right - left, bottom - top))
    for dx, dy in sorted(product(across, down), key=lambda one: one[0] ** 2 + one[1] ** 2):
        here = x + dx, y + dy
        if not any(
            abs(here[0] - tx) < half + wide and abs(here[1] - ty) < high + tall for tx, ty, wide, tall in taken
        ) and _is_within(here, border):
            return here
    return None


def _is_within(point: Point, border: Sequence[Point]) -> bool:
    """Return whether ``point`` is within a closed line: a ray from it crosses the line an odd number of times."""
    x, y = point
    sides = ((one, other) for one, other in pairwise((*border, border[0])) if (one[1] > y) != (other[1] > y))
    return sum(x < x1 + (y - y1) * (x2 - x1) / (y2 - y1) for (x1, y1), (x2, y2) in sides) % 2 == 1

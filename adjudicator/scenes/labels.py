"""Find places for the names on a map, so that they cover no spot, no road and no other name."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from math import inf
from typing import Final

from adjudicator.core.values import Value
from adjudicator.scenes.letters import text_width
from adjudicator.scenes.shapes import Point

_BUCKET: Final = 64
_AIR: Final = 2


class Box(Value):
    """A rectangle: its left, top, right and bottom."""

    left: float
    top: float
    right: float
    bottom: float

    def overlap(self, other: Box) -> float:
        """Return the common area of the two rectangles, in square pixels."""
        wide = min(self.right, other.right) - max(self.left, other.left)
        high = min(self.bottom, other.bottom) - max(self.top, other.top)
        return max(0.0, wide) * max(0.0, high)

    @property
    def cells(self) -> Iterator[tuple[int, int]]:
        """The buckets of the index in which it lies."""
        for column in range(int(self.left // _BUCKET), int(self.right // _BUCKET) + 1):
            for row in range(int(self.top // _BUCKET), int(self.bottom // _BUCKET) + 1):
                yield column, row


class Placed(Value):
    """A name with its ``box``."""

    name: str
    box: Box


class Taken:
    """An index of the boxes on a map by their place."""

    def __init__(self, boxes: Iterable[Box]) -> None:
        """Make an index of ``boxes``."""
        self._cells: dict[tuple[int, int], list[Box]] = {}
        for box in boxes:
            self.add(box)

    def add(self, box: Box) -> None:
        """Add ``box``."""
        for cell in box.cells:
            self._cells.setdefault(cell, []).append(box)

    def overlap(self, box: Box) -> float:
        """Return how much of ``box`` the others cover, in square pixels."""
        neighbours = {id(other): other for cell in box.cells for other in self._cells.get(cell, ())}
        return sum(box.overlap(other) for other in neighbours.values())

    def best(self, choices: Iterable[Box]) -> Box:
        """Return the first of ``choices`` (at least one) that covers nothing, else the one that covers least."""
        least, found = inf, None
        for box in choices:
            covered = self.overlap(box)
            if covered == 0:
                return box
            if found is None or covered < least:
                least, found = covered, box
        assert found is not None
        return found


def placed_names(
    names: Mapping[str, str], middles: Mapping[str, Point], half: float, taken: Iterable[Box], size: float
) -> Sequence[Placed]:
    """Return the places of ``names`` (by their spots) in letters of ``size``; ``half`` is half the width of a spot.

    A name takes the first place around its spot that covers nothing, else the one that covers least.
    """
    at_spots = tuple((name, middles[label]) for label, name in names.items())
    return _placed(at_spots, half, tuple(taken), size)


@lru_cache(maxsize=8)
def _placed(names: tuple[tuple[str, Point], ...], half: float, taken: tuple[Box, ...], size: float) -> tuple[Placed, ...]:
    """Return the same from a cache: names take longest on a map, and a replay draws the same map again and again."""
    boxes, found = Taken(taken), list[Placed]()
    for name, middle in names:
        box = boxes.best(_around(middle, half, text_width(name, size, is_bold=True), size))
        boxes.add(box)
        found.append(Placed(name, box))
    return tuple(found)


def _around(middle: Point, half: float, wide: float, size: float) -> Iterator[Box]:
    """Yield the places for a name: above and below the spot, beside it, then at the four corners."""
    x, y = middle
    above, below = y - half - size - _AIR, y + half + _AIR
    for left, top in (
        (x - wide / 2, above),
        (x - wide / 2, below),
        (x + half + 2 * _AIR, y - size / 2),
        (x - half - 2 * _AIR - wide, y - size / 2),
        (x + 3 * _AIR, above),
        (x + 3 * _AIR, below),
        (x - 3 * _AIR - wide, above),
        (x - 3 * _AIR - wide, below),
        (x + half + 2 * _AIR, above),
        (x + half + 2 * _AIR, below),
    ):
        yield Box(left, top, left + wide, top + size)

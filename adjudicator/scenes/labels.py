"""Find places for the names on a map, so that they cover no spot, no road and no other name."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from math import inf
from typing import Final

from adjudicator.core.values import Value

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

"""Find places for the names on a map, so that they cover no spot, no road and no other name."""

from __future__ import annotations

from collections.abc import Iterable

from adjudicator.core.values import Value


class Box(Value):
    """A rectangle: its left, top, right and bottom."""

    left: float
    top: float
    right: float
    bottom: float


class Taken:
    """The boxes on a map that are taken."""

    def __init__(self, boxes: Iterable[Box] = ()) -> None:
        """Begin with ``boxes``."""
        self._boxes = [*boxes]

    def add(self, box: Box) -> None:
        """Add ``box``."""
        self._boxes.append(box)

    def best(self, choices: Iterable[Box]) -> Box:
        """Return the first of ``choices`` (at least one) that covers nothing, else the one that covers least."""
        covered = dict[float, Box]()
        for box in choices:
            area, left, top, right, bottom = 0.0, box.left, box.top, box.right, box.bottom
            for other in self._boxes:
                if left < other.right and other.left < right and top < other.bottom and other.top < bottom:
                    wide = min(right, other.right) - max(left, other.left)
                    area += wide * (min(bottom, other.bottom) - max(top, other.top))
            covered.setdefault(area, box)
            if not area:
                break
        return covered[min(covered)]

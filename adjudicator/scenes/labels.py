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
            area = 0.0
            for other in self._boxes:
                wide = min(box.right, other.right) - max(box.left, other.left)
                high = min(box.bottom, other.bottom) - max(box.top, other.top)
                area += wide * high if wide > 0 and high > 0 else 0
            covered.setdefault(area, box)
            if not area:
                break
        return covered[min(covered)]

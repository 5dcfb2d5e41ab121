"""Cut boards and maps that are too wide for a mail into narrower parts, by columns from west to east."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from typing import Final

from adjudicator.core.drawing import Roadmap
from adjudicator.reports.roadmap import MOST_COLUMNS

_MARGIN: Final = 4
_SPOT: Final = 3
"""Columns for a spot of a map, and for the names of its rows."""


def map_parts_within(roadmap: Roadmap, width: int | None) -> Iterator[Roadmap]:
    """Yield ``roadmap`` in parts that fit into ``width`` columns; whole for ``None``."""
    columns = [spot.x for spot in roadmap.spots]
    left, wide = min(columns, default=1), max(columns, default=0) - min(columns, default=1) + 1
    each = wide if width is None else max(1, (width - _MARGIN) // _SPOT)
    if wide <= each or wide > MOST_COLUMNS:
        yield roadmap
        return
    for first, last in _even(wide, each):
        yield replace(roadmap, spots=tuple(spot for spot in roadmap.spots if first <= spot.x - left < last))


def _even(count: int, each: int) -> Iterator[tuple[int, int]]:
    """Yield the start and end of parts of about equal size: ``count`` things in parts of at most ``each``."""
    parts = -(-count // each)
    bounds = [round(count * part / parts) for part in range(parts + 1)]
    yield from pairwise(bounds)

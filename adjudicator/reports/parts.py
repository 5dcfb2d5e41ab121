"""Cut boards and maps that are too wide for a mail into narrower parts, by columns from west to east."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from typing import Final

from adjudicator.core.drawing import Grid, Roadmap
from adjudicator.reports.board import ALLEY, WIDTH
from adjudicator.reports.roadmap import MOST_COLUMNS
from adjudicator.scenes.width import display_width

_FRAME: Final = 5
"""Columns for the frame and for the gap after the names of rows."""
_MARGIN: Final = 4
_SPOT: Final = 3
"""Columns for a spot of a map, and for the names of its rows."""


def grid_parts_within(grid: Grid, width: int | None) -> Iterator[Grid]:
    """Yield ``grid`` in parts that fit into ``width`` columns; whole for ``None``."""
    names = max(map(display_width, grid.rows), default=0)
    each = len(grid.columns) if width is None else max(1, (width - names - _FRAME + ALLEY) // (WIDTH + ALLEY))
    if len(grid.columns) <= each:
        yield grid
        return
    for first, last in _even(len(grid.columns), each):
        count, inner = len(grid.columns), slice(first, last)
        squares = tuple(
            square for row in range(len(grid.rows)) for square in grid.squares[row * count + first : row * count + last]
        )
        frame = grid.frame
        if frame:
            north, east, south, west = frame
            open_side = ("",) * len(grid.rows)
            frame = (
                north[inner],
                east if last == count else open_side,
                south[inner],
                west if first == 0 else open_side,
            )
        yield replace(grid, columns=grid.columns[inner], squares=squares, frame=frame)


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

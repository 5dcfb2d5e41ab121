"""Draw a track as text: rows of spaces with their labels, their grounds, and the pieces in their lanes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from adjudicator.core.drawing import Space, Track
from adjudicator.core.frozen import frozen
from adjudicator.core.scene import Sign
from adjudicator.reports.legend import Key, as_badge
from adjudicator.reports.sanitize import printable
from adjudicator.reports.table import GAP
from adjudicator.reports.terminal_colors import STRONG, painted
from adjudicator.scenes.names import SIGNS
from adjudicator.scenes.width import clip, display_width, padded

LINE_WIDTH: Final = 90
"""The greatest width of a row of spaces in terminal columns."""
_LEAST: Final = 4
"""The least width of a space in columns, without the blank between two spaces."""
_MOST: Final = 14
_NAME: Final = 4
"""The length of names of pieces, unless they need more characters to differ."""
_FREE: Final = "·"


@frozen
class _Cell:
    """One line of a space: its text and its colour."""

    text: str
    style: str = ""


def track_lines(track: Track, key: Key, line_width: int = LINE_WIDTH, *, color: bool = False) -> list[str]:
    """Return the lines of ``track``: its title, then rows of spaces, each with labels, ground and lanes."""
    columns = [_column(track, space, key) for space in track.spaces]
    width = max((display_width(cell.text) for column in columns for cell in column), default=0)
    width = min(max(width, _LEAST), _MOST)
    per_row = max(1, (line_width - len(GAP) + 1) // (width + 1))
    # Rows of equal length look better than a short last row.
    per_row = -(-len(columns) // -(-len(columns) // per_row)) if columns else 1
    lines = [painted(printable(track.title), STRONG, color=color)] if track.title else []
    for start in range(0, len(columns), per_row):
        if start:
            lines.append("")
        lines += _row_lines(columns[start : start + per_row], width, color=color)
    return lines


def _column(track: Track, space: Space, key: Key) -> list[_Cell]:
    """Return the lines of one space from top to bottom: label, ground, lanes."""
    style = key.style(space.ground) if space.ground else ""
    ground = key.letter(space.ground) * 2 + printable(space.mark) if space.ground else ""
    return [_Cell(printable(space.label), style), _Cell(ground, style), *_lanes(track, space, key)]


def _lanes(track: Track, space: Space, key: Key) -> Iterator[_Cell]:
    """Yield the contents of each lane; lanes that only other spaces have are closed."""
    badges = [as_badge(badge) for badge in space.badges]
    for badge in badges:
        name = badge.text if badge.sign is Sign.NOTE else key.short_name(badge.text, _NAME)
        yield _Cell(SIGNS[badge.sign] + name, key.seat_style(badge))
    free = max(0, space.lanes - len(badges))
    yield from (_Cell(_FREE) for _ in range(free))
    closed = max(other.lanes for other in track.spaces) - len(badges) - free
    yield from (_Cell(printable(track.closed) * 2) for _ in range(closed))


def _row_lines(columns: Sequence[Sequence[_Cell]], width: int, *, color: bool) -> Iterable[str]:
    """Yield the lines of one row; empty lines are omitted."""
    for at in range(max(map(len, columns))):
        cells = [column[at] if at < len(column) else _Cell("") for column in columns]
        if any(cell.text for cell in cells):
            yield (GAP + " ".join(_painted(cell, width, color=color) for cell in cells)).rstrip()


def _painted(cell: _Cell, width: int, *, color: bool) -> str:
    text = clip(cell.text, width)
    filling = padded("", width - display_width(text))
    return filling + (painted(text, cell.style, color=color) if cell.style else text)

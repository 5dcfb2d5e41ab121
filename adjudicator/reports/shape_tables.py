"""Turn the lists and tables of a drawing into text."""

from __future__ import annotations

from adjudicator.reports.sanitize import printable
from adjudicator.scenes.drawing import Columns, Fields, Shape

TableText = tuple[str, tuple[str, ...], tuple[tuple[str, ...], ...]]
"""A title, headings (empty: each row begins with its label), and rows, safe to show."""


def shape_tables(shape: Shape) -> tuple[TableText, ...]:
    """Return ``shape`` as a table; empty for pictures and legends."""
    match shape:
        case Fields(title=title, rows=rows):
            return (_shown(title, (), rows),)
        case Columns(title=title, headings=headings, rows=cells):
            return (_shown(title, headings, cells),)
    return ()


def _shown(title: str, headings: tuple[str, ...], rows: tuple[tuple[str, ...], ...]) -> TableText:
    return printable(title), tuple(map(printable, headings)), tuple([tuple(map(printable, row)) for row in rows])

"""Write a table of results as text, as HTML for a web page, or as CSV for a spreadsheet."""

from __future__ import annotations

from typing import Final

from adjudicator.core.frozen import frozen
from adjudicator.reports.sanitize import printable
from adjudicator.reports.table import table_lines

_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r")
"""Characters at which a spreadsheet begins a formula."""


@frozen
class ResultTable:
    """A table with its ``title``, the ``headings`` of its columns, and rows of text."""

    title: str
    headings: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


def table_text(table: ResultTable) -> str:
    """Return ``table`` for people: the title and a line for each row."""
    rows = [tuple(map(printable, row)) for row in table.rows]
    return "\n".join([printable(table.title), "", *table_lines(table.headings, rows)])


def table_html(table: ResultTable) -> str:
    """Return ``table`` as one HTML element, with its title as caption and headings for screen readers."""
    head = "".join(f'<th scope="col">{_html(heading)}</th>' for heading in table.headings)
    lines = ["<table>", f"<caption>{_html(table.title)}</caption>", f"<thead><tr>{head}</tr></thead>", "<tbody>"]
    lines += [f"<tr>{''.join(f'<td>{_html(cell)}</td>' for cell in row)}</tr>" for row in table.rows]
    return "\n".join([*lines, "</tbody>", "</table>", ""])


def table_csv(table: ResultTable) -> str:
    """Return ``table`` as CSV (RFC 4180), headings first; no spreadsheet reads a cell as a formula."""
    import csv
    from io import StringIO

    written = StringIO()
    writer = csv.writer(written)
    writer.writerow(table.headings)
    writer.writerows([[_plain(cell) for cell in row] for row in table.rows])
    return written.getvalue()


def _html(text: str) -> str:
    from html import escape

    return escape(printable(text))


def _plain(cell: str) -> str:
    shown = printable(cell)
    return f"'{shown}" if shown.startswith(_FORMULA) else shown

"""Write a table of results or standings as HTML for a web page, or as CSV for a spreadsheet."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from adjudicator.core.values import Seat, Value
from adjudicator.reports.position import Position
from adjudicator.reports.sanitize import printable
from adjudicator.reports.table import signed

_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r")
"""Characters at which a spreadsheet begins a formula."""


class ResultTable(Value):
    """A table with its ``title``, the ``headings`` of its columns, and rows of text."""

    title: str
    headings: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


def standings_table(position: Position, holders: Mapping[Seat, str]) -> ResultTable:
    """Return the standings of ``position`` as its viewer may know them; ``holders`` names the players by seat."""
    heading = position.heading
    rows = (
        (
            str(standing.place),
            standing.seat,
            holders.get(standing.seat, ""),
            signed(standing.score, heading.unit),
            standing.note,
        )
        for standing in position.standings
    )
    headings = ("place", "seat", "player", heading.unit[1], "note")
    return ResultTable(f"{heading.name}, game {heading.game}: {position.standings_title.lower()}", headings, tuple(rows))


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

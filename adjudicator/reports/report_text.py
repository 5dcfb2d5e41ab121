"""Write a report as text for mails, with lines that fit every mail program and the board in characters."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from adjudicator.reports.drawing_text import drawing_text
from adjudicator.reports.fold import MAIL_WIDTH, folded_lines
from adjudicator.reports.heading import title_line
from adjudicator.reports.log import log_text
from adjudicator.reports.report import Report
from adjudicator.reports.report_blocks import (
    Block,
    Board,
    Legal,
    Listing,
    Log,
    Mistakes,
    Part,
    Receipts,
    Sentences,
    Table,
    blocks_of,
)
from adjudicator.reports.sanitize import printable
from adjudicator.reports.table import GAP, table_lines

_CARET_ROOM: Final = 2 * len(GAP)
"""The number of columns before a quoted line."""
_DRAWN_APART: Final = "position"
"""The block with the drawing, which has its own titles and needs the whole width."""


def report_text(report: Report, width: int = MAIL_WIDTH, only: Collection[str] = ()) -> str:
    """Return ``report``, or ``only`` some of its blocks, as text with lines of at most ``width`` columns if possible."""
    heading = "\n".join(folded_lines([title_line(report.position.heading)], width))
    blocks = (_block_text(block, width) for block in blocks_of(report) if not only or block.name in only)
    return "\n\n".join([heading, *blocks]) + "\n"


def _block_text(block: Block, width: int) -> str:
    if block.name == _DRAWN_APART:
        return "\n\n".join("\n".join(_lines(part, width)) for part in block.parts)
    room = width - len(GAP)
    body = "\n\n".join("\n".join(_lines(part, room)) for part in block.parts).split("\n")
    return "\n".join([*folded_lines([printable(block.title)], width), *(f"{GAP}{line}".rstrip() for line in body)])


def _lines(part: Part, width: int) -> list[str]:
    match part:
        case Sentences(lines=lines) | Listing(lines=lines):
            return folded_lines(map(printable, lines), width)
        case Table():
            rows = [tuple(map(printable, row)) for row in part.rows]
            return table_lines(() if part.is_headless else tuple(map(printable, part.headings)), rows, width)
        case Log():
            return log_text(part.rows, part.unit, with_events=True, width=width).split("\n")
        case Mistakes():
            return folded_lines(part.text(width - _CARET_ROOM).split("\n"), width)
        case Legal():
            return [line for own in part.parts for line in _lines(own, width)]
        case Receipts():
            return folded_lines(map(printable, part.text().split("\n")), width)
        case Board():
            return drawing_text(part.drawing, seats=part.seats, width=width).split("\n")

"""Write a report as text for mails, with lines that fit every mail program and the board in characters."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from adjudicator.reports.drawing_text import drawing_text
from adjudicator.reports.heading import title_line
from adjudicator.reports.log import log_lines
from adjudicator.reports.report import Report
from adjudicator.reports.sanitize import printable
from adjudicator.reports.sections import TABLES, Boards, Legal, Lines, Log, Part, Table, Verbatim, sections_of
from adjudicator.reports.slots import FORM_IN_TEXT
from adjudicator.reports.texts import GAP, MAIL_WIDTH, folded_lines, table_lines
from adjudicator.scenes.drawing import Drawing

_CARET_ROOM: Final = 2 * len(GAP)
"""The number of columns before a quoted line."""
_UNTITLED: Final = "position"
"""The section with the drawing, which has its own titles and needs the whole width."""


def report_text(report: Report, width: int = MAIL_WIDTH, only: Collection[str] = (), *, has_slots: bool = False) -> str:
    """Return ``report``, or ``only`` some of its sections, as text with lines of at most ``width`` columns if possible.

    With slots, its order form has a place for a line (`adjudicator.reports.slots`).
    """
    blocks = folded_lines([title_line(report.position.heading)], width)
    for section in sections_of(report, width - len(GAP) - _CARET_ROOM):
        if section.id == TABLES or (only and section.id not in only):  # the section of the position has its tables
            continue
        is_titled = section.id != _UNTITLED
        parts = [_lines(part, width - len(GAP) * is_titled) for part in section.parts]
        if has_slots and section.id == "form" and isinstance(form := section.parts[-1], Verbatim):
            head = _lines(Verbatim(form.lines[:1]), width - len(GAP))
            parts[-1].insert(len(head), FORM_IN_TEXT)
        lines = "\n\n".join(map("\n".join, parts)).split("\n")
        if is_titled:
            lines = [*folded_lines([printable(section.title)], width), *(f"{GAP}{line}".rstrip() for line in lines)]
        blocks += ["", *lines]
    return "\n".join(blocks) + "\n"


def _lines(part: Part, width: int) -> list[str]:
    match part:
        case Lines(lines=lines):
            return folded_lines(map(printable, lines), width)
        case Table(rows=rows, headings=headings, title=title):
            room = width - len(GAP) if title else width
            table = table_lines(tuple(map(printable, headings)), [tuple(map(printable, row)) for row in rows], room)
            return [*folded_lines([printable(title)], width), *(f"{GAP}{line}" for line in table)] if title else table
        case Log(entries=entries, unit=unit):
            return log_lines(entries, unit, width=width)
        case Legal(parts=parts):
            return [line for one in parts for line in _lines(one, width)]
        case Boards(shapes=shapes, seats=seats):
            return drawing_text(Drawing(shapes), seats=seats, width=width).split("\n")
    raise TypeError(part)

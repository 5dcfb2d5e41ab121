"""Write a report in each output format: as text for mails and as Markdown here, as a page or a picture in other modules.

Those load when they are used.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from typing import Final

from adjudicator.reports.drawing_text import drawing_text, shape_tables
from adjudicator.reports.heading import title_line
from adjudicator.reports.images import is_picture
from adjudicator.reports.log import log_lines
from adjudicator.reports.report import Report, report_data
from adjudicator.reports.sections import TABLES, Boards, Items, Legal, Lines, Log, Part, Table, Verbatim, sections_of
from adjudicator.reports.texts import GAP, MAIL_WIDTH, folded_lines, printable, safe_json, table_lines
from adjudicator.scenes.drawing import Drawing

FORMS: Final = ("txt", "html", "md", "svg", "png", "json")
"""The output formats of a report, by file extension."""
_OTHER_ENDINGS: Final = {"htm": "html", "markdown": "md", "text": "txt"}
_CARET_ROOM: Final = 2 * len(GAP)
"""The number of columns before a quoted line."""
_UNTITLED: Final = "position"
"""The section with the drawing, which has its own titles and needs the whole width."""
_FORM_SLOT: Final = "\x1dform"
"""A line of a text: below the first line of the order form. Text of players never has it: ``printable`` shows the sign."""
_MARKUP: Final = re.compile(r"([\\`*_{}\[\]<>|~$&@^]|:(?=//)|(?<=www)\.|(?<!.)[#+=-]|(?<=^\d)[.)])", re.IGNORECASE)
"""Characters with a meaning in Markdown: anywhere in a line, in an address, or at the beginning of a line."""
_FENCE: Final = re.compile("`{3,}")


def write_report(report: Report, form: str) -> bytes:
    """Return ``report`` in one of ``FORMS``. Raises ``NoPictureError`` for a picture without a board."""
    match form:
        case "html":
            from adjudicator.reports.web import report_html

            return report_html(report).encode()
        case "svg" | "png":
            from adjudicator.reports.picture import report_picture

            return report_picture(report, form)
        case "md":
            return report_markdown(report).encode()
        case "json":
            return (safe_json(report_data(report)) + "\n").encode()
    return report_text(report).encode()


def form_named(ending: str) -> str | None:
    """Return the output format of files with the extension ``ending``, ``None`` if there is no such format."""
    name = ending.lower().lstrip(".")
    name = _OTHER_ENDINGS.get(name, name)
    return name if name in FORMS else None


def is_report(head: bytes) -> bool:
    """Return whether a file that begins with ``head`` is a report of this program, in any format."""
    first_line = head.partition(b"\n")[0]
    return (
        is_picture(head)
        or head.startswith(b'<!doctype html><html lang="en" data-made-by="adjudicator">')
        or (head.startswith(b'{"accounts":[') and b',"commitment":' in first_line)
        or b" \xc2\xb7 components" in first_line
    )


# Text


def report_text(report: Report, width: int = MAIL_WIDTH, only: Collection[str] = (), *, has_slots: bool = False) -> str:
    """Return ``report``, or ``only`` some of its sections, as text with lines of at most ``width`` columns if possible.

    With slots, its order form has a place for a line, which ``filled_text`` fills.
    """
    blocks = folded_lines([title_line(report.position.heading)], width)
    for section in sections_of(report, width - len(GAP) - _CARET_ROOM):
        if section.id == TABLES or (only and section.id not in only):  # the section of the position has its tables
            continue
        is_titled = section.id != _UNTITLED
        parts = [_lines(part, width - len(GAP) * is_titled) for part in section.parts]
        if has_slots and section.id == "form" and isinstance(form := section.parts[-1], Verbatim):
            head = _lines(Verbatim(form.lines[:1]), width - len(GAP))
            parts[-1].insert(len(head), _FORM_SLOT)
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


def filled_text(text: str, form: str) -> str:
    """Return the ``text`` of a report with the line ``form`` in its order form, indented like it (empty: no line)."""
    return text.replace(_FORM_SLOT, form) if form else re.sub(rf"(?m)^ *{_FORM_SLOT}\n", "", text)


# Markdown


def report_markdown(report: Report) -> str:
    """Return ``report`` as Markdown (CommonMark with tables)."""
    blocks = [f"# {_escaped(title_line(report.position.heading))}"]
    for section in sections_of(report):
        if section.id != TABLES:  # the section of the position has them
            blocks += [f"## {_escaped(section.title)}", *(block for part in section.parts for block in _blocks(part))]
    return "\n\n".join(blocks) + "\n"


def _escaped(text: str) -> str:
    """Return ``text`` on one line, with all Markdown characters escaped."""
    return _MARKUP.sub(r"\\\1", printable(text))


def _blocks(part: Part) -> Iterator[str]:
    match part:
        case Verbatim(lines=lines):
            yield _code(map(printable, lines))
        case Items(lines=lines):
            yield "\n".join(f"- {_escaped(line)}" for line in lines)
        case Lines(lines=lines):
            yield "\\\n".join(map(_escaped, lines))
        case Table(rows=rows, headings=headings, title=title):
            if title:
                yield f"**{_escaped(title)}**"
            listed = [headings or ("",) * len(rows[0]), ("---",) * len(rows[0]), *rows]
            shown = (map(_escaped, row) if at != 1 else row for at, row in enumerate(listed))
            yield "\n".join(f"| {' | '.join(row)} |" for row in shown)
        case Log(entries=entries, unit=unit):
            table = list[tuple[str, ...]]()
            for entry in entries:
                for at, one in enumerate(entry.costs):
                    quotes = (f"{whose}: “{said}”" for whose, said in entry.quotes)
                    told = () if at else (*entry.remarks, *entry.told, *quotes)
                    words = "; ".join(filter(None, (one.why, *told)))
                    table.append((entry.number, one.player, "" if at else entry.order, one.amount, one.clock, words))
            yield from _blocks(Table(tuple(table), ("#", "seat", "order", unit[0], unit.account, "why, and what happened")))
        case Legal(parts=parts):
            yield from (block for one in parts for block in _blocks(one))
        case Boards(shapes=shapes, seats=seats):
            for shape in shapes:
                tables = shape_tables(shape)
                for name, heads, cells in tables:
                    if cells:
                        yield from _blocks(Table(cells, heads, name))
                if not tables and (text := drawing_text(Drawing((shape,)), seats=seats)):
                    yield _code(text.split("\n"))


def _code(lines: Iterable[str]) -> str:
    text = "\n".join(lines)
    fence = "`" * (max(map(len, _FENCE.findall(text)), default=2) + 1)
    return f"{fence}text\n{text}\n{fence}"

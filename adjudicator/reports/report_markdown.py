"""Write a report as Markdown for forums and wikis; text of players never becomes markup."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final

from adjudicator.reports.drawing_text import drawing_text, shape_tables
from adjudicator.reports.heading import title_line
from adjudicator.reports.report import Report
from adjudicator.reports.sanitize import printable
from adjudicator.reports.sections import TABLES, Boards, Items, Legal, Lines, Log, Part, Table, Verbatim, sections_of
from adjudicator.scenes.drawing import Drawing

_MARKUP: Final = re.compile(r"([\\`*_{}\[\]<>|~$&@^]|:(?=//)|(?<=www)\.|(?<!.)[#+=-]|(?<=^\d)[.)])", re.IGNORECASE)
"""Characters with a meaning in Markdown: anywhere in a line, in an address, or at the beginning of a line."""
_FENCE: Final = re.compile("`{3,}")


def report_markdown(report: Report) -> str:
    """Return ``report`` as Markdown (CommonMark with tables)."""
    blocks = [f"# {escaped(title_line(report.position.heading))}"]
    for section in sections_of(report):
        if section.id != TABLES:  # the section of the position has them
            blocks += [f"## {escaped(section.title)}", *(block for part in section.parts for block in _blocks(part))]
    return "\n\n".join(blocks) + "\n"


def escaped(text: str) -> str:
    """Return ``text`` on one line, with all Markdown characters escaped."""
    return _MARKUP.sub(r"\\\1", printable(text))


def _blocks(part: Part) -> Iterator[str]:
    match part:
        case Verbatim(lines=lines):
            yield _code(map(printable, lines))
        case Items(lines=lines):
            yield "\n".join(f"- {escaped(line)}" for line in lines)
        case Lines(lines=lines):
            yield "\\\n".join(map(escaped, lines))
        case Table(rows=rows, headings=headings, title=title):
            if title:
                yield f"**{escaped(title)}**"
            listed = [headings or ("",) * len(rows[0]), ("---",) * len(rows[0]), *rows]
            shown = (map(escaped, row) if at != 1 else row for at, row in enumerate(listed))
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

"""Write a report as Markdown for forums and wikis; text of players never becomes markup."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final

from adjudicator.reports.drawing_text import drawing_text
from adjudicator.reports.heading import title_line
from adjudicator.reports.log import log_entries
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
from adjudicator.reports.shape_tables import shape_tables
from adjudicator.scenes.drawing import Drawing, Shape

_MARKUP: Final = re.compile(r"([\\`*_{}\[\]<>|~$&@^]|:(?=//)|(?<=www)\.|(?<!.)[#+=-]|(?<=^\d)[.)])", re.IGNORECASE)
"""Characters with a meaning in Markdown: anywhere in a line, in an address, or at the beginning of a line."""
_FENCE: Final = re.compile("`{3,}")
_SHORTEST: Final = 3


def report_markdown(report: Report) -> str:
    """Return ``report`` as Markdown (CommonMark with tables)."""
    blocks = [f"# {escaped(title_line(report.position.heading))}"]
    for block in blocks_of(report):
        blocks += [f"## {escaped(block.title)}", *_parts(block)]
    return "\n\n".join(blocks) + "\n"


def escaped(text: str) -> str:
    """Return ``text`` on one line, with all Markdown characters escaped."""
    return _MARKUP.sub(r"\\\1", printable(text))


def _parts(block: Block) -> Iterable[str]:
    for part in block.parts:
        yield from _part(part)


def _part(part: Part) -> Iterable[str]:
    match part:
        case Sentences(lines=lines, is_list=is_list):
            yield "\n".join(f"- {escaped(line)}" for line in lines) if is_list else "\\\n".join(map(escaped, lines))
        case Listing(lines=lines):
            yield _code(map(printable, lines))
        case Table(headings=headings, rows=rows):
            yield _table(headings, rows)
        case Mistakes() | Receipts():
            yield _code(map(printable, part.text().split("\n")))
        case Legal():
            for own in part.parts:
                yield from _part(own)
        case Log():
            yield _table(("#", "seat", "order", part.unit[0], part.unit.account, "why, and what happened"), _log_rows(part))
        case Board(drawing=drawing):
            yield from filter(None, (_shape(shape, part) for shape in drawing.shapes))


def _log_rows(log: Log) -> list[tuple[str, ...]]:
    rows = list[tuple[str, ...]]()
    for entry in log_entries(log.rows, log.unit):
        for at, cost in enumerate(entry.costs):
            clock = f"{cost.before} → {cost.after}" if cost.before else ""
            told = () if at else (*entry.remarks, *entry.told)
            words = "; ".join(filter(None, (cost.why, *told)))
            rows.append((entry.number, cost.player, "" if at else entry.order, cost.amount, clock, words))
    return rows


def _shape(shape: Shape, board: Board) -> str:
    tables = [_titled(title, _table(headings or _unnamed(rows), rows)) for title, headings, rows in shape_tables(shape)]
    if tables:
        return "\n\n".join(tables)
    text = drawing_text(Drawing((shape,)), seats=board.seats)
    return _code(text.split("\n")) if text else ""


def _unnamed(rows: Sequence[Sequence[str]]) -> tuple[str, ...]:
    return ("",) * (len(rows[0]) if rows else 2)


def _titled(title: str, text: str) -> str:
    return f"**{escaped(title)}**\n\n{text}" if title else text


def _table(headings: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [headings, ["---"] * len(headings)]
    written = [f"| {' | '.join(map(escaped, lines[0]))} |", f"| {' | '.join(lines[1])} |"]
    return "\n".join([*written, *(f"| {' | '.join(map(escaped, row))} |" for row in rows)])


def _code(lines: Iterable[str]) -> str:
    text = "\n".join(lines)
    longest = max((len(run) for run in _FENCE.findall(text)), default=_SHORTEST - 1)
    fence = "`" * (longest + 1)
    return f"{fence}text\n{text}\n{fence}"

"""Write a report as one self-contained HTML file for phone and desktop, light and dark, print and screen readers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final

from adjudicator.core.drawing import Drawing
from adjudicator.core.frozen import frozen
from adjudicator.core.ruleset import Unit
from adjudicator.core.scene import Scene
from adjudicator.reports.data.heading import reader, record_of, turn_words
from adjudicator.reports.data.log import LogEntry, log_entries
from adjudicator.reports.data.report import Report, view_hash
from adjudicator.reports.data.report_blocks import (
    PROOFS,
    Block,
    Board,
    Listing,
    Log,
    Mistakes,
    Part,
    Sentences,
    Table,
    blocks_of,
    hashes_of_mails,
)
from adjudicator.reports.drawings.shape_tables import shape_tables
from adjudicator.reports.pages.report_picture import board_svg, section_svg
from adjudicator.reports.pages.web import web_page
from adjudicator.reports.pictures.picture import boards_of
from adjudicator.reports.text.sanitize import printable
from adjudicator.reports.text.table import are_numbers

_FOLDED: Final = frozenset(("words",))
"""Blocks that are folded at first, because the picture shows the same."""
_BIG: Final = 700
"""A picture of this width in pixels or more scrolls on a phone instead of shrinking."""


@frozen
class _Heading:
    text: str
    is_number: bool


@frozen(kw_only=True)
class _Shown:
    """One part of a block for the template: its ``kind``, and the values for that kind."""

    kind: str
    lines: tuple[str, ...] = ()
    caption: str = ""
    headings: tuple[_Heading, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()
    numbers: tuple[bool, ...] = ()
    has_row_heads: bool = False
    entries: tuple[LogEntry, ...] = ()
    svg: Any = None
    size: str = ""


@frozen
class _ShownBlock:
    name: str
    title: str
    parts: tuple[_Shown, ...]
    is_folded: bool


@frozen(kw_only=True)
class _Page:
    title: str
    game: str
    heading: str
    reader: str
    blocks: tuple[_ShownBlock, ...]
    record: tuple[tuple[str, str], ...]


def report_html(report: Report) -> str:
    """Return ``report`` as an HTML document; text of players never becomes markup."""
    heading = report.position.heading
    page = _Page(
        title=printable(f"{heading.game}: {heading.name}, {turn_words(heading)}, {reader(heading)}"),
        game=f"{heading.name}, game {heading.game}",
        heading=printable(heading.result or turn_words(heading).capitalize()),
        reader=printable(reader(heading)),
        blocks=tuple(_shown_block(report, block) for block in blocks_of(report) if block.name != PROOFS),
        record=(
            *record_of(heading),
            *((f"sha256 of {name}", hash_) for name, hash_ in hashes_of_mails(report)),
            ("view", view_hash(report.position.view)),
        ),
    )
    has_picture = any(part.kind == "picture" for block in page.blocks for part in block.parts)
    return web_page("report.html", style="report.css zoom.css", script="zoom.js" if has_picture else "", page=page)


def _shown_block(report: Report, block: Block) -> _ShownBlock:
    shown = tuple(shown for part in block.parts for shown in _shown(report, part))
    return _ShownBlock(block.name, block.title, shown, block.name in _FOLDED)


def _shown(report: Report, part: Part) -> Iterable[_Shown]:
    match part:
        case Sentences(lines=lines, is_list=is_list):
            yield _Shown(kind="list" if is_list else "sentences", lines=lines)
        case Listing(lines=lines):
            yield _Shown(kind="listing", lines=lines)
        case Mistakes():
            yield _Shown(kind="listing", lines=tuple(part.text().split("\n")))
        case Table(headings=headings, rows=rows):
            yield _table(headings, rows)
        case Log(rows=log_rows, unit=unit):
            headings = ("#", "seat", "order", unit[0], Unit(*unit).account)
            yield _Shown(kind="log", headings=_headings(headings, (0, 3)), entries=log_entries(log_rows, unit))
        case Board(drawing=drawing):
            yield from _board(report, drawing)


def _board(report: Report, drawing: Drawing) -> Iterable[_Shown]:
    """Yield the picture of the boards with the legend, then the tables, in their order."""
    from markupsafe import Markup

    pictured = board_svg(report) if boards_of(drawing) else None
    if pictured is not None:
        now = section_svg(report)
        if now is not None:
            yield _Shown(kind="picture", svg=Markup(now.svg), size="strip")
        yield _Shown(kind="picture", svg=Markup(pictured.svg), size=_size(drawing, pictured.width))
    for shape in drawing.shapes:
        yield from (_table(headings, rows, title) for title, headings, rows in shape_tables(shape))


def _size(drawing: Drawing, width: int) -> str:
    """Return how a picture of ``width`` pixels fits on a phone: whole, the board first, or by scrolling."""
    if width <= _BIG:
        return ""
    return "board" if any(isinstance(shape, Scene) and shape.is_beside for shape in drawing.shapes) else "big"


def _table(headings: Sequence[str], rows: Sequence[Sequence[str]], caption: str = "") -> _Shown:
    numbers = tuple(at for at, cells in enumerate(zip(*rows, strict=True)) if are_numbers(cells)) if rows else ()
    width = len(rows[0]) if rows else len(headings)
    return _Shown(
        kind="table",
        caption=caption,
        headings=_headings(headings, numbers),
        rows=tuple(map(tuple, rows)),
        numbers=tuple(at in numbers for at in range(width)),
        has_row_heads=0 not in numbers and width > 1,
    )


def _headings(texts: Iterable[str], numbers: Iterable[int]) -> tuple[_Heading, ...]:
    right = frozenset(numbers)
    return tuple(_Heading(text, at in right) for at, text in enumerate(texts))

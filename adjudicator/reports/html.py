"""A report as one HTML file that needs nothing else: for a phone and a desk, in light and dark, on paper, read aloud."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any, Final

from adjudicator.core.drawing import Columns, Drawing, Fields, Grid, Roadmap, Shape, Track
from adjudicator.core.frozen import frozen
from adjudicator.core.ruleset import Unit
from adjudicator.reports.diagnostics import diagnostics_text
from adjudicator.reports.heading import record_of, seen_by, turn_words
from adjudicator.reports.log import LogEntry, log_entries
from adjudicator.reports.report import Report, view_hash
from adjudicator.reports.report_blocks import Block, Board, Listing, Log, Mistakes, Part, Sentences, Table, blocks_of
from adjudicator.reports.report_picture import board_svg
from adjudicator.reports.sanitize import printable
from adjudicator.reports.table import are_numbers

if TYPE_CHECKING:
    from jinja2 import Template
    from markupsafe import Markup


_FOLDED: Final = frozenset(("words",))
"""Blocks that are opened by who wants to read them: to most the picture says the same."""
_CODE: Final = re.compile("`([^`]*)`")


@frozen
class _Heading:
    text: str
    is_number: bool


@frozen(kw_only=True)
class _Shown:
    """One part of a block as the template wants it: its ``kind``, and what that needs."""

    kind: str
    lines: tuple[str, ...] = ()
    caption: str = ""
    headings: tuple[_Heading, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()
    numbers: tuple[bool, ...] = ()
    has_row_heads: bool = False
    entries: tuple[LogEntry, ...] = ()
    svg: Any = None
    room: int = 0


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
    style: Any
    blocks: tuple[_ShownBlock, ...]
    record: tuple[tuple[str, str], ...]


def report_html(report: Report) -> str:
    """Return ``report`` as an HTML document in which every text of players is text."""
    from markupsafe import Markup

    heading = report.position.heading
    page = _Page(
        title=f"{heading.game}: {heading.name}, {turn_words(heading)}, {seen_by(heading.viewer)}",
        game=f"{heading.name}, game {heading.game}",
        heading=turn_words(heading).capitalize(),
        reader=seen_by(heading.viewer),
        style=Markup(_text("report.css").strip()),
        blocks=tuple(_shown_block(report, block) for block in blocks_of(report)),
        record=(*record_of(heading), ("view", view_hash(report.position.view))),
    )
    return _template().render(page=page) + "\n"


@cache
def _template() -> Template:
    from jinja2 import Environment, StrictUndefined

    environment = Environment(
        autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True, finalize=_visible
    )
    environment.filters["coded"] = _coded
    return environment.from_string(_text("report.html.j2"))


def _visible(value: Any) -> Any:
    """Return what a template is to write, texts with everything visible in them; what is marked as markup stays."""
    return printable(value) if type(value) is str else value


def _coded(line: str) -> Markup:
    """Return ``line`` with what stands between backticks as code, and everything else as text."""
    from markupsafe import Markup, escape

    pieces = _CODE.split(printable(line))
    return Markup("").join(
        Markup("<code>{}</code>").format(piece) if at % 2 else escape(piece) for at, piece in enumerate(pieces)
    )


def _text(name: str) -> str:
    return files(__package__).joinpath("templates", name).read_text(encoding="utf-8")


def _shown_block(report: Report, block: Block) -> _ShownBlock:
    shown = tuple(shown for part in block.parts for shown in _shown(report, part))
    return _ShownBlock(block.name, block.title, shown, block.name in _FOLDED)


def _shown(report: Report, part: Part) -> Iterable[_Shown]:
    match part:
        case Sentences(lines=lines, is_list=is_list):
            yield _Shown(kind="list" if is_list else "sentences", lines=lines)
        case Listing(lines=lines):
            yield _Shown(kind="listing", lines=lines)
        case Mistakes(found=found):
            yield _Shown(kind="listing", lines=tuple(diagnostics_text(found).split("\n")))
        case Table(headings=headings, rows=rows):
            yield _table(headings, rows)
        case Log(rows=log_rows, unit=unit):
            headings = ("#", "seat", "order", unit[0], Unit(*unit).account)
            yield _Shown(kind="log", headings=_headings(headings, (0, 3)), entries=log_entries(log_rows, unit))
        case Board(drawing=drawing):
            yield from _board(report, drawing)


def _board(report: Report, drawing: Drawing) -> Iterable[_Shown]:
    """Yield the picture of the boards, then the tables, in their order; the legend is in the picture."""
    from markupsafe import Markup

    has_board = any(isinstance(shape, (Grid, Track, Roadmap)) for shape in drawing.shapes)
    pictured = board_svg(report) if has_board else None
    if pictured is not None:
        yield _Shown(kind="picture", svg=Markup(pictured.svg), room=pictured.width)
    for shape in drawing.shapes:
        yield from _shape_table(shape)


def _shape_table(shape: Shape) -> Iterable[_Shown]:
    match shape:
        case Fields(title=title, rows=rows):
            yield _table((), rows, title)
        case Columns(title=title, headings=headings, rows=rows):
            yield _table(headings, rows, title)


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

"""Write a report as one self-contained HTML file for phone and desktop, light and dark, print and screen readers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from adjudicator.core.ruleset import Unit
from adjudicator.core.values import Value, replace
from adjudicator.reports.heading import reader, record_of, turn_words
from adjudicator.reports.legal_outline import LegalSection
from adjudicator.reports.log import LogEntry, log_entries
from adjudicator.reports.picture import boards_of, draw, figure_rules
from adjudicator.reports.players import ShownPlayer, shown_players
from adjudicator.reports.receipt import notes_of, order_cells, own_receipt, own_title_of, title_of
from adjudicator.reports.report import Report, view_hash
from adjudicator.reports.report_blocks import (
    PROOFS,
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
    hashes_of_mails,
)
from adjudicator.reports.sanitize import printable
from adjudicator.reports.shape_tables import shape_tables
from adjudicator.reports.table import are_numbers
from adjudicator.reports.web import Words, web_page
from adjudicator.results import Fate, SeatReceipt
from adjudicator.scenes.drawing import Drawing

_ORDER: Final = (
    "to-do",
    "position",
    "orders",
    "waiting",
    "log",
    "notes",
    "secrets",
    "legal",
    "choices",
    "form",
    "standings",
    "due",
    "tables",
    "words",
)
"""The blocks of a page: the board first, then what happened, then what the reader can order."""
_FOLDED: Final = frozenset(("words",))
"""Blocks that are folded at first, because the picture shows the same."""
_UNTITLED: Final = frozenset(("to-do", "position"))
"""Blocks whose titles are for screen readers only: the headline and the board need no words above them."""
_NARROW: Final = 3
"""A table with more columns than this wraps each row on a phone."""
_WINDOW: Final = 44
"""The most columns of a quoted line with a mistake, so that it fits on a phone."""
_CLASSES: Final = {
    Fate.APPLIED: "good",
    Fate.WAITS: "good",
    Fate.SKIPPED: "bad",
    Fate.REFUSED: "bad",
    Fate.IGNORED: "soft",
    Fate.REMARK: "soft",
}
"""The colour of an order in a receipt, by its fate; the words next to it say the same."""


class _Heading(Value):
    text: str
    is_number: bool


class _ShownOrders(Value, kw_only=True):
    """A section of the legal orders: the summary, then a matrix of costs or a table of orders; with one order neither."""

    order: str
    cost: str
    count: str
    cheapest: str
    table: _Shown | None


class _Shown(Value, kw_only=True):
    """One part of a block for the template: its ``kind``, and the values for that kind."""

    kind: str
    lines: tuple[str, ...] = ()
    caption: str = ""
    headings: tuple[_Heading, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()
    numbers: tuple[bool, ...] = ()
    has_row_heads: bool = False
    entries: tuple[LogEntry, ...] = ()
    outcomes: tuple[tuple[str, tuple[str, ...]], ...] = ()
    sections: tuple[_ShownOrders, ...] = ()
    is_stacked: bool = False
    least: str = ""


class _ShownBlock(Value):
    name: str
    title: str
    parts: tuple[_Shown, ...]
    is_folded: bool
    is_untitled: bool


class _Page(Value, kw_only=True):
    title: str
    game: str
    heading: str
    reader: str
    players: tuple[ShownPlayer, ...]
    blocks: tuple[_ShownBlock, ...]
    record: tuple[tuple[str, str], ...]


def report_html(report: Report) -> str:
    """Return ``report`` as an HTML document; text of players never becomes markup."""
    heading = report.position.heading
    page = _Page(
        title=printable(f"{heading.game}: {heading.name}, {turn_words(heading)}, {reader(heading)}"),
        game=printable(f"{heading.name}, game {heading.game}" + ("" if heading.over else f", {turn_words(heading)}")),
        heading=report.headline,
        reader=printable(reader(heading)),
        players=tuple(shown_players(report.position)),
        blocks=tuple(_shown_block(report, block) for block in _ordered(report)),
        record=(
            *record_of(heading),
            *((f"sha256 of {name}", hash_) for name, hash_ in hashes_of_mails(report)),
            ("view", view_hash(report.position.view)),
        ),
    )
    drawn = draw(report.position.drawing, seats=report.position.players, before=report.earlier)
    seats = report.position.seats
    badges = {name: player for player in page.players for name in (player.seat, player.name)}
    return web_page(
        "report.html",
        style="report.css figures.css zoom.css",
        script="zoom.js" if drawn.figures else "",
        rules=figure_rules(drawn),
        page=page,
        badges=badges,
        picture=drawn,
        own=report.viewer if report.viewer in seats else next(iter(seats), ""),
        about=" ".join(report.description),
        words=Words(report.rules()),
    )


def _ordered(report: Report) -> list[Block]:
    """Return the blocks of ``report`` in the order of the page; the tables of the position are a separate block."""
    blocks = {block.name: block for block in blocks_of(report) if block.name != PROOFS}
    position = blocks.get("position")
    if position is not None and boards_of(report.position.drawing):
        tables = tuple(shape for shape in report.position.drawing.shapes if shape_tables(shape))
        if tables:
            board = Board(Drawing(tables), report.position.seats)
            blocks["tables"] = Block("tables", "The position in tables", (board,))
    return sorted(blocks.values(), key=lambda block: _ORDER.index(block.name))


def _shown_block(report: Report, block: Block) -> _ShownBlock:
    shown = tuple(shown for part in block.parts for shown in _shown(report, part))
    is_untitled = block.name in _UNTITLED and bool(boards_of(report.position.drawing))
    return _ShownBlock(block.name, block.title, shown, block.name in _FOLDED, is_untitled)


def _shown(report: Report, part: Part) -> Iterable[_Shown]:
    match part:
        case Sentences(lines=lines, is_list=is_list):
            yield _Shown(kind="list" if is_list else "sentences", lines=lines)
        case Listing(lines=lines):
            yield _Shown(kind="listing", lines=lines)
        case Mistakes():
            yield _Shown(kind="mistakes", lines=tuple(part.text(_WINDOW).split("\n")))
        case Receipts(receipts=receipts, are_own=are_own):
            yield from (_receipt(one, are_own=are_own) for one in receipts)
        case Table(headings=headings, rows=rows):
            yield _table(headings, rows)
        case Legal(sections=sections):
            yield _Shown(kind="orders", sections=tuple(map(_orders, sections)))
        case Log(rows=log_rows, unit=unit):
            headings = ("#", "seat", "order", unit[0], Unit(*unit).account)
            yield _Shown(kind="log", headings=_headings(headings, (0, 3)), entries=log_entries(log_rows, unit))
        case Board(drawing=drawing):
            yield from _board(drawing)


def _board(drawing: Drawing) -> Iterable[_Shown]:
    """Yield the boards of ``drawing`` with their legend; without a board yield its tables."""
    if boards_of(drawing):
        yield _Shown(kind="boards")
        return
    for shape in drawing.shapes:
        yield from (_table(headings, rows, title) for title, headings, rows in shape_tables(shape))


def _receipt(receipt: SeatReceipt, *, are_own: bool) -> _Shown:
    """Return a receipt as a list of orders, each with the class of its fate."""
    shown = own_receipt(receipt) if are_own else receipt
    outcomes = tuple((_CLASSES[one.fate], order_cells(one, is_shared=receipt.shared)) for one in receipt.orders)
    first = own_title_of(receipt) if are_own else title_of(receipt)
    before = (first, printable(receipt.trouble)) if receipt.trouble else (first,)
    return _Shown(kind="receipt", caption=first, lines=(*before[1:], *notes_of(shown)), outcomes=outcomes)


def _orders(section: LegalSection) -> _ShownOrders:
    lines, matrix = section.lines, section.matrix
    words, least, why = section.cheapest
    cost = "" if all(row.min is None for row in section.rows) else f"{section.cost} {section.unit[0]}"
    if section.is_complete or len(lines) == 1:
        order = section.order if section.is_complete else lines[0][0]
        return _ShownOrders(order=order, cost=cost, count="", cheapest=lines[0][2], table=None)
    if matrix is None:
        table, cheapest = _table(("order", section.unit[0], "why"), lines), ""
    else:
        narrow = replace(_table(matrix.headings, matrix.rows), is_stacked=False, has_row_heads=True, least=least)
        table, cheapest = narrow, f"{words}: {why}" if why else ""
    return _ShownOrders(order=section.order, cost=cost, count=section.count, cheapest=cheapest, table=table)


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
        is_stacked=width > _NARROW,
    )


def _headings(texts: Iterable[str], numbers: Iterable[int]) -> tuple[_Heading, ...]:
    right = frozenset(numbers)
    return tuple(_Heading(text, at in right) for at, text in enumerate(texts))

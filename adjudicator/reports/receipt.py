"""Write the results of the texts that seats have sent: receipts, problems with carets, ignored lines, pending orders."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from itertools import groupby, zip_longest
from pathlib import PurePath
from typing import Final

from adjudicator.core.phrases import columns, display_width, quoted
from adjudicator.core.problem import Diagnostic
from adjudicator.core.values import replace
from adjudicator.reports.heading import Heading, head_lines, head_text
from adjudicator.reports.texts import GAP, column_widths, printable, row_text, visible_characters
from adjudicator.results import (
    Fate,
    Ignored,
    OrderProblem,
    ReceivedOrder,
    SeatReceipt,
    SheetSetAside,
    WaitingOrders,
    WaitingSheet,
)

_SHORT: Final = 16
"""The number of digits of a hash for people: enough to distinguish two mails."""
_IN_MAILBOX: Final = re.compile(r", mail \d+$")
_QUOTED: Final = 3
"""The number of lines that are quoted from one block of ignored lines."""
_MOST: Final = 200
"""The number of lines in the whole list of ignored lines."""
_CAUSES: Final = {
    "replaced": "replaced in turn {turn}",
    "withdrawn": "withdrawn in turn {turn}",
    "refused": "dropped in turn {turn} because an order was refused",
    "over": "dropped in turn {turn} because the seat has no more decisions",
    "undone": "dropped in turn {turn} by an undo",
}


# Receipts: only for their seats, and the moderator


def receipts_text(receipts: Iterable[SeatReceipt]) -> str:
    """Return ``receipts`` for people, each a block of lines to send to its seat.

    A block has the text received, each order with its result, the pending orders, and the head.
    """
    lines = []
    for receipt in receipts:
        rows = [order_cells(order, is_shared=receipt.shared) for order in receipt.orders]
        widths = column_widths(rows) if rows else ()
        trouble = [printable(receipt.trouble)] if receipt.trouble else []
        below = (*trouble, *(row_text(cells, (*widths[:-1], 0)) for cells in rows), *notes_of(receipt))
        lines += [title_of(receipt), *(GAP + line for line in below)]
    return "\n".join(lines)


def title_of(receipt: SeatReceipt, *, is_own: bool = False) -> str:
    """Return the first line of a receipt: its seat (unless the reader ``is_own``), the text, its time and its hash."""
    about, when = [text_name(receipt.source)], "" if receipt.received is None else time_words(receipt.received)
    if when and not about[0].endswith(when):
        about.append(when)
    if receipt.shared:
        about.append("a text for several seats")
    elif receipt.hash:
        about.append(f"sha256 {receipt.hash[:_SHORT]}")
    return printable(f"{'Received' if is_own else f'{receipt.seat}: received'} {', '.join(about)}")


def order_cells(order: ReceivedOrder, *, is_shared: bool) -> tuple[str, ...]:
    """Return the line of ``order`` (unless the text ``is_shared``), its words, and its fate with the reason."""
    place = () if is_shared else (f"line {order.line}",)
    fate = f"{order.fate.value}: {order.reason}" if order.reason else order.fate.value
    return (*place, printable(order.order), printable(fate))


def notes_of(receipt: SeatReceipt) -> Iterator[str]:
    """Yield the lines of a receipt below its orders: a remark if it has none, the pending orders, and the head."""
    if all(order.fate is Fate.REMARK for order in receipt.orders) and not receipt.trouble:
        yield "no orders found in it"
    if receipt.waits:
        yield f"waiting now: {printable('; '.join(receipt.waits))}"
    if receipt.head is not None:
        yield head_text(receipt.head)


def hash_of(receipt: SeatReceipt) -> tuple[str, str]:
    """Return the name of the text of a receipt and its short hash, which is empty if other seats have orders in it."""
    return text_name(receipt.source), "" if receipt.shared else (receipt.hash or "")[:_SHORT]


def text_name(source: str) -> str:
    """Return the name of a text for its sender: the file name without its folder and its place in a mailbox."""
    return PurePath(_IN_MAILBOX.sub("", source)).name or source


def time_words(seconds: int) -> str:
    """Return the time ``seconds`` after the start of 1970 as text, in UTC."""
    try:
        return f"{datetime.fromtimestamp(seconds, UTC):%Y-%m-%d %H:%M:%S} UTC"
    except (ValueError, OverflowError, OSError):
        return "an impossible time"


# Lines that were not read as orders


def ignored_lines(ignored: Iterable[Ignored]) -> list[str]:
    """Return the ignored lines and why, consecutive lines with the same reason together, up to a maximum."""
    written = []
    numbered = enumerate(ignored)
    for (source, why, _), block in groupby(numbered, lambda item: (item[1].source, item[1].reason, item[1].line - item[0])):
        lines = [line for _, line in block]
        first, last = lines[0].line, lines[-1].line
        numbers = f"line {first}" if first == last else f"lines {first} to {last}"
        place = ", ".join(part for part in (source, numbers if first else "") if part)
        written.append(f"ignored: {place} ({why}){':' if lines[0].text else ''}")
        written += [f"  {line.text.strip()}" for line in lines[:_QUOTED] if line.text]
        if len(lines) > _QUOTED:
            written.append(f"  … and {len(lines) - _QUOTED} more")
    more = len(written) - _MOST
    return written if more <= 0 else [*written[:_MOST], f"… and {more:,} more lines about ignored text"]


# Pending orders


def waiting_text(heading: Heading, orders: WaitingOrders) -> str:
    """Return pending ``orders``, and those that were set aside, under the ``heading`` of their game."""
    waits = [f"  {line}" for line in waiting_lines(heading, orders.waiting)]
    blocks = ["\n".join(head_lines(heading)), "\n".join(["Pending orders", *waits]) if waits else "no pending orders"]
    if orders.set_aside:
        aside = (f"  {line}" for sheet in orders.set_aside for line in _sheet_lines(heading, sheet))
        blocks.append("\n".join(["Orders that were set aside", *aside]))
    return "\n\n".join(blocks)


def waiting_lines(heading: Heading, sheets: Iterable[WaitingSheet]) -> list[str]:
    """Return the lines of ``sheets``: the player and the turn of each sheet, then its numbered orders."""
    return [line for sheet in sheets for line in _sheet_lines(heading, sheet)]


def _sheet_lines(heading: Heading, sheet: WaitingSheet | SheetSetAside) -> Iterator[str]:
    called = heading.called(sheet.seat)
    if isinstance(sheet, WaitingSheet):
        yield printable(f"{called}, since turn {sheet.turn}")
    else:
        cause = _CAUSES[sheet.cause].format(turn=sheet.until)
        yield printable(f"[{sheet.n}] {called}, {cause}{f': {sheet.reason}' if sheet.reason else ''}")
    for number, (order, note) in enumerate(zip_longest(sheet.orders, sheet.notes, fillvalue=""), 1):
        yield printable(f"  {number}. {order}{f' (noted: {note})' if note else ''}")


_WINDOW: Final = 100
"""The default number of columns of a quoted line."""
_LEAST_WINDOW: Final = 20
_TAB: Final = 4
_INDENT: Final = "  "
_CUT: Final = "…"


def problems_text(problems: Iterable[OrderProblem], window: int | None = None) -> str:
    """Return ``problems`` for people, in their order, with an empty line between them; ``window`` as below."""
    return "\n\n".join(problem_text(problem, window) for problem in problems)


def problem_text(problem: OrderProblem, window: int | None = None) -> str:
    """Return one ``problem``: place, code and rule, the line with carets, the message, and suggestions.

    The line, with its seat before it, is cut to the number of columns in ``window``.
    """
    place = [str(number) for number in (problem.line, problem.line and problem.column) if number]
    if problem.source:
        place = [printable(problem.source), *place]
    elif place:
        place[0] = f"line {place[0]}"
    rule = f" ({printable(problem.rule)})" if problem.rule else ""
    below = (*excerpt(problem, window), printable(problem.message), *_suggestions(problem))
    head = f"{':'.join(place)}: " if place else ""
    return "\n".join([f"{head}{printable(problem.code)}{rule}", *(_INDENT + line for line in below)])


def mistakes_text(problems: Iterable[OrderProblem], window: int | None = None) -> str:
    """Return ``problems`` for the player who wrote the orders: each begins with its line and the message."""
    blocks = []
    for problem in problems:
        place = " of ".join(filter(None, (f"line {problem.line}" if problem.line else "", printable(problem.source))))
        rule = f"rule {printable(problem.rule)} " if problem.rule else ""
        below = (*excerpt(replace(problem, seat=""), window), *_suggestions(problem), f"{rule}[{printable(problem.code)}]")
        first = sentence(": ".join(filter(None, (place, printable(problem.message)))))
        blocks.append("\n".join([first, *(_INDENT + line for line in below)]))
    return "\n\n".join(blocks)


def _suggestions(problem: OrderProblem) -> list[str]:
    """Return the suggestions: whole orders each on a line, single words side by side."""
    shown = [printable(suggestion) for suggestion in problem.suggestions]
    if any(" " in words for words in shown):
        return [("try: " if at == 0 else "     ") + words for at, words in enumerate(shown)]
    return [f"try: {', '.join(shown)}"] if shown else []


def excerpt(problem: OrderProblem, window: int | None = None) -> list[str]:
    """Return the faulty line and, if the place is known, a line of carets under it.

    The line has spaces for tabs and visible signs for invisible characters, and its seat before it unless it begins with
    it. A long line is cut around the fault to ``window`` columns.
    """
    body, seat = problem.text.strip(" \t\r\n"), problem.seat.casefold()
    pieces, used = list[str](), 0
    if body.isascii() and body.isprintable():
        pieces = [*body]  # most lines, and a hundred long ones take long otherwise
    else:
        for character, piece in zip(body, visible_characters(body), strict=True):
            pieces.append(" " * (_TAB - used % _TAB) if character == "\t" else piece)
            used += display_width(pieces[-1])
    text = "".join(pieces)
    if not text.strip():
        return [f"{printable(problem.seat)}:"] if seat else []
    has_prefix = seat and not re.match(rf"{re.escape(seat)}\b", problem.text.strip().casefold())
    prefix = f"{printable(problem.seat)}: " if has_prefix else ""
    start = min(max(problem.column - 1 - problem.text.index(body), 0), len(pieces))
    end = min(max(start + problem.width, start), len(pieces))
    while 0 < start < len(pieces) and display_width(pieces[start]) == 0:  # the caret for a mark goes under its letter
        start -= 1
    left = display_width("".join(pieces[:start]))
    right = max(display_width("".join(pieces[:end])), left + 1)
    room = _WINDOW if window is None else max(window - display_width(prefix), _LEAST_WINDOW)
    whole = display_width(text)
    if whole > room:  # an ellipsis replaces one column at each cut end
        first = max(0, min(left - room // 3, whole - room))
        before, after = first > 0, first + room < whole
        text = _CUT * before + columns(text, first + before, first + room - after, " ") + _CUT * after
        left, right = left - first, max(min(right - first, room - after), left - first + 1)
    return [prefix + text, *([" " * (display_width(prefix) + left) + "^" * (right - left)] if problem.column >= 1 else [])]


def sentence(words: str) -> str:
    """Return ``words`` with a capital at the beginning."""
    return f"{words[:1].upper()}{words[1:]}"


def order_problem(diagnostic: Diagnostic) -> OrderProblem:
    """Return ``diagnostic`` for machines; the order itself is in ``text`` alone, which ends soon after the fault."""
    problem, text = diagnostic.problem, quoted(diagnostic.text, max(0, diagnostic.column - 1))
    return OrderProblem(
        code=problem.code,
        message=problem.message,
        rule=problem.rule,
        seat=diagnostic.seat,
        source=diagnostic.source,
        line=diagnostic.line,
        column=diagnostic.column,
        width=min(diagnostic.width, max(1, len(text) - diagnostic.column + 1)),
        suggestions=problem.suggestions,
        text=text,
    )

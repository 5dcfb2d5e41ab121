"""Write receipts: the text that a seat has sent, the orders in it, and the result of each; only for that seat."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from pathlib import PurePath
from typing import Final

from adjudicator.core.values import replace
from adjudicator.reports.heading import head_text
from adjudicator.reports.sanitize import printable
from adjudicator.reports.table import GAP, column_widths, row_text
from adjudicator.results import Fate, ReceivedOrder, SeatReceipt

_SHORT: Final = 16
"""The number of digits of a hash for people: enough to distinguish two mails."""
_IN_MAILBOX: Final = re.compile(r", mail \d+$")


def receipts_text(receipts: Iterable[SeatReceipt]) -> str:
    """Return ``receipts`` for people, each a block of lines to send to its seat."""
    return "\n".join(map(receipt_text, receipts))


def own_receipt_text(receipt: SeatReceipt) -> str:
    """Return one receipt for a report to its seat, which lists hashes and pending orders in other places."""
    return _without_seat(receipt, receipt_text(own_receipt(receipt)))


def own_receipt(receipt: SeatReceipt) -> SeatReceipt:
    """Return the parts of ``receipt`` that a report to its seat shows."""
    return replace(receipt, hash=None, waits=(), head=None)


def own_title_of(receipt: SeatReceipt) -> str:
    """Return the first line of a receipt for a report to its seat."""
    return _without_seat(receipt, title_of(own_receipt(receipt)))


def _without_seat(receipt: SeatReceipt, text: str) -> str:
    return f"Received{text.removeprefix(f'{printable(receipt.seat)}: received')}"


def hash_of(receipt: SeatReceipt) -> tuple[str, str]:
    """Return the name of the text of a receipt and its short hash, which is empty if other seats have orders in it."""
    return text_name(receipt.source), "" if receipt.shared else (receipt.hash or "")[:_SHORT]


def receipt_text(receipt: SeatReceipt) -> str:
    """Return one receipt: the text received, each order with its result, the pending orders, and the head."""
    rows = [order_cells(order, is_shared=receipt.shared) for order in receipt.orders]
    widths = column_widths(rows) if rows else ()
    orders = [row_text(cells, (*widths[:-1], 0)) for cells in rows]
    first = [printable(receipt.trouble)] if receipt.trouble else []
    lines = (*first, *orders, *notes_of(receipt))
    return "\n".join([title_of(receipt), *(GAP + line for line in lines)])


def title_of(receipt: SeatReceipt) -> str:
    """Return the first line of a receipt: its seat, and the name, the time and the hash of the text."""
    return f"{printable(receipt.seat)}: received {', '.join(map(printable, _about(receipt)))}"


def notes_of(receipt: SeatReceipt) -> Iterator[str]:
    """Yield the lines of a receipt below its orders: that there are none, the pending orders, and the head."""
    if all(order.fate is Fate.REMARK for order in receipt.orders) and not receipt.trouble:
        yield "no orders found in it"
    if receipt.waits:
        yield f"waiting now: {printable('; '.join(receipt.waits))}"
    if receipt.head is not None:
        yield head_text(receipt.head)


def text_name(source: str) -> str:
    """Return the name of a text for its sender: the file name without its folder and its place in a mailbox."""
    return PurePath(_IN_MAILBOX.sub("", source)).name or source


def time_words(seconds: int) -> str:
    """Return the time ``seconds`` after the start of 1970 as text, in UTC."""
    try:
        return f"{datetime.fromtimestamp(seconds, UTC):%Y-%m-%d %H:%M:%S} UTC"
    except (ValueError, OverflowError, OSError):
        return "an impossible time"


def _about(receipt: SeatReceipt) -> Iterator[str]:
    name = text_name(receipt.source)
    yield name
    if receipt.received is not None and not name.endswith(when := time_words(receipt.received)):
        yield when
    if receipt.shared:
        yield "a text for several seats"
    elif receipt.hash:
        yield f"sha256 {receipt.hash[:_SHORT]}"


def order_cells(order: ReceivedOrder, *, is_shared: bool) -> tuple[str, ...]:
    """Return the line of ``order`` (unless the text ``is_shared``), its words, and its fate with the reason."""
    place = () if is_shared else (f"line {order.line}",)
    fate = f"{order.fate.value}: {order.reason}" if order.reason else order.fate.value
    return (*place, printable(order.order), printable(fate))

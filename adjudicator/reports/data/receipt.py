"""Write receipts: the text that a seat has sent, the orders in it, and the result of each; only for that seat."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import PurePath
from typing import Final

from adjudicator.outputs.orders import Fate, ReceivedOrder, SeatReceipt
from adjudicator.reports.data.heading import head_text
from adjudicator.reports.text.sanitize import printable
from adjudicator.reports.text.table import GAP, column_widths, row_text

_SHORT: Final = 16
"""The number of digits of a hash for people: enough to distinguish two mails."""
_IN_MAILBOX: Final = re.compile(r", mail \d+$")


def receipts_text(receipts: Iterable[SeatReceipt]) -> str:
    """Return ``receipts`` for people, each a block of lines to send to its seat."""
    return "\n".join(map(receipt_text, receipts))


def own_receipt_text(receipt: SeatReceipt) -> str:
    """Return one receipt for a report to its seat, which lists hashes and pending orders in other places."""
    text = receipt_text(replace(receipt, hash=None, waits=(), head=None))
    return f"Received{text.removeprefix(f'{printable(receipt.seat)}: received')}"


def hash_of(receipt: SeatReceipt) -> tuple[str, str]:
    """Return the name of the text of a receipt and its short hash, which is empty if other seats have orders in it."""
    return text_name(receipt.source), "" if receipt.shared else (receipt.hash or "")[:_SHORT]


def receipt_text(receipt: SeatReceipt) -> str:
    """Return one receipt: the text received, each order with its result, the pending orders, and the head."""
    lines = [f"{printable(receipt.seat)}: received {', '.join(map(printable, _about(receipt)))}"]
    if receipt.trouble:
        lines.append(f"{GAP}{printable(receipt.trouble)}")
    rows = [_cells(order, is_shared=receipt.shared) for order in receipt.orders]
    widths = column_widths(rows) if rows else ()
    lines.extend(GAP + row_text(cells, (*widths[:-1], 0)) for cells in rows)
    if all(order.fate is Fate.REMARK for order in receipt.orders) and not receipt.trouble:
        lines.append(f"{GAP}no orders found in it")
    if receipt.waits:
        lines.append(f"{GAP}waiting now: {printable('; '.join(receipt.waits))}")
    if receipt.head is not None:
        lines.append(GAP + head_text(receipt.head))
    return "\n".join(lines)


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


def _cells(order: ReceivedOrder, *, is_shared: bool) -> tuple[str, ...]:
    place = () if is_shared else (f"line {order.line}",)
    fate = f"{order.fate.value}: {order.reason}" if order.reason else order.fate.value
    return (*place, printable(order.order), printable(fate))

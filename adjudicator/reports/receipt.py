"""Write receipts: the text that a seat has sent, the orders in it, and the result of each; only for that seat."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import PurePath
from typing import Final

from adjudicator.core.frozen import frozen
from adjudicator.core.head import Head
from adjudicator.core.ids import Seat
from adjudicator.outputs.orders import Fate, ReceivedOrder, SeatReceipt
from adjudicator.reports.heading import head_text
from adjudicator.reports.sanitize import printable
from adjudicator.reports.table import GAP, column_widths, row_text

_SHORT: Final = 16
"""The number of digits of a hash for people: enough to distinguish two mails."""
_IN_MAILBOX: Final = re.compile(r", mail \d+$")


@frozen
class OrderRead:
    """One order in a receipt: its ``line`` in the text, the order in canonical form, its ``fate``, and the reason if any.

    Unreadable lines (refused) and remarks (not understood) are verbatim.
    """

    line: int
    order: str
    fate: Fate
    why: str = ""


@frozen(kw_only=True)
class Received:
    """The orders of ``seat`` in the text called ``source`` for ``turn``, which was adjudication ``count``.

    ``hash`` is the SHA-256 of the text (empty: unknown), ``received`` the time when the mail server received it, in seconds
    since 1970. If the text ``is_shared``, other seats have or may have orders in it; line numbers and its hash would reveal
    them. ``is_taken`` says that the text was for this game and turn. ``trouble`` says why the whole text does not count,
    ``waits`` are the pending orders of the seat, ``head`` proves the journal afterwards, if the game was saved. Recorded
    outcomes are omitted, because they may be the draws of others.
    """

    seat: Seat
    source: str
    turn: int
    count: int
    hash: str = ""
    received: int | None = None
    is_shared: bool = False
    is_taken: bool = True
    orders: tuple[OrderRead, ...] = ()
    trouble: str = ""
    waits: tuple[str, ...] = ()
    head: Head | None = None


def receipts_text(receipts: Iterable[Received]) -> str:
    """Return ``receipts`` for people, each a block of lines to send to its seat."""
    return "\n".join(map(receipt_text, receipts))


def own_receipt_text(receipt: Received) -> str:
    """Return one receipt for a report to its seat, which lists hashes and pending orders in other places."""
    text = receipt_text(replace(receipt, hash="", waits=(), head=None))
    return f"Received{text.removeprefix(f'{printable(receipt.seat)}: received')}"


def hash_of(receipt: Received) -> tuple[str, str]:
    """Return the name of the text of a receipt and its short hash, which is empty if other seats have orders in it."""
    return text_name(receipt.source), "" if receipt.is_shared else receipt.hash[:_SHORT]


def receipt_text(receipt: Received) -> str:
    """Return one receipt: the text received, each order with its result, the pending orders, and the head."""
    lines = [f"{printable(receipt.seat)}: received {', '.join(map(printable, _about(receipt)))}"]
    if receipt.trouble:
        lines.append(f"{GAP}{printable(receipt.trouble)}")
    rows = [_cells(order, is_shared=receipt.is_shared) for order in receipt.orders]
    widths = column_widths(rows) if rows else ()
    lines.extend(GAP + row_text((*cells[:-1], cells[-1]), (*widths[:-1], 0)) for cells in rows)
    if all(order.fate is Fate.REMARK for order in receipt.orders) and not receipt.trouble:
        lines.append(f"{GAP}no orders found in it")
    if receipt.waits:
        lines.append(f"{GAP}waiting now: {printable('; '.join(receipt.waits))}")
    if receipt.head is not None:
        lines.append(GAP + head_text(receipt.head))
    return "\n".join(lines)


def seat_receipt(receipt: Received) -> SeatReceipt:
    """Return ``receipt`` for machines, the hash in full."""
    return SeatReceipt(
        seat=receipt.seat,
        turn=receipt.turn,
        source=receipt.source,
        hash=receipt.hash or None,
        received=receipt.received,
        shared=receipt.is_shared,
        taken=receipt.is_taken,
        orders=tuple(
            ReceivedOrder(line=order.line, order=order.order, fate=order.fate, reason=order.why) for order in receipt.orders
        ),
        trouble=receipt.trouble,
        waits=receipt.waits,
        head=receipt.head,
    )


def received(receipt: SeatReceipt) -> Received:
    """Return the receipt that ``seat_receipt`` has made for machines; its ``count`` is the turn."""
    return Received(
        seat=receipt.seat,
        source=receipt.source,
        turn=receipt.turn,
        count=receipt.turn,
        hash=receipt.hash or "",
        received=receipt.received,
        is_shared=receipt.shared,
        is_taken=receipt.taken,
        orders=tuple(OrderRead(order.line, order.order, order.fate, order.reason) for order in receipt.orders),
        trouble=receipt.trouble,
        waits=receipt.waits,
        head=receipt.head,
    )


def text_name(source: str) -> str:
    """Return the name of a text for its sender: the file name without its folder and its place in a mailbox."""
    return PurePath(_IN_MAILBOX.sub("", source)).name or source


def time_words(seconds: int) -> str:
    """Return the time ``seconds`` after the start of 1970 as text, in UTC."""
    try:
        return f"{datetime.fromtimestamp(seconds, UTC):%Y-%m-%d %H:%M:%S} UTC"
    except (ValueError, OverflowError, OSError):
        return "an impossible time"


def _about(receipt: Received) -> Iterator[str]:
    name = text_name(receipt.source)
    yield name
    if receipt.received is not None and not name.endswith(when := time_words(receipt.received)):
        yield when
    if receipt.is_shared:
        yield "a text for several seats"
    elif receipt.hash:
        yield f"sha256 {receipt.hash[:_SHORT]}"


def _cells(order: OrderRead, *, is_shared: bool) -> tuple[str, ...]:
    place = () if is_shared else (f"line {order.line}",)
    fate = f"{order.fate.value}: {order.why}" if order.why else order.fate.value
    return (*place, printable(order.order), printable(fate))

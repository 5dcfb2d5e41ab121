"""What waits in a game, and what was set aside: what ``pending`` prints, for people and for machines."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Final

from adjudicator.core.frozen import frozen
from adjudicator.core.ids import Seat
from adjudicator.reports.heading import Heading, heading_data, heading_lines
from adjudicator.reports.sanitize import printable

_CAUSES: Final = {
    "replaced": "replaced",
    "withdrawn": "withdrawn",
    "refused": "dropped, since an order was refused",
    "over": "dropped, since the seat is not asked any more",
    "undone": "dropped by an undo",
}


@frozen
class WaitingSheet:
    """Orders of ``seat`` in canonical words that came in adjudication ``turn``.

    ``number``, ``until``, ``why`` and ``reason`` are for orders that were set aside: their number in the record from 1, in
    which adjudication that was, why, and the moderator's words.
    """

    seat: Seat
    turn: int
    orders: tuple[str, ...]
    number: int = 0
    until: int = 0
    why: str = ""
    reason: str = ""


@frozen
class Waiting:
    """What the viewer in ``heading`` may know of orders that are ``pending`` and of those ``set_aside``."""

    heading: Heading
    pending: tuple[WaitingSheet, ...]
    set_aside: tuple[WaitingSheet, ...]


def waiting_text(waiting: Waiting) -> str:
    """Return ``waiting`` for people."""
    blocks = ["\n".join(heading_lines(waiting.heading))]
    blocks.append(_block("Orders that wait", waiting.pending) or "no orders wait")
    blocks.append(_block("Orders that were set aside", waiting.set_aside))
    return "\n\n".join(block for block in blocks if block)


def waiting_data(waiting: Waiting) -> dict[str, Any]:
    """Return ``waiting`` as plain values."""
    return {
        **heading_data(waiting.heading),
        "pending": [_sheet_data(sheet) for sheet in waiting.pending],
        "set_aside": [
            {"n": sheet.number, **_sheet_data(sheet), "until": sheet.until, "why": sheet.why, "reason": sheet.reason}
            for sheet in waiting.set_aside
        ],
    }


def _sheet_data(sheet: WaitingSheet) -> dict[str, Any]:
    return {"seat": sheet.seat, "turn": sheet.turn, "orders": list(sheet.orders)}


def _block(title: str, sheets: Iterable[WaitingSheet]) -> str:
    lines = [line for sheet in sheets for line in _lines(sheet)]
    return "\n".join([title, *(f"  {line}" for line in lines)]) if lines else ""


def _lines(sheet: WaitingSheet) -> Iterator[str]:
    if sheet.number:
        words = f": {sheet.reason}" if sheet.reason else ""
        yield printable(f"[{sheet.number}] {sheet.seat}, {_CAUSES[sheet.why]} in turn {sheet.until}{words}")
    else:
        yield printable(f"{sheet.seat}, since turn {sheet.turn}")
    yield from (printable(f"  {number}. {order}") for number, order in enumerate(sheet.orders, 1))

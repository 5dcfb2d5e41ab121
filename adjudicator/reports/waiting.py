"""List pending orders and orders that were set aside, as text: what ``pending`` prints."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from adjudicator.reports.heading import Heading, head_lines
from adjudicator.reports.sanitize import printable
from adjudicator.results import SheetSetAside, WaitingOrders, WaitingSheet

_CAUSES: Final = {
    "replaced": "replaced in turn {turn}",
    "withdrawn": "withdrawn in turn {turn}",
    "refused": "dropped in turn {turn} because an order was refused",
    "over": "dropped in turn {turn} because the seat has no more decisions",
    "undone": "dropped in turn {turn} by an undo",
}


def waiting_text(heading: Heading, orders: WaitingOrders) -> str:
    """Return ``orders`` for people, under the ``heading`` of their game."""
    blocks = ["\n".join(head_lines(heading))]
    waits = list(waiting_lines(heading, orders.waiting))
    blocks.append("\n".join(["Pending orders", *waits]) if waits else "no pending orders")
    aside = [line for sheet in orders.set_aside for line in _aside_lines(heading, sheet)]
    if aside:
        blocks.append("\n".join(["Orders that were set aside", *aside]))
    return "\n\n".join(blocks)


def waiting_lines(heading: Heading, sheets: Iterable[WaitingSheet]) -> Iterator[str]:
    """Yield the lines of ``sheets``: the player and the turn of each sheet, then its numbered orders."""
    for sheet in sheets:
        yield printable(f"  {heading.called(sheet.seat)}, since turn {sheet.turn}")
        yield from _orders(sheet.orders)


def _aside_lines(heading: Heading, sheet: SheetSetAside) -> Iterator[str]:
    words = f": {sheet.reason}" if sheet.reason else ""
    cause = _CAUSES[sheet.cause].format(turn=sheet.until)
    yield printable(f"  [{sheet.n}] {heading.called(sheet.seat)}, {cause}{words}")
    yield from _orders(sheet.orders)


def _orders(orders: tuple[str, ...]) -> Iterator[str]:
    yield from (printable(f"    {number}. {order}") for number, order in enumerate(orders, 1))

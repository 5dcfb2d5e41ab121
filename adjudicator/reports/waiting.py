"""What waits in a game, and what was set aside: what ``pending`` prints, for people and for machines."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from adjudicator.core.frozen import frozen
from adjudicator.outputs.positions import SheetSetAside, WaitingOrders, WaitingSheet
from adjudicator.reports.heading import Heading, head_lines
from adjudicator.reports.sanitize import printable

_CAUSES: Final = {
    "replaced": "replaced",
    "withdrawn": "withdrawn",
    "refused": "dropped, since an order was refused,",
    "over": "dropped, since the seat is asked no more,",
    "undone": "dropped by an undo",
}


@frozen
class Waiting:
    """What the viewer in ``heading`` may know of orders that are ``pending`` and of those ``set_aside``."""

    heading: Heading
    pending: tuple[WaitingSheet, ...]
    set_aside: tuple[SheetSetAside, ...]


def waiting_text(waiting: Waiting) -> str:
    """Return ``waiting`` for people."""
    blocks = ["\n".join(head_lines(waiting.heading))]
    waits = list(waiting_lines(waiting.heading, waiting.pending))
    blocks.append("\n".join(["Orders that wait", *waits]) if waits else "no orders wait")
    aside = [line for sheet in waiting.set_aside for line in _aside_lines(waiting.heading, sheet)]
    if aside:
        blocks.append("\n".join(["Orders that were set aside", *aside]))
    return "\n\n".join(blocks)


def waiting_orders(waiting: Waiting) -> WaitingOrders:
    """Return ``waiting`` for machines."""
    heading = waiting.heading
    return WaitingOrders(
        game=heading.game,
        turn=heading.turn,
        viewer=heading.viewer,
        waiting=waiting.pending,
        set_aside=waiting.set_aside,
        head=heading.head,
    )


def waiting_lines(heading: Heading, sheets: Iterable[WaitingSheet]) -> Iterator[str]:
    """Yield for each of ``sheets`` whose it is and since when it waits, and its orders by number."""
    for sheet in sheets:
        yield printable(f"  {heading.called(sheet.seat)}, since turn {sheet.turn}")
        yield from _orders(sheet.orders)


def _aside_lines(heading: Heading, sheet: SheetSetAside) -> Iterator[str]:
    words = f": {sheet.reason}" if sheet.reason else ""
    yield printable(f"  [{sheet.n}] {heading.called(sheet.seat)}, {_CAUSES[sheet.cause]} in turn {sheet.until}{words}")
    yield from _orders(sheet.orders)


def _orders(orders: tuple[str, ...]) -> Iterator[str]:
    yield from (printable(f"    {number}. {order}") for number, order in enumerate(orders, 1))

"""Orders that wait: how they are taken away, always into the record, and how they are brought back from there."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from adjudicator.core.corrections import CorrectionError
from adjudicator.core.game import Game, PendingOrder, PendingSheet, SetAside
from adjudicator.core.ids import Seat
from adjudicator.core.order import Cause


def waiting_of(game: Game, seat: str) -> PendingSheet | None:
    """Return what waits of ``seat``, ``None`` if nothing does."""
    return next((sheet for sheet in game.pending if sheet.seat == seat), None)


def withdrawn(game: Game, seat: str, cause: Cause, reason: str = "", first: int = 1) -> Game:
    """Return ``game`` without the waiting orders of ``seat`` from its ``first`` on (from 1), which go into the record.

    ``reason`` is the moderator's, empty where it was the player. Raises ``CorrectionError`` if no such order waits.
    """
    sheet = waiting_of(game, seat)
    count = 0 if sheet is None else len(sheet.orders)
    if sheet is None or not 1 <= first <= count:
        waits = "nothing" if not count else "only 1 order" if count == 1 else f"only {count} orders"
        raise CorrectionError(f"{waits} of {seat} waits" if count < 2 else f"{waits} of {seat} wait")
    stays = () if first == 1 else (replace(sheet, orders=sheet.orders[: first - 1]),)
    gone = replace(sheet, orders=sheet.orders[first - 1 :], is_begun=sheet.is_begun and first == 1)
    pending = tuple(left for other in game.pending for left in (stays if other is sheet else (other,)))
    return replace(game, pending=pending, set_aside=(*game.set_aside, SetAside(game.turn, cause, gone, reason)))


def brought_back(game: Game, number: int) -> Game:
    """Return ``game`` with the orders that have the ``number`` (from 1) in the record waiting again.

    They stay in the record, too; what waits of their seat goes there. Raises ``CorrectionError``.
    """
    if not 1 <= number <= len(game.set_aside):
        there = f"it has 1 to {len(game.set_aside)}" if game.set_aside else "it is empty"
        raise CorrectionError(f"there are no orders {number} in the record of orders that were set aside: {there}")
    sheet = game.set_aside[number - 1].sheet
    present = waiting_of(game, sheet.seat)
    if present is not None and words_of(present.orders) == words_of(sheet.orders):
        raise CorrectionError(f"these orders of {sheet.seat} wait already")
    if present is not None:
        game = withdrawn(game, sheet.seat, "replaced", f"the orders {number} of the record were brought back")
    return replace(game, pending=(*game.pending, sheet))


def words_of(orders: Iterable[PendingOrder]) -> tuple[str, ...]:
    """Return what ``orders`` say."""
    return tuple(order.order for order in orders)


def all_withdrawn(game: Game, cause: Cause, reason: str = "") -> Game:
    """Return ``game`` with nothing waiting: all of it goes into the record."""
    for sheet in game.pending:
        game = withdrawn(game, Seat(sheet.seat), cause, reason)
    return game

"""Set pending orders aside, always with a record, and bring them back from there."""

from __future__ import annotations

from collections.abc import Iterable

from adjudicator.core.corrections import CorrectionError
from adjudicator.core.game import Game, PendingOrder, PendingSheet, SetAside
from adjudicator.core.order import Cause
from adjudicator.core.phrases import count
from adjudicator.core.values import Seat, replace


def waiting_of(game: Game, seat: str) -> PendingSheet | None:
    """Return the pending orders of ``seat``, or ``None``."""
    return next((sheet for sheet in game.pending if sheet.seat == seat), None)


def withdraw(game: Game, seat: str, cause: Cause, reason: str = "", first: int = 1) -> Game:
    """Return ``game`` without the pending orders of ``seat`` from its ``first`` on (from 1), which go into the record.

    ``reason`` is the moderator's, empty if the player withdrew them. Raises ``CorrectionError`` if there is no such order.
    """
    sheet = waiting_of(game, seat)
    waiting = 0 if sheet is None else len(sheet.orders)
    if sheet is None or not 1 <= first <= waiting:
        number = f"only {count(waiting, 'pending order')}" if waiting else "no pending orders"
        raise CorrectionError(f"{seat} has {number}")
    stays = () if first == 1 else (replace(sheet, orders=sheet.orders[: first - 1]),)
    gone = replace(sheet, orders=sheet.orders[first - 1 :], is_begun=sheet.is_begun and first == 1)
    pending = tuple(left for other in game.pending for left in (stays if other is sheet else (other,)))
    return replace(game, pending=pending, set_aside=(*game.set_aside, SetAside(game.turn, cause, gone, reason)))


def bring_back(game: Game, number: int) -> Game:
    """Return ``game`` with the orders of ``number`` (from 1) in the record pending again.

    They stay in the record, too; the seat's present pending orders go there. Raises ``CorrectionError``.
    """
    if not 1 <= number <= len(game.set_aside):
        there = f"it has 1 to {len(game.set_aside)}" if game.set_aside else "it is empty"
        raise CorrectionError(f"the record of orders that were set aside has no number {number}: {there}")
    sheet = game.set_aside[number - 1].sheet
    present = waiting_of(game, sheet.seat)
    if present is not None and words_of(present.orders) == words_of(sheet.orders):
        raise CorrectionError(f"these orders of {sheet.seat} are already pending")
    if present is not None:
        game = withdraw(game, sheet.seat, "replaced", f"number {number} of the record was brought back")
    return replace(game, pending=(*game.pending, sheet))


def words_of(orders: Iterable[PendingOrder]) -> tuple[str, ...]:
    """Return the texts of ``orders``."""
    return tuple(order.order for order in orders)


def withdraw_undone(game: Game, reason: str) -> Game:
    """Return ``game`` without pending orders: all of them go into the record, because the turns before them are undone."""
    for sheet in game.pending:
        game = withdraw(game, Seat(sheet.seat), "undone", reason)
    return game

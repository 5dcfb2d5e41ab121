"""Find missing orders and usable mails, and decide for a seat that has missed the deadline (NMR)."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final

import adjudicator as adj
from adjudicator.club.deadlines import Deadlines, Nmr
from adjudicator.club.folder import ClubFolder
from adjudicator.club.holidays import away_until
from adjudicator.club.ledger import Ledger, StoredMail
from adjudicator.club.pending import Relevance, flawed_seats, newest_mails, pending_orders, relevance_of
from adjudicator.core.values import Seat, Value, replace
from adjudicator.library.seat_records import SIMULATED
from adjudicator.simulate.bots import choose_order

_MOST: Final = 100
"""The most orders that the club gives for a seat at once: some games ask a seat again and again."""
_PASS: Final = "PASS"


class Missing(Value, kw_only=True):
    """The ``seats`` whose orders are missing, and those whose player is ``away`` on holiday, until ``back``."""

    seats: tuple[Seat, ...]
    away: tuple[Seat, ...]
    back: int = 0


def missing_seats(
    club: ClubFolder, ledger: Ledger, game: adj.Game, mails: Sequence[StoredMail], now: int, *, is_late: bool = False
) -> Missing:
    """Return the awaited seats without orders: a seat whose newest mail has a mistake counts as one of them.

    A seat that has taken back all its orders is missing, too. If it ``is_late``, a mail with a mistake counts as well.
    ``mails`` are in the order in which they came.
    """
    newest, gone = newest_mails(game, mails), dropped_seats(game)
    sent = {seat for seat, mail in newest.items() if (is_late if mail.is_flawed else _has_orders(game, seat, mails))}
    missing = [seat for seat in game.due_seats if seat not in sent and seat not in gone]
    missing = [seat for seat in missing if seat in newest or not _has_pending(game, seat)]
    away = {seat: until for seat in missing if (until := away_until(club, ledger, game.id, seat, now))}
    return Missing(
        seats=tuple(seat for seat in missing if seat not in away), away=tuple(away), back=max(away.values(), default=0)
    )


def _has_orders(game: adj.Game, seat: str, mails: Sequence[StoredMail]) -> bool:
    """Return whether any order of ``seat`` is left, in its ``mails`` or in the game: WITHDRAW may have taken back all."""
    counts = pending_orders(game, Seat(seat), [mail for mail in mails if mail.seat == seat])
    return bool(counts.orders) or counts.is_answered


def _has_pending(game: adj.Game, seat: Seat) -> bool:
    """Return whether pending orders of ``seat`` answer what it is asked now."""
    return seat in game.pending_counts and not game.seen_by(seat).is_asked_between


def held_seats(game: adj.Game, mails: Sequence[StoredMail], *, is_late: bool = False) -> frozenset[Seat]:
    """Return the seats of which no orders count now, neither in ``mails`` nor pending: their newest mail has a mistake.

    If it ``is_late``, awaited seats are not among them: the deadline is over, and their orders without a mistake count.
    """
    flawed = flawed_seats(game, mails) - (set(game.due_seats) if is_late else set())
    return frozenset(map(Seat, flawed))


def usable_mails(game: adj.Game, mails: Sequence[StoredMail], held: Collection[Seat]) -> list[StoredMail]:
    """Return the ``mails`` to adjudicate now: none of ``held`` seats, and none for a later turn."""
    own = (mail for mail in mails if mail.seat not in held)
    return [mail for mail in own if not (mail.is_flawed and relevance_of(game, mail) is Relevance.LATER)]


def dropped_seats(game: adj.Game) -> frozenset[Seat]:
    """Return the seats for which a simulated player decides."""
    return frozenset(seat for seat, holder in game.players.items() if holder == SIMULATED)


def decide_for(
    game: adj.Game, seat: Seat, rule: Deadlines, due: str, held: Collection[Seat]
) -> tuple[adj.Game, tuple[adj.Submission, ...]]:
    """Return the game after a note that ``seat`` has missed the deadline ``due`` (a time as text), and its orders.

    A single order is returned, to be adjudicated with those of the others; several are in the game already. Pending orders
    of ``held`` seats stay pending.
    """
    count = game.missed_deadlines(seat) + 1
    is_dropped = rule.nmr is Nmr.DROP or bool(rule.drop_after and count >= rule.drop_after)
    policy = Nmr.DROP if is_dropped else rule.nmr
    game = game.miss_deadline(seat, due, policy)
    if is_dropped:
        game = game.hand_over(seat, SIMULATED, f"deadlines missed: {count}")
    return order_for(game, seat, policy, held)


def order_for(
    game: adj.Game, seat: Seat, policy: Nmr, held: Collection[Seat]
) -> tuple[adj.Game, tuple[adj.Submission, ...]]:
    """Return the game and the orders that ``policy`` gives for ``seat`` until it is no longer asked, as ``decide_for``."""
    before, orders = game, list[adj.Submission]()
    for _ in range(_MOST):
        if seat not in game.due_seats:
            break
        (text,) = adj.read_orders(_order(game, seat, policy), name=f"decided for {seat}", seat=seat)
        orders.append(replace(text, hash=""))  # it gets no receipt
        done = game.apply(orders[-1:], held_seats=held)
        if not done.accepted:
            break
        game = done.game
    return (before, tuple(orders)) if len(orders) == 1 else (game, ())


def _order(game: adj.Game, seat: Seat, policy: Nmr) -> str:
    if policy is not Nmr.DEFAULT:
        return choose_order(game, seat, seed=None)  # a repeated run decides the same
    rows = game.seen_by(seat).legal
    passing = (row for row in rows if row.order.split()[0] == _PASS)
    return next(passing, min(rows, key=lambda row: (row.min or 0, row.order))).order

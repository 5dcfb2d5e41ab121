"""Find missing orders and usable mails, and decide for a seat that has missed the deadline (NMR)."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from random import Random
from typing import Any, Final

from adjudicator.club.folder import ClubFolder
from adjudicator.club.ledger import Ledger, StoredMail
from adjudicator.club.limits import DAY
from adjudicator.club.pending import Relevance, awaited_seats, flawed_seats, newest_mails, pending_orders, relevance_of
from adjudicator.club.settings import Deadlines, Nmr
from adjudicator.core.corrections import MissedDeadline, MissedPolicy
from adjudicator.core.event import total
from adjudicator.core.frozen import frozen
from adjudicator.core.ids import Seat
from adjudicator.core.waiting import waiting_of
from adjudicator.corrections.correct import hand_over, miss_deadline
from adjudicator.moderate.adjudicate import adjudicate_files
from adjudicator.moderate.replacing import is_asked_between
from adjudicator.orders.submission import Submission
from adjudicator.session import Session
from adjudicator.simulate.players import choose_greedily

_MOST: Final = 100
"""The most orders that the club gives for a seat at once: some games ask a seat again and again."""
_PASS: Final = "PASS"
DROPPED: Final = "a simulated player"
"""The player of a seat that the club has given up."""


@frozen(kw_only=True)
class Missing:
    """The ``seats`` whose orders are missing, and those whose player is ``away`` on holiday, until ``back``."""

    seats: tuple[Seat, ...]
    away: tuple[Seat, ...]
    back: int = 0


def missing_seats(
    club: ClubFolder, ledger: Ledger, session: Session, mails: Sequence[StoredMail], now: int, *, is_late: bool = False
) -> Missing:
    """Return the awaited seats without orders: a seat whose newest mail has a mistake counts as one of them.

    A seat that has taken back all its orders is missing, too. If it ``is_late``, a mail with a mistake counts as well.
    ``mails`` are in the order in which they came.
    """
    newest, gone = newest_mails(session, mails), dropped_seats(session)
    sent = {seat for seat, mail in newest.items() if (is_late if mail.is_flawed else _has_orders(session, seat, mails))}
    missing = [seat for seat in awaited_seats(session) if seat not in sent and seat not in gone]
    missing = [seat for seat in missing if seat in newest or not _has_pending(session, seat)]
    longest = (club.settings.limits.holiday_days + 1) * DAY
    away = {seat: until for seat in missing if (until := ledger.away_until(session.game.id, seat, now, longest))}
    return Missing(
        seats=tuple(seat for seat in missing if seat not in away), away=tuple(away), back=max(away.values(), default=0)
    )


def _has_orders(session: Session, seat: str, mails: Sequence[StoredMail]) -> bool:
    """Return whether any order of ``seat`` is left, in its ``mails`` or in the game: WITHDRAW may have taken back all."""
    counts = pending_orders(session, Seat(seat), [mail for mail in mails if mail.seat == seat])
    return bool(counts.orders) or counts.is_answered


def _has_pending(session: Session, seat: Seat) -> bool:
    """Return whether pending orders of ``seat`` answer what it is asked now."""
    return waiting_of(session.game, seat) is not None and not is_asked_between(session, seat)


def held_seats(session: Session, mails: Sequence[StoredMail], *, is_late: bool = False) -> frozenset[Seat]:
    """Return the seats of which no orders count now, neither in ``mails`` nor pending: their newest mail has a mistake.

    If it ``is_late``, awaited seats are not among them: the deadline is over, and their orders without a mistake count.
    """
    flawed = flawed_seats(session, mails) - (set(awaited_seats(session)) if is_late else set())
    return frozenset(map(Seat, flawed))


def usable_mails(session: Session, mails: Sequence[StoredMail], held: Collection[Seat]) -> list[StoredMail]:
    """Return the ``mails`` to adjudicate now: none of ``held`` seats, and none for a later turn."""
    own = (mail for mail in mails if mail.seat not in held)
    return [mail for mail in own if not (mail.is_flawed and relevance_of(session, mail) is Relevance.LATER)]


def dropped_seats(session: Session) -> frozenset[Seat]:
    """Return the seats for which a simulated player decides."""
    return frozenset(seat for seat, holder in session.holders.items() if holder == DROPPED)


def count_missed(session: Session, seat: Seat) -> int:
    """Return how many deadlines ``seat`` has missed since the game recorded its last mail."""
    for link in reversed(session.game.journal):
        event = link.entry.events[0] if link.entry.events else None
        if isinstance(event, MissedDeadline) and event.seat == seat:
            has_come = any(one.seat == seat and one.turn > link.entry.turn for one in session.game.receipts)
            return 0 if has_come else event.missed
    return 0


def decide_for(
    session: Session, seat: Seat, rule: Deadlines, due: str, held: Collection[Seat]
) -> tuple[Session, tuple[Submission, ...]]:
    """Return the game after a note that ``seat`` has missed the deadline ``due`` (a time as text), and its orders.

    A single order is returned, to be adjudicated with those of the others; several are in the game already. Pending orders
    of ``held`` seats stay pending.
    """
    count = count_missed(session, seat) + 1
    is_dropped = rule.nmr is Nmr.DROP or bool(rule.drop_after and count >= rule.drop_after)
    policy = MissedPolicy.DROP if is_dropped else MissedPolicy(rule.nmr.value)
    session = miss_deadline(session, seat, due, policy, count, takes_number=False)
    if is_dropped:
        session = hand_over(session, seat, DROPPED, f"deadlines missed: {count}")
    return order_for(session, seat, policy, held)


def order_for(
    session: Session, seat: Seat, policy: MissedPolicy, held: Collection[Seat]
) -> tuple[Session, tuple[Submission, ...]]:
    """Return the game and the orders that ``policy`` gives for ``seat`` until it is no longer asked, as ``decide_for``."""
    before, orders = session, list[Submission]()
    for _ in range(_MOST):
        if seat not in awaited_seats(session):
            break
        text = session.rules.language.text(_order(session, seat, policy))
        orders.append(Submission(f"decided for {seat}", (text,), seat))
        done = adjudicate_files(session, orders[-1:], held_seats=held)
        if not done.accepted:
            break
        session = done.session
    return (before, tuple(orders)) if len(orders) == 1 else (session, ())


def _order(session: Session, seat: Seat, policy: MissedPolicy) -> Any:
    if policy is not MissedPolicy.DEFAULT:
        # The seed depends on the position: a repeated run decides the same.
        return choose_greedily(session, seat, Random(f"{session.game.head}/{seat}"))
    rules, config, state = session.rules, session.config, session.game.state
    orders = [(rules.language.text(order), order) for order in rules.legal(config, state, seat)]
    passing = [order for text, order in orders if text.split()[0] == _PASS]
    if passing:
        return passing[0]
    return min(orders, key=lambda one: (total(rules.cost_if_legal(config, state, seat, one[1]) or ()), one[0]))[1]

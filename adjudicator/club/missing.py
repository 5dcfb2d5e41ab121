"""What is decided for a seat of which no orders have come by the deadline (NMR): noted in the journal, then ordered."""

from __future__ import annotations

from random import Random
from typing import Any, Final

from adjudicator.club.settings import Deadlines, Nmr
from adjudicator.core.corrections import MissedDeadline, MissedPolicy
from adjudicator.core.event import total
from adjudicator.core.ids import Seat
from adjudicator.core.record import holders
from adjudicator.corrections.correct import hand_over, missed
from adjudicator.moderate.adjudicate import adjudicate_files
from adjudicator.orders.submission import Submission
from adjudicator.session import Session
from adjudicator.simulate.players import choose_greedily

_MOST: Final = 100
"""Orders decided for a seat at once: it is asked again and again in some games until it has spent what it has."""
_PASS: Final = "PASS"
DROPPED: Final = "a simulated player"
"""Who holds a seat that was given up."""


def given_up(session: Session) -> frozenset[Seat]:
    """Return the seats that were given up, for which a simulated player decides."""
    held = holders(session.game.setup.players, (link.entry for link in session.game.journal))
    return frozenset(seat for seat, holder in held.items() if holder == DROPPED)


def missed_in_a_row(session: Session, seat: Seat) -> int:
    """Return how many deadlines ``seat`` has missed since its last mail was taken, as the record of the game says."""
    for link in reversed(session.game.journal):
        event = link.entry.events[0] if link.entry.events else None
        if isinstance(event, MissedDeadline) and event.seat == seat:
            has_come = any(one.seat == seat and one.turn > link.entry.turn for one in session.game.receipts)
            return 0 if has_come else event.missed
    return 0


def decided_for(session: Session, seat: Seat, rule: Deadlines, due: str) -> tuple[Session, tuple[Submission, ...]]:
    """Return the game after a note that ``seat`` has missed the deadline ``due`` (a time in words), and what it orders now.

    A single order is returned, to be adjudicated with those of the others; several have been carried out.
    """
    count = missed_in_a_row(session, seat) + 1
    is_dropped = rule.nmr is Nmr.DROP or bool(rule.drop_after and count >= rule.drop_after)
    policy = MissedPolicy.DROP if is_dropped else MissedPolicy(rule.nmr.value)
    session = missed(session, seat, due, policy, count, takes_number=False)
    if is_dropped:
        session = hand_over(session, seat, DROPPED, f"deadlines missed: {count}")
    return ordered_for(session, seat, policy)


def ordered_for(session: Session, seat: Seat, policy: MissedPolicy) -> tuple[Session, tuple[Submission, ...]]:
    """Return the game, and what is ordered for ``seat`` until it is no longer asked, as ``decided_for`` does."""
    before, orders = session, list[Submission]()
    for _ in range(_MOST):
        if seat not in {one.seat for one in session.rules.awaiting(session.config, session.game.state)}:
            break
        text = session.rules.language.text(_order(session, seat, policy))
        orders.append(Submission(f"decided for {seat}", (text,), seat))
        done = adjudicate_files(session, orders[-1:])
        if not done.accepted:
            break
        session = done.session
    return (before, tuple(orders)) if len(orders) == 1 else (session, ())


def _order(session: Session, seat: Seat, policy: MissedPolicy) -> Any:
    if policy is not MissedPolicy.DEFAULT:
        # The same luck for the same position: a run that is repeated decides the same.
        return choose_greedily(session, seat, Random(f"{session.game.head}/{seat}"))
    rules, config, state = session.rules, session.config, session.game.state
    orders = [(rules.language.text(order), order) for order in rules.legal(config, state, seat)]
    passing = [order for text, order in orders if text.split()[0] == _PASS]
    if passing:
        return passing[0]
    return min(orders, key=lambda one: (total(rules.cost(config, state, seat, one[1]) or ()), one[0]))[1]

"""Say in a receipt which orders of a seat count, now and at the deadline, and why."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from adjudicator.club.clock import deadline_words
from adjudicator.club.counting import (
    LATE,
    OTHER_TURN,
    Bearing,
    Counting,
    awaited_seats,
    counting,
    mistakes,
    name_of,
    named_turns,
)
from adjudicator.club.deadlines import moment
from adjudicator.club.folder import ClubFolder
from adjudicator.club.ledger import GameRow, KeptMail
from adjudicator.core.ids import Seat
from adjudicator.core.phrases import listed
from adjudicator.core.problem import Diagnostic
from adjudicator.reports.sanitize import printable
from adjudicator.session import Session


def promise(
    club: ClubFolder,
    session: Session,
    mail: KeptMail,
    seat: Seat,
    problems: tuple[Diagnostic, ...],
    meant: Bearing,
    row: GameRow,
    waiting: Sequence[KeptMail],
) -> str:
    """Return which orders of ``seat`` count after its ``mail`` with these ``problems``, as text for its player.

    ``meant`` is the bearing of the mail, ``waiting`` are the other mails of the seat that wait, ``row`` is what the ledger
    knows of the game.
    """
    is_other = meant in OTHER_TURN
    if not is_other and not mistakes(problems):
        part = "The rest of this mail" if problems else "This mail"
        return f"{part} has no mistake, as far as you can know. {deadline_words(club, row)}"
    own = () if is_other else (replace(mail, seat=seat, is_flawed=True),)
    found = counting(session, seat, sorted((*waiting, *own), key=lambda one: (one.received, one.id)))
    if found.is_answered and not found.orders:
        counts = "Nothing of this mail counts. Your earlier answer still counts."
    elif found.is_ready:
        counts = _unchanged(club, session, seat, row, found)
    else:
        counts = _at_deadline(club, session, seat, mail, meant, row, found)
    if is_other:
        return f"{_other_turn(session, seat, problems, meant)}\n\n{counts}"
    return counts if found.is_ready else f"Please send all your orders again, corrected.\n\n{counts}"


def _other_turn(session: Session, seat: Seat, problems: tuple[Diagnostic, ...], meant: Bearing) -> str:
    """Return what happens to a mail without orders for this turn."""
    turns, now = named_turns(session, problems), session.announced.turn_for(seat)
    if not turns:
        is_late = any(found.problem.code == LATE for found in problems)
        what = f"came before turn {now}, so it belongs to an earlier turn" if is_late else "is for another game"
        return f"This mail {what}. Nothing of it counts."
    fate = f"The club keeps it until turn {turns[-1]} begins." if meant is Bearing.LATER else "Nothing of it counts."
    return f"This mail is for turn {listed(turns)}, and the game is at turn {now}. {fate}"


def _unchanged(club: ClubFolder, session: Session, seat: Seat, row: GameRow, found: Counting) -> str:
    """Return which orders count as before: the newest mail says nothing about this turn."""
    if found.orders:
        place = f"in {name_of(found.mail)} " if found.mail else "that the game already has "
        return f"Your orders {place}still count: {printable('; '.join(found.orders))}. {deadline_words(club, row)}"
    if seat in awaited_seats(session):
        return f"No orders of yours wait. Please send your orders for turn {session.announced.turn_for(seat)}."
    return "No orders of yours wait. The game asks you for none now."


def _at_deadline(
    club: ClubFolder, session: Session, seat: Seat, mail: KeptMail, meant: Bearing, row: GameRow, found: Counting
) -> str:
    """Return that no orders count before the deadline, and which orders count then."""
    why = "this mail" if meant is Bearing.NOW else "an earlier mail of yours"
    is_dated = row.due and not row.is_paused and seat in awaited_seats(session)
    deadline = f"the deadline ({moment(row.due, club.settings.time_zone)})" if is_dated else "your deadline"
    now = f"What counts now: nothing. Because {why} has a mistake, your orders wait until the deadline."
    orders = printable("; ".join(found.orders))
    if not orders:
        return f"{now}\nIf you send no other mail by {deadline}, no orders of yours count."
    place = "this mail" if found.mail and found.mail.id == mail.id else name_of(found.mail) if found.mail else ""
    above = ", above its first mistake" if found.is_flawed else ""
    where = f"They are in {place}{above}." if place else "The game already has them."
    return f"{now}\nIf you send no other mail by {deadline}, these orders count: {orders}. {where} WITHDRAW takes them back."

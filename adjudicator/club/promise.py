"""Say in a receipt which orders of a seat count, now and at the deadline, and why."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from adjudicator.club.clock import deadline_words
from adjudicator.club.deadlines import moment
from adjudicator.club.folder import ClubFolder
from adjudicator.club.ledger import GameRow, StoredMail
from adjudicator.club.letters import player_name
from adjudicator.club.pending import (
    LATE,
    OTHER_GAME,
    OTHER_TURN,
    PendingOrders,
    Relevance,
    awaited_seats,
    mistakes,
    named_turns,
    pending_orders,
)
from adjudicator.core.ids import Seat
from adjudicator.core.order import Sheet
from adjudicator.core.phrases import listed
from adjudicator.core.problem import Diagnostic
from adjudicator.present import has_answered
from adjudicator.reports.diagnostics import sentence
from adjudicator.reports.sanitize import printable
from adjudicator.session import Session


def promise(
    club: ClubFolder,
    session: Session,
    mail: StoredMail,
    seat: Seat,
    sheet: Sheet | None,
    problems: tuple[Diagnostic, ...],
    meant: Relevance,
    row: GameRow,
    waiting: Sequence[StoredMail],
) -> str:
    """Return which orders of ``seat`` count after its ``mail``, as text for its player.

    ``sheet`` and ``problems`` are in the mail, ``meant`` is the bearing of the mail, ``waiting`` are the other mails of
    the seat that wait, ``row`` is what the ledger knows of the game.
    """
    is_other, is_flawed = meant in OTHER_TURN, bool(mistakes(problems))
    is_withdrawal = sheet is not None and sheet.withdrawal is not None
    if not is_other and not is_flawed and not is_withdrawal:
        part = "the rest of this mail" if problems else "this mail"
        return f"The club found no mistake in {part}. {_when(club, session, seat, row)}"
    own = () if is_other else (replace(mail, seat=seat, is_flawed=is_flawed),)
    found = pending_orders(session, seat, sorted((*waiting, *own), key=lambda one: (one.received, one.id)))
    if found.is_answered and not found.orders:
        counts = "Your earlier answer still counts. This mail changes nothing."
    elif found.is_ready:
        is_new = not (waiting or is_other or is_withdrawal)
        counts = _ready(club, session, seat, mail, row, found, is_new=is_new)
    else:
        counts = _at_deadline(club, session, seat, mail, meant, row, found)
    if is_other:
        return f"{_other_turn(session, seat, problems, meant)}\n\n{counts}"
    if is_withdrawal and not is_flawed:
        return f"The club has read your WITHDRAW. {counts}"
    if meant is Relevance.REMARK:
        return f"{counts}\nTo get a list of all commands, write HELP."
    return counts if found.is_ready else f"Please correct the mistake, and send all your orders again.\n\n{counts}"


def _when(club: ClubFolder, session: Session, seat: Seat, row: GameRow) -> str:
    """Return when the game takes the orders of ``seat``."""
    if row.is_paused or seat in awaited_seats(session) or has_answered(session, seat):
        return deadline_words(club, row)
    return "Your orders wait until it is your turn."


def not_your_turn(session: Session, seat: Seat) -> str:
    """Return that the game waits for others, or that ``seat`` has no more decisions; empty if it can answer now."""
    awaited, rules = awaited_seats(session), session.rules
    if rules.is_over(session.config, session.game.state) or seat in awaited or has_answered(session, seat):
        return ""
    out = rules.eliminated(session.config, session.game.state, seat)
    if out is not None:
        return printable(f"{sentence(out.message)}.")
    return f"It is not your turn: the game waits for {listed(player_name(session, one) for one in awaited) or 'no one'}."


def pending_words(club: ClubFolder, session: Session, seat: Seat, row: GameRow, waiting: Sequence[StoredMail]) -> str:
    """Return which orders of ``seat`` count now, as text for its player; ``waiting`` are its mails that wait."""
    found = pending_orders(session, seat, sorted(waiting, key=lambda one: (one.received, one.id)))
    if row.is_over:
        return ""
    if found.is_answered and not found.orders:
        return "Your earlier answer counts."
    if found.is_ready:
        return _ready(club, session, seat, None, row, found, is_new=not waiting)
    counts = _at_deadline(club, session, seat, None, Relevance.REMARK, row, found)
    return f"{counts}\nPlease send all your orders again, without the mistake."


def _other_turn(session: Session, seat: Seat, problems: tuple[Diagnostic, ...], meant: Relevance) -> str:
    """Return what happens to a mail without orders for this turn."""
    turns, now = named_turns(session, problems), session.valid_turns.turn_for(seat)
    codes = {found.problem.code for found in problems}
    if OTHER_GAME in codes or not turns:
        what = f"came before turn {now}, so it belongs to an earlier turn" if LATE in codes else "is for another game"
        return f"This mail {what}. It changes nothing in {session.game.id}."
    fate = f"The club keeps it until turn {turns[-1]} begins." if meant is Relevance.LATER else "It changes nothing."
    return f"This mail is for turn {listed(turns)}, and the game is at turn {now}. {fate}"


def _ready(
    club: ClubFolder,
    session: Session,
    seat: Seat,
    mail: StoredMail | None,
    row: GameRow,
    found: PendingOrders,
    *,
    is_new: bool,
) -> str:
    """Return which orders count now: the newest mail has no mistake, or says nothing about this turn.

    ``mail`` is the one to answer, if it has orders or remarks. ``is_new`` says that no earlier mail for this turn came.
    """
    if found.orders:
        place = f"in {_name(club, mail, found)}" if found.mail else "that the game already has"
        count = "still count" if mail is not None and (found.mail is None or found.mail.id != mail.id) else "count"
        return f"Your orders {place} {count}: {printable('; '.join(found.orders))}. {_when(club, session, seat, row)}"
    has_none = "You have no orders for this turn"
    if is_new:
        has_played = any(link.entry.seat == seat for link in session.game.journal)
        has_none = f"You have sent no orders {'since the last report' if has_played else 'yet'}"
    if seat not in awaited_seats(session):
        return f"{has_none}, and you need not send any now."
    until = f" by {moment(row.due, club.settings.time_zone)}" if row.due and not row.is_paused else ""
    return f"{has_none}. Please send your orders for turn {session.valid_turns.turn_for(seat)}{until}."


def _name(club: ClubFolder, mail: StoredMail | None, found: PendingOrders) -> str:
    """Return the name, for its player, of the mail with the orders that count."""
    if found.mail is None or (mail is not None and found.mail.id == mail.id):
        return "this mail"
    return f"your mail of {moment(found.mail.received, club.settings.time_zone)}"


def _at_deadline(
    club: ClubFolder,
    session: Session,
    seat: Seat,
    mail: StoredMail | None,
    meant: Relevance,
    row: GameRow,
    found: PendingOrders,
) -> str:
    """Return that no orders count before the deadline, and which orders count then."""
    why = "this mail" if meant is Relevance.NOW else "an earlier mail of yours"
    is_dated = row.due and not row.is_paused and seat in awaited_seats(session)
    deadline = f"the deadline ({moment(row.due, club.settings.time_zone)})" if is_dated else "the deadline of your turn"
    now = f"None of your orders count yet, because {why} has a mistake."
    orders = printable("; ".join(found.orders))
    if not orders:
        return f"{now}\nIf you send no other mail by {deadline}, no orders of yours count."
    above = ", above its first mistake" if found.is_flawed else ""
    where = f"They are in {_name(club, mail, found)}{above}." if found.mail else "The game already has them."
    return f"{now}\nIf you send no other mail by {deadline}, these orders count: {orders}. {where} WITHDRAW takes them back."

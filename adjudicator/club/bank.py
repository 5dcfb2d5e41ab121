"""The time bank of each seat: what is left of it, until when it runs, and what a turn has spent.

A bank runs by itself after a deadline: then the deadline of the game is the end of the longest bank that runs. Only the
player of a late seat learns about the own bank. A new deadline would tell the others who is late.
"""

from __future__ import annotations

from typing import Final

import adjudicator as adj
from adjudicator.club.club import Club, GameRow, MailRow, SeatRow
from adjudicator.club.deadlines import duration, span_words
from adjudicator.club.matters import note_use

SPENT: Final = "bank"
"""What the log calls time that a seat has spent."""


def rest(club: Club, row: GameRow, seat: SeatRow) -> int:
    """Return the seconds that the player of ``seat`` has left, as of the last turn; 0 without a time bank."""
    bank = club.deadlines(row).bank
    return max(0, int(duration(bank).total_seconds()) - seat.bank_used) if bank else 0


def own_deadline(club: Club, row: GameRow, seat: SeatRow) -> int:
    """Return the deadline that the player of ``seat`` may know: the end of the own bank if it runs; 0: none."""
    is_late = row.overtime and seat.is_due and not seat.is_ready
    return row.overtime + rest(club, row, seat) if is_late else row.deadline


def bank_words(club: Club, row: GameRow, seat: SeatRow) -> str:
    """Return the line about the time bank of ``seat`` for its player; empty without one."""
    if row.is_over or not club.deadlines(row).bank:
        return ""
    end, left = own_deadline(club, row, seat), rest(club, row, seat)
    if row.overtime and end > row.overtime:
        left = end - (row.paused or club.now)
        if left > 0 and not row.paused:
            return f"Your time bank runs until {club.moment(end)}: {span_words(left)} left."
    return f"Your time bank: {span_words(left) if left > 0 else 'nothing left'}."


def spend(club: Club, row: GameRow, game: adj.Game, mails: list[MailRow]) -> None:
    """Take the time that late seats have needed in the turn before ``game`` from their banks, and log it.

    A seat needs the time until its newest mail that the game has taken, of those that wait; without orders, all.
    """
    if not row.overtime:
        return
    recorded = {receipt.hash for receipt in game.record.receipts}
    needed = {mail.seat: mail.received - row.overtime for mail in mails if mail.hash in recorded}
    for one in club.seats(row):
        has_missed = game.missed_deadlines(one.seat) and not one.is_dropped
        time = needed.get(one.seat, club.now - row.overtime if has_missed else 0)
        spent = min(rest(club, row, one), max(0, time)) if one.is_due else 0
        if spent:
            club.db.update("seats", one.id, bank_used=one.bank_used + spent)
            note_use(club, f"seat/{row.id}/{one.seat}", SPENT, span_words(spent))

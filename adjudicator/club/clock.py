"""Move deadlines, pause games, let time banks run, tell players about it, and notice jumps of the clock.

The time bank of a seat runs by itself after a deadline: then the deadline of the game is the end of the longest bank that
runs. Only the player of a late seat learns about the own bank. A new deadline would tell the others who is late.

A clock alone does not show whether someone put it forward or the club did not run. After a long jump, the club resets
deadlines, as if each turn began now. So players have time to read and answer their mails.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

import adjudicator as adj
from adjudicator.club import ClubError
from adjudicator.club.club import Club, GameRow, MailRow, SeatRow
from adjudicator.club.deadlines import duration, next_deadline, shifted, span_words
from adjudicator.club.letters import write
from adjudicator.club.matters import DAY, note_use
from adjudicator.core.values import MODERATOR

LONGEST_GAP: Final = 14 * DAY
"""The longest usual time between two rounds, forwards or backwards, in seconds."""


def reminder_time(club: Club, row: GameRow, due: int) -> int:
    """Return the time of the reminder before the deadline ``due`` of a game, both in seconds since 1970."""
    return max(1, shifted(due, club.deadlines(row).warn, club.settings.time_zone, back=True))


def grace_end(club: Club, row: GameRow, due: int) -> int:
    """Return the end of the grace period after the deadline ``due`` of a game, both in seconds since 1970."""
    return shifted(due, club.deadlines(row).grace, club.settings.time_zone)


def acts_at(club: Club, row: GameRow, due: int, overtime: int) -> int:
    """Return when the deadline ``due`` has an effect: at once if time banks can begin to run, or after the grace period."""
    return due if club.deadlines(row).bank and not overtime else grace_end(club, row, due)


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


def task_words(club: Club, row: GameRow, seat: SeatRow) -> str:
    """Return what the player of ``seat`` has to do now, and until when."""
    if row.is_over or row.paused:
        return "The game is over." if row.is_over else pause_words(club, row)
    if not seat.is_due:
        return "It is not your turn."
    due = 0 if seat.is_ready and row.overtime else own_deadline(club, row, seat)
    at = f" {club.moment(due)}" if due else ""
    words = f"Your orders are there. You can change them{at and ' until'}" if seat.is_ready else "Your orders are due"
    return f"{words}{at}."


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
            note_use(club, f"seat/{row.id}/{one.seat}", "bank", span_words(spent))


def set_deadline(club: Club, row: GameRow, due: int, *, begin: int | None = None, overtime: int = 0, **columns: Any) -> None:
    """Set the deadline ``due`` of a game (0: none), the time of the reminder before it, and other ``columns`` of its row.

    With the ``begin`` of the turn, a reminder that would come with its first report does not come. If time banks run since
    an earlier deadline, this is the ``overtime``.
    """
    wake = reminder_time(club, row, due) if due else 0
    if begin is not None and 0 < wake <= begin:
        wake = acts_at(club, row, due, overtime)
    club.db.update("games", row.id, **{"due": due, "wake": wake, "overtime": overtime, "stopped": "", **columns})


def give_full_turn(club: Club, row: GameRow) -> int:
    """Move the deadline as if the turn began now, but never to an earlier time; return it (0: it stays where it is)."""
    due = next_deadline(club.deadlines(row), club.now, club.settings.time_zone) if row.due else 0
    if due <= row.deadline:
        return 0
    set_deadline(club, row, due, begin=club.now, paused=club.now if row.paused else 0)
    return due


def tell(club: Club, row: GameRow, subject: str, text: str, seats: Iterable[str] | None = None) -> None:
    """Queue a letter about a new deadline or a pause to the players of a game, or of some of its ``seats``."""
    for seat in club.seats(row):
        if seats is None or seat.seat in seats:
            key = f"due/{row.id}/{club.now}/{subject}/{seat.seat}"
            write(club, "deadline", seat, key, game=row, subject=subject, text=text)


def pause_words(club: Club, row: GameRow) -> str:
    """Return the sentence that a game is paused, and until when."""
    return f"The game is paused{f' until {club.moment(row.resumes)}' if row.resumes else ''}."


def pause(club: Club, row: GameRow, until: int = 0, *, is_voted: bool = False) -> None:
    """Stop the clock of a game ``until`` a time (0: `resume`), and write to its players. The club still takes their orders.

    The game is paused by its players' vote (``is_voted``) or by the moderator. Raises ``ClubError``.
    """
    if row.is_over:
        raise ClubError(f"{row.name} is over")
    if 0 < until <= club.now:
        raise ClubError(f"{club.moment(until)} is over; name a later time")
    if not row.paused or (until, is_voted) != (row.resumes, row.is_voted):
        club.db.update("games", row.id, paused=row.paused or club.now, resumes=until, is_voted=is_voted)
        end = f" until {club.moment(until)}" if until else ""
        due = f" The deadline was {club.moment(row.deadline)}; it moves by the length of the pause." if row.due else ""
        by = "The players have" if is_voted else "The moderator has"
        text = f"{by} paused {row.name}{end}. You can still send orders: the club keeps them.{due}"
        tell(club, row, f"the game is paused{end}", text)


def resume(club: Club, row: GameRow, words: str = "", at: int = 0) -> None:
    """Resume a game that is paused or has failed, as of the time ``at`` (0: now); the next round runs it.

    The deadline of a paused game moves by the length of the pause, and its players get a letter. It begins with ``words``
    (empty: that the moderator has resumed the game).
    """
    length = max(0, (at or club.now) - row.paused) if row.paused and row.due else 0
    due, overtime = row.due + length, row.overtime + length if row.overtime else 0
    is_reminded = not length and row.wake == acts_at(club, row, due, overtime)
    columns = {"due": due, "overtime": overtime, "paused": 0, "resumes": 0, "is_voted": 0, "stopped": "", "changed": -1}
    club.db.update("games", row.id, **columns, wake=row.wake if is_reminded else int(bool(due)))
    if not row.paused or row.is_over:
        return
    after, words = club.row(row.id), words or f"The moderator has resumed {row.name}."
    for seat in club.seats(row):
        end = own_deadline(club, after, seat)
        is_told = end > club.now  # while the banks of others run, a player learns no new deadline
        until, more = (f", orders due {club.moment(end)}", f" Orders are due {club.moment(end)}.") if is_told else ("", "")
        tell(club, row, f"the game continues{until}", f"{words}{more}", [seat.seat])


def extend(club: Club, row: GameRow, by: str, *, is_voted: bool = False) -> int:
    """Move the deadline of a game ``by`` a duration (`2 days`), from now if it is over, and tell its players; return it.

    Time banks that run since the old deadline lose nothing. Raises ``ClubError``, ``DeadlineError``.
    """
    if row.is_over:
        raise ClubError(f"{row.name} is over")
    due = shifted(max(row.deadline, row.paused or club.now), by, club.settings.time_zone)
    set_deadline(club, row, due)
    paused = " The game is paused: the deadline moves by the length of the pause." if row.paused else ""
    words, who = f"orders due {club.moment(due)}", "The players have" if is_voted else "The moderator has"
    tell(club, row, words, f"{who} moved the deadline of {row.name}: {words}.{paused}")
    return due


def keep_time(club: Club) -> None:
    """Record the time; after a long jump, reset the deadlines and write to the awaited players.

    After a jump forward, no deadline comes earlier than before; after a jump backward, none comes later.
    """
    before, now = club.db.value("select clock from club"), club.now
    with club.db.transaction():
        club.db.update("club", 1, clock=now)
        if not before or abs(now - before) <= LONGEST_GAP:
            return
        moved = []
        for row in club.games():
            rule = club.deadlines(row)
            # A paused game's deadline moves when it continues. A club with long turns may have long times between rounds.
            is_usual = abs(now - before) <= 2 * int(duration(rule.every).total_seconds())
            if not row.due or is_usual or (row.paused and now > before):
                continue
            due = (max if now > before else min)(row.deadline, next_deadline(rule, now, club.settings.time_zone))
            if due != row.deadline:
                set_deadline(club, row, due, paused=min(row.paused, now))
                words = f"orders due {club.moment(due)}"
                text = "The club did not run for some time, or its clock was wrong."
                awaited = [seat.seat for seat in club.seats(row) if seat.is_due]
                tell(club, row, words, f"{text} So {row.name} has a new deadline: {words}.", awaited)
                moved.append(f"{row.name}: {words}")
        if moved:
            key, first, last, words = f"clock/{before}/{now}", club.moment(before), club.moment(now), "\n".join(moved)
            write(club, "jump", MODERATOR, key, before=first, after=last, games=words)

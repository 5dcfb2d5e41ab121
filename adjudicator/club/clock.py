"""Move deadlines, tell players about it, keep their holidays, and notice jumps of the clock.

A clock alone does not show whether someone put it forward or the club did not run. After a long jump, the club resets
deadlines, as if each turn began now. So players have time to read and answer their mails.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date, datetime, timedelta
from typing import Any, Final

import adjudicator as adj
from adjudicator.club import ClubError
from adjudicator.club.bank import own_deadline
from adjudicator.club.club import CAN_SIT, Club, GameRow, Person, SeatRow
from adjudicator.club.deadlines import duration, holiday_dates, holiday_span, most_days, next_deadline, shifted, zone
from adjudicator.club.letters import write
from adjudicator.club.matters import DAY
from adjudicator.club.settings import HIDDEN
from adjudicator.core.values import MODERATOR
from adjudicator.library.seat_records import SIMULATED

_YEAR: Final = 367 * DAY
_LOOK_AGAIN: Final = (
    "update games set changed = -1 where removed = 0 and id in (select game from seats where person = ? and until = 0)"
)
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


def _holidays(club: Club, person: int, since: int, seat: int = 0) -> list[tuple[int, int]]:
    """Return the holidays of a person that end after ``since``; with the number of a ``seat``, those that count for it.

    One that is longer than the limit, which an older version or setting may have accepted, does not count; nor does one for
    a seat that somebody else plays meanwhile, or perhaps will.
    """
    longest = (club.settings.limits.holiday_days + 1) * DAY
    query = (
        "select first, last from holidays h where person = ? and last > ? and last - first <= ? and not exists (select 1"
        f" from seats s where s.id = ? and h.sitter is not null and (agreed > 0 or first > ?) and {CAN_SIT}) order by first"
    )
    return club.db.all(tuple, query, person, since, longest, seat, club.now)


def away_until(club: Club, seat: SeatRow) -> int:
    """Return the end of the holiday that the player of ``seat`` has now, in seconds since 1970; 0 for none."""
    return max((last for first, last in _holidays(club, seat.person, club.now, seat.id) if first <= club.now), default=0)


def holiday_flaw(club: Club, person: Person, first: date, last: date, at: int = 0) -> str:
    """Return why the club cannot accept a holiday, asked for ``at`` a time (0: now); empty if it can."""
    limits, time_zone, at = club.settings.limits, club.settings.time_zone, at or club.now
    today = datetime.fromtimestamp(at, zone(time_zone)).date()
    furthest = today + timedelta(days=limits.days_ahead)
    if last < today:
        return "it is over"
    if last > furthest:
        return f"it must end on {furthest} or earlier"
    if (last - first).days >= limits.holiday_days:
        return f"a holiday lasts at most {limits.holiday_days} days; please ask the moderator for a longer one"
    known = [holiday_dates(*span, time_zone) for span in _holidays(club, person.id, at - _YEAR)]
    days, most = most_days(known, (first, last)), max(limits.holidays_a_year, limits.holiday_days)
    if days > most:
        return f"with it, you would have {days} days of holiday within 366 days, and you can have at most {most}"
    return ""


def note_holiday(club: Club, person: Person, first: date, last: date, sitter: Person | None = None) -> None:
    """Record a holiday of a person for all their games, whose journals get it with their next step.

    If the ``sitter`` has agreed to it already, and it is not longer now, this still counts.
    """
    begin, end = holiday_span(first, last, club.settings.time_zone)
    club.db.run(
        "insert into holidays (person, first, last, sitter) values (?, ?, ?, ?) on conflict (person, first) do update set"
        " agreed = iif(sitter is excluded.sitter and excluded.last <= last, agreed, 0),"
        " last = excluded.last, sitter = excluded.sitter",
        *(person.id, begin, end, sitter and sitter.id),
    )
    club.db.run(_LOOK_AGAIN, person.id)


def end_holiday(club: Club, person: Person) -> bool:
    """End the holiday that a person has now, if any; return whether there was one."""
    ended = (  # the journal has it if nobody had agreed before it began
        "update holidays set last = max(?, first + 1), sitter = iif(agreed between 1 and first, sitter, null)"
        " where person = ? and first <= ? and last > ?"
    )
    club.db.run(_LOOK_AGAIN, person.id)
    return bool(club.db.run(ended, club.now, person.id, club.now, club.now))


def with_holidays(club: Club, row: GameRow, game: adj.Game) -> adj.Game:
    """Return ``game`` with all present and future holidays of its players in its journal; save it if that changes it.

    A game without names has none: the same days in another game would show who plays.
    """
    after = game
    for seat in club.seats(row) if not (game.is_over or row.settings.names == HIDDEN) else ():
        if game.players[game.seat(seat.seat)] != SIMULATED:
            for span in _holidays(club, seat.person, club.now - 1, seat.id):  # also one that was ended just now
                first, last = holiday_dates(*span, club.settings.time_zone)
                after = after.take_holiday(seat.seat, first.isoformat(), last.isoformat())
    if after is not game:
        club.save(row, after)
    return after

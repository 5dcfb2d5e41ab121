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
from adjudicator.club.club import Club, GameRow, Person, SeatRow
from adjudicator.club.deadlines import duration, holiday_dates, holiday_span, most_days, next_deadline, shifted, zone
from adjudicator.club.letters import write
from adjudicator.club.matters import DAY
from adjudicator.core.values import MODERATOR
from adjudicator.library.seat_records import SIMULATED

_YEAR: Final = 367 * DAY
LONGEST_GAP: Final = 14 * DAY
"""The longest usual time between two rounds, forwards or backwards, in seconds."""


def reminder_time(club: Club, row: GameRow, due: int) -> int:
    """Return the time of the reminder before the deadline ``due`` of a game, both in seconds since 1970."""
    return max(1, shifted(due, club.deadlines(row).warn, club.settings.time_zone, back=True))


def grace_end(club: Club, row: GameRow, due: int) -> int:
    """Return the end of the grace period after the deadline ``due`` of a game, both in seconds since 1970."""
    return shifted(due, club.deadlines(row).grace, club.settings.time_zone)


def set_deadline(club: Club, row: GameRow, due: int, *, begin: int | None = None, **columns: Any) -> None:
    """Set the deadline ``due`` of a game (0: none), the time of the reminder before it, and other ``columns`` of its row.

    With the ``begin`` of the turn, a reminder that would come with its first report does not come.
    """
    wake = reminder_time(club, row, due) if due else 0
    if begin is not None and 0 < wake <= begin:
        wake = grace_end(club, row, due)
    club.db.update("games", row.id, **{"due": due, "wake": wake, "stopped": "", **columns})


def give_full_turn(club: Club, row: GameRow) -> int:
    """Move the deadline as if the turn began now, but never to an earlier time; return it (0: it stays where it is)."""
    due = next_deadline(club.deadlines(row), club.now, club.settings.time_zone) if row.due else 0
    if due <= row.due:
        return 0
    set_deadline(club, row, due, begin=club.now, paused=club.now if row.paused else 0)
    return due


def tell(club: Club, row: GameRow, subject: str, text: str, seats: Iterable[str] | None = None) -> None:
    """Queue a letter about a new deadline or a pause to the players of a game, or of some of its ``seats``."""
    for seat in club.seats(row):
        if seats is None or seat.seat in seats:
            key = f"due/{row.id}/{club.now}/{subject}/{seat.seat}"
            write(club, "deadline", seat, key, game=row, subject=subject, text=text)


def pause(club: Club, row: GameRow) -> None:
    """Stop the clock of a game, and write to its players. The club still takes their orders. Raises ``ClubError``."""
    if row.is_over:
        raise ClubError(f"{row.name} is over")
    if not row.paused:
        club.db.update("games", row.id, paused=club.now)
        due = f" The deadline was {club.moment(row.due)}; it moves by the length of the pause." if row.due else ""
        text = f"The moderator has paused {row.name}. You can still send orders: the club keeps them.{due}"
        tell(club, row, "the game is paused", text)


def resume(club: Club, row: GameRow) -> None:
    """Resume a game that is paused or has failed; the next round runs it.

    The deadline of a paused game moves by the length of the pause, and its players get a letter.
    """
    due = row.due + (max(0, club.now - row.paused) if row.paused and row.due else 0)
    is_reminded = due == row.due and row.wake == grace_end(club, row, due)
    wake = row.wake if is_reminded else int(bool(due))
    club.db.update("games", row.id, due=due, paused=0, stopped="", wake=wake, changed=-1)
    if row.paused and not row.is_over:
        until = f", orders due {club.moment(due)}" if due else ""
        text = f"The moderator has resumed {row.name}.{f' Orders are due {club.moment(due)}.' if due else ''}"
        tell(club, row, f"the game continues{until}", text)


def extend(club: Club, row: GameRow, by: str) -> int:
    """Move the deadline of a game ``by`` a duration (`2 days`), from now if it is over, and tell its players; return it.

    Raises ``ClubError``, ``DeadlineError``.
    """
    if row.is_over:
        raise ClubError(f"{row.name} is over")
    due = shifted(max(row.due, row.paused or club.now), by, club.settings.time_zone)
    set_deadline(club, row, due)
    paused = " The game is paused: the deadline moves by the length of the pause." if row.paused else ""
    words = f"orders due {club.moment(due)}"
    tell(club, row, words, f"The moderator has moved the deadline of {row.name}: {words}.{paused}")
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
            due = (max if now > before else min)(row.due, next_deadline(rule, now, club.settings.time_zone))
            if due != row.due:
                set_deadline(club, row, due, paused=min(row.paused, now))
                words = f"orders due {club.moment(due)}"
                text = "The club did not run for some time, or its clock was wrong."
                awaited = [seat.seat for seat in club.seats(row) if seat.is_due]
                tell(club, row, words, f"{text} So {row.name} has a new deadline: {words}.", awaited)
                moved.append(f"{row.name}: {words}")
        if moved:
            key, first, last, words = f"clock/{before}/{now}", club.moment(before), club.moment(now), "\n".join(moved)
            write(club, "jump", MODERATOR, key, before=first, after=last, games=words)


def _holidays(club: Club, person: int, since: int) -> list[tuple[int, int]]:
    """Return the holidays of a person that end after ``since``.

    One that is longer than the limit, which an older version or setting may have accepted, does not count.
    """
    longest = (club.settings.limits.holiday_days + 1) * DAY
    query = "select first, last from holidays where person = ? and last > ? and last - first <= ? order by first"
    return club.db.all(tuple, query, person, since, longest)


def away_until(club: Club, seat: SeatRow) -> int:
    """Return the end of the holiday that the player of ``seat`` has now, in seconds since 1970; 0 for none."""
    return max((last for first, last in _holidays(club, seat.person, club.now - 1) if first <= club.now), default=0)


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


def note_holiday(club: Club, person: Person, first: date, last: date) -> None:
    """Record a holiday of a person for all their games, whose journals get it with their next step."""
    begin, end = holiday_span(first, last, club.settings.time_zone)
    club.db.run(
        "insert into holidays (person, first, last) values (?, ?, ?) on conflict (person, first) do update set last = ?",
        *(person.id, begin, end, end),
    )
    club.db.run(
        "update games set changed = -1 where removed = 0 and id in (select game from seats where person = ? and until = 0)",
        person.id,
    )


def with_holidays(club: Club, row: GameRow, game: adj.Game) -> adj.Game:
    """Return ``game`` with all present and future holidays of its players in its journal; save it if that changes it."""
    after = game
    for seat in club.seats(row) if not game.is_over else ():
        if game.players[game.seat(seat.seat)] != SIMULATED:
            for span in _holidays(club, seat.person, club.now):
                first, last = holiday_dates(*span, club.settings.time_zone)
                after = after.take_holiday(seat.seat, first.isoformat(), last.isoformat())
    if after is not game:
        club.save(row, after)
    return after

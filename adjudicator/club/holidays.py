"""Keep the holidays of people, and let other members play for them meanwhile.

Deadlines wait for a holiday, and the journals of the person's games have it. A holiday can have a sitter. If they agree,
deadlines do not wait: while it lasts, the sitter gets what the player gets, and may write for the seat. Afterwards the seat
has a new token, which only its player knows.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from datetime import date, datetime, time, timedelta
from typing import Any, Final

import adjudicator as adj
from adjudicator.club.club import CAN_SIT, NEW_SITTERS, Club, GameRow, Person, SeatRow
from adjudicator.club.db import Failure, contain
from adjudicator.club.deadlines import zone
from adjudicator.club.letters import message_id, new_token, token_line, write
from adjudicator.club.matters import DAY
from adjudicator.club.reports import resend
from adjudicator.club.settings import HIDDEN
from adjudicator.core.phrases import listed
from adjudicator.core.values import Value, digest
from adjudicator.library.results import player_name
from adjudicator.library.seat_records import SIMULATED

_YES: Final = frozenset({"yes", "ok", "okay", "agreed"})
_NO: Final = frozenset({"no", "sorry"})
_ASKED: Final = "select * from holidays where sitter = ? and agreed = 0 and last > ? order by person, first"
_QUEUED: Final = (
    "update letters set state = 'dropped' where game = ? and seat = ?"
    " and (state = 'kept' or (person = ? and state = 'queued' and kind <> 'receipt'))"
)
_LOOK_AGAIN: Final = (
    "update games set changed = -1 where removed = 0 and id in (select game from seats where person = ? and until = 0)"
)
"""Lets the next round look at the games of a person, whose journals have their holidays."""
_YEAR: Final = 366
"""The days within which holidays have a limit."""


def _days(club: Club, begin: int, end: int) -> tuple[date, date]:
    """Return the first and the last day of a holiday from ``begin`` to ``end``, in seconds since 1970."""
    first, last = (datetime.fromtimestamp(at, zone(club.settings.time_zone)).date() for at in (begin, end - 1))
    return first, last


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


def days_words(first: date, last: date) -> str:
    """Return the days of a holiday in words."""
    return f"on {first}" if first == last else f"from {first} to {last}"


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
    spans = (_days(club, *span) for span in _holidays(club, person.id, at - (_YEAR + 1) * DAY))
    new, end = first.toordinal(), last.toordinal()
    days = {day for one, other in spans for day in range(one.toordinal(), other.toordinal() + 1)}
    known = sorted(days.union(range(new, end + 1)))
    begins = (day for day in known if new - _YEAR < day <= end)  # of the years that the new holiday touches
    days_of_year = max(bisect_left(known, day + _YEAR) - bisect_left(known, day) for day in begins)
    if days_of_year > (most := max(limits.holidays_a_year, limits.holiday_days)):
        return f"with it, you would have {days_of_year} days of holiday within 366 days, and you can have at most {most}"
    return ""


def note_holiday(club: Club, person: Person, first: date, last: date, sitter: Person | None = None) -> None:
    """Record a holiday of a person for all their games, whose journals get it with their next step.

    If the ``sitter`` has agreed to it already, and it is not longer now, this still counts.
    """
    there = zone(club.settings.time_zone)
    begin, end = (int(datetime.combine(day, time(), there).timestamp()) for day in (first, last + timedelta(days=1)))
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
                first, last = _days(club, *span)
                after = after.take_holiday(seat.seat, first.isoformat(), last.isoformat())
    if after is not game:
        club.save(row, after)
    return after


class _Holiday(Value, kw_only=True):
    """A holiday of a ``person`` from ``first`` to ``last``, in seconds since 1970, with a ``sitter``."""

    person: int
    first: int
    last: int
    sitter: int

    @property
    def key(self) -> str:
        """The key of the letter that asks the sitter."""
        return f"sitter/{self.person}/{self.first}/{self.last}/{self.sitter}"


def ask_sitter(club: Club, person: Person, sitter: Person) -> None:
    """Queue the letters that ask a ``sitter`` to play for a ``person`` on holiday, each once."""
    mine = {club.row(one.game).name for one in club.seats_of(sitter.id)}
    own = [(club.row(one.game), one) for one in club.seats_of(person.id) if not one.is_sitter]
    games = [f"  {row.name}: {one.seat}" for row, one in own if not (row.is_over or row.hides_names or row.name in mine)]
    for one in club.db.all(_Holiday, _ASKED, sitter.id, club.now):
        if one.person == person.id:
            text, name, when = "\n".join(games) or "  none now", _name(club, person.id), _when(club, one)
            write(club, "sitter-asked", sitter, one.key, about=person, games=text, name=name, when=when)


def answer_as_sitter(club: Club, person: Person, references: Sequence[str], lines: Sequence[str]) -> list[str]:
    """Take the answer of a sitter in a mail with these ``references`` and ``lines``; return what to reply."""
    firsts = (re.sub(r"\W", " ", line).casefold().split()[:1] for line in lines if line.lstrip()[:1] not in (">", "|"))
    said, replies = next((word for words in firsts for word in words if word in _YES | _NO), ""), []
    for one in club.db.all(_Holiday, _ASKED, person.id, club.now):
        if message_id(club, one.key) not in references:
            continue
        name, when, owner = _name(club, one.person), _when(club, one), club.person(one.person)
        to = owner if owner.joined else owner.address
        if said in _YES:
            agreed = "update holidays set agreed = ? where person = ? and first = ? and sitter = ?"
            club.db.run(agreed, club.now, one.person, one.first, person.id)
            write(club, "sitter-agreed", to, f"{one.key}/yes", about=person, name=person.name, when=when)
            replies.append(f"You play for {name} {when}. When it begins, you get a mail for each game.")
        elif said in _NO:
            _count_as_usual(club, one)
            write(club, "sitter-declined", to, f"{one.key}/no", about=person, name=person.name, when=when)
            replies.append(f"You do not play for {name}.")
        else:
            replies.append(f"Please answer with YES or NO whether you play for {name} {when}.")
    return replies


def stop_sitting(club: Club, sitter: SeatRow) -> str:
    """End what a ``sitter`` has agreed to for the player of a seat; return the answer. The round gives the seats back."""
    owner = club.db.value("select person from seats where id = ?", sitter.id)
    query = "select * from holidays where person = ? and sitter = ? and agreed > 0 and last > ?"
    for one in club.db.all(_Holiday, query, owner, sitter.person, club.now):
        _count_as_usual(club, one)
    return f"You no longer play for {sitter.name}. For the rest of the holiday, deadlines move as for every holiday."


def change_sitters(club: Club, troubles: list[str]) -> None:
    """Give the seats of players whose holidays have begun to their sitters, and give them back afterwards."""

    def found() -> dict[int, int | None]:
        return dict(club.db.all(tuple, NEW_SITTERS, club.now, club.now))

    for number in found():

        def fail(failure: Failure, number: int = number) -> None:
            troubles.append(f"the club could not give seat {number} to its sitter: {failure.cause}")

        with contain(fail), club.db.transaction():
            wanted = found()  # a sitter has one seat of a game
            if number in wanted:
                _change(club, number, wanted[number])


def _change(club: Club, number: int, wanted: int | None) -> None:
    row = club.row(club.db.value("select game from seats where id = ?", number))
    before = next(one for one in club.seats(row) if one.id == number)
    if row.is_over:
        club.db.update("seats", number, sitter=wanted)
        return
    columns: dict[str, Any] = {"sat": (*before.sat, wanted)} if wanted not in (None, *before.sat) else {}
    columns |= {"token": new_token()} if before.sitter is not None else {}
    club.db.update("seats", number, sitter=wanted, **columns)
    club.db.update("games", row.id, changed=-1)
    seat, game, key = club.seat(row, before.seat), club.game(row), f"sitter/{number}/{club.now}"
    line = token_line(row.name, seat.seat, seat.token)
    if before.sitter is not None:
        club.db.run(_QUEUED, row.id, seat.seat, before.sitter)
        end_sitting(club, before)
        if wanted is None and not seat.is_dropped:
            write(club, "seat-back", seat, f"{key}/back", game=row, seat=seat.seat, line=line)
        if row.seal:
            resend(club, row, game, seat, f"{key}/resent")
    sitter = club.as_sitter(seat)
    if sitter is not None:
        last = "select max(last) from holidays where person = ? and sitter = ? and agreed > 0 and first <= ?"
        write(
            club,
            "sitter",
            sitter,
            f"{key}/{wanted}",
            game=row,
            about=club.person(seat.person),
            seat=seat.seat,
            player=seat.player,
            until=club.moment(club.db.value(last, seat.person, wanted, club.now)),
            line=line,
            ruleset=game.meta.name,
            players=listed(player_name(game, one) for one in game.seats),
        )
        if row.seal:
            resend(club, row, game, sitter, f"{key}/{wanted}/resent")


def end_sitting(club: Club, seat: SeatRow) -> None:
    """Tell the sitter of ``seat``, as it was before, that they no longer play it."""
    if seat.sitter is not None:
        row, about = club.row(seat.game), club.person(seat.person)
        key = f"sitter/{seat.id}/{digest(seat.token.encode())}/over"
        write(club, "sitter-over", club.person(seat.sitter), key, game=row, about=about, player=seat.player)


def _name(club: Club, person: int) -> str:
    return club.person(person).name or next((one.name or one.seat for one in club.seats_of(person)), "a player")


def _count_as_usual(club: Club, one: _Holiday) -> None:
    """Let a holiday have no sitter: deadlines wait for it."""
    club.db.run("update holidays set sitter = null, agreed = 0 where person = ? and first = ?", one.person, one.first)
    club.db.run(_LOOK_AGAIN, one.person)


def _when(club: Club, one: _Holiday) -> str:
    return days_words(*_days(club, one.first, one.last))

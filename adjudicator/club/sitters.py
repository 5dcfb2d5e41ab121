"""Let members play for those who are on holiday: ask them, give them the seats, and give the seats back.

A holiday can have a sitter. If they agree, deadlines do not wait for the holiday: while it lasts, the sitter gets what the
player gets, and may write for the seat. Afterwards the seat has a new token, which only its player knows.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Final

from adjudicator.club.club import NEW_SITTERS, Club, Person, SeatRow
from adjudicator.club.db import Failure, contain
from adjudicator.club.deadlines import holiday_dates
from adjudicator.club.letters import message_id, write
from adjudicator.club.reports import resend
from adjudicator.club.tokens import new_token, token_line
from adjudicator.core.phrases import listed
from adjudicator.core.values import Value, digest
from adjudicator.library.turn import player_name

_YES: Final = frozenset({"yes", "ok", "okay", "agreed"})
_NO: Final = frozenset({"no", "sorry"})
_ASKED: Final = "select * from holidays where sitter = ? and agreed = 0 and last > ? order by person, first"
_QUEUED: Final = (
    "update letters set state = 'dropped' where game = ? and seat = ?"
    " and (state = 'kept' or (person = ? and state = 'queued' and kind <> 'receipt'))"
)


class _Holiday(Value, kw_only=True):
    person: int
    first: int
    last: int
    sitter: int

    @property
    def key(self) -> str:
        """The key of the letter that asks the sitter."""
        return f"sitter/{self.person}/{self.first}/{self.last}/{self.sitter}"


def ask_sitter(club: Club, person: Person, sitter: Person) -> bool:
    """Queue the letters that ask a ``sitter`` to play for a ``person`` on holiday, each once; return whether one is new."""
    mine = {club.row(one.game).name for one in club.seats_of(sitter.id)}
    own = [(club.row(one.game), one) for one in club.seats_of(person.id) if not one.is_sitter]
    games = [f"  {row.name}: {one.seat}" for row, one in own if not (row.is_over or row.hides_names or row.name in mine)]
    new = []
    for one in club.db.all(_Holiday, _ASKED, sitter.id, club.now):
        if one.person == person.id:
            text, name, when = "\n".join(games) or "  none now", _name(club, person.id), _when(club, one)
            new.append(write(club, "sitter-asked", sitter, one.key, about=person, games=text, name=name, when=when))
    return any(new)


def answer(club: Club, person: Person, references: Sequence[str], lines: Sequence[str]) -> list[str]:
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
            _release(club, one)
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
        _release(club, one)
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
        row, about, key = (
            club.row(seat.game),
            club.person(seat.person),
            f"sitter/{seat.id}/{digest(seat.token.encode())}/over",
        )
        write(club, "sitter-over", club.person(seat.sitter), key, game=row, about=about, player=seat.player)


def _release(club: Club, one: _Holiday) -> None:
    """Let a holiday count as usual."""
    club.db.run("update holidays set sitter = null, agreed = 0 where person = ? and first = ?", one.person, one.first)
    club.db.run("update games set changed = -1 where id in (select game from seats where person = ?)", one.person)


def _name(club: Club, person: int) -> str:
    return club.person(person).name or next((one.name or one.seat for one in club.seats_of(person)), "a player")


def _when(club: Club, one: _Holiday) -> str:
    first, last = holiday_dates(one.first, one.last, club.settings.time_zone)
    return f"from {first} to {last}"

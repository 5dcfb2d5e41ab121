"""When the reports of a reader go out (`SET mail`): each at once, in place of a reminder, or once a day.

Until then, the ledger keeps them as letters with the state `kept`. The first and the last report of a game do not wait, and
nor does one about a turn that would be over before.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final

import adjudicator as adj
from adjudicator.club.bank import own_deadline
from adjudicator.club.clock import acts_at
from adjudicator.club.club import Club, GameRow, Person, SeatRow
from adjudicator.club.deadlines import next_morning
from adjudicator.club.letters import LetterRow, report_lines, template, write
from adjudicator.club.tokens import token_line
from adjudicator.core.phrases import count, listed
from adjudicator.core.values import replace

_NEVER: Final = 1 << 40
"""The time at which a report goes out that waits for a reminder."""
_NEWEST: Final = (
    "select * from letters where game = ? and seat = ? and person = ? and state = 'queued'"
    " and kind in ('report', 'observed') order by id desc limit 1"
)
_KEPT: Final = "select * from letters where game = ? and seat = ? and person = ? and state = 'kept' order by id"
_DUE: Final = "select distinct person from letters where state = 'kept' and next_try <= ? order by person"
_ALL: Final = (
    "select letters.* from letters join games on games.id = game where person = ? and state = 'kept'"
    " order by games.name, seat, letters.id"
)
_RULE: Final = "=" * 72


def keep(
    club: Club, row: GameRow, game: adj.Game, seats: Sequence[SeatRow], new: Collection[str], observers: Sequence[Person]
) -> None:
    """Keep those reports about ``game`` whose readers want them later; they have just been queued.

    ``row`` has the deadline, ``seats`` are as before the turn, ``new`` those that have got a report. If one does not wait,
    earlier ones go out before it.
    """
    has_reminder = bool(row.due) and row.wake < acts_at(club, row, row.due, row.overtime)
    morning, readers = next_morning(club.now, club.settings.time_zone), list[tuple[str, int, str, bool]]()
    for seat in seats:
        if seat.seat in new and seat.prefs.mail != "turn":
            is_due = seat.seat in game.due_seats
            waits = not is_due or has_reminder
            if seat.prefs.mail == "late":
                waits = waits and bool(row.due)
                if seat.is_due and seat.is_ready:  # who has sent orders knows the position for which they were
                    for letter in club.db.all(LetterRow, _KEPT, row.id, seat.seat, seat.person):
                        club.db.update("letters", letter.id, state="dropped")
            else:
                waits = waits or not row.due or morning <= row.due
            is_own = seat.sitter is None  # what a sitter does, the player learns at once
            readers.append((seat.seat, seat.person, seat.prefs.mail, waits and is_own and not game.is_over))
    readers += (("", one.id, one.prefs.mail, one.prefs.mail == "digest" and not game.is_over) for one in observers)
    for place, person, mode, waits in readers:
        if waits and (newest := club.db.first(LetterRow, _NEWEST, row.id, place, person)):
            club.db.update("letters", newest.id, state="kept", next_try=morning if mode == "digest" else _NEVER)
        elif not waits:
            _release(club, club.db.all(LetterRow, _KEPT, row.id, place, person), "")


def remind(club: Club, row: GameRow, seat: SeatRow, key: str, *, turn: str, player: str, why: str, due: str) -> int:
    """Queue the reminder to the player of ``seat``, or the reports that wait, the newest with its words.

    Return 0 if the reminder with this ``key`` has gone out before.
    """
    letters = club.db.all(LetterRow, _KEPT, row.id, seat.seat, seat.person)
    if not letters or seat.sitter is not None:
        return write(club, "reminder", seat, key, game=row, turn=turn, player=player, why=why, due=due)
    _, subject, text = template("reminder")
    named = {"game": row.name, "turn": turn, "player": player, "why": why, "due": due}
    _release(club, letters, " ".join(text.format_map(named).partition("\n\n")[0].split()))
    head = letters[-1].subject.partition("] ")[0]
    club.db.update("letters", letters[-1].id, subject=f"{head}] {subject.format_map(named)}")
    return letters[-1].id


def deliver(club: Club) -> None:
    """Queue one letter with the texts of all reports of a reader whose morning has come."""
    for number in club.db.all(int, _DUE, club.now):
        with club.db.transaction():
            person, letters = club.person(number), club.db.all(LetterRow, _ALL, number)
            if len(letters) == 1:
                release(club, person)
                continue
            places = dict.fromkeys((letter.game, letter.seat) for letter in letters)
            rows = {game: club.row(game) for game, _ in places if game is not None}
            held = {(seat.game, seat.seat): (club.row(seat.game), seat) for seat in club.seats_of(number)}
            own = {place: one for place, one in held.items() if place in places or (one[1].is_due and not one[0].is_over)}
            lines = [f"{row.name} ({seat.seat}): {_task(club, row, seat)}" for row, seat in own.values()]
            if len(own) > 1:
                lines += ["", "To send orders, write a mail for each game, with the line of the game above them:", ""]
                lines += [f"    {token_line(row.name, seat.seat, seat.token)}" for row, seat in own.values()]
            texts = (report_lines(replace(one, slots=_undated(one))) for one in letters)
            write(
                club,
                "reports",
                next(iter(own.values()))[1] if len(own) == 1 else person.address if own else person,
                f"reports/{number}/{letters[-1].id}",
                about=person,
                games=listed(row.name for row in rows.values()),
                reports=count(len(letters), "report"),
                text="\n".join(lines).strip() or "You observe these games.",
                texts=f"\n\n{_RULE}\n\n".join(texts),
            )
            for letter in letters:
                club.db.update("letters", letter.id, state="sent")


def release(club: Club, person: Person) -> int:
    """Queue all reports that wait for a ``person``; return their number."""
    letters = club.db.all(LetterRow, _ALL, person.id)
    seats = {(seat.game, seat.seat): seat for seat in club.seats_of(person.id)}
    for game, place in dict.fromkeys((letter.game, letter.seat) for letter in letters):
        own = [letter for letter in letters if (letter.game, letter.seat) == (game, place)]
        seat = seats.get((game or 0, place))
        task = _task(club, club.row(seat.game), seat) if seat else ""
        _release(club, own, f"{task[:1].upper()}{task[1:]}." if task else "")
    return len(letters)


def _task(club: Club, row: GameRow, seat: SeatRow) -> str:
    """Return what the player of ``seat`` has to do now."""
    if row.is_over or row.paused or not seat.is_due:
        return "the game is over" if row.is_over else "the game is paused" if row.paused else "it is not your turn"
    due = own_deadline(club, row, seat)
    when = f"your orders are due {club.moment(due)}" if due else "it is your turn"
    return f"{when}; the club has orders of yours without a mistake" if seat.is_ready else when


def _release(club: Club, letters: Sequence[LetterRow], due: str) -> None:
    """Queue ``letters`` of one place, the newest with the line ``due``: deadlines and addresses in them may be old."""
    for letter in letters:
        slots = {**letter.slots, "due": due, "until": ""} if letter is letters[-1] else _undated(letter)
        to = club.person(letter.person).address if letter.person is not None else letter.recipient
        club.db.update("letters", letter.id, state="queued", recipient=to, slots=slots, next_try=club.now)


def _undated(letter: LetterRow) -> dict[str, str]:
    return {**letter.slots, "due": "", "until": "", "bank": ""}

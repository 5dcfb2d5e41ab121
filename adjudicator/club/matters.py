"""What waits for the moderator: matters, and the mails held under them; and the log: changes, and what limits count."""

from __future__ import annotations

from typing import Final

from adjudicator.club import ClubError
from adjudicator.club.club import Club, GameRow, MailRow, Person
from adjudicator.club.db import Failure, Kind
from adjudicator.club.letters import write
from adjudicator.core.values import MODERATOR, Value, digest
from adjudicator.reports.texts import printable

DAY: Final = 24 * 3600
"""The time within which limits count, in seconds."""
ADVICE: Final = "`club status` lists its number; `club accept` grants a request, `club settle` drops it."
"""What the moderator can do about a request, in the letter about it."""
_MOST_LISTED: Final = 20
"""Mails of one matter in a message."""


class MatterRow(Value, kw_only=True):
    """Something that waits for the moderator: its number, its kind, whom and what it is about, and its words."""

    id: int
    key: str
    kind: str
    game: int | None
    seat: str
    person: int | None
    message: int | None
    words: str


def raise_matter(
    club: Club,
    kind: str,
    words: str,
    *,
    key: str,
    game: GameRow | None = None,
    seat: str = "",
    person: Person | None = None,
    message: int | None = None,
    subject: str = "",
    advice: str | None = None,
) -> int:
    """Add a matter of this ``kind`` for the moderator, unless its ``key`` is known; return its number, 0 if it is not new.

    The ``words`` may contain words of others: each line of them is made safe to print. With ``advice`` (which may be empty),
    the moderator also gets a letter: the words, and the advice below. Its ``subject`` is the game and the first line of the
    words if it is empty.
    """
    words = "\n".join(map(printable, words.split("\n")))
    about = {"game": game and game.id, "seat": seat, "person": person and person.id, "message": message}
    with club.db.transaction():
        number = club.db.insert("matters", unless="key", key=key, kind=kind, words=words, at=club.now, **about)
        if number and advice is not None:
            first = words.partition("\n")[0].rstrip(":")
            subject = subject or (f"{game.name}: {first}" if game else first)
            text = "\n\n".join(filter(None, (words, advice)))
            write(club, "matter", MODERATOR, f"{key}/{number}", game=game, about=person, subject=subject, text=f"{text}\n")
    return number


def find(club: Club, number: int) -> MatterRow:
    """Return the matter with this ``number``, if it waits. Raises ``ClubError``."""
    found = club.db.first(MatterRow, "select * from matters where id = ? and settled = 0", number)
    if found is None:
        raise ClubError(f"there is no matter {number}; `club status` lists all matters")
    return found


def settle_key(club: Club, key: str) -> None:
    """Settle the matter with this ``key``; if the same comes up again, it is a new matter."""
    club.db.run("update matters set settled = max(settled, ?), key = key || '/' || id where key = ?", club.now, key)


def settle_seat(club: Club, row: GameRow, seat: str) -> None:
    """Settle the matters that the player of ``seat`` wants to resign, or that it has none; they can come up again."""
    query = "select key from matters where game = ? and seat = ? and kind in ('resign', 'vacant') and settled = 0"
    for key in club.db.all(str, query, row.id, seat):
        settle_key(club, key)


def settle(club: Club, number: int) -> None:
    """Remove a matter: its message or letter is never sent, its mails are ignored, its request is declined.

    Raises ``ClubError``.
    """
    with club.db.transaction():
        one = find(club, number)
        club.db.update("matters", one.id, settled=club.now)
        club.db.run("update mails set state = 'ignored' where matter = ? and state = 'held'", one.id)
        if one.kind == "mail":
            settle_key(club, one.key)  # the next mail on the same path is a new matter
        if one.kind == "message":
            club.db.run("update messages set state = 'dropped', waiting = '[]' where id = ? and state = 'held'", one.message)
        if one.kind == "unsent":
            own = "'unsent/' || id = ? or (kind = 'hook' and ? like 'unsent/' || recipient || '/%')"
            club.db.run(f"update letters set state = 'dropped' where state = 'given up' and ({own})", one.key, one.key)
        if one.kind == "seat" and one.game is not None and one.person is not None:
            settle_key(club, one.key)  # after some time, the member may ask again
            person, request = club.person(one.person), f"{club.row(one.game).name}, {one.seat or 'any seat'}"
            note_use(club, f"person/{person.id}", f"declined {request}")
            write(club, "declined", person, f"declined/{number}", request=request)


def accept(club: Club, number: int, part: int, game: GameRow, seat: str) -> str:
    """Accept the mail of matter ``number`` as one of ``seat`` of ``game``; return its sender's address (empty: unclear).

    ``part`` is the number of the mail if the matter has several, from 1 (0: it has only one). Raises ``ClubError``.
    """
    club.seat(game, seat)
    with club.db.transaction():
        matter = find(club, number)
        held = "select * from mails where matter = ? and state = 'held' order by received, id"
        mails = club.db.all(MailRow, held, matter.id)
        if not mails:
            raise ClubError(f"matter {number} is not about a mail that waits: {matter.words}")
        if part > len(mails) or (not part and len(mails) > 1):
            lines = [f"matter {number} has {len(mails)} mails. Name one of them:"]
            for place, one in enumerate(mails[:_MOST_LISTED], 1):
                lines.append(f"  {number}.{place}  {one.address or 'an unclear sender'}, {club.moment(one.received)}")
            raise ClubError("\n".join(lines))
        mail = mails[max(0, part - 1)]
        club.db.update("mails", mail.id, state="new", game=game.id, seat=seat, matter=None)
        if len(mails) == 1:
            settle_key(club, matter.key)
    return mail.address


def release(club: Club, number: int) -> str:
    """Accept the message of a matter: the next round or report sends it. Return the matter as text. Raises ``ClubError``."""
    with club.db.transaction():
        found = find(club, number)
        if found.kind != "message":
            raise ClubError(f"matter {number} is not a message between players: {found.words}")
        accepted = "update messages set state = 'accepted' where id = ? and state = 'held' and waiting <> '[]'"
        if not club.db.run(accepted, found.message):
            words = "its seat has another player now; `club settle` drops it"
            raise ClubError(f"the club cannot send the message of matter {number}: {words}")
        club.db.update("matters", found.id, settled=club.now)
    return found.words


def record(club: Club, task: str, words: str, person: Person | None = None) -> None:
    """Record a change that the moderator has made with a ``task`` of the command `club`; ``person``: whom it is about."""
    note_use(club, MODERATOR, task, printable(words), person)


def note_use(club: Club, who: str, what: str, words: str = "", person: Person | None = None) -> None:
    """Note in the log that ``who``, such as `seat/17/red` or `person/5`, did ``what``."""
    club.db.insert("log", at=club.now, who=who, what=what, words=words, person=person and person.id)


def uses(club: Club, who: str, what: str, within: int = DAY) -> int:
    """Return how often ``who`` did ``what`` ``within`` so many seconds."""
    query = "select count(*) from log where who = ? and what = ? and at > ?"
    return int(club.db.value(query, who, what, club.now - within))


def game_failed(club: Club, row: GameRow, failure: Failure) -> None:
    """Write to the moderator once why a game cannot run; after a bug, the game waits until something changes."""
    if failure.kind is Kind.BUSY:
        return
    problem = "this game cannot run"
    words, subject = f"{problem}: {failure.cause}", f"{row.name}: {problem}"
    key, next_try = f"failed/{row.id}/{digest(words.encode())}", "The next round tries this one again."
    with club.db.transaction():
        if failure.kind is Kind.FAULT:
            club.db.update("games", row.id, stopped=words, wake=0, resumes=row.resumes * (row.resumes > club.now))
            next_try = "This one waits for a mail, a change of its file, or `club resume`."
        advice = f"The other games continue. {next_try}"
        raise_matter(club, "failed", words, key=key, game=row, subject=subject, advice=advice)

"""Keep the part of the ledger that the moderator sees: matters, unsent letters, the moderator's changes, and counts."""

from __future__ import annotations

import re
from typing import Final

from adjudicator.club.database import Database
from adjudicator.core.values import Value
from adjudicator.mail.outgoing import letter_text, replaced
from adjudicator.reports.sanitize import printable

_ABOUT: Final = r"(?:[^()\n]*\(|mail from |the club could not send a \w+ to |a mail \(\w+\) to .{0,200} at )"
"""The beginning of a matter, up to the address of the person whom it is about."""
_DELETED: Final = "(deleted)"


class HeldMail(Value, kw_only=True):
    """A mail that waits for the moderator: its number in the ledger, its sender, its time in seconds since 1970."""

    id: int
    address: str
    received: int


class Matter(Value, kw_only=True):
    """Something that waits for the moderator: its ``number``, its game, its time in seconds since 1970, its ``words``.

    ``mails`` is the number of held mails that it is about.
    """

    number: int
    key: str
    game: str
    at: int
    words: str
    mails: int = 0

    @property
    def resigned(self) -> str:
        """The seat whose player wants to resign; empty for other matters."""
        start = f"resign/{self.game}/"
        return self.key.removeprefix(start).partition("/")[0] if self.key.startswith(start) else ""


class UnsentLetter(Value, kw_only=True):
    """A letter that waits for another try, or that the club has given up: its recipient, and what the server ``said``.

    ``next_try`` and ``written`` are in seconds since 1970.
    """

    kind: str
    game: str
    seat: str
    recipient: str
    state: str
    next_try: int
    said: str
    written: int


class Change(Value, kw_only=True):
    """A change by the moderator: its time in seconds since 1970, its ``task`` of the command `club`, and its ``words``."""

    at: int
    task: str
    words: str


class Matters:
    """The matters with their mails, the letters that did not arrive, and the moderator's changes, in an open ``db``."""

    def __init__(self, db: Database) -> None:
        """Use the open ``db``."""
        self._db = db

    def raise_matter(self, key: str, game: str, at: int, words: str) -> bool:
        """Add a matter for the moderator, unless its ``key`` is known; return whether it is new.

        The ``words`` may contain words of others: each line of them is made safe to print.
        """
        words = "\n".join(map(printable, words.split("\n")))
        done = self._db.execute(
            "insert or ignore into matters (key, game, at, words) values (?, ?, ?, ?)", (key, game, at, words)
        )
        return done.rowcount == 1

    def matters(self) -> list[Matter]:
        """Return the matters that wait, by number."""
        return self._db.all(
            Matter,
            "select matters.id as number, key, matters.game, at, words, count(mails.id) as mails from matters"
            " left join mails on mails.matter = matters.key and mails.state = 'held'"
            " where is_settled = 0 group by matters.id order by matters.id",
        )

    def matter(self, number: int) -> Matter | None:
        """Return the matter with this number, if it waits."""
        return next((one for one in self.matters() if one.number == number), None)

    def settle_by_key(self, key: str) -> None:
        """Settle the matter with this ``key``; if the same comes up again, it is a new matter."""
        self._db.execute("update matters set is_settled = 1, key = key || '/' || id where key = ?", (key,))

    def settle_resignations(self, game: str, seat: str) -> None:
        """Settle the matters that the player of ``seat`` wants to resign."""
        for one in self.matters():
            if (one.game, one.resigned) == (game, seat):
                self.settle_by_key(one.key)

    def settle_matter(self, number: int) -> bool:
        """Settle the matter with this number; return whether there was one."""
        return self._db.execute("update matters set is_settled = 1 where id = ?", (number,)).rowcount == 1

    def held_mails(self, matter: str) -> list[HeldMail]:
        """Return the mails that wait for the moderator under the key ``matter``, the oldest first."""
        return self._db.all(
            HeldMail, "select * from mails where matter = ? and state = 'held' order by received, id", (matter,)
        )

    def unsent(self) -> list[UnsentLetter]:
        """Return the letters that could not be sent yet or at all, the oldest first."""
        return self._db.all(
            UnsentLetter, "select * from letters where state = 'given up' or (state = 'queued' and tries > 0) order by id"
        )

    def release(self, key: str) -> bool:
        """Release the held letter with this ``key``; return whether there was one. Only older versions held letters."""
        return self._db.execute("update letters set state = 'queued' where key = ? and state = 'held'", (key,)).rowcount == 1

    def begin_sending(self, number: int) -> None:
        """Record that a notice goes out now; it is queued no longer."""
        self._db.execute("update letters set state = 'sending' where id = ?", (number,))

    def counts(self) -> dict[tuple[str, str], int]:
        """Return the number of letters by kind and state."""
        rows = self._db.execute("select kind, state, count(*) from letters group by kind, state")
        return {(row[0], row[1]): row[2] for row in rows}

    def letter_with(self, message_id: str) -> UnsentLetter | None:
        """Return the letter with this ``message_id``."""
        return self._db.first(UnsentLetter, "select * from letters where message_id = ? order by id", (message_id,))

    def record_change(self, at: int, task: str, words: str) -> None:
        """Record a change that the moderator has made ``at`` a time with a ``task`` of the command `club`."""
        self._db.execute("insert into changes (at, task, words) values (?, ?, ?)", (at, task, printable(words)))

    def changes(self, since: int) -> list[Change]:
        """Return the changes after the time ``since``, the oldest first."""
        return self._db.all(Change, "select * from changes where at > ? order by id", (since,))

    def last_change(self, task: str) -> int:
        """Return the time of the last change with ``task``; 0 if there was none."""
        return self._number("select max(at) from changes where task = ?", (task,))

    def first_letter(self) -> int:
        """Return the time of the first letter; 0 if the club has written none."""
        return self._number("select min(written) from letters")

    def latest_time(self) -> int:
        """Return the latest time of a mail, letter, round or change; 0 if there is none."""
        columns = ("fetched from mails", "written from letters", "at from clock", "at from changes")
        return max(self._number(f"select max({column.replace(' ', ') ', 1)}") for column in columns)

    def mails_since(self, since: int) -> dict[str, int]:
        """Return the number of mails that the club fetched after the time ``since``, by state."""
        rows = self._db.execute("select state, count(*) from mails where fetched > ? group by state", (since,))
        return {row[0]: row[1] for row in rows}

    def letters_since(self, since: int) -> dict[str, int]:
        """Return the number of letters that the club wrote after the time ``since``, by kind."""
        rows = self._db.execute("select kind, count(*) from letters where written > ? group by kind", (since,))
        return {row[0]: row[1] for row in rows}

    def reported_games(self, since: int) -> tuple[str, ...]:
        """Return the games whose players got a report of a new position after the time ``since``, by name."""
        query = "select distinct game from letters where kind = 'report' and written > ? order by game"
        return tuple(row[0] for row in self._db.execute(query, (since,)))

    def forget_address(self, address: str) -> None:
        """Delete the matters about the person with this ``address``, with the moderator's letters about them.

        In other matters, letters to the moderator, and changes, replace the address. Longer addresses are others.
        """
        own = rf"(?<![\w.!#$%&'*+/=?^`{{|}}~-]){re.escape(address)}(?![\w-]|\.\w)"
        exact, about = re.compile(own, re.IGNORECASE), re.compile(_ABOUT + own, re.IGNORECASE)
        for number, key, words in self._db.execute("select id, key, words from matters"):
            if about.match(words) and not key.startswith("path/"):  # these are about many people
                self._db.execute("update matters set is_settled = 1, words = 'deleted' where id = ?", (number,))
            else:
                self._db.execute("update matters set words = ? where id = ?", (exact.sub(_DELETED, words), number))
        for number, words in self._db.execute("select id, words from changes"):
            self._db.execute("update changes set words = ? where id = ?", (exact.sub(_DELETED, words), number))
        for number, data in self._db.execute("select id, data from letters where kind = 'moderator' and data <> x''"):
            if about.match(letter_text(data)):
                query = "update letters set state = 'dropped' where id = ? and state in ('queued', 'held')"
                self._db.execute(query, (number,))
                self._db.execute("update letters set data = x'' where id = ?", (number,))
            else:
                self._db.execute("update letters set data = ? where id = ?", (replaced(data, exact, _DELETED), number))
        for table in ("matters", "letters"):
            for number, key in self._db.execute(f"select id, key from {table}"):
                if exact.search(key):
                    self._db.execute(f"update {table} set key = ? where id = ?", (f"deleted/{table}/{number}", number))

    def _number(self, query: str, values: tuple[str, ...] = ()) -> int:
        return int(self._db.execute(query, values).fetchone()[0] or 0)

    def drop_letters(self, game: str, seat: str) -> None:
        """Drop the unsent letters to a seat that has another player now."""
        self._db.execute(
            "update letters set state = 'dropped' where game = ? and seat = ? and state in ('queued', 'held')", (game, seat)
        )

    def forget_game(self, game: str) -> None:
        """Close the records of a game that leaves the club: its letters, mails and matters.

        Their keys change, so that the club can write the same letters for a later game of this name.
        """
        removed = "key = key || '/removed/' || id"
        self._db.execute("update letters set state = 'dropped' where game = ? and state in ('queued', 'held')", (game,))
        self._db.execute(f"update letters set {removed} where game = ?", (game,))
        self._db.execute(f"update matters set is_settled = 1, {removed} where game = ?", (game,))
        self._db.execute(
            "update mails set state = 'passed over', why = 'its game was removed'"
            " where game = ? and state in ('waiting', 'held', 'accepted')",
            (game,),
        )
        for table in ("holidays", "votes"):
            self._db.execute(f"delete from {table} where game = ?", (game,))
        self._db.execute("delete from games where id = ?", (game,))
        self._db.execute("delete from kept_games where id = ?", (game,))

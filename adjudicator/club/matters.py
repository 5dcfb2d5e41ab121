"""What waits for the moderator, and what became of letters: the part of the ledger that `club status` shows."""

from __future__ import annotations

import sqlite3
from typing import Any

from adjudicator.club.database import Database
from adjudicator.core.frozen import frozen


@frozen(kw_only=True)
class HeldMail:
    """A mail that waits for the moderator: its number in the ledger, its sender, when it came (seconds since 1970)."""

    id: int
    address: str
    received: int


@frozen(kw_only=True)
class Matter:
    """Something that waits for the moderator: its ``number``, its game, since when (seconds since 1970), in ``words``.

    ``mails`` counts the held mails that it is about.
    """

    number: int
    key: str
    game: str
    at: int
    words: str
    mails: int = 0


@frozen(kw_only=True)
class Unsent:
    """A letter that waits for another try, or that the club has given up: to whom, what the server ``said``.

    ``next_try`` and ``written`` are in seconds since 1970.
    """

    kind: str
    game: str
    seat: str
    recipient: str
    state: str
    tries: int
    next_try: int
    said: str
    written: int


class Matters:
    """The matters, the mails that wait with them, and the letters that did not arrive, in an open ``db``."""

    def __init__(self, db: Database) -> None:
        """Look into ``db``."""
        self._db = db

    def raise_matter(self, key: str, game: str, at: int, words: str) -> bool:
        """Note once that the moderator should look at something; return whether it is new."""
        done = self._db.execute(
            "insert or ignore into matters (key, game, at, words) values (?, ?, ?, ?)", (key, game, at, words)
        )
        return done.rowcount == 1

    def matters(self) -> list[Matter]:
        """Return what waits for the moderator, by number."""
        rows = self._db.execute(
            "select matters.id as number, key, matters.game, at, words, count(mails.id) as mails from matters"
            " left join mails on mails.matter = matters.key and mails.state = 'held'"
            " where is_settled = 0 group by matters.id order by matters.id"
        )
        return [of_row(Matter, row) for row in rows]

    def matter(self, number: int) -> Matter | None:
        """Return the matter with this number, if it waits."""
        return next((one for one in self.matters() if one.number == number), None)

    def settle_by_key(self, key: str) -> None:
        """Note that the matter with this ``key`` was dealt with; if it comes up again, it is a new one."""
        self._db.execute("update matters set is_settled = 1, key = key || '/' || id where key = ?", (key,))

    def settle_matter(self, number: int) -> bool:
        """Note that the moderator has dealt with a matter; return whether there was one."""
        return self._db.execute("update matters set is_settled = 1 where id = ?", (number,)).rowcount == 1

    def held_mails(self, matter: str) -> list[HeldMail]:
        """Return the mails that wait for the moderator under the key ``matter``, the oldest first."""
        rows = self._db.execute("select * from mails where matter = ? and state = 'held' order by received, id", (matter,))
        return [of_row(HeldMail, row) for row in rows]

    def unsent(self) -> list[Unsent]:
        """Return the letters that a server did not take, the oldest first: they wait, or the club has given them up."""
        rows = self._db.execute(
            "select * from letters where state = 'given up' or (state = 'queued' and tries > 0) order by id"
        )
        return [of_row(Unsent, row) for row in rows]

    def letter_with(self, message_id: str) -> Unsent | None:
        """Return the letter with this ``message_id``."""
        row = self._db.execute("select * from letters where message_id = ? order by id", (message_id,)).fetchone()
        return None if row is None else of_row(Unsent, row)

    def drop_letters(self, game: str, seat: str) -> None:
        """Let no letter go out to a seat of which another player answers now."""
        self._db.execute(
            "update letters set state = 'dropped' where game = ? and seat = ? and state in ('queued', 'held')", (game, seat)
        )

    def forget_game(self, game: str) -> None:
        """Forget a game that the club has given away: its letters, mails and matters stay in the record only.

        A game of the same name may come later: no letter of this one counts as a copy of its letters.
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


def of_row(kind: Any, row: sqlite3.Row) -> Any:
    """Return what a ``row`` of the ledger says as a value of ``kind``, whose fields are named like its columns."""
    return kind(**{name: row[name] for name in row.keys() if name in kind.__dataclass_fields__})  # noqa: SIM118

"""Keep the part of the ledger with the messages of players: their texts, and which players still wait for them."""

from __future__ import annotations

import sqlite3
from typing import Final

from adjudicator.club.database import of_row
from adjudicator.club.waiting_lists import WaitingLists
from adjudicator.core.values import Value, replace

MESSAGE_TABLES: Final = """
create table messages (
  id integer primary key autoincrement, key text not null unique, game text not null, seat text not null,
  sender text not null, address text not null, recipients text not null, waiting text not null,
  is_anonymous integer not null, text text not null, written integer not null, state text not null
);
create index messages_by_game on messages (game, id);
create index waiting_messages on messages (game) where waiting <> '';
"""
"""The statements that add the messages of players to a ledger."""


class NewMessage(Value, kw_only=True):
    """A message of the player of a ``seat``, with a unique ``key``: the player's name (``sender``) and ``address``.

    ``recipients`` are seats, `all` or `moderator`; ``waiting`` are the seats that must still get it. Its ``state`` is "held"
    while it waits for the moderator, "accepted" or "dropped". ``written`` is in seconds since 1970.
    """

    key: str
    game: str
    seat: str
    sender: str
    address: str
    recipients: tuple[str, ...]
    waiting: tuple[str, ...]
    is_anonymous: bool
    text: str
    written: int
    state: str


class MessageRow(NewMessage, kw_only=True):
    """A message with its number in the ledger."""

    id: int


class MessageArchive(WaitingLists):
    """The messages of players in an open ledger."""

    def keep_message(self, one: NewMessage) -> bool:
        """Store a message, unless the ledger already has one with its key; return whether it is new."""
        if self._db.execute("select 1 from messages where key = ?", (one.key,)).fetchone() is not None:
            return False
        row = {name: getattr(one, name) for name in one.__struct_fields__}
        row |= {"recipients": " ".join(one.recipients), "waiting": " ".join(one.waiting)}
        places = ", ".join(f":{name}" for name in row)
        self._db.execute(f"insert into messages ({', '.join(row)}) values ({places})", row)
        return True

    def messages(self, game: str) -> list[MessageRow]:
        """Return all messages of ``game``, the oldest first."""
        return [_message(row) for row in self._db.execute("select * from messages where game = ? order by id", (game,))]

    def waiting_messages(self, game: str = "") -> list[MessageRow]:
        """Return the accepted messages of ``game`` (empty: of all games) for which players wait, the oldest first."""
        rows = self._db.execute(
            "select * from messages where waiting <> '' and state = 'accepted' and (game = ? or ? = '') order by id",
            (game, game),
        )
        return [_message(row) for row in rows]

    def got_message(self, number: int, seat: str) -> None:
        """Record that ``seat`` no longer waits for the message with this number."""
        self._db.execute(
            "update messages set waiting = trim(replace(' ' || waiting || ' ', ?, ' ')) where id = ?", (f" {seat} ", number)
        )

    def accept_message(self, key: str) -> bool:
        """Accept the message with this ``key``, which waits for the moderator; return whether anybody still waits for it."""
        self._db.execute("update messages set state = 'accepted' where key = ? and state = 'held'", (key,))
        found = self._db.execute("select waiting from messages where key = ?", (key,)).fetchone()
        return found is not None and bool(found[0])

    def drop_message(self, key: str) -> None:
        """Drop the message with this ``key``, if it waits for the moderator."""
        self._db.execute("update messages set state = 'dropped', waiting = '' where key = ? and state = 'held'", (key,))

    def drop_messages_to(self, game: str, seat: str) -> None:
        """Drop the messages that a ``seat`` waits for: it has another player now, or none."""
        for row in self._db.execute("select id from messages where game = ? and waiting <> ''", (game,)):
            self.got_message(row[0], seat)

    def drop_letters(self, game: str, seat: str) -> None:
        """Drop the unsent letters and messages to a seat that has another player now."""
        super().drop_letters(game, seat)
        self.drop_messages_to(game, seat)

    def forget_address(self, address: str) -> None:
        """Delete what is stored about a player who wrote from ``address``, as ``Matters``, and the player's messages."""
        super().forget_address(address)
        for (key,) in self._db.execute("select key from messages where address = ?", (address,)):
            self._db.execute(
                "update matters set is_settled = 1, words = 'deleted' where key in (?, ?)", (f"held/{key}", f"message/{key}")
            )
            self._db.execute("update letters set data = x'' where kind = 'moderator' and key = ?", (f"message/{key}",))
        self._db.execute("delete from messages where address = ?", (address,))

    def forget_game(self, game: str) -> None:
        """Close the records of a game that leaves the club, as ``Matters``; its messages stay in the archive."""
        super().forget_game(game)
        self._db.execute(
            "update messages set state = case when waiting = '' then state else 'dropped' end, waiting = '' where game = ?",
            (game,),
        )


def _message(row: sqlite3.Row) -> MessageRow:
    found = of_row(MessageRow, row)
    return replace(
        found,
        recipients=tuple(row["recipients"].split()),
        waiting=tuple(row["waiting"].split()),
        is_anonymous=bool(row["is_anonymous"]),
    )

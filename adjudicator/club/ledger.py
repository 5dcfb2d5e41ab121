"""Keep the ledger of a club, one SQLite file: the mails that came, the letters to send, and the state of each game.

After any interruption, a mail is in the ledger or still in its mailbox. One step queues the answer and marks the mail as
answered. The game files hold the games; the ledger only knows which position of each game the players have seen.
"""

from __future__ import annotations

import sqlite3
from contextlib import AbstractContextManager
from enum import StrEnum
from pathlib import Path
from secrets import token_bytes
from typing import Final

from adjudicator.club.database import Database, of_row
from adjudicator.club.game_records import RECORD_TABLES, GameRecords
from adjudicator.club.message_archive import MESSAGE_TABLES
from adjudicator.club.people import PEOPLE_TABLES
from adjudicator.core.values import Value, replace

_TABLES: Final = """
create table mails (
  id integer primary key, identity text not null unique, hash text not null, received integer not null,
  address text not null, subject text not null, game text not null default '', seat text not null default '',
  state text not null default 'kept', is_flawed integer not null default 0, why text not null default '',
  data blob not null
);
create index mails_by_state on mails (state, received, id);
create index mails_by_game on mails (game, state);
create table letters (
  id integer primary key, key text not null unique, game text not null, seat text not null, kind text not null,
  recipient text not null, message_id text not null, data blob not null, state text not null default 'queued',
  tries integer not null default 0, next_try integer not null, said text not null default '', written integer not null
);
create index letters_by_state on letters (state, next_try);
create index letters_by_game on letters (game, seat, kind);
create table games (
  id text primary key, seal text not null default '', due integer not null default 0, wake integer not null default 0,
  is_paused integer not null default 0,
  stopped text not null default '', size integer not null default -1, changed integer not null default -1,
  is_over integer not null default 0, awaited text not null default ''
);
create table holidays (
  game text not null, seat text not null, first integer not null, last integer not null, primary key (game, seat, first)
);
create table votes (
  game text not null, seat text not null, kind text not null, seal text not null, primary key (game, seat, kind)
);
create table guesses (address text not null, at integer not null);
create index guesses_by_address on guesses (address, at);
create table matters (
  id integer primary key, key text not null unique, game text not null, at integer not null, words text not null,
  is_settled integer not null default 0
);
"""
_USES: Final = """
drop table if exists guesses;
create table if not exists uses (who text not null, what text not null, at integer not null);
create index if not exists uses_by_who on uses (who, what, at);
create index if not exists uses_by_time on uses (at);
create table if not exists secrets (id integer primary key, secret blob not null);
"""
_MATTERS_OF_MAILS: Final = """
alter table mails add column matter text not null default '';
create index mails_by_matter on mails (matter);
create index letters_by_message_id on letters (message_id);
update mails set matter = coalesce(
  (select key from matters where key = 'mail/' || mails.id),
  (select key from matters where substr(words, -length(mails.why)) = mails.why limit 1), '') where state = 'held';
"""
_CHANGES: Final = """
create table changes (id integer primary key, at integer not null, task text not null, words text not null);
create index changes_by_task on changes (task, at);
alter table mails add column fetched integer not null default 0;
update mails set fetched = received;
"""
_STEPS: Final = (
    _TABLES,
    "alter table games add column position text not null default '';",
    "create table clock (at integer not null); create index mails_by_address on mails (address, received);",
    _USES,
    "alter table games rename column is_paused to paused; update games set paused = strftime('%s', 'now') where paused;",
    _MATTERS_OF_MAILS,
    _CHANGES,
    PEOPLE_TABLES,
    "alter table people add column public text not null default '';",
    MESSAGE_TABLES,
    RECORD_TABLES,
)
"""The statements that turn a ledger of each version into the next one, from an empty file on."""
WEBHOOK: Final = "webhook"
"""The kind of letters that are notices for chat services."""
_USES_KEPT: Final = 7 * 24 * 3600
"""The time after which the ledger deletes a use, in seconds."""


class MailState(StrEnum):
    """What the club has done with a mail."""

    KEPT = "kept"
    WAITING = "waiting"
    """The club has answered it, and its orders wait for their turn."""
    TAKEN = "taken"
    """The game has recorded its orders."""
    ANSWERED = "answered"
    """The club has answered it, and none of its orders wait."""
    HELD = "held"
    """It waits for the moderator."""
    ACCEPTED = "accepted"
    """The moderator has named its seat; the club has not answered it yet."""
    PASSED_OVER = "passed over"


class StoredMail(Value, kw_only=True):
    """A mail in the ledger: its number, its envelope, its game and seat, its bytes.

    ``is_flawed`` says that its orders have a mistake, or are not for the present turn.
    """

    id: int
    identity: str
    hash: str
    received: int
    address: str
    game: str
    seat: str
    data: bytes
    is_flawed: bool


class NewLetter(Value, kw_only=True):
    """A letter to send ``at`` a time, with a unique ``key``."""

    key: str
    game: str
    seat: str
    kind: str
    recipient: str
    message_id: str
    data: bytes
    at: int


class DueLetter(Value, kw_only=True):
    """A letter to send now; ``tries`` counts the failed attempts, ``written`` is the time when the club wrote it."""

    id: int
    recipient: str
    message_id: str
    data: bytes
    tries: int
    written: int
    game: str
    kind: str


class GameRow(Value, kw_only=True):
    """The state of a game in the ledger; times are in seconds since 1970.

    ``seal`` is that of the game file at the last reports, ``position`` the hash of the position in them, ``due`` the
    deadline (0: none). ``wake`` is the time of the next step if no mail comes (0: none), ``paused`` the begin of the pause
    (0: the game is not paused). ``stopped`` says why the club does nothing at the deadline. ``size``, ``changed``,
    ``is_over``, ``awaited`` and ``vacant`` (seats without a player) describe the game file when the club last read it.
    """

    id: str
    seal: str = ""
    position: str = ""
    due: int = 0
    wake: int = 0
    paused: int = 0
    stopped: str = ""
    size: int = -1
    changed: int = -1
    is_over: bool = False
    awaited: tuple[str, ...] = ()
    vacant: tuple[str, ...] = ()

    @property
    def is_paused(self) -> bool:
        """Whether the game is paused."""
        return bool(self.paused)

    @property
    def is_running(self) -> bool:
        """Whether the game has a deadline, and is neither paused nor over."""
        return bool(self.due) and not self.paused and not self.is_over


class Ledger(GameRecords):
    """An open ledger. Every change takes place inside ``change()``, completely or not at all."""

    def __init__(self, path: Path) -> None:
        """Open or create the ledger at ``path``. Raises ``CannotRead``, ``CannotWrite``, ``Untrusted``."""
        super().__init__(Database(path, _STEPS))

    def close(self) -> None:
        """Close the file."""
        self._db.close()

    def change(self) -> AbstractContextManager[None]:
        """Combine all changes inside into one step."""
        return self._db.change()

    def copy_to(self, path: Path) -> None:
        """Write a copy of the ledger to the new file ``path``. Raises ``CannotWrite``, ``Untrusted``."""
        self._db.copy_to(path)

    # Mails

    def keep(self, *, identity: str, hash_: str, received: int, fetched: int, address: str, data: bytes) -> bool:
        """Store a mail without its subject, which may have a token; return whether it is new and not a copy of another."""
        query = "insert or ignore into mails (identity, hash, received, fetched, address, subject, data)"
        done = self._db.execute(f"{query} values (?,?,?,?,?,'',?)", (identity, hash_, received, fetched, address, data))
        return done.rowcount == 1

    def latest_from(self, address: str, after: int, until: int) -> int:
        """Return when the last mail from ``address`` came, ``after`` one time and ``until`` another; 0 if none came."""
        row = self._db.execute(
            "select max(received) from mails where address = ? and received > ? and received <= ?", (address, after, until)
        ).fetchone()
        return int(row[0] or 0)

    def mails(self, state: MailState, game: str | None = None) -> list[StoredMail]:
        """Return the mails in ``state``, all or those of one ``game``, in the order in which they came."""
        where, values = ("", ()) if game is None else (" and game = ?", (game,))
        return self._db.all(
            StoredMail, f"select * from mails where state = ?{where} order by received, id", (state.value, *values)
        )

    def settle(
        self,
        number: int,
        state: MailState,
        *,
        game: str = "",
        seat: str = "",
        why: str = "",
        is_flawed: bool = False,
        matter: str = "",
    ) -> None:
        """Record the ``state`` of a mail, its game and seat, and the reason; ``is_flawed`` as in ``StoredMail``.

        A held mail waits for the moderator under the key ``matter``.
        """
        self._db.execute(
            "update mails set state = ?, game = ?, seat = ?, why = ?, is_flawed = ?, matter = ? where id = ?",
            (state.value, game, seat, why, int(is_flawed), matter, number),
        )

    def waiting_seats(self) -> dict[str, tuple[str, ...]]:
        """Return the seats of each game whose newest waiting mail has orders without a mistake."""
        rows = self._db.execute(
            "select game, seat, is_flawed from mails where state = 'waiting' order by game, seat, received, id"
        )
        newest = {(game, seat): is_flawed for game, seat, is_flawed in rows}
        found: dict[str, tuple[str, ...]] = {}
        for (game, seat), is_flawed in newest.items():
            if not is_flawed:
                found[game] = (*found.get(game, ()), seat)
        return found

    # Letters

    def queue(self, letter: NewLetter) -> bool:
        """Queue a letter, unless the ledger already has one with its key; return whether it is new."""
        done = self._db.execute(
            "insert or ignore into letters"
            " (key, game, seat, kind, recipient, message_id, data, next_try, written) values (?,?,?,?,?,?,?,?,?)",
            (
                *(letter.key, letter.game, letter.seat, letter.kind, letter.recipient, letter.message_id, letter.data),
                *(letter.at, letter.at),
            ),
        )
        return done.rowcount == 1

    def due_letters(
        self, now: int, longest: int, most: int, *, is_webhook: bool = False, state: str = "queued"
    ) -> list[DueLetter]:
        """Return at most ``most`` letters in ``state`` that are due ``now``, or notices if ``is_webhook``, in order.

        No letter waits longer than ``longest`` seconds: if one seems to, the clock went back, and the letter is due.
        """
        return self._db.all(
            DueLetter,
            "select * from letters where state = ? and (next_try <= ? or next_try > ?) and (kind = ?) = ?"
            " order by id limit ?",
            (state, now, now + longest, WEBHOOK, is_webhook, most),
        )

    def sent(self, number: int) -> None:
        """Record that a letter is sent. The ledger keeps its text."""
        self._db.execute("update letters set state = 'sent', said = '' where id = ?", (number,))

    def postpone(self, number: int, until: int, said: str) -> None:
        """Record that a letter could not be sent, what the server ``said``, and the time of the next try."""
        query = "update letters set state = 'queued', tries = tries + 1, next_try = ?, said = ? where id = ?"
        self._db.execute(query, (until, said, number))

    def give_up(self, number: int, said: str) -> None:
        """Record that the club no longer tries to send a letter."""
        self._db.execute("update letters set state = 'given up', tries = tries + 1, said = ? where id = ?", (said, number))

    # Games

    def game(self, name: str) -> GameRow:
        """Return the state of the game ``name``."""
        row = self._db.execute("select * from games where id = ?", (name,)).fetchone()
        return GameRow(id=name) if row is None else _game(row)

    def games(self) -> dict[str, GameRow]:
        """Return the states of all games, by name."""
        return {row["id"]: _game(row) for row in self._db.execute("select * from games")}

    def look_at(self, game: str) -> None:
        """Mark ``game`` as changed: the next round runs it."""
        self._db.execute("update games set changed = -1 where id = ?", (game,))

    def set_game(self, game: GameRow) -> None:
        """Store the state of ``game``."""
        row = {name: getattr(game, name) for name in game.__struct_fields__} | {
            "awaited": " ".join(game.awaited),
            "vacant": " ".join(game.vacant),
        }
        names = ", ".join(row)
        places = ", ".join(f":{name}" for name in row)
        self._db.execute(f"insert or replace into games ({names}) values ({places})", row)

    def clock(self) -> int | None:
        """Return the time that the club recorded last, ``None`` before its first round."""
        row = self._db.execute("select at from clock").fetchone()
        return None if row is None else int(row[0])

    def set_clock(self, now: int) -> None:
        """Record the time ``now``, in seconds since 1970."""
        self._db.execute("delete from clock")
        self._db.execute("insert into clock values (?)", (now,))

    # Votes

    def vote(self, game: str, seat: str, kind: str, seal: str) -> set[str]:
        """Record a vote; return all seats that vote for the same motion in the same position."""
        self._db.execute("insert or replace into votes values (?, ?, ?, ?)", (game, seat, kind, seal))
        return self.voters(game, kind, seal)

    def voters(self, game: str, kind: str, seal: str) -> set[str]:
        """Return the seats that vote for a motion in a position."""
        rows = self._db.execute("select seat from votes where game = ? and kind = ? and seal = ?", (game, kind, seal))
        return {row[0] for row in rows}

    # Limits and secrets

    def record_use(self, who: str, what: str, at: int) -> None:
        """Record a limited use by a seat, or by a path on which mails come, and delete old uses."""
        self._db.execute("delete from uses where at < ?", (at - _USES_KEPT,))
        self._db.execute("insert into uses values (?, ?, ?)", (who, what, at))

    def uses(self, who: str, what: str, since: int) -> int:
        """Return the number of uses of ``what`` by ``who`` after ``since``, in seconds since 1970."""
        query = "select count(*) from uses where who = ? and what = ? and at > ?"
        return int(self._db.execute(query, (who, what, since)).fetchone()[0])

    def secret(self) -> bytes:
        """Return 32 random bytes, always the same, that only this ledger has."""
        while (row := self._db.execute("select secret from secrets where id = 1").fetchone()) is None:
            self._db.execute("insert or ignore into secrets values (1, ?)", (token_bytes(32),))
        return bytes(row[0])


def _game(row: sqlite3.Row) -> GameRow:
    found = of_row(GameRow, row)
    awaited, vacant = tuple(row["awaited"].split()), tuple(row["vacant"].split())
    return replace(found, is_over=bool(row["is_over"]), awaited=awaited, vacant=vacant)

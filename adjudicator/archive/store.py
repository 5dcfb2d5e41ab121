"""Archives: many games in one SQLite file, each with its facts in columns, and its file packed in the last one.

A file from somebody else is never trusted: its tables must be exactly those of an archive, each row is checked, and damage
costs only the games that it hits.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, cast

from adjudicator.archive.zstd import BadZstdError, Codec
from adjudicator.core.problem import Violation
from adjudicator.core.values import canonical_text
from adjudicator.files import typed
from adjudicator.files.errors import CannotRead, CannotWrite, FileProblem, InUse, Untrusted
from adjudicator.files.reading import MEGABYTE, TooLarge, bounded
from adjudicator.results import ArchivedGame

if TYPE_CHECKING:
    from sqlite3 import Connection

ENDING: Final = ".adjudicator.db"
"""The file extension of archives."""
LARGEST: Final = 64 * MEGABYTE
"""The limit in bytes for a game."""
_APPLICATION: Final = 0x61646A75
_VERSION: Final = 2
_COLUMNS: Final = "n, name, id, ruleset, players, begun, ended, result, head, hash, size"
"""The columns of a game, which are the fields of ``ArchivedGame``, without its file."""
_SCHEMA: Final = f"""
pragma application_id = {_APPLICATION};
pragma user_version = {_VERSION};
create table game (
  n integer primary key, name text not null, id text not null, ruleset text not null, players text not null,
  begun text, ended text, result text, head text not null, hash text not null, size integer not null, body blob not null
);
create unique index game_name on game (name);
create index game_id on game (id);
create index game_ruleset on game (ruleset, size);
create table dictionary (ruleset text primary key, body blob not null) without rowid;
create view games as select {_COLUMNS} from game
"""
_MODELS: Final = 8
"""The number of games of a ruleset that make its dictionary."""
_DICTIONARY: Final = 256 * 1024
"""The size of the largest dictionary in bytes."""
_MOST_CODECS: Final = 64
_PATIENCE: Final = 10.0
"""Seconds to wait for another program that uses the file."""
_BATCH: Final = 500
_SHOWN: Final = 5
_NUMBER: Final = re.compile(r"-[0-9]+(?=(?:\.[^./]*)?\Z)")
"""The number in a name that another game had first."""
_ENTRY: Final = b'{"entry":'
_HASH: Final = b',"hash":"'
_SUPER_JOURNAL: Final = b"\xd9\xd5\x05\xf9\x20\xa1\x63\xd7"
"""The end of a journal that names a file for SQLite to delete: no archive has such a journal."""


def is_archive(path: str) -> bool:
    """Return whether ``path`` has the file extension of an archive."""
    return path.lower().endswith(ENDING)


def leads_out(name: str) -> bool:
    """Return whether the ``name`` of a game leads out of its archive, or out of the folder for it."""
    parts = name.replace("\\", "/").split("/")
    return ".." in parts or not parts[0] or re.match("[A-Za-z]:", name) is not None


def open_archive(path: str) -> Archive:
    """Open the archive at ``path`` for reading; close it afterwards. Raises ``CannotRead``, ``InUse``, ``Untrusted``."""
    try:
        with Path(path).open("rb") as stream:
            head = stream.read(100)
    except FileNotFoundError:
        raise CannotRead(path, "there is no such file") from None
    except (OSError, ValueError) as error:
        raise CannotRead(path, f"the file cannot be opened: {getattr(error, 'strerror', None) or error}") from error
    if not head.startswith(b"SQLite format 3\0") or head[18:20] != b"\1\1" or int.from_bytes(head[68:72]) != _APPLICATION:
        raise _untrusted(path, "this is not an archive, or its beginning is damaged")
    if (version := int.from_bytes(head[60:64])) != _VERSION:
        raise CannotRead(path, f"install a newer adjudicator: this archive has version {version}, not {_VERSION}")
    # Only a connection that may write takes back what an interrupted run has left.
    archive = Archive(path, "rw" if _is_interrupted(path) else "ro")
    try:
        with archive.explained() as connection:
            for pragma in ("trusted_schema = off", "cell_size_check = on", "query_only = on"):
                connection.execute(f"pragma {pragma}")
            if _tables(connection) != _own_tables():
                raise _untrusted(path, "this is not an archive: it has the tables of something else")
    except BaseException:
        archive.close()
        raise
    return archive


@contextmanager
def change_archive(path: str) -> Iterator[Archive]:
    """Open the archive at ``path``, or make it, for `add`; all changes inside are one transaction.

    Raises ``CannotRead``, ``CannotWrite``, ``InUse``, ``Untrusted``.
    """
    if os.path.exists(path):
        open_archive(path).close()
    with closing(Archive(path, "rwc")) as archive, archive.explained() as connection:
        connection.execute("pragma page_size = 8192")  # most games fit: this is a tenth smaller than with the usual 4096
        connection.execute("pragma cache_size = -65536")
        connection.execute("begin immediate")
        is_new = not _tables(connection)
        for statement in _SCHEMA.split(";") if is_new else ():
            connection.execute(statement)
        yield archive
        connection.execute("commit")  # closing takes back what is not committed
        if is_new:
            connection.execute("vacuum")  # the first games of each ruleset were packed twice


class Archive:
    """An open archive; messages call it ``name``."""

    def __init__(self, name: str, mode: str) -> None:
        """Open the file ``name`` in a ``mode`` of SQLite: `open_archive` and `change_archive` do it with every check."""
        import sqlite3  # few commands need it

        self.name = name
        self._codecs: dict[str, Codec] = {}
        self._counts: dict[str, int] = {}
        self._numbered: dict[str, tuple[set[str], int]] = {}
        uri = f"{Path(name).absolute().as_uri()}?mode={mode}"
        try:
            self._connection = sqlite3.connect(uri, uri=True, isolation_level=None, timeout=_PATIENCE)
        except sqlite3.DatabaseError as error:
            raise CannotRead(name, f"the file cannot be opened: {error}") from error
        self._connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, LARGEST + MEGABYTE)

    def __enter__(self) -> Archive:
        """Return the archive itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close the file."""
        self.close()

    def close(self) -> None:
        """Close the file."""
        self._connection.close()

    @contextmanager
    def explained(self) -> Iterator[Connection]:
        """Yield the connection. Raises the errors of SQLite as ``InUse``, ``CannotWrite``, or ``Untrusted`` for damage."""
        import sqlite3

        try:
            yield self._connection
        except sqlite3.DatabaseError as error:
            code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT) & 0xFF
            if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
                raise InUse(self.name, "another program uses this archive; try again when it has finished") from error
            if code in (sqlite3.SQLITE_FULL, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM):
                raise CannotWrite(self.name, f"the archive cannot be written: {error}") from error
            raise _untrusted(self.name, f"the archive is damaged: {error}") from error

    # Reading

    def rows(self) -> Iterator[ArchivedGame | Untrusted]:
        """Yield the row of each game by number; ``Untrusted`` for one that is damaged. Raises ``InUse``."""
        query, last = f"select {_COLUMNS} from game where n", 0
        with suppress(Untrusted):
            while True:
                with self.explained() as connection:  # a reader that waits between two games keeps no writer waiting
                    batch = connection.execute(f"{query} > ? order by n limit {_BATCH}", (last,)).fetchall()
                for values in batch:
                    if values[0] <= last:
                        raise _untrusted(self.name, "its rows are not in order")
                    last = values[0]
                    yield self._checked(values)
                if not batch:
                    return
        # A part of the table is damaged: the index of names says which games there are.
        known, pages = dict[int, str](), self.size // 16
        try:
            with self.explained() as connection:
                for n, name in connection.execute(f"select n, name from game indexed by game_name limit {pages}"):
                    known[n] = str(name)
        except Untrusted as error:
            yield error
        for n in sorted(n for n in known if n > last):
            try:
                with self.explained() as connection:
                    values = connection.execute(f"{query} = ?", (n,)).fetchone()
                yield self._checked(values) if values else _untrusted(f"{self.name}#{known[n]}", "the game is missing")
            except Untrusted as error:
                yield _untrusted(f"{self.name}#{known[n]}", error.violations[0].message)

    def games(self) -> Iterator[tuple[str, bytes | FileProblem]]:
        """Yield the name and the file of each game by number; the problem of a damaged one. Raises ``InUse``."""
        for row in self.rows():
            if isinstance(row, Untrusted):
                yield row.file.removeprefix(self.name).removeprefix("#"), row
                continue
            try:
                yield row.name, self.file_of(row)
            except Untrusted as error:
                yield row.name, error

    def read(self, which: str) -> tuple[str, bytes]:
        """Return the name and the file of the game with the name ``which``, else with this id, else with this number.

        Raises ``CannotRead`` if there is no such game, or several with that id; ``InUse``, ``Untrusted``.
        """
        row = self.find(which)
        return row.name, self.file_of(row)

    def find(self, which: str) -> ArchivedGame:
        """Return the row of the game that ``read`` returns. Raises ``CannotRead``, ``InUse``, ``Untrusted``."""
        number = int(which) if which.isdecimal() and len(which) < 18 else 0
        for column, value in (("name", which), ("name", f"{which}.json"), ("id", which), ("n", number)):
            with self.explained() as connection:
                query = f"select {_COLUMNS} from game where {column} = ? order by n limit 1000"
                found = connection.execute(query, (value,)).fetchall() if value else []
            if len(found) > 1:
                names = ", ".join(str(values[1]) for values in found[:_SHOWN]) + (" …" if len(found) > _SHOWN else "")
                raise CannotRead(self.name, f"name one of the {len(found):,} games with the id {which}: {names}")
            if found:
                row = self._checked(found[0])
                if isinstance(row, Untrusted):
                    raise row
                return row
        words = f"no game in this archive has the name, id or number {which}"
        raise CannotRead(self.name, f"{words}; `adjudicator archive {self.name}` lists its games")

    def file_of(self, row: ArchivedGame) -> bytes:
        """Return the file of the game with this ``row``. Raises ``InUse``, ``Untrusted``."""
        name = f"{self.name}#{row.name}"
        try:
            with self.explained() as connection:
                (body,) = connection.execute("select body from game where n = ?", (row.n,)).fetchone() or (None,)
                codec = self._codec(row.ruleset)
            if not isinstance(body, bytes):
                raise _untrusted(name, "its file is missing")
            text = bounded(codec.unpacker(body), LARGEST)
        except (BadZstdError, TooLarge) as error:
            raise _untrusted(name, f"its file is damaged: {error}") from None
        for data in (restore(text), text):
            if len(data) == row.size and sha256(data).hexdigest() == row.hash:
                return data
        raise _untrusted(name, "its file does not fit its hash: somebody has changed it")

    @property
    def size(self) -> int:
        """The size of the file in bytes."""
        return os.path.getsize(self.name)

    def totals(self) -> tuple[int, int]:
        """Return the number of games, and the size of their files in bytes; 0 if they are damaged. Raises ``InUse``."""
        query = f"select count(*), total(size) from (select size from game limit {self.size})"
        with suppress(Untrusted), self.explained() as connection:  # an index has the sizes: it reads no game
            games, size = connection.execute(query).fetchone()
            return games, int(size)
        return 0, 0

    def damage(self) -> str:
        """Return the first damage that SQLite finds in the file; empty if there is none. Raises ``InUse``."""
        try:
            with self.explained() as connection:
                found = str(connection.execute("pragma integrity_check(1)").fetchone()[0])
        except Untrusted as error:
            return error.violations[0].message
        return "" if found == "ok" else found

    def _checked(self, values: tuple[Any, ...]) -> ArchivedGame | Untrusted:
        row = dict(zip(ArchivedGame.__struct_fields__, values, strict=True))
        try:
            for fact in ("players", "result"):
                row[fact] = row[fact] and typed.read(dict[str, Any], row[fact])
            return cast(ArchivedGame, typed.convert(ArchivedGame, row))
        except (TypeError, ValueError, RecursionError) as error:
            name = row["name"] if isinstance(row["name"], str) else row["n"]
            return _untrusted(f"{self.name}#{name}", f"its row is damaged: {error}")

    def _codec(self, ruleset: str) -> Codec:
        """Return what packs and unpacks the games of ``ruleset``. Raises ``BadZstdError``."""
        if ruleset not in self._codecs:
            if len(self._codecs) == _MOST_CODECS:
                self._codecs.clear()
            found = self._connection.execute("select body from dictionary where ruleset = ?", (ruleset,)).fetchone()
            if found and not isinstance(found[0], bytes):
                raise BadZstdError("the dictionary is missing")
            plain = Codec()
            self._codecs[ruleset] = Codec(bounded(plain.unpacker(found[0]), _DICTIONARY)) if found else plain
        return self._codecs[ruleset]

    # Writing

    def add(self, row: ArchivedGame, data: bytes) -> str | None:
        """Add the file ``data`` of a game, and its facts in ``row``, inside of `change_archive`.

        Return its name: that of the row, with a number if another game has it; ``None`` if the game is there already.
        """
        name = self._free_name(row.name, row.hash)
        if name is None:
            return None
        text = _relinked(data, shortens=True)
        body = self._codec(row.ruleset).pack(text if restore(text) == data else data)
        players, result = canonical_text(row.players), row.result and canonical_text(row.result)
        facts = (row.game, row.ruleset, players, row.begun, row.ended, result, row.head, row.hash, row.size)
        self._connection.execute(f"insert into game values (null{', ?' * 11})", (name, *facts, body))
        self._make_dictionary(row.ruleset)
        return name

    def _free_name(self, name: str, hash_: str) -> str | None:
        """Return ``name``, with a number if another game has it; ``None`` if the same game has one of these names."""
        query = "select hash from game where name = ?"
        if not (found := self._connection.execute(query, (name,)).fetchone()):
            return name
        if found == (hash_,):
            return None
        stem, dot, ending = name.rpartition(".")
        stem, ending = (stem, f".{ending}") if dot and "/" not in ending else (name, "")
        if name not in self._numbered:  # once for all games of this name
            others = self._connection.execute(
                "select name, hash from game where name > ? and name < ?", (f"{stem}-", f"{stem}.")
            ).fetchall()
            numbered = {other: hash_ for other, hash_ in others if _NUMBER.sub("", other) == name}
            self._numbered[name] = set(numbered.values()), 1
        hashes, number = self._numbered[name]
        if hash_ in hashes:
            return None
        hashes.add(hash_)
        free = name
        while self._connection.execute(query, (free,)).fetchone():
            number += 1
            free = f"{stem}-{number}{ending}"
        self._numbered[name] = hashes, number
        return free

    def _make_dictionary(self, ruleset: str) -> None:
        """Count one more game of ``ruleset``; the first few make its dictionary, and are packed again with it."""
        if ruleset not in self._counts:
            query = "select count(*) - 1 from game where ruleset = ?"
            (self._counts[ruleset],) = self._connection.execute(query, (ruleset,)).fetchone()
        self._counts[ruleset] += 1
        if not ruleset or self._counts[ruleset] != _MODELS:
            return
        plain, dictionary = self._codec(ruleset), b""
        found = self._connection.execute("select n, body from game where ruleset = ?", (ruleset,)).fetchall()
        for _, body in found:
            dictionary += plain.unpacker(body).read(_DICTIONARY - len(dictionary))
        self._connection.execute("insert into dictionary values (?, ?)", (ruleset, plain.pack(dictionary)))
        self._codecs[ruleset] = codec = Codec(dictionary)
        for n, body in found:
            again = codec.pack(bounded(plain.unpacker(body), LARGEST))
            self._connection.execute("update game set body = ? where n = ?", (again, n))


def restore(text: bytes) -> bytes:
    """Return the game file for a packed ``text``: with the hashes of its journal that were left out."""
    return _relinked(text, shortens=False)


def _relinked(text: bytes, *, shortens: bool) -> bytes:
    """Return ``text`` without the hashes of entries that follow from the entry before, or with them again.

    Hashes do not compress: they would fill two thirds of a packed game.
    """
    lines, before = text.split(b"\n"), b""
    for at, line in enumerate(lines):
        if not line.startswith(_ENTRY):
            continue
        head, end, rest = line.rpartition(b'"}')
        start = next((one for one in (head[:-64], head) if one.endswith(_HASH)), b"")
        entry, hash_ = start[len(_ENTRY) : -len(_HASH)], head[len(start) :] if start and rest in (b"", b",") else b""
        follows = sha256(before + entry).hexdigest().encode() if before else b""
        if start and follows and hash_ == (follows if shortens else b""):
            lines[at] = b"".join((start, b"" if shortens else follows, end, rest))
            hash_ = follows
        before = hash_
    return b"\n".join(lines)


def _is_interrupted(path: str) -> bool:
    """Return whether the archive at ``path`` has the journal of a run that has not ended, or was interrupted."""
    with suppress(OSError), open(f"{os.path.realpath(path)}-journal", "rb") as stream:
        size = stream.seek(0, os.SEEK_END)
        stream.seek(max(0, size - len(_SUPER_JOURNAL)))
        return size > 0 and stream.read() != _SUPER_JOURNAL
    return False


@cache
def _own_tables() -> list[Any]:
    """Return the tables, indexes and views of an archive."""
    import sqlite3

    with closing(sqlite3.connect(":memory:")) as connection:
        connection.executescript(_SCHEMA)
        return _tables(connection)


def _tables(connection: Connection) -> list[Any]:
    return connection.execute("select type, name, tbl_name, sql from sqlite_schema order by name limit 20").fetchall()


def _untrusted(name: str, words: str) -> Untrusted:
    return Untrusted(name, [Violation("$", words)])

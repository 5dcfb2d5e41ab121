"""Open, change and copy the SQLite file of a club; explain its failures, and contain those of one mail or game."""

from __future__ import annotations

import os
import re
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from enum import StrEnum
from errno import EACCES
from functools import cache
from operator import itemgetter
from pathlib import Path
from traceback import extract_tb
from typing import Any, Final, TypeVar

import msgspec

from adjudicator.core.problem import SetupError, Violation
from adjudicator.core.values import Value, hints_of
from adjudicator.files.errors import CannotRead, CannotWrite, FileProblem, InUse, Untrusted
from adjudicator.files.typed import decoder
from adjudicator.files.writing import PRIVATE
from adjudicator.mail.mailbox import MailboxError
from adjudicator.reports.texts import printable
from adjudicator.resources import MissingResource

LEDGER: Final = "ledger.sqlite"
VERSION: Final = 20
"""The version of the tables. 1.0.0 wrote 8, and development versions up to 11."""
RESTORE: Final = "this ledger is damaged: restore the last copy that `adjudicator club backup` made (see docs/club.md)"
_PATIENCE: Final = 10.0
"""Seconds to wait for another program that uses the file."""
_SYNC: Final = "full"
"""When SQLite waits for the disk: after each transaction, so that what took place survives a power failure."""
_BUSY: Final = frozenset({sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED})
_DAMAGED: Final = frozenset({sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_FORMAT})
_SYSTEM: Final = frozenset(
    {
        *(sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN),
        *(sqlite3.SQLITE_PERM, sqlite3.SQLITE_NOMEM, sqlite3.SQLITE_NOLFS, sqlite3.SQLITE_PROTOCOL),
    }
)
_PLAIN: Final = (str, int, float, bytes, type(None))
_LONGEST: Final = 500
"""The most characters of a cause."""
T = TypeVar("T")


class Db:
    """An open ledger. Failures raise ``InUse``, ``CannotWrite`` or, if the file is damaged, ``Untrusted``; bugs stay bugs.

    A row becomes a value whose fields have the names of its columns: columns of other types than text, numbers and bytes
    hold JSON. All statements are constants; values of tables are passed apart.
    """

    def __init__(self, path: Path, *, create: bool = False) -> None:
        """Open the ledger at ``path``, or ``create`` it.

        It never replaces a lost ledger: then all letters would go out again, and all mails count as new.

        Raises ``CannotRead`` for another version.
        """
        self.path = path
        if not create and not (path.is_file() and path.stat().st_size):
            raise Untrusted(str(path), [Violation("$", "the file is missing or empty")], RESTORE)
        # Closing a file ends all locks of this process on it, also those of SQLite in other threads: another process would
        # then delete the log of transactions in which they write. So nothing but SQLite opens a ledger that exists.
        try:
            if create:
                os.close(os.open(path, os.O_CREAT | os.O_RDWR, PRIVATE))
            elif not os.access(path, os.R_OK | os.W_OK):
                raise PermissionError(EACCES, os.strerror(EACCES))
        except OSError as error:
            raise CannotWrite(str(path), f"it cannot be opened: {error.strerror or error}") from error
        with _explained(path):
            self._connection = sqlite3.connect(path, isolation_level=None, timeout=_PATIENCE)
            try:
                self._connection.row_factory = sqlite3.Row
                self._connection.execute("pragma journal_mode = wal")  # a transaction syncs one file instead of three
                self._connection.execute(f"pragma synchronous = {_SYNC}")
                self._connection.execute("pragma foreign_keys = on")
                if create:
                    schema = re.sub("--.*", "", Path(__file__).with_name("schema.sql").read_text("utf-8"))
                    with self.transaction():
                        if self.value("select count(*) from sqlite_master") == 0:  # else another process has just done so
                            for statement in filter(str.strip, schema.split(";")):
                                self._connection.execute(statement)
                            self._connection.execute(f"pragma user_version = {VERSION}")
                version = int(self._connection.execute("pragma user_version").fetchone()[0])
                refuse_newer(path, version)
                if version < VERSION:
                    todo = f"run `adjudicator club upgrade {path.parent}` (docs/upgrade.md)"
                    raise CannotRead(str(path), f"this club is of an earlier version: {todo}")
            except BaseException:
                self._connection.close()
                raise

    def close(self) -> None:
        """Close the file; SQLite undoes an unfinished transaction."""
        self._connection.close()

    @contextmanager
    def transaction(self, *, is_repeatable: bool = False) -> Iterator[None]:
        """Make all changes inside, or none; inside another transaction, the block is a part of it.

        One that a next round would repeat (``is_repeatable``) does not wait for the disk: the next one that does covers it.
        """
        if self._connection.in_transaction:
            yield
            return
        with _explained(self.path):
            if is_repeatable:
                self._connection.execute("pragma synchronous = normal")
            self._connection.execute("begin immediate")
            try:
                yield
                self._connection.execute("commit")
            except BaseException:
                if self._connection.in_transaction:  # if the disk is full, SQLite has already ended it
                    self._connection.execute("rollback")
                raise
            finally:
                if is_repeatable:
                    self._connection.execute(f"pragma synchronous = {_SYNC}")

    def run(self, sql: str, *values: Any) -> int:
        """Execute a statement; return the number of changed rows."""
        with _explained(self.path):
            return self._connection.execute(sql, [_stored(value) for value in values]).rowcount

    def all(self, kind: type[T], sql: str, *values: Any) -> list[T]:
        """Return the rows that the query finds, each as a value of ``kind``; for ``str``, ``int`` …, the first column.

        For ``tuple``, all columns as they are.
        """
        with _explained(self.path):
            rows = self._connection.execute(sql, [_stored(value) for value in values]).fetchall()
        if not issubclass(kind, Value):
            read_row: Callable[[Any], Any] = tuple if kind is tuple else itemgetter(0)
            return list(map(read_row, rows))
        readers = _readers(kind)
        columns = [(name, readers[name]) for name in (rows[0].keys() if rows else ()) if name in readers]
        try:
            return [kind(**{name: read(row[name]) if read else row[name] for name, read in columns}) for row in rows]
        except (ValueError, msgspec.DecodeError) as error:  # in JSON
            raise Untrusted(str(self.path), [Violation("$", str(error))], RESTORE) from error

    def first(self, kind: type[T], sql: str, *values: Any) -> T | None:
        """Return the first row that the query finds, as ``all`` does, or ``None``."""
        return next(iter(self.all(kind, sql, *values)), None)

    def value(self, sql: str, *values: Any) -> Any:
        """Return the first column of the first row that the query finds, or ``None``."""
        return self.first(object, sql, *values)

    def insert(self, table: str, *, unless: str = "", **columns: Any) -> int:
        """Insert a row; return its number, or 0 if another row has the same value in the unique column ``unless``."""
        known = f" on conflict ({unless}) do nothing" if unless else ""
        places = ", ".join("?" * len(columns))
        with _explained(self.path):
            statement = f"insert into {table} ({', '.join(columns)}) values ({places}){known}"
            done = self._connection.execute(statement, [_stored(value) for value in columns.values()])
            return int(done.lastrowid or 0) if done.rowcount == 1 else 0

    def update(self, table: str, id: int, **columns: Any) -> None:  # noqa: A002 - the name of the column
        """Change columns of the row ``id``. Raises ``Untrusted`` if the file does not keep the change."""
        names = ", ".join(f"{name} = ?" for name in columns)
        if self.run(f"update {table} set {names} where id = ?", *columns.values(), id) != 1:
            raise Untrusted(str(self.path), [Violation("$", f"the file does not keep changes of its {table}")], RESTORE)

    def copy_to(self, path: Path) -> None:
        """Write a copy to the new file ``path``, and check it. Others may write meanwhile."""
        with _explained(path), closing(sqlite3.connect(path, isolation_level=None)) as copy:
            with _explained(self.path):
                self._connection.backup(copy)
            found = copy.execute("pragma integrity_check(1)").fetchone()[0]
        if found != "ok":
            raise Untrusted(str(self.path), [Violation("$", str(found))], RESTORE)


def refuse_newer(path: Path, version: int) -> None:
    """Raise ``CannotRead`` if the ledger at ``path`` has a ``version`` after this one."""
    if version > VERSION:
        words = f"a newer adjudicator has written this ledger (version {version}); please update the program"
        raise CannotRead(str(path), words)


def _stored(value: Any) -> Any:
    """Return ``value`` as a column holds it: what is no text, number or bytes as JSON."""
    if isinstance(value, _PLAIN):
        return value
    if hasattr(value, "model_dump_json"):
        return value.model_dump_json(exclude_unset=True)
    return msgspec.json.encode(value).decode()


@cache
def _readers(kind: type[Value]) -> dict[str, Callable[[Any], Any] | None]:
    """Return how to read the column of each field of ``kind``; ``None``: as it is."""

    def reader(hint: Any) -> Callable[[Any], Any] | None:
        inner = getattr(hint, "__args__", (hint,)) if type(None) in getattr(hint, "__args__", ()) else (hint,)
        if bool in inner:
            return lambda found: None if found is None else bool(found)
        if all(isinstance(one, type) and issubclass(one, _PLAIN) for one in inner):
            return None
        return getattr(hint, "model_validate_json", None) or decoder(hint).decode

    return {name: reader(getattr(hint, "__supertype__", hint)) for name, hint in hints_of(kind).items()}


@contextmanager
def _explained(path: Path) -> Iterator[None]:
    """Raise errors of SQLite as problems of the file at ``path``; bugs stay as they are."""
    try:
        yield
    except UnicodeDecodeError as error:  # the name of a table or a column
        raise Untrusted(str(path), [Violation("$", str(error))], RESTORE) from error
    except sqlite3.DatabaseError as error:
        code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_OK) & 0xFF
        if code in _BUSY:
            raise InUse(str(path), "another program uses this ledger; please try again later") from error
        if code in _SYSTEM:
            raise CannotWrite(str(path), f"the ledger is not usable now: {error}") from error
        is_text = code == sqlite3.SQLITE_OK and isinstance(error, sqlite3.OperationalError)  # that is no UTF-8
        if code in _DAMAGED or is_text:
            raise Untrusted(str(path), [Violation("$", str(error))], RESTORE) from error
        raise


class Kind(StrEnum):
    """Who must act after a failure.

    BUSY: no one, for another program uses the file. OUTSIDE: the moderator, after an error of the system, or to correct a
    file of a game or its ruleset; the next round tries again. FAULT: a programmer, for the program or a ruleset has a bug,
    and would fail again.
    """

    BUSY = "busy"
    OUTSIDE = "outside"
    FAULT = "fault"


class Failure(Value, kw_only=True):
    """A failure: its ``kind``, and its ``cause`` as text."""

    kind: Kind
    cause: str


@contextmanager
def contain(on_failure: Callable[[Failure], object]) -> Iterator[None]:
    """Run the block; if it fails, call ``on_failure`` with the failure, and continue after the block.

    A failure of the ledger is raised: the club can do nothing without its ledger.
    """
    try:
        yield
    except (Exception, SystemExit) as error:
        if isinstance(error, FileProblem) and Path(error.file).name == LEDGER:
            raise
        from adjudicator import UnknownRuleset  # both are slow to load, and seldom needed
        from adjudicator.library.rulesets import UnusableRuleset

        outside = (FileProblem, MailboxError, OSError, SetupError, MissingResource, UnknownRuleset, UnusableRuleset)
        is_password = type(error) is LookupError  # it is missing at the place that the settings name
        kind = Kind.OUTSIDE if isinstance(error, outside) or is_password else Kind.FAULT
        kind = Kind.BUSY if isinstance(error, InUse) else kind
        cause = "\n".join(map(printable, str(error)[:_LONGEST].split("\n")))
        if kind is Kind.FAULT:
            place = extract_tb(error.__traceback__)[-1]
            cause = f"{type(error).__name__}: {printable(cause)} ({Path(place.filename).name}:{place.lineno})"
        on_failure(Failure(kind=kind, cause=cause))

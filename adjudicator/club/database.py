"""Open, change and copy the SQLite file of a ledger, and explain its failures by naming the file."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, Final, TypeVar

from adjudicator.core.problem import Violation
from adjudicator.core.values import Value
from adjudicator.files.atomic import PRIVATE
from adjudicator.files.errors import CannotRead, CannotWrite, InUse, Untrusted

_PATIENCE: Final = 10.0
"""Seconds to wait for another program that uses the file."""
_SYNC: Final = "full"
"""When SQLite waits for the disk: after each step, so that a step that took place survives a power failure."""
_BUSY: Final = frozenset({sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED})
_DAMAGED: Final = frozenset({sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_ERROR, sqlite3.SQLITE_FORMAT})
"""All statements are constants: if SQLite cannot compile one, a table is missing."""
_SYSTEM: Final = frozenset(
    {
        *(sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN),
        *(sqlite3.SQLITE_PERM, sqlite3.SQLITE_NOMEM, sqlite3.SQLITE_NOLFS, sqlite3.SQLITE_PROTOCOL),
    }
)
_WHOLE: Final = ("begin immediate", "commit", "rollback")
_PART: Final = ("savepoint part", "release part", "rollback to part")
"""The statements that begin, end and undo a step, and a part of one."""
RESTORE: Final = "this ledger is damaged: restore the last copy that `adjudicator club backup` made (see docs/club.md)"
Values = Sequence[Any] | Mapping[str, Any]
T = TypeVar("T")


class Result(Value):
    """The result of a statement: the ``rows`` found, and the number of rows changed (``rowcount``)."""

    rows: list[sqlite3.Row]
    rowcount: int

    def __iter__(self) -> Iterator[sqlite3.Row]:
        """Iterate over the rows."""
        return iter(self.rows)

    def fetchone(self) -> Any:
        """Return the first row, or ``None``."""
        return self.rows[0] if self.rows else None


class Database:
    """An open file. Failures raise ``InUse``, ``CannotWrite`` or, if the file is damaged, ``Untrusted``."""

    def __init__(self, path: Path, steps: Sequence[str]) -> None:
        """Open or create the file at ``path``, and bring its tables up to date with ``steps``.

        Each step turns the tables of one version into the next one; no text in a step has a semicolon. Raises
        ``CannotRead`` for a newer version.
        """
        self.path = path
        try:
            os.close(os.open(path, os.O_CREAT | os.O_RDWR, PRIVATE))
        except OSError as error:
            raise CannotWrite(str(path), f"it cannot be opened: {error.strerror or error}") from error
        with _explained(path):
            self._connection = _connected(path)
            try:
                self._bring_up_to_date(steps)
            except BaseException:
                self._connection.close()
                raise

    def close(self) -> None:
        """Close the file; SQLite undoes an unfinished step."""
        self._connection.close()

    @contextmanager
    def change(self) -> Iterator[None]:
        """Combine all changes inside into one step, completely or not at all; inside another step, it is a part of that."""
        is_part = self._connection.in_transaction
        begin, end, undo = _PART if is_part else _WHOLE
        with _explained(self.path):
            self._connection.execute(begin)
            try:
                yield
                self._connection.execute(end)
            except BaseException:
                if self._connection.in_transaction:  # if the disk is full, SQLite has already ended it
                    self._connection.execute(undo)
                raise

    def execute(self, statement: str, values: Values = ()) -> Result:
        """Execute ``statement``; return the rows that it finds, and the number of changed rows."""
        with _explained(self.path):
            cursor = self._connection.execute(statement, values)
            return Result(cursor.fetchall(), cursor.rowcount)

    def all(self, kind: type[T], query: str, values: Values = ()) -> list[T]:
        """Return the rows that ``query`` finds, each as a value of ``kind``, whose fields have the names of its columns."""
        return [of_row(kind, row) for row in self.execute(query, values)]

    def first(self, kind: type[T], query: str, values: Values = ()) -> T | None:
        """Return the first row that ``query`` finds as a value of ``kind``, or ``None``."""
        row = self.execute(query, values).fetchone()
        return None if row is None else of_row(kind, row)

    def copy_to(self, path: Path) -> None:
        """Write a copy of the file to the new file ``path``, and check it. Others may write meanwhile."""
        with _explained(path), closing(sqlite3.connect(path, isolation_level=None)) as copy:
            with _explained(self.path):
                self._connection.backup(copy)
            found = copy.execute("pragma integrity_check(1)").fetchone()[0]
        if found != "ok":
            raise Untrusted(str(self.path), [Violation("$", str(found))], RESTORE)

    def _bring_up_to_date(self, steps: Sequence[str]) -> None:
        if self._version(len(steps)) < len(steps):
            with self.change():
                for step in steps[self._version(len(steps)) :]:  # another process may just have done the same
                    for statement in filter(str.strip, step.split(";")):
                        self._connection.execute(statement)
                self._connection.execute(f"pragma user_version = {len(steps)}")

    def _version(self, newest: int) -> int:
        """Return the version of the file. Raises ``CannotRead`` if it is above ``newest``."""
        version = int(self._connection.execute("pragma user_version").fetchone()[0])
        if version > newest:
            words = f"a newer adjudicator has written this ledger (version {version}); please update the program"
            raise CannotRead(str(self.path), words)
        return version


def of_row(kind: type[T], row: sqlite3.Row) -> T:
    """Return ``row`` as a value of ``kind``, whose fields have the names of its columns."""
    fields: Any = kind
    return kind(**{name: row[name] for name in row.keys() if name in fields.__struct_fields__})  # noqa: SIM118


def _connected(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(path, isolation_level=None, timeout=_PATIENCE)
    connection.row_factory = sqlite3.Row
    connection.execute("pragma journal_mode = wal")  # each of the many steps of a round syncs one file instead of three
    connection.execute(f"pragma synchronous = {_SYNC}")
    return connection


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
            words = "another program uses this ledger; please try again later"
            raise InUse(str(path), words) from error
        if code in _SYSTEM:
            raise CannotWrite(str(path), f"the ledger is not usable now: {error}") from error
        if code in _DAMAGED or (
            code == sqlite3.SQLITE_OK and isinstance(error, sqlite3.OperationalError)
        ):  # text that is no UTF-8
            raise Untrusted(str(path), [Violation("$", str(error))], RESTORE) from error
        raise

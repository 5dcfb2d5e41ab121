"""The SQLite file of a ledger: opened, changed in whole steps, copied. A failure names the file, and is no bug."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, Final

from adjudicator.core.frozen import frozen
from adjudicator.store.atomic import PRIVATE
from adjudicator.store.errors import CannotRead, CannotWrite, InUse, Untrusted, Violation

_PATIENCE: Final = 10.0
"""Seconds to wait for another program that is at work on the file."""
_BUSY: Final = frozenset({sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED})
_DAMAGED: Final = frozenset({sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_ERROR, sqlite3.SQLITE_FORMAT})
"""All statements are constant: one that SQLite cannot compile does not find its table."""
_SYSTEM: Final = frozenset(
    {
        *(sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN),
        *(sqlite3.SQLITE_PERM, sqlite3.SQLITE_NOMEM, sqlite3.SQLITE_NOLFS, sqlite3.SQLITE_PROTOCOL),
    }
)
RESTORE: Final = "this ledger is damaged: restore the last copy that `adjudicator club backup` made (docs/club.md says how)"
Values = Sequence[Any] | Mapping[str, Any]


@frozen
class Result:
    """What a statement has found (``rows``), and how many rows it has changed (``rowcount``)."""

    rows: list[sqlite3.Row]
    rowcount: int

    def __iter__(self) -> Iterator[sqlite3.Row]:
        """Go through the rows."""
        return iter(self.rows)

    def fetchone(self) -> Any:
        """Return the first row, or ``None``."""
        return self.rows[0] if self.rows else None


class Database:
    """An open file. Whatever fails raises ``InUse``, ``CannotWrite`` or, if the file is damaged, ``Untrusted``."""

    def __init__(self, path: Path, steps: Sequence[str]) -> None:
        """Open the file at ``path``, made if need be, and bring its tables up to date with ``steps``.

        Each of these makes tables of one version into those of the next. Raises ``CannotRead`` for a newer version.
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
        """Close the file; a step that was not finished is as if it had never begun."""
        self._connection.close()

    @contextmanager
    def change(self) -> Iterator[None]:
        """Make everything that is changed inside one step: it is done whole or not at all."""
        with _explained(self.path):
            self._connection.execute("begin immediate")
            try:
                yield
                self._connection.execute("commit")
            except BaseException:
                if self._connection.in_transaction:  # SQLite has ended it already where the disk is full
                    self._connection.execute("rollback")
                raise

    def execute(self, statement: str, values: Values = ()) -> Result:
        """Carry ``statement`` out; return the rows that it finds, and how many it has changed."""
        with _explained(self.path):
            cursor = self._connection.execute(statement, values)
            return Result(cursor.fetchall(), cursor.rowcount)

    def copy_to(self, path: Path) -> None:
        """Write a copy of the file as it is now to ``path``, which is new, and check it. Others may write meanwhile."""
        with _explained(path), closing(sqlite3.connect(path, isolation_level=None)) as copy:
            with _explained(self.path):
                self._connection.backup(copy)
            found = copy.execute("pragma integrity_check(1)").fetchone()[0]
        if found != "ok":
            raise Untrusted(str(self.path), [Violation("$", str(found))], RESTORE)

    def _bring_up_to_date(self, steps: Sequence[str]) -> None:
        version = self._connection.execute("pragma user_version").fetchone()[0]
        if version > len(steps):
            words = f"this ledger is of version {version}, which a newer adjudicator has written"
            raise CannotRead(str(self.path), words)
        if version < len(steps):
            words = f"begin immediate; {' '.join(steps[version:])} pragma user_version = {len(steps)}; commit;"
            self._connection.executescript(words)


def _connected(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(path, isolation_level=None, timeout=_PATIENCE)
    connection.row_factory = sqlite3.Row
    connection.execute("pragma synchronous = full")
    return connection


@contextmanager
def _explained(path: Path) -> Iterator[None]:
    """Raise what SQLite finds wrong with the file at ``path`` as a problem of that file; a bug goes through."""
    try:
        yield
    except sqlite3.DatabaseError as error:
        code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_OK) & 0xFF
        if code in _BUSY:
            words = "another program is at work on this ledger; please try again when it is done"
            raise InUse(str(path), words) from error
        if code in _SYSTEM:
            raise CannotWrite(str(path), f"the ledger cannot be used now: {error}") from error
        if code in _DAMAGED:
            raise Untrusted(str(path), [Violation("$", str(error))], RESTORE) from error
        raise

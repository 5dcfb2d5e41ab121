"""Remember on this machine how files were decided, so that a file that is unchanged is not decided again."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from contextlib import suppress
from hashlib import sha256
from importlib.util import find_spec
from time import monotonic
from typing import Any, Final

from adjudicator import resources
from adjudicator.core.problem import AdjudicatorError
from adjudicator.orders.fast import cache_folder, is_private
from adjudicator.rulesets import package_of

_FILE: Final = "decided-1.db"
_TABLE: Final = "CREATE TABLE IF NOT EXISTS decided (key BLOB UNIQUE, ruleset TEXT, code BLOB, value BLOB)"
_MOST: Final = 500_000
"""The number of files that are remembered, those that were decided last."""
_PATIENCE: Final = 2
"""The seconds after which a memory that another process writes to is given up."""
_OFTEN: Final = 1.0
"""The seconds between transactions: one for each file may take as long as to decide it."""


def memory_key(data: bytes, *about: str) -> bytes:
    """Return the key of the file ``data`` for the question that ``about`` names."""
    return sha256("\0".join((*about, "")).encode() + sha256(data).digest()).digest()


class Memory:
    """What was decided about files on this machine: bytes by ``memory_key``, as long as the same code would decide.

    Use it as a context. A memory that is damaged or in use, or has no private folder, knows nothing. ``known`` counts the
    answers.
    """

    def __init__(self, *, is_new: bool = False) -> None:
        """Open the user's memory; one that ``is_new`` knows nothing of before, and takes what is decided now."""
        self._is_new, self._codes, self._taken = is_new, dict[str, bytes](), dict[bytes, tuple[bytes, str, bytes, bytes]]()
        self._base: Any = None
        self._written, self.known = monotonic(), 0
        folder = cache_folder()
        if folder is None:
            return
        self._path = folder / _FILE
        try:
            import sqlite3  # takes time to load, and few commands remember
        except ImportError:  # not everywhere is Python built with it
            return
        self._sqlite = sqlite3
        with suppress(OSError, sqlite3.Error):
            self._path.touch(mode=0o600)
            if not is_private(self._path):
                return
            self._base = sqlite3.connect(self._path, timeout=_PATIENCE, isolation_level=None)
            self._ask("PRAGMA synchronous = OFF")  # what a crash damages is forgotten
            self._ask(_TABLE)

    def __enter__(self) -> Memory:
        """Return the memory itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """Write what is new, and forget the oldest if there is too much."""
        self._write()
        self._ask("DELETE FROM decided WHERE rowid <= (SELECT max(rowid) FROM decided) - ?", _MOST)
        if self._base is not None:
            self._base.close()

    def get(self, key: bytes) -> bytes | None:
        """Return what was put under ``key`` by the code of today; ``None`` if there is nothing."""
        asked = "SELECT ruleset, code, value FROM decided WHERE key = ?"
        for ruleset, code, value in () if self._is_new else self._ask(asked, key):
            if isinstance(ruleset, str) and isinstance(value, bytes) and code and code == self._code_of(ruleset):
                self.known += 1
                return value
        return None

    def put(self, key: bytes, value: bytes, ruleset: str) -> None:
        """Remember ``value`` under ``key``; the rules of ``ruleset`` have decided it."""
        if self._base is not None and (code := self._code_of(ruleset)):
            self._taken[key] = key, ruleset, code, value
            if monotonic() - self._written >= _OFTEN:
                self._write()

    def _write(self) -> None:
        taken, self._taken, self._written = self._taken, {}, monotonic()
        if taken:
            self._ask("BEGIN IMMEDIATE")
            self._ask("INSERT OR REPLACE INTO decided VALUES (?, ?, ?, ?)", many=taken.values())
            self._ask("COMMIT")

    def _ask(self, words: str, *values: Any, many: Iterable[tuple[Any, ...]] | None = None) -> list[Any]:
        """Return the rows of an answer. An error ends the use of the memory, and deletes a damaged file."""
        if self._base is None:
            return []
        try:
            answer = self._base.execute(words, values) if many is None else self._base.executemany(words, many)
            return list(answer)
        except self._sqlite.Error as error:
            self._base.close()
            self._base = None
            if not isinstance(error, self._sqlite.OperationalError):  # which is one of the machine: in use, a full disk
                with suppress(OSError):
                    self._path.unlink()
            return []

    def _code_of(self, ruleset: str) -> bytes:
        """Return the mark of the code that decides games of ``ruleset``; empty if it is in no file."""
        if ruleset not in self._codes:
            self._codes[ruleset] = b""
            with suppress(AdjudicatorError, ImportError, OSError):
                self._codes[ruleset] = _mark_of_code(package_of(ruleset))
        return self._codes[ruleset]


def _mark_of_code(package: str) -> bytes:
    """Return a mark that changes with the files of the program or of ``package``: their places, sizes and times.

    By size and time Python itself knows whether the code that it has compiled is still that of a file.
    """
    places, seen = [str(resources.folder("grammar"))], [sys.version]
    for name in ("adjudicator", package):
        spec = find_spec(name)
        places += [] if spec is None else list(spec.submodule_search_locations or [spec.origin or ""])
    for place in dict.fromkeys(places):
        found = [(folder, file) for folder, _, files in os.walk(place) for file in files if file[-4:] != ".pyc"]
        for path in [os.path.join(*one) for one in found] or [place]:
            status = os.stat(path)
            seen.append(f"{path} {status.st_size} {status.st_mtime_ns}")
    return sha256("\n".join(sorted(seen)).encode()).digest()

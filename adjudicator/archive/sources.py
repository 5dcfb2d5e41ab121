"""Offer the games of an archive as sources to everything that reads games."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import closing

from adjudicator.archive.places import is_archive, open_archive
from adjudicator.archive.reader import ArchiveReader
from adjudicator.archive.taken_out import find
from adjudicator.audit.candidates import INNER, Candidate, Source, Unopened
from adjudicator.audit.verdict import Kind
from adjudicator.store.errors import CannotRead, Untrusted
from adjudicator.store.reading import read


def games_of(path: str, first: int = 1, last: int | None = None) -> Iterator[Candidate]:
    """Yield the games of the archive at ``path`` from number ``first`` to ``last``, and the damage of the archive."""
    try:
        with closing(open_archive(path)) as archive:
            if archive.damage and first == 1:
                words = f"{archive.damage}; games that could be read: {archive.games:,}"
                yield Unopened(path, words, Kind.DAMAGED)
            for row in archive.rows(first, last):
                yield Source(f"{path}{INNER}{row.name}", path, row.n, hash=row.hash)
    except CannotRead as error:
        yield Unopened(path, error.words)
    except Untrusted as error:
        yield Unopened(path, error.violations[0].words, Kind.DAMAGED)


def count_of(path: str) -> int:
    """Return the number of games in the archive at ``path``; 0 if it cannot be opened."""
    try:
        with closing(open_archive(path)) as archive:
            return archive.games
    except CannotRead:
        return 0


def game_of(path: str) -> Candidate:
    """Return the game with a name such as ``games.jsonl.zst#rally-042``, or why it cannot be found."""
    file, _, which = path.rpartition(INNER)
    if not is_archive(file):
        return Source(path, path, is_named=True)
    try:
        with closing(open_archive(file)) as archive:
            number = find(archive, which)
            row = next(archive.rows(number, number))
            return Source(f"{file}{INNER}{row.name}", file, row.n, is_named=True, hash=row.hash)
    except CannotRead as error:
        return Unopened(path, error.words)
    except Untrusted as error:
        return Unopened(path, error.violations[0].words, Kind.DAMAGED)


def read_game(path: str) -> tuple[str, bytes]:
    """Return the name and the bytes of the file at ``path``, or of a game such as ``games.jsonl.zst#rally-042``.

    Raises ``CannotRead``, ``Untrusted``.
    """
    if os.path.lexists(path) or INNER not in path:
        if is_archive(path) and os.path.isfile(path):
            raise CannotRead(path, f"name one game of this archive, such as {path}{INNER}GAME")
        return read(path)
    found = game_of(path)
    if isinstance(found, Unopened):
        raise CannotRead(found.name, found.why)
    if found.member is None:
        return read(path)
    with closing(open_archive(found.path)) as archive:
        return found.name, archive.read(found.member, hash_=found.hash)[1]


class Opened:
    """Keeps the archive of the last game open."""

    def __init__(self) -> None:
        """Begin with nothing open."""
        self._archive: ArchiveReader | None = None

    def read(self, source: Source) -> bytes:
        """Return the file of the game at ``source``. Raises ``CannotRead``, ``Untrusted``."""
        assert source.member is not None
        if self._archive is None or self._archive.name != source.path:
            self.close()
            self._archive = open_archive(source.path)
        return self._archive.read(source.member, hash_=source.hash)[1]

    def close(self) -> None:
        """Close what is open."""
        if self._archive is not None:
            self._archive.close()
            self._archive = None

"""Offer the games of an archive as sources to everything that reads games."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import closing
from typing import Final

from adjudicator.files.errors import CannotRead, Untrusted
from adjudicator.files.reading import read
from adjudicator.sources.archive_reader import ArchiveReader, open_archive
from adjudicator.sources.candidates import INNER, Candidate, Source, Unopened, is_archive
from adjudicator.verdict import Kind

_SHOWN: Final = 5


def games_of(path: str) -> Iterator[Candidate]:
    """Yield the games of the archive at ``path``, and its damage."""
    try:
        with closing(open_archive(path)) as archive:
            if archive.damage:
                words = f"{archive.damage}; games that could be read: {archive.games:,}"
                yield Unopened(path, words, Kind.DAMAGED)
            for row in archive.rows():
                yield Source(f"{path}{INNER}{row.name}", path, row.n, hash=row.hash)
    except CannotRead as error:
        yield Unopened(path, error.words)
    except Untrusted as error:
        yield Unopened(path, error.violations[0].message, Kind.DAMAGED)


def find(archive: ArchiveReader, which: str) -> int:
    """Return the number of the game with the name ``which``, else with this id, else with this number.

    Raises ``CannotRead`` if the archive has no such game, or several with that id; ``Untrusted``.
    """
    by_id = []
    for row in archive.rows():
        if which in (row.name, row.name.removesuffix(".json")):
            return row.n
        if row.game == which:
            by_id.append(row)
    if len(by_id) == 1:
        return by_id[0].n
    if by_id:
        names = ", ".join(row.name for row in by_id[:_SHOWN]) + (" …" if len(by_id) > _SHOWN else "")
        raise CannotRead(archive.name, f"name one of the {len(by_id):,} games with the id {which}: {names}")
    if which.isdecimal() and 1 <= int(which[:9]) <= archive.games:
        return int(which)
    raise CannotRead(
        archive.name,
        f"no game in this archive has the name, id or number {which}; `adjudicator archive {archive.name}` lists its games",
    )


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
        return Unopened(path, error.violations[0].message, Kind.DAMAGED)


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

"""Make archives of games from folders, zip archives and other archives."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from typing import Final

from adjudicator.archive.writer import archive_of, blocks_of, copy_blocks
from adjudicator.core.values import Value
from adjudicator.files.atomic import PRIVATE, write_atomic
from adjudicator.files.errors import CannotRead, CannotWrite, Untrusted
from adjudicator.files.lock import locked
from adjudicator.script.read import is_script
from adjudicator.sources.archive_lines import BadLineError, PackedGame, pack_game
from adjudicator.sources.archive_reader import BLOCK_GAMES, ArchiveReader, open_archive
from adjudicator.sources.archives import Opener
from adjudicator.sources.candidates import INNER, Candidate, Source, Unopened, is_archive, public_name
from adjudicator.sources.find import find_sources

_LONGEST_NAME: Final = 1000
_NUMBER: Final = re.compile(r"-[0-9]+(?=(?:\.[^./]*)?\Z)")
"""The number in a name that another game had first."""


class GameCopy(Value):
    """The result for a game that was copied from ``source`` to ``name``, or that is there already (``is_same``)."""

    source: str
    name: str
    is_same: bool = False


class Omission(Value):
    """The result for a ``source`` that was not copied, and ``why``; it may be a game only if it ``is_wrong``."""

    source: str
    why: str
    is_wrong: bool = True


def pack_archive(games: Iterable[tuple[str, bytes]]) -> bytes:
    """Return the bytes of an archive of ``games``, pairs of file name and bytes, as ``write_archive`` writes it.

    Raises ``BadLineError`` for a file that no archive can hold, ``CannotRead`` without a library for Zstandard.
    """
    return b"".join(archive_of("archive", blocks_of(pack_game(name, data) for name, data in games)))


Notify = Callable[[GameCopy | Omission], None]


class _Names:
    """The names in use and their games: eight bytes of a hash for each, so that a million fit into memory."""

    def __init__(self) -> None:
        self._latest: dict[str, int] = {}
        self._names: set[bytes] = set()
        self._games: set[bytes] = set()

    def take(self, name: str, hash_: str) -> str | None:
        """Return the name for a game, ``None`` if the archive already contains the same game under it or with a number."""
        taken = name
        if _short(name) in self._names:
            if _short(f"{hash_}/{_NUMBER.sub('', name)}") in self._games:
                return None
            while _short(taken) in self._names:
                self._latest[name] = self._latest.get(name, 1) + 1
                taken = _numbered(name, self._latest[name])
        self.add(taken, hash_)
        return taken

    def add(self, name: str, hash_: str) -> None:
        self._names.add(_short(name))
        self._games.add(_short(f"{hash_}/{_NUMBER.sub('', name)}"))


def write_archive(path: str, sources: Sequence[str], notify: Notify, *, add: bool = False, force: bool = False) -> None:
    """Write the games at ``sources`` (files, folders, archives) into a new archive ``path``, or ``add`` them to it.

    ``notify`` gets the result for each of them: a ``GameCopy`` or an ``Omission``.

    The name of a game is its place below its source. A game that the archive has already is not added again; if two other
    games have the same name, the second gets a number. An interrupted run leaves the archive unchanged. ``force`` replaces
    an archive. Raises ``CannotRead``, ``CannotWrite``, ``Untrusted``.
    """
    with locked(Path(path)):
        if not add and os.path.exists(path) and not force:
            raise CannotWrite(path, "the archive already exists; use `add` to add games, or `force` to replace it")
        if not add or not os.path.exists(path):
            write_atomic(path, archive_of(path, blocks_of(_packed(path, sources, _Names(), notify))), PRIVATE)
            return
        with closing(open_archive(path)) as archive:
            if archive.damage:
                words = f"make a new archive from the readable games of this one: it is damaged ({archive.damage})"
                raise CannotWrite(path, words)
            names = _Names()
            for row in archive.rows():
                names.add(row.name, row.hash)
            # The last block is packed again if it is not full, so that many small additions leave no small blocks.
            whole = archive.blocks - (archive.blocks > 0 and len(archive.numbers(archive.blocks - 1)) < BLOCK_GAMES)
            again = _again(archive, whole)
            new = blocks_of(game for games in (again, _packed(path, sources, names, notify)) for game in games)
            write_atomic(path, archive_of(path, new, copy_blocks(archive, whole)), PRIVATE)


def _again(archive: ArchiveReader, block: int) -> Iterator[PackedGame]:
    """Yield the games of ``block``, if it exists."""
    if block < archive.blocks:
        numbers = archive.numbers(block)
        for row, line in zip(archive.rows(numbers[0], numbers[-1]), archive.lines(block), strict=True):
            yield PackedGame(row, line)


def _packed(path: str, sources: Sequence[str], names: _Names, notify: Notify) -> Iterator[PackedGame]:
    """Yield the games at ``sources``, without those of the archive at ``path`` itself, whatever it is called there."""
    own = os.path.realpath(path)

    @lru_cache(maxsize=1)  # the games of an archive come one after the other
    def is_own(file: str) -> bool:
        return is_archive(file) and os.path.realpath(file) == own

    with Opener() as opener:
        for candidate in find_sources(sources):
            if is_own(candidate.name.partition(INNER)[0]):
                continue
            found = _one(candidate, sources, opener, names)
            if isinstance(found, PackedGame):
                notify(GameCopy(candidate.name, found.row.name))
                yield found
            else:
                notify(found)


def _one(candidate: Candidate, paths: Sequence[str], opener: Opener, names: _Names) -> PackedGame | GameCopy | Omission:
    if isinstance(candidate, Unopened):
        return Omission(candidate.name, candidate.why, candidate.kind is not None)
    try:
        data = opener.read(candidate)
        if not is_game(data):
            return Omission(candidate.name, "this is neither a game file nor a script", candidate.is_named)
        name = _name(candidate, paths)
        free = names.take(name, sha256(data).hexdigest())
        return GameCopy(candidate.name, name, is_same=True) if free is None else pack_game(free, data)
    except CannotRead as error:
        return Omission(candidate.name, error.words)
    except Untrusted as error:
        return Omission(candidate.name, error.violations[0].message)
    except BadLineError as error:
        return Omission(candidate.name, str(error))


def _name(source: Source, paths: Sequence[str]) -> str:
    """Return the name of the game at ``source`` in an archive; a game of another archive keeps its name."""
    name = public_name(source.name, paths)
    if is_archive(source.path):
        file, _, inner = name.rpartition(INNER)
        name = os.path.join(os.path.dirname(file), inner)
    return name.replace(os.sep, "/").removesuffix(".zst")[-_LONGEST_NAME:]


def is_game(data: bytes) -> bool:
    """Return whether ``data`` looks like a game file or a script; only an audit checks it."""
    return is_script(data) or all(word in data for word in (b'"format"', b'"ruleset"', b'"journal"'))


def _numbered(name: str, number: int) -> str:
    """Return ``name`` with a number, before its extension if it has one."""
    stem, dot, ending = name.rpartition(".")
    return f"{stem}-{number}.{ending}" if dot and "/" not in ending else f"{name}-{number}"


def _short(text: str) -> bytes:
    return sha256(text.encode()).digest()[:8]

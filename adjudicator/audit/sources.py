"""From paths to the games behind them, in a stable order: files, folders, zip archives; one after the other, lazily."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from adjudicator.reports.verdict import Kind

PACKED: Final = ".json.zst"
_GAMES: Final = (".json", PACKED)
TEXT: Final = ".txt"
"""What games kept by hand are called; other texts are passed over."""
_ARCHIVE: Final = ".zip"


@dataclass(frozen=True, slots=True)
class Source:
    """Where a game may be: the file ``path``, or what has number ``member`` in the zip archive of that path.

    ``name`` is what it is called in messages. One that ``is_named`` was given by the user himself and is always judged;
    others may turn out to be no games. ``data`` holds what was read already (standard input).
    """

    name: str
    path: str
    member: int | None = None
    is_named: bool = False
    data: bytes | None = None


@dataclass(frozen=True, slots=True)
class Mishap:
    """Something that is not opened, and why; of no ``kind`` if no game can have been lost by it."""

    name: str
    why: str
    kind: Kind | None = Kind.UNREAD


Found = Source | Mishap


def find_sources(paths: Iterable[str]) -> Iterator[Found]:
    """Yield what ``paths`` lead to, in their order, folders sorted by name; ``-`` is standard input.

    Of folders and archives only ``*.json``, ``*.json.zst`` and ``*.zip`` are taken. Links to folders are followed where
    ``paths`` name them, and nowhere else, so no loop is ever walked.
    """
    for path in paths:
        if path == "-":
            yield _standard_input()
        elif os.path.isdir(path):
            yield from _walk(path)
        elif path.lower().endswith(_ARCHIVE) and os.path.isfile(path):
            yield from _members(path)
        else:
            yield Source(path, path, is_named=True)


def is_wanted(name: str) -> bool:
    """Return whether what is called ``name`` may hold games."""
    base = name.rpartition("/")[2].lower()
    return base.endswith((*_GAMES, _ARCHIVE, TEXT)) and not base.startswith("._")


def _standard_input() -> Found:
    from adjudicator.store.errors import CannotRead
    from adjudicator.store.reading import read

    try:
        name, data = read("-")
    except CannotRead as error:
        return Mishap(error.file, error.words)
    return Source(name, "-", is_named=True, data=data)


def _walk(top: str) -> Iterator[Found]:
    """Yield what is in the folder ``top`` and below; in memory are only the names on the way to where it stands."""
    left = _children(top)
    while left:
        path = left.pop()
        if isinstance(path, Mishap):
            yield path
        elif not os.path.isdir(path):
            yield from _file(path)
        elif os.path.islink(path):
            yield Mishap(path, "a link to a folder: not followed", kind=None)
        else:
            left.extend(_children(path))


def _children(folder: str) -> list[str | Mishap]:
    """Return the folders in ``folder``, and the files that may hold games: the last by name first."""
    try:
        with os.scandir(folder) as entries:
            names = [entry.name for entry in entries if is_wanted(entry.name) or _is_folder(entry)]
    except OSError as error:
        return [Mishap(folder, f"this folder cannot be read: {error.strerror or error}")]
    return [os.path.join(folder, name) for name in sorted(names, reverse=True)]


def _is_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir()
    except OSError:  # a link that leads nowhere but to itself
        return False


def _file(path: str) -> Iterator[Found]:
    try:
        is_file = stat.S_ISREG(os.stat(path).st_mode)
    except OSError as error:
        yield Mishap(path, f"the file cannot be read: {error.strerror or error}")
        return
    if not is_file:
        yield Mishap(path, "this is no ordinary file: not opened", kind=None)
    elif path.lower().endswith(_ARCHIVE):
        yield from _members(path)
    else:
        yield Source(path, path)


def _members(path: str) -> Iterator[Found]:
    from adjudicator.audit.archives import members

    yield from members(path)

"""From paths to the games behind them, in a stable order: files, folders, archives; one after the other, lazily."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Iterator

from adjudicator.audit.archives import members
from adjudicator.audit.candidates import ARCHIVE, GAMES, INNER, Candidate, Source, Unopened, is_wanted


def find_sources(paths: Iterable[str]) -> Iterator[Candidate]:
    """Yield what ``paths`` lead to, in their order, folders sorted by name; ``-`` is standard input.

    Of folders and archives only ``*.json``, ``*.json.zst``, ``*.zip`` and ``*.jsonl.zst`` are taken. Links to folders are
    followed where ``paths`` name them, and nowhere else, so no loop is ever walked.
    """
    for path in paths:
        if path == "-":
            yield _standard_input()
        elif os.path.isdir(path):
            yield from _walk(path)
        elif path.lower().endswith((ARCHIVE, GAMES)) and os.path.isfile(path):
            yield from _members(path)
        elif INNER in path and not os.path.lexists(path):
            yield _one_of(path)
        else:
            yield Source(path, path, is_named=True)


def _standard_input() -> Candidate:
    from adjudicator.store.errors import CannotRead
    from adjudicator.store.reading import read

    try:
        name, data = read("-")
    except CannotRead as error:
        return Unopened(error.file, error.words)
    return Source(name, "-", is_named=True, data=data)


def _walk(top: str) -> Iterator[Candidate]:
    """Yield what is in the folder ``top`` and below; in memory are only the names on the way to where it stands."""
    left = _children(top)
    while left:
        path = left.pop()
        if isinstance(path, Unopened):
            yield path
        elif not os.path.isdir(path):
            yield from _file(path)
        elif os.path.islink(path):
            yield Unopened(path, "a link to a folder: not followed", kind=None)
        else:
            left.extend(_children(path))


def _children(folder: str) -> list[str | Unopened]:
    """Return the folders in ``folder``, and the files that may hold games: the last by name first."""
    try:
        with os.scandir(folder) as entries:
            names = [entry.name for entry in entries if is_wanted(entry.name) or _is_folder(entry)]
    except OSError as error:
        return [Unopened(folder, f"this folder cannot be read: {error.strerror or error}")]
    return [os.path.join(folder, name) for name in sorted(names, reverse=True)]


def _is_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir()
    except OSError:  # a link that leads nowhere but to itself
        return False


def _file(path: str) -> Iterator[Candidate]:
    try:
        is_file = stat.S_ISREG(os.stat(path).st_mode)
    except OSError as error:
        yield Unopened(path, f"the file cannot be read: {error.strerror or error}")
        return
    if not is_file:
        yield Unopened(path, "this is no ordinary file: not opened", kind=None)
    elif path.lower().endswith((ARCHIVE, GAMES)):
        yield from _members(path)
    else:
        yield Source(path, path)


def _members(path: str) -> Iterator[Candidate]:
    if path.lower().endswith(GAMES):
        from adjudicator.archive.sources import games_of

        yield from games_of(path)
    else:
        yield from members(path)


def _one_of(path: str) -> Candidate:
    """Return the game of an archive that is named as ``games.jsonl.zst#rally-042``."""
    from adjudicator.archive.sources import game_of

    return game_of(path)

"""Find the games at paths in a stable order: in files, folders and archives, one after the other."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Iterator

from adjudicator.files.errors import CannotRead
from adjudicator.files.reading import read
from adjudicator.sources.archives import members
from adjudicator.sources.candidates import CONTAINERS, INNER, TARS, Candidate, Source, Unopened, is_archive, is_wanted
from adjudicator.sources.game_archives import game_of, games_of
from adjudicator.sources.places import exists, is_url, walk_url
from adjudicator.sources.tars import tar_members


def find_sources(paths: Iterable[str]) -> Iterator[Candidate]:
    """Yield the sources at ``paths``, in order, folders sorted by name; ``-`` is standard input.

    Of folders and archives only ``*.json``, ``*.json.zst`` and ``candidates.CONTAINERS`` are taken. Links to folders are
    followed where ``paths`` name them, and nowhere else, so no loop is ever walked.
    """
    for path in paths:
        if path == "-":
            yield _standard_input()
        elif os.path.isdir(path):
            yield from _walk(path)
        elif path.lower().endswith(CONTAINERS) and exists(path):
            yield from _games_in(path)
        elif is_url(path) and INNER not in path:
            yield from _behind(path)
        elif INNER in path and not os.path.lexists(path):
            yield game_of(path)
        else:
            yield Source(path, path, is_named=True)


def _games_in(path: str) -> Iterator[Candidate]:
    """Yield the sources in the archive at ``path``."""
    if is_archive(path):
        yield from games_of(path)
    elif path.lower().endswith(TARS):
        yield from tar_members(path)
    else:
        yield from members(path)


def _standard_input() -> Candidate:
    try:
        name, data = read("-")
    except CannotRead as error:
        return Unopened(error.file, error.words)
    return Source(name, "-", is_named=True, data=data)


def _behind(url: str) -> Iterator[Candidate]:
    """Yield the sources at ``url``, or below it."""
    for found in walk_url(url):
        if isinstance(found, Unopened):
            yield found
        elif found.lower().endswith(CONTAINERS):
            yield from _games_in(found)
        else:
            yield Source(found, found, is_named=found == url)


def _walk(top: str) -> Iterator[Candidate]:
    """Yield the sources in the folder ``top`` and below, with only the names on the current path in memory."""
    left = _children(top)
    while left:
        path = left.pop()
        if isinstance(path, Unopened):
            yield path
        elif not os.path.isdir(path):
            yield from _file(path)
        elif os.path.islink(path):
            yield Unopened(path, "not opened: this is a link to a folder", kind=None)
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
        yield Unopened(path, "not opened: this is not an ordinary file", kind=None)
    elif path.lower().endswith(CONTAINERS):
        yield from _games_in(path)
    else:
        yield Source(path, path)

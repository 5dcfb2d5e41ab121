"""Find the games at paths in a stable order: in files, folders and archives, one after the other."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Iterator
from itertools import islice

from adjudicator.core.values import Value
from adjudicator.sources.archives import members
from adjudicator.sources.candidates import CONTAINERS, GAMES, INNER, TARS, Candidate, Source, Unopened, is_wanted
from adjudicator.sources.places import exists, is_url, walk_url


class Container(Value):
    """A file with several games: an archive of any kind."""

    path: str


def find_sources(paths: Iterable[str]) -> Iterator[Candidate]:
    """Yield the sources at ``paths``, in order, folders sorted by name; ``-`` is standard input.

    Of folders and archives only ``*.json``, ``*.json.zst`` and ``candidates.CONTAINERS`` are taken. Links to folders are
    followed where ``paths`` name them, and nowhere else, so no loop is ever walked.
    """
    for place in find_places(paths):
        if isinstance(place, Container):
            yield from games_in(place)
        else:
            yield place


def find_places(paths: Iterable[str]) -> Iterator[Candidate | Container]:
    """Yield the files at ``paths`` like ``find_sources``, but without opening archives."""
    for path in paths:
        if path == "-":
            yield _standard_input()
        elif os.path.isdir(path):
            yield from _walk(path)
        elif path.lower().endswith(CONTAINERS) and exists(path):
            yield Container(path)
        elif is_url(path) and INNER not in path:
            yield from _behind(path)
        elif INNER in path and not os.path.lexists(path):
            yield _one_of(path)
        else:
            yield Source(path, path, is_named=True)


def games_in(container: Container, first: int = 0, last: int | None = None) -> Iterator[Candidate]:
    """Yield the sources in ``container`` from number ``first`` (counted from 0) to before ``last``."""
    path = container.path
    if path.lower().endswith(GAMES):
        from adjudicator.sources.game_archives import games_of

        yield from games_of(path, first + 1, last)
    elif path.lower().endswith(TARS):
        from adjudicator.sources.tars import tar_members

        yield from islice(tar_members(path), first, last)
    else:
        yield from islice(members(path), first, last)


def count_games(container: Container) -> int:
    """Return the number of sources in ``container``, at least 1: a problem of the whole counts as one."""
    if container.path.lower().endswith(GAMES):
        from adjudicator.sources.game_archives import count_of

        return max(1, count_of(container.path))
    return max(1, sum(1 for _ in games_in(container)))


def _standard_input() -> Candidate:
    from adjudicator.files.errors import CannotRead
    from adjudicator.files.reading import read

    try:
        name, data = read("-")
    except CannotRead as error:
        return Unopened(error.file, error.words)
    return Source(name, "-", is_named=True, data=data)


def _behind(url: str) -> Iterator[Candidate | Container]:
    """Yield the sources at ``url``, or below it."""
    for found in walk_url(url):
        if isinstance(found, Unopened):
            yield found
        else:
            yield Container(found) if found.lower().endswith(CONTAINERS) else Source(found, found, is_named=found == url)


def _walk(top: str) -> Iterator[Candidate | Container]:
    """Yield the sources in the folder ``top`` and below, with only the names on the current path in memory."""
    left = _children(top)
    while left:
        path = left.pop()
        if isinstance(path, Unopened):
            yield path
        elif not os.path.isdir(path):
            yield _file(path)
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


def _file(path: str) -> Candidate | Container:
    try:
        is_file = stat.S_ISREG(os.stat(path).st_mode)
    except OSError as error:
        return Unopened(path, f"the file cannot be read: {error.strerror or error}")
    if not is_file:
        return Unopened(path, "not opened: this is not an ordinary file", kind=None)
    return Container(path) if path.lower().endswith(CONTAINERS) else Source(path, path)


def _one_of(path: str) -> Candidate:
    """Return the game that a name such as ``games.jsonl.zst#rally-042`` means."""
    from adjudicator.sources.game_archives import game_of

    return game_of(path)

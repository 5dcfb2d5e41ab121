"""Cut the sources of an audit into shards, which name files or a range of an archive but contain no game."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from hashlib import sha256
from typing import Final

from adjudicator.core.values import Value, replace
from adjudicator.sources.candidates import Candidate, Source, Unopened
from adjudicator.sources.find import Container, count_games, find_places, games_in
from adjudicator.sources.places import is_url, mark_of

SHARD: Final = 64
"""The number of sources in a shard, as in a block of an archive: about a second of work, so workers rarely wait."""


class Shard(Value, kw_only=True):
    """The sources ``first`` to ``last`` (from 0, without the last) of the archive at ``path``, called ``name`` in messages.

    Or, with an empty ``path``, these ``candidates``. ``number`` counts shards from 0; ``mark`` changes when a file does.
    """

    number: int
    mark: str
    path: str = ""
    name: str = ""
    first: int = 0
    last: int = 0
    candidates: tuple[Candidate, ...] = ()


def shards_of(paths: Iterable[str], settings: str = "") -> Iterator[Shard]:
    """Yield the sources at ``paths`` in shards, whose marks depend on the ``settings``."""
    number, held = 0, list[Candidate]()
    for place in find_places(paths):
        if not isinstance(place, Container):
            held.append(_from_anywhere(place))
        if held and (isinstance(place, Container) or len(held) == SHARD):
            yield _of_files(number, held, settings)
            number, held = number + 1, []
        if isinstance(place, Container):
            for shard in _of_archive(number, place.path, settings):
                yield shard
                number += 1
    if held:
        yield _of_files(number, held, settings)


def sources_of(shard: Shard) -> Iterator[Candidate]:
    """Yield the sources in ``shard``; only here its archive is opened."""
    if not shard.path:
        yield from shard.candidates
        return
    for candidate in games_in(Container(shard.path), shard.first, shard.last):
        yield replace(candidate, name=shard.name + candidate.name.removeprefix(shard.path))


def _of_files(number: int, held: list[Candidate], settings: str) -> Shard:
    marks = (f"{one.name} {mark_of(one.path) if isinstance(one, Source) else one.why}" for one in held)
    return Shard(number=number, mark=_mark(settings, *marks), candidates=tuple(held))


def _of_archive(number: int, path: str, settings: str) -> Iterator[Shard]:
    file, mark, count = _absolute(path), mark_of(path), count_games(Container(path))
    for at, first in enumerate(range(0, count, SHARD), number):
        last = min(first + SHARD, count)
        yield Shard(number=at, mark=_mark(settings, path, mark, f"{first}"), path=file, name=path, first=first, last=last)


def _from_anywhere(candidate: Candidate) -> Candidate:
    """Return ``candidate`` with an absolute path, since a worker may run in another folder."""
    if isinstance(candidate, Unopened) or candidate.path == "-":
        return candidate
    return replace(candidate, path=_absolute(candidate.path))


def _absolute(path: str) -> str:
    return path if is_url(path) else os.path.abspath(path)


def _mark(*words: str) -> str:
    return sha256("\n".join(words).encode()).hexdigest()[:16]

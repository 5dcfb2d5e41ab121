"""A game file taken by its lines: the journal stays the bytes that it is, and only what has to be looked into is read."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from hashlib import sha256
from typing import Final, NamedTuple

from adjudicator.core.frozen import frozen
from adjudicator.core.game import Game
from adjudicator.core.journal import Entry
from adjudicator.store import bulk, integrity

_JOURNAL: Final = b'"journal":['
_ENTRY: Final = b'{"entry":'
_HASH: Final = b',"hash":"'
_END: Final = b'"}'
_HASH_AT: Final = -(len(_HASH) + 64 + len(_END))


class Line(NamedTuple):
    """An entry as it is written: its canonical JSON in ``text``, and the ``hash`` beside it."""

    text: bytes
    hash: bytes


@frozen
class WrittenGame:
    """A game whose journal is still ``lines``, one for each entry; ``entries`` are those that were read, by their number.

    Heading, chain and seal are sound, and so is what waits. That the lines are what may stand in a game file, nobody has
    looked at, but for those that were read; ``game`` has no journal.
    """

    game: Game
    lines: Sequence[Line]
    entries: dict[int, Entry]


def written_game(data: bytes, is_read: Callable[[bytes], bool]) -> WrittenGame | None:
    """Return the game in ``data`` by its lines, ``None`` if that is for the careful way to say.

    Entry 0 is read, and what ``is_read`` says so of, asked with the canonical JSON of an entry. It takes the extra ``fast``.
    """
    pieces = _pieces(data)
    if pieces is None:
        return None
    before, lines, after = pieces
    read = [0, *(number for number, line in enumerate(lines) if number and is_read(line.text))]
    links = b",\n".join(b'%s%s,"hash":"%s"}' % (_ENTRY, *lines[number]) for number in read)
    found = bulk.load_part(b"%s\n%s\n%s" % (before, links, after))
    if found is None:
        return None
    game, entries, seal = found
    if not _is_chained(game.beginning, lines) or game.sealed(lines[-1].hash.decode()) != seal:
        return None
    return WrittenGame(game, lines, dict(zip(read, entries, strict=True)))


def is_coherent(game: Game, length: int, turn: int) -> bool:
    """Return whether nothing speaks against ``game``, whose journal has ``length`` entries, before adjudication ``turn``."""
    return not any(integrity.waiting_violations(game, length, turn))


def _pieces(data: bytes) -> tuple[bytes, Sequence[Line], bytes] | None:
    """Return what stands before the journal, its lines, and what stands after it."""
    lines = data.split(b"\n")
    try:
        first = lines.index(_JOURNAL) + 1
        last = lines.index(b"],", first)
    except ValueError:
        return None
    links = lines[first:last]
    # All but the last have a comma behind them.
    if not links or not all(link.endswith(b"},") for link in links[:-1]):
        return None
    found = [_line(link[:-1]) for link in links[:-1]] + [_line(links[-1])]
    return None if None in found else (b"\n".join(lines[:first]), found, b"\n".join(lines[last:]))  # type: ignore[return-value]


def _line(link: bytes) -> Line | None:
    """Return what ``link`` holds; that the hash in it is one, the chain says."""
    text, hash_ = link[len(_ENTRY) : _HASH_AT], link[-len(_END) - 64 : -len(_END)]
    return Line(text, hash_) if link == b"%s%s%s%s%s" % (_ENTRY, text, _HASH, hash_, _END) else None


def _is_chained(beginning: str, lines: Sequence[Line]) -> bool:
    before = beginning.encode()
    for line in lines:
        if sha256(before + line.text).hexdigest().encode() != line.hash:
            return False
        before = line.hash
    return True

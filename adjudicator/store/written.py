"""A game of whose journal only that is read which has to be looked into."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from adjudicator.core.frozen import frozen
from adjudicator.core.game import Game
from adjudicator.core.journal import Entry
from adjudicator.store import bulk, integrity
from adjudicator.store.lines import Line, lines_of


@frozen
class WrittenGame:
    """A game whose journal is still ``lines``, one for each entry; ``entries`` are those that were read, by their number.

    Heading, chain and seal are sound, and so is what waits. That the lines are what may stand in a game file, nobody has
    looked at, but for those that were read; ``game`` has no journal.
    """

    game: Game
    lines: Sequence[Line]
    entries: Mapping[int, Entry]


def written_game(data: bytes, is_read: Callable[[bytes], bool] | None) -> WrittenGame | None:
    """Return the game in ``data`` by its lines, ``None`` if that is for the careful way to say.

    Entry 0 is read, and what ``is_read`` says so of, asked with the canonical JSON of an entry (``None``: nothing else). It
    takes the extra ``fast``.
    """
    lines = lines_of(data)
    if lines is None:
        return None
    others = [] if is_read is None else [n for n, line in enumerate(lines.entries) if n and is_read(line.text)]
    read = [0, *others]
    found = bulk.load_part(lines.part(read))
    if found is None:
        return None
    game, links, seal = found
    if not lines.is_chained(game.beginning) or game.sealed(lines.head) != seal:
        return None
    return WrittenGame(game, lines.entries, {number: link.entry for number, link in zip(read, links, strict=True)})


def is_coherent(game: Game, length: int, turn: int) -> bool:
    """Return whether nothing speaks against ``game``, whose journal has ``length`` entries, before adjudication ``turn``."""
    return not any(integrity.waiting_violations(game, length, turn))

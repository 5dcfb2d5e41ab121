"""Read a game, but only those entries of its journal that a caller needs."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from adjudicator.core.frozen import frozen
from adjudicator.core.game import Game
from adjudicator.core.journal import Entry
from adjudicator.store import bulk, integrity
from adjudicator.store.lines import Line, lines_of


@frozen
class WrittenGame:
    """A game whose journal is still ``lines``, one for each entry; ``entries`` has the parsed ones by number.

    Heading, chain, seal and pending orders are checked. Only the parsed lines are checked against the schema. ``game`` has
    no journal.
    """

    game: Game
    lines: Sequence[Line]
    entries: Mapping[int, Entry]


def written_game(data: bytes, is_read: Callable[[bytes], bool] | None) -> WrittenGame | None:
    """Return the game in ``data`` by its lines, ``None`` if the careful reader must decide.

    It parses entry 0 and each entry whose canonical JSON ``is_read`` accepts (``None``: no other). It needs the extra
    ``fast``.
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
    """Return whether pending orders and receipts of ``game`` fit ``length`` entries and the next adjudication ``turn``."""
    return not any(integrity.waiting_violations(game, length, turn))

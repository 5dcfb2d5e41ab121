"""Find Black Spots that leave only one of several ways (RR-L2)."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from itertools import islice
from typing import Final

from adjudicator.core.values import Value
from adjudicator.games.rally_round.components import SquareId
from adjudicator.games.rally_round.ways import Way, Ways

TRIED: Final = 16
"""The most ways of which the search tries each."""
TRIED_OF_MANY: Final = 4
"""How many ways a search tries if there are more: on a map like a chessboard every way needs many."""


class Choice(Value):
    """Black Spots on ``spots`` leave only one way; ``through`` is a square that tells it from most others."""

    through: SquareId
    spots: tuple[SquareId, ...]


def choices(ways: Ways, barred: Collection[SquareId], most: int | None = None) -> Iterator[Choice]:
    """Yield ways that Black Spots outside of ``barred`` squares can leave as the only one, each with its spots.

    Of many ways it tries only the first; with ``most`` it omits those that need more Black Spots.
    """
    _, through = ways.through()
    for kept in islice(ways, TRIED if ways.number <= TRIED else TRIED_OF_MANY):
        spots = few_spots(ways, kept, barred, most)
        if spots is not None:
            yield Choice(min(kept, key=lambda square: (through[square], square)), spots)


def few_spots(ways: Ways, kept: Way, barred: Collection[SquareId], most: int | None = None) -> tuple[SquareId, ...] | None:
    """Return Black Spots that leave only ``kept`` of ``ways``, none of them superfluous, ``None`` without any.

    Each is where most other ways lead; with ``most`` the search gives up after so many.
    """
    taken, spots = {*kept, *barred}, list[SquareId]()
    total, through = ways.through()
    while total > 1:
        free = [square for square, number in through.items() if number and square not in taken]
        if not free or len(spots) == most:
            return None
        spots.append(min(free, key=lambda square: (-through[square], square)))
        total, through = ways.through(spots)
    for spot in tuple(spots):
        others = [other for other in spots if other != spot]
        spots = others if ways.through(others)[0] == 1 else spots
    return tuple(spots)

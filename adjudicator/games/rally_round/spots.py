"""Find the fewest Black Spots that leave only one way (RR-L2)."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from itertools import islice, pairwise
from typing import Final

from adjudicator.game import frozen
from adjudicator.games.rally_round.components import SquareId
from adjudicator.games.rally_round.ways import Way, Ways

TRIED: Final = 16
"""The most ways for an exact search for Black Spots."""
TRIED_OF_MANY: Final = 4
"""How many ways a search tries if there are more: on a map like a chessboard every way needs many."""
_ANY: Final = 1 << 30

Node = tuple[SquareId, int]
"""The entrance of a square (0) or its exit (1)."""


@frozen
class Choice:
    """Black Spots on ``spots`` leave only the way ``kept``; ``through`` is a square that tells it from most others."""

    kept: Way
    through: SquareId
    spots: tuple[SquareId, ...]


def choices(ways: Ways, barred: Collection[SquareId], most: int | None = None) -> Iterator[Choice]:
    """Yield ways that Black Spots outside of ``barred`` squares can leave as the only one, each with the fewest spots.

    Of many ways it tries only the first; with ``most`` it omits those that need more Black Spots.
    """
    _, through = ways.through()
    for kept in islice(ways, TRIED if ways.number <= TRIED else TRIED_OF_MANY):
        spots = fewest_spots(ways, kept, barred, most)
        if spots is not None:
            yield Choice(kept, min(kept, key=lambda square: (through[square], square)), spots)


def fewest_spots(
    ways: Ways, kept: Way, barred: Collection[SquareId], most: int | None = None
) -> tuple[SquareId, ...] | None:
    """Return the fewest Black Spots that leave only ``kept`` of ``ways``; ``None`` without any, or beyond ``most``.

    The search places each where most other ways lead, as long as that needs no more than the minimum.
    """
    plain = _plain_spots(ways, kept, barred, most)
    if plain is not None and len(plain) < 2:
        return plain
    least = _cut(ways, kept, barred, most if plain is None else len(plain))
    if least is None:
        return None
    return plain if plain is not None and len(plain) <= len(least) else least


def _plain_spots(ways: Ways, kept: Way, barred: Collection[SquareId], most: int | None) -> tuple[SquareId, ...] | None:
    """Return Black Spots found one by one, each where most other ways lead; ``None`` if it takes more than ``most``."""
    taken, spots = {*kept, *barred}, list[SquareId]()
    while True:
        total, through = ways.through(frozenset(spots))
        if total == 1:
            return tuple(spots)
        free = [square for square, number in through.items() if number and square not in taken]
        if not free or len(spots) == most:
            return None
        spots.append(min(free, key=lambda square: (-through[square], square)))


def _cut(ways: Ways, kept: Way, barred: Collection[SquareId], most: int | None) -> tuple[SquareId, ...] | None:
    """Return the fewest squares that cut every stretch off ``kept``; ``None`` without any, or beyond ``most``.

    A stretch that leaves ``kept`` and comes back to it makes another way of the same length, so the spots must cut each. By
    the theorem of Menger this takes as many squares as there are stretches that share none: it finds these one by one.
    """
    room, start, end = _rooms(ways, kept, barred)
    found = 0
    while True:
        came = _searched(room, start)
        if end not in came:
            break
        if found == most or not _taken(room, came, end):
            return None
        found += 1
    return tuple(square for square in ways.squares if (square, 0) in came and (square, 1) not in came)


def _rooms(ways: Ways, kept: Way, barred: Collection[SquareId]) -> tuple[dict[Node, dict[Node, int]], Node, Node]:
    """Return for each step off ``kept`` how many stretches it has room for, and where stretches begin and end."""
    start, end = (kept[0], -1), (kept[-1], -2)
    own, taken = {*kept}, {*barred}
    steps = {*pairwise(kept)}
    room: dict[Node, dict[Node, int]] = {start: {}, end: {}}
    for square, earlier in ways.before.items():
        if square not in own:
            room[square, 0] = {(square, 1): _ANY if square in taken else 1}
            room[square, 1] = {}
        for one in earlier:
            if (one, square) not in steps:
                room[start if one in own else (one, 1)][end if square in own else (square, 0)] = _ANY
    return room, start, end


def _searched(room: dict[Node, dict[Node, int]], start: Node) -> dict[Node, Node]:
    """Return every node in reach of ``start``, with the one before it."""
    came, queue = {start: start}, [start]
    for node in queue:
        for other, left in room[node].items():
            if left and other not in came:
                came[other] = node
                queue.append(other)
    return came


def _taken(room: dict[Node, dict[Node, int]], came: dict[Node, Node], end: Node) -> bool:
    """Use up the room for one stretch to ``end``; return whether squares could cut it."""
    node, least = end, _ANY
    while came[node] != node:
        least = min(least, room[came[node]][node])
        node = came[node]
    node = end
    while came[node] != node:
        before = came[node]
        room[before][node] -= 1
        room[node][before] = room[node].get(before, 0) + 1
        node = before
    return least < _ANY // 2

"""The Black Spots that leave one way alone (RR-L2): as few as can be for that way."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from itertools import islice, pairwise
from typing import Final

from adjudicator.game import frozen
from adjudicator.games.rally_round.components import SquareId
from adjudicator.games.rally_round.ways import Way, Ways

TRIED: Final = 16
"""Ways for which Black Spots are looked for, where there are no more."""
TRIED_OF_MANY: Final = 4
"""Ways for which they are looked for where there are more: on a map like a chessboard none needs few."""
_ANY: Final = 1 << 30

Node = tuple[SquareId, int]
"""The entrance of a square (0) or its exit (1)."""


@frozen
class Choice:
    """Black Spots on ``spots`` leave the way ``kept`` alone; ``through`` is a square that tells it from most others."""

    kept: Way
    through: SquareId
    spots: tuple[SquareId, ...]


def choices(ways: Ways, barred: Collection[SquareId], most: int | None = None) -> Iterator[Choice]:
    """Yield ways that Black Spots on no ``barred`` square can leave alone, each with the fewest that do.

    Of many ways only the first are looked at; with ``most`` those that need more Black Spots are left out.
    """
    _, through = ways.through()
    # Whether a leg can be settled is asked by itself, and again when it is looked whether the whole route can be completed.
    found = ways.found((frozenset(barred), most))
    for kept in islice(ways, TRIED if ways.number <= TRIED else TRIED_OF_MANY):
        if kept not in found:
            found[kept] = fewest_spots(ways, kept, barred, most)
        spots = found[kept]
        if spots is not None:
            yield Choice(kept, min(kept, key=lambda square: (through[square], square)), spots)


def fewest_spots(
    ways: Ways, kept: Way, barred: Collection[SquareId], most: int | None = None
) -> tuple[SquareId, ...] | None:
    """Return the fewest Black Spots that leave ``kept`` of ``ways``, ``None`` if none do, or it takes more than ``most``.

    They go where the most of the other ways lead, one by one, as long as that takes no more than is needed.
    """
    plain = _plain_spots(ways, kept, barred, most)
    if plain is not None and len(plain) < 2:
        return plain
    least = _cut(ways, kept, barred, most if plain is None else len(plain))
    if least is None:
        return None
    return plain if plain is not None and len(plain) <= len(least) else least


def _plain_spots(ways: Ways, kept: Way, barred: Collection[SquareId], most: int | None) -> tuple[SquareId, ...] | None:
    """Return Black Spots found one by one, each where the most others lead; ``None`` if it takes more than ``most``."""
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
    """Return the fewest squares that lie on every stretch off ``kept``, ``None`` if it takes more than ``most``, or none do.

    A stretch that leaves ``kept`` and comes back to it makes another way of the same length, so that each is to be cut. By
    the theorem of Menger it takes as many squares as there are stretches that share none: they are found one by one.
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
    """Return for each step off ``kept`` for how many stretches there is room, and where stretches begin and end."""
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
    """Return every node that can be come to from ``start``, with the one from which it was come to."""
    came, queue = {start: start}, [start]
    for node in queue:
        for other, left in room[node].items():
            if left and other not in came:
                came[other] = node
                queue.append(other)
    return came


def _taken(room: dict[Node, dict[Node, int]], came: dict[Node, Node], end: Node) -> bool:
    """Take the room for one stretch to ``end``; return whether it is one that squares could cut."""
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

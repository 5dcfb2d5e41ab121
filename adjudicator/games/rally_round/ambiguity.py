"""Where a route is ambiguous (RR-L2): how many shortest ways there are, and the Black Spots that leave one of them.

The ways themselves may be more than anybody could list. What is looked at is their union, the squares that lie on any of
them, in the order of their distance: so many ways lead to a square, so many on from it.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from typing import Final

from adjudicator.game import frozen
from adjudicator.games.rally_round.components import Rally, SquareId
from adjudicator.games.rally_round.network import Network, Way
from adjudicator.games.rally_round.route import Leg, legs_of

MOST_SPOTS: Final = 12
"""Black Spots that are looked for to leave one way."""
SHOWN: Final = 3
"""Ways of an ambiguous leg of which each is told with its Black Spots."""
_TRIED: Final = 4
"""Ways for which they are looked for: on a map like a chessboard no way needs few."""


@frozen
class Choice:
    """A way that can be made the only one by Black Spots on ``spots``; ``through`` tells it from the most of the others."""

    through: SquareId
    spots: tuple[SquareId, ...]


@frozen
class Ambiguity:
    """A ``leg`` to which ``ways`` lead that are equally short, and some ``choices`` among them."""

    leg: Leg
    ways: int
    choices: tuple[Choice, ...]


@frozen
class _Union:
    """The squares on any shortest way: for each the squares before it, in the order of their distance, the start first."""

    before: Mapping[SquareId, tuple[SquareId, ...]]
    start: SquareId
    end: SquareId

    def through(self, gone: Collection[SquareId]) -> tuple[int, dict[SquareId, int]]:
        """Return how many ways there are without the squares ``gone``, and how many of them lead over each square."""
        to: dict[SquareId, int] = {}
        for square, earlier in self.before.items():
            to[square] = 0 if square in gone else 1 if square == self.start else sum(to[one] for one in earlier)
        on = dict.fromkeys(self.before, 0)
        on[self.end] = 1
        for square in reversed(tuple(self.before)):
            if to[square]:
                for one in self.before[square]:
                    on[one] += on[square]
        return to[self.end], {square: to[square] * on[square] for square in self.before}


def ambiguities(network: Network, rally: Rally) -> Iterator[Ambiguity]:
    """Yield every leg of ``rally`` that several shortest ways lead along, each with the Black Spots that would settle it."""
    legs = legs_of(network, rally)
    on_route = frozenset[SquareId]().union(*(leg.common for leg in legs))
    used = set[SquareId]()
    for leg in legs:
        if len(leg.ways) > 1:
            closed = {*rally.black_spots, *used} - {leg.start.square}
            union = _union(network, leg, closed)
            yield Ambiguity(leg, union.through(())[0], tuple(_choices(union, leg, on_route)))
        used |= leg.common


def settled(network: Network, rally: Rally) -> tuple[SquareId, ...] | None:
    """Return the Black Spots that together leave one way everywhere, ``None`` if none are found.

    Of each ambiguous leg the first of the choices is taken.
    """
    added: tuple[SquareId, ...] = ()
    for _ in rally.controls:
        marked = replace(rally, black_spots=(*rally.black_spots, *added))
        legs = legs_of(network, marked)
        if not all(leg.ways for leg in legs):
            return None
        if all(len(leg.ways) == 1 for leg in legs):
            return added
        first = next(ambiguities(network, marked))
        if not first.choices:
            return None
        added = (*added, *first.choices[0].spots)
    return None


def _choices(union: _Union, leg: Leg, on_route: Collection[SquareId]) -> Iterator[Choice]:
    """Yield some ways of ``leg`` that Black Spots off the route can leave alone, with those."""
    total, through = union.through(())
    found = 0
    for kept in leg.ways[:_TRIED]:
        spots = _spots(union, kept, on_route)
        if spots is not None:
            yield Choice(min(kept, key=lambda square: (through[square], square)) if total else kept[-1], spots)
            found += 1
        if found == SHOWN:
            return


def _spots(union: _Union, kept: Way, on_route: Collection[SquareId]) -> tuple[SquareId, ...] | None:
    """Return the Black Spots that leave the way ``kept`` alone: always on the square over which the most others lead."""
    barred, spots = {*kept, *on_route}, list[SquareId]()
    while len(spots) <= MOST_SPOTS:
        total, through = union.through(frozenset(spots))
        if total == 1:
            return tuple(spots)
        free = [square for square, ways in through.items() if ways and square not in barred]
        if not free:
            return None
        spots.append(min(free, key=lambda square: (-through[square], square)))
    return None


def _union(network: Network, leg: Leg, closed: Collection[SquareId]) -> _Union:
    """Return the union of the shortest ways of ``leg``, which uses no square that is ``closed``."""
    start, end = leg.start.square, leg.end.square
    door = leg.ways[0][-2]
    far, queue = {start: 0}, deque([start])
    while queue and door not in far:
        here = queue.popleft()
        for other in network.links[here]:
            if other not in far and other not in closed and other != end:
                far[other] = far[here] + 1
                queue.append(other)
    before: dict[SquareId, tuple[SquareId, ...]] = {end: (door,)}
    back, seen = deque([door]), {door}
    while back:
        here = back.popleft()
        before[here] = tuple(other for other in network.links[here] if far.get(other) == far[here] - 1)
        for other in before[here]:
            if other not in seen:
                seen.add(other)
                back.append(other)
    return _Union(dict(reversed(before.items())), start, end)

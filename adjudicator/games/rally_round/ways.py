"""Find and count the shortest ways between two squares, however many there are (RR-L2)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from typing import Final

from adjudicator.core.graph import Graph, cheapest_ways
from adjudicator.core.values import Value
from adjudicator.games.rally_round.components import SquareId

Way = tuple[SquareId, ...]
"""Squares in the order of driving, each beside the one before."""
Before = Mapping[SquareId, Way]
"""For each square those before it on shortest ways."""


class Ways:
    """The shortest ways from the first square of ``before`` to its last, none without any.

    There may be more than anybody could list. The object holds their union, the ``squares`` of any of them in the order of
    their distance; ``number`` is how many ways there are, ``common`` are the squares of all of them.
    """

    __slots__ = ("before", "common", "distance", "number", "squares")

    def __init__(self, before: Before) -> None:
        """Store ``before``, which has the squares of all ways in the order of their distance, the start first."""
        self.before, self.squares = before, tuple(before)
        if max(map(len, before.values()), default=0) < 2:  # most often: one way, or no way
            self.distance, self.common, self.number = max(0, len(before) - 1), frozenset(before), min(1, len(before))
            return
        far: dict[SquareId, int] = {}
        for square, earlier in before.items():
            far[square] = far[earlier[0]] + 1 if earlier else 0
        layers = Counter(far.values())
        self.distance = len(layers) - 1
        # Every way passes each distance once: a square alone at its distance is on all of them.
        self.common = frozenset([square for square, distance in far.items() if layers[distance] == 1])
        self.number = self._to()[self.squares[-1]]

    def through(self, gone: Collection[SquareId] = ()) -> tuple[int, dict[SquareId, int]]:
        """Return how many ways avoid the squares ``gone``, and how many of them lead over each square."""
        to = self._to(gone)
        if not to:
            return 0, {}
        on = dict.fromkeys(to, 0)
        end = self.squares[-1]
        on[end] = 1
        for square in reversed(self.squares):
            if to[square]:
                onward = on[square]
                for one in self.before[square]:
                    on[one] += onward
        return to[end], {square: to[square] * on[square] for square in to}

    def _to(self, gone: Collection[SquareId] = ()) -> dict[SquareId, int]:
        """Return for each square how many ways lead there and avoid the squares ``gone``."""
        to: dict[SquareId, int] = {}
        for square, earlier in self.before.items():
            if square in gone:
                to[square] = 0
            elif len(earlier) == 1:
                to[square] = to[earlier[0]]
            else:
                to[square] = sum([to[one] for one in earlier]) if earlier else 1
        return to

    def __bool__(self) -> bool:
        return bool(self.squares)

    def __iter__(self) -> Iterator[Way]:
        heap = [[self.squares[-1]]] if self.squares else []
        while heap:
            way = heap.pop()
            earlier = self.before[way[-1]]
            while earlier:
                if len(earlier) > 1:
                    heap += [[*way, square] for square in earlier[:-1]]
                way.append(earlier[-1])
                earlier = self.before[way[-1]]
            yield tuple(reversed(way))

    @property
    def first(self) -> Way:
        """The first of the ways."""
        return next(iter(self))


NONE: Final = Ways({})
"""The empty set of ways."""


class Reach(Value):
    """How ``far`` every square in reach is from ``start``, and the squares ``before`` it on shortest ways."""

    start: SquareId
    far: Mapping[SquareId, int]
    before: Before

    def way(self, goal: SquareId) -> Way:
        """Return one of the shortest ways to ``goal``, the first found; empty without one."""
        if goal not in self.far:
            return ()
        way = [goal]
        while way[-1] != self.start:
            way.append(self.before[way[-1]][0])
        way.reverse()
        return tuple(way)

    def ways(self, goal: SquareId, *onward: SquareId) -> Ways:
        """Return the shortest ways to ``goal``, each with the squares ``onward`` after it."""
        if goal not in self.far:
            return NONE
        union, seen = [goal], {goal}
        for square in union:
            for one in self.before[square]:
                if one not in seen:
                    seen.add(one)
                    union.append(one)
        before = {square: self.before[square] for square in reversed(union)}
        for square in onward:
            before[square] = (next(reversed(before)),)
        return Ways(before)


def reach(graph: Graph[SquareId], start: SquareId, closed: Collection[SquareId] = ()) -> Reach:
    """Return the squares in reach of ``start`` over nothing that is ``closed``."""
    far = graph.steps(start, (lambda square: square not in closed) if closed else None)
    before = dict.fromkeys(far, Way())
    for here, distance in far.items():  # in the order in which the search came to them
        own = (here,)
        for other in graph.beside[here]:
            if far.get(other) == distance + 1:
                before[other] += own
    return Reach(start, far, before)


def first_way(
    graph: Graph[SquareId], start: SquareId, ends: Collection[SquareId], closed: Collection[SquareId] = ()
) -> Way | None:
    """Return the first by square names of the shortest ways to the nearest of ``ends``, ``None`` without one."""

    def onward(way: Way, _value: None) -> Iterator[tuple[int, SquareId, None]]:
        return ((1, other, None) for other in graph.beside[way[-1] if way else start] if other not in closed)

    ways = cheapest_ways(start, None, onward)
    return next(((start, *way) for way, _ in ways if way[-1] in ends), None)

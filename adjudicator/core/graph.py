"""A graph: places and the ways between them, with the fewest steps from one to the others."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping
from heapq import heappop, heappush
from itertools import count
from typing import Any, Generic, TypeVar

N = TypeVar("N", bound=Hashable)
V = TypeVar("V")


class Graph(Generic[N]):
    """Places, each with the places one step away, in a fixed order. A step leads both ways only if both places name it."""

    __slots__ = ("beside",)

    def __init__(self, beside: Mapping[N, Collection[N]]) -> None:
        """Hold the places ``beside`` each place; ways to places that are no keys lead nowhere."""
        self.beside = {place: tuple([other for other in others if other in beside]) for place, others in beside.items()}

    def steps(self, start: N, is_open: Callable[[N], bool] | None = None) -> dict[N, int]:
        """Return every place in reach of ``start``, near ones first, each with the fewest steps to it (``start``: 0).

        With ``is_open``, the way enters only places for which it is true; ``start`` itself need not be open.
        """
        found, queue = {start: 0}, deque((start,))
        while queue:
            here = queue.popleft()
            for other in self.beside[here]:
                if other not in found and (is_open is None or is_open(other)):
                    found[other] = found[here] + 1
                    queue.append(other)
        return found


def cheapest_ways(
    start: N,
    value: V,
    onward: Callable[[tuple[N, ...], V], Iterable[tuple[float, N, V]]],
    rank: Callable[[tuple[N, ...]], Any] = lambda way: (len(way), way),
) -> Iterator[tuple[tuple[N, ...], V]]:
    """Yield the cheapest way from ``start`` to each place in reach, by cost: its places after ``start``, and its value.

    ``onward`` gives the steps from the end of a way with its value: the cost of each, 0 or more, its place, and the value
    there. Of ways of one cost, that of the least ``rank`` comes first; by default that of the fewest steps, then that with
    the smaller places. No two ways may have one rank.
    """
    queue: list[tuple[float, Any, tuple[N, ...], V]] = [(0, rank(()), (), value)]
    seen = set[N]()
    while queue:
        cost, _, way, value = heappop(queue)
        here = way[-1] if way else start
        if here in seen:
            continue
        seen.add(here)
        if way:
            yield way, value
        for more, place, after in onward(way, value):
            if place not in seen:
                longer = (*way, place)
                heappush(queue, (cost + more, rank(longer), longer, after))


def cheapest_way(start: N, end: N, steps: Callable[[N], Iterable[tuple[N, float]]]) -> tuple[N, ...]:
    """Return the nodes of the cheapest way from ``start`` to ``end``, both included; empty without a way.

    ``steps`` gives the neighbours of a node, each with the cost of the step to it, 0 or more. Of ways of one cost, the one
    found first is returned, so that nodes need no order.
    """
    numbers = count()

    def onward(way: tuple[N, ...], _value: None) -> Iterator[tuple[float, N, None]]:
        return ((cost, place, None) for place, cost in steps(way[-1] if way else start))

    ways = cheapest_ways(start, None, onward, rank=lambda _way: next(numbers))
    return (start,) if start == end else next(((start, *way) for way, _ in ways if way[-1] == end), ())

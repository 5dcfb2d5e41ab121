"""A graph: places and the ways between them, with the fewest steps from one to the others."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping
from heapq import heappop, heappush
from math import inf
from typing import Generic, TypeVar

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
    start: N, value: V, onward: Callable[[tuple[N, ...], V], Iterator[tuple[float, N, V]]]
) -> Iterator[tuple[tuple[N, ...], V]]:
    """Yield the cheapest way from ``start`` to each place in reach, by cost: its places after ``start``, and its value.

    ``onward`` gives the steps from the end of a way with its value: the cost of each, its place, and the value there. Of
    ways of one cost, those of fewer steps come first, then those with the smaller places.
    """
    queue: list[tuple[float, int, tuple[N, ...], V]] = [(0, 0, (), value)]
    seen = set[N]()
    while queue:
        cost, steps, way, value = heappop(queue)
        here = way[-1] if way else start
        if here in seen:
            continue
        seen.add(here)
        if way:
            yield way, value
        for more, place, after in onward(way, value):
            if place not in seen:
                heappush(queue, (cost + more, steps + 1, (*way, place), after))


def cheapest_way(start: N, end: N, steps: Callable[[N], Iterable[tuple[N, float]]]) -> tuple[N, ...]:
    """Return the nodes of the cheapest way from ``start`` to ``end``, both included; empty without a way.

    ``steps`` gives the neighbours of a node, each with the cost of the step to it, 0 or more.
    """
    best, before, queue, number = {start: 0.0}, dict[N, N](), [(0.0, 0, start)], 0
    while queue:
        cost, _, here = heappop(queue)
        if here == end:
            way = [end]
            while way[-1] != start:
                way.append(before[way[-1]])
            return tuple(reversed(way))
        for there, more in steps(here) if cost <= best[here] else ():
            if cost + more < best.get(there, inf):
                best[there], before[there], number = cost + more, here, number + 1
                heappush(queue, (cost + more, number, there))
    return ()

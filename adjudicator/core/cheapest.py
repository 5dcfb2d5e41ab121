"""Find the cheapest way between two places of a board."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from heapq import heappop, heappush
from math import inf
from typing import TypeVar

Node = TypeVar("Node", bound=Hashable)


def cheapest_way(start: Node, end: Node, steps: Callable[[Node], Iterable[tuple[Node, float]]]) -> tuple[Node, ...]:
    """Return the nodes of the cheapest way from ``start`` to ``end``, both included; empty without a way.

    ``steps`` gives the neighbours of a node, each with the cost of the step to it, 0 or more.
    """
    best, before, queue, number = {start: 0.0}, dict[Node, Node](), [(0.0, 0, start)], 0
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

"""Look up a board as a graph: neighbours, paths of tiles, cities and lines, distances to the finish."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import field
from functools import lru_cache
from typing import Any, Final

from adjudicator.game import frozen
from adjudicator.games.great_race.components import Board, Line, LineKind, Space, SpaceId

Joined = Callable[[SpaceId], Iterable[SpaceId]]
"""Gives the spaces joined with a space."""
_REMEMBERED: Final = 256
"""How many sets of free spaces the cache holds: laying tiles needs the same ones several times."""
_BOARDS: Final = 16
"""How many boards the cache holds: archives are full of games on the same boards."""


@frozen
class Roads:
    """A ``board`` for a race from ``start`` to ``finish``, with its spaces by their id.

    ``lines`` gives the transport lines of each city, ``across`` the cities at their other ends, ``to_finish`` the fewest
    steps by land and line from each space to the finish, ``lanes`` the place of each on the scale of progress. ``found``
    caches the free spaces.
    """

    board: Board
    start: SpaceId
    finish: SpaceId
    spaces: Mapping[SpaceId, Space]
    lines: Mapping[SpaceId, tuple[Line, ...]]
    across: Mapping[SpaceId, tuple[SpaceId, ...]]
    to_finish: Mapping[SpaceId, int]
    lanes: Mapping[SpaceId, int]
    found: dict[Any, tuple[SpaceId, ...]] = field(default_factory=dict, compare=False, repr=False)

    def beside(self, space: SpaceId) -> tuple[SpaceId, ...]:
        """Return the spaces beside ``space`` by land, in the order of the board."""
        return self.spaces[space].next

    def is_city(self, space: SpaceId) -> bool:
        """Return whether ``space`` is a city."""
        return space in self.lines

    def lane(self, space: SpaceId) -> int:
        """Return the place of ``space`` on the scale of progress: 1 is the lane of the start (GR-N1)."""
        return self.lanes[space]

    def line(self, kind: LineKind, here: SpaceId, there: SpaceId) -> Line | None:
        """Return the line of that ``kind`` between two cities, ``None`` without one (GR-D5)."""
        return next((line for line in self.lines.get(here, ()) if line.kind is kind and there in line.ends), None)

    def connected(self, here: SpaceId, laid: Collection[SpaceId]) -> dict[SpaceId, int]:
        """Return the spaces that an unbroken path of tiles and cities joins with ``here``, each with its number of steps.

        ``laid`` are the spaces with a tile. A line joins its ends (GR-D5); ``here`` itself comes first.
        """
        spaces, lines, far, queue = self.spaces, self.across, {here: 0}, deque((here,))
        while queue:
            space = queue.popleft()
            for other in spaces[space].next:
                if other not in far and (other in laid or other in lines):  # all cities are there
                    far[other] = far[space] + 1
                    queue.append(other)
            for other in lines.get(space, ()):
                if other not in far:
                    far[other] = far[space] + 1
                    queue.append(other)
        return far

    def free(self, here: SpaceId, laid: Collection[SpaceId]) -> tuple[SpaceId, ...]:
        """Return the empty spaces beside the path from ``here``, where a tile can go, in the order of the board (GR-A1)."""
        key = here, frozenset(laid)
        if key not in self.found:
            if len(self.found) >= _REMEMBERED:
                self.found.clear()
            reached = self.connected(here, laid)
            beside = {other for space in reached for other in self.spaces[space].next}
            edge = beside.difference(reached, laid)
            self.found[key] = tuple([space for space in self.spaces if space in edge])
        return self.found[key]


@lru_cache(_BOARDS)
def roads_of(board: Board, start: SpaceId) -> Roads:
    """Return ``board``, which has no flaw, for a race from its purple city ``start`` to the other."""
    spaces = {space.id: space for space in board.spaces}
    finish = next(city for city in board.purple if city != start)
    lines = {space: tuple(line for line in board.lines if space in line.ends) for space in spaces if spaces[space].is_city}
    across = {city: tuple(dict.fromkeys(other_end(line, city) for line in own)) for city, own in lines.items()}
    joined: Joined = lambda space: (*spaces[space].next, *across.get(space, ()))  # noqa: E731
    first = spaces[start].lane
    ahead = 1 if spaces[finish].lane > first else -1
    lanes = {space.id: ahead * (space.lane - first) + 1 for space in board.spaces}
    return Roads(board, start, finish, spaces, lines, across, steps_from(finish, joined), lanes)


def other_end(line: Line, here: SpaceId) -> SpaceId:
    """Return the city to which ``line`` leads from ``here``."""
    return line.ends[1] if line.ends[0] == here else line.ends[0]


def steps_from(start: SpaceId, joined: Joined) -> dict[SpaceId, int]:
    """Return every space ``joined`` with ``start``, near ones first, each with its number of steps (``start``: 0)."""
    far: Final = {start: 0}
    queue = deque((start,))
    while queue:
        here = queue.popleft()
        for other in joined(here):
            if other not in far:
                far[other] = far[here] + 1
                queue.append(other)
    return far

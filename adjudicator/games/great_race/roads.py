"""Look up a board: neighbours, paths of tiles, cities and lines, distances to the finish, lanes of progress."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import lru_cache
from typing import Final

from adjudicator.core.graph import Graph
from adjudicator.game import Memo, Value, field, remembered
from adjudicator.games.great_race.components import Board, Line, LineKind, Space, SpaceId

_BOARDS: Final = 16
"""How many boards the cache holds: archives are full of games on the same boards."""


class Roads(Value):
    """A ``board`` for a race from ``start`` to ``finish``, with its spaces by their id.

    ``lines`` gives the transport lines of each city, ``to_finish`` the fewest steps from each space to the finish, ``lanes``
    the place of each on the scale of progress (1: the lane of the start, GR-N1), ``graph`` all ways by land and line.
    """

    board: Board
    start: SpaceId
    finish: SpaceId
    spaces: Mapping[SpaceId, Space]
    lines: Mapping[SpaceId, tuple[Line, ...]]
    to_finish: Mapping[SpaceId, int]
    lanes: Mapping[SpaceId, int]
    graph: Graph[SpaceId]
    memo: Memo = field(default_factory=Memo)

    def beside(self, space: SpaceId) -> tuple[SpaceId, ...]:
        """Return the spaces beside ``space`` by land, in the order of the board."""
        return self.spaces[space].next

    def is_city(self, space: SpaceId) -> bool:
        """Return whether ``space`` is a city."""
        return space in self.lines

    def lane(self, space: SpaceId) -> int:
        """Return the place of ``space`` on the scale of progress."""
        return self.lanes[space]

    def line(self, kind: LineKind, here: SpaceId, there: SpaceId) -> Line | None:
        """Return the line of that ``kind`` between two cities, ``None`` without one (GR-D5)."""
        return next((line for line in self.lines.get(here, ()) if line.kind is kind and there in line.ends), None)

    def connected(self, here: SpaceId, laid: Collection[SpaceId]) -> dict[SpaceId, int]:
        """Return the spaces that an unbroken path of tiles and cities joins with ``here``, each with its number of steps.

        ``laid`` are the spaces with a tile. A line joins its ends (GR-D5); ``here`` itself comes first.
        """
        return self.graph.steps(here, lambda space: space in laid or space in self.lines)

    def free(self, here: SpaceId, laid: Collection[SpaceId]) -> tuple[SpaceId, ...]:
        """Return the empty spaces beside the path from ``here``, where a tile can go, in the order of the board (GR-A1)."""
        return _free(self, here, frozenset(laid))


@remembered
def _free(roads: Roads, here: SpaceId, laid: frozenset[SpaceId]) -> tuple[SpaceId, ...]:
    reached = roads.connected(here, laid)
    edge = {other for space in reached for other in roads.spaces[space].next}.difference(reached, laid)
    return tuple([space for space in roads.spaces if space in edge])


@lru_cache(_BOARDS)
def roads_of(board: Board, start: SpaceId) -> Roads:
    """Return ``board``, which has no flaw, for a race from its purple city ``start`` to the other."""
    spaces = {space.id: space for space in board.spaces}
    finish = next(city for city in board.purple if city != start)
    lines = {
        space.id: tuple(line for line in board.lines if space.id in line.ends) for space in board.spaces if space.is_city
    }
    graph = graph_of(board)
    ahead = 1 if spaces[finish].lane > spaces[start].lane else -1
    lanes = {space.id: ahead * (space.lane - spaces[start].lane) + 1 for space in board.spaces}
    return Roads(board, start, finish, spaces, lines, graph.steps(finish), lanes, graph)


def graph_of(board: Board) -> Graph[SpaceId]:
    """Return the ways of ``board`` from each space, by land first, then by the lines that the board names first."""
    ways = {space.id: dict.fromkeys(space.next) for space in board.spaces}
    for line in board.lines:
        for here in line.ends:
            ways.get(here, {})[other_end(line, here)] = None
    return Graph(ways)


def other_end(line: Line, here: SpaceId) -> SpaceId:
    """Return the city to which ``line`` leads from ``here``."""
    return line.ends[1] if line.ends[0] == here else line.ends[0]

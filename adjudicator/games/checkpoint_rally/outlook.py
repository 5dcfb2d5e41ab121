"""A rough guess of the minutes that a seat has still to spend: what a simulated player that plans ahead goes by."""

from __future__ import annotations

from functools import lru_cache
from heapq import heappop, heappush
from itertools import permutations
from typing import Final

from adjudicator.games.checkpoint_rally.components import INDEX, NEIGHBOURS, Road
from adjudicator.games.checkpoint_rally.state import Laid
from adjudicator.games.checkpoint_rally.table import Table
from adjudicator.games.checkpoint_rally.view import RacerView, View

_NEW_TILE: Final = 3
"""Minutes guessed for a tile to be laid where there is none."""
_NEW_LINK: Final = 4
"""Minutes guessed for two tiles whose roads do not meet."""
_NO_WAY: Final = 200
"""More minutes than any way takes."""
_NEW_ROAD: Final = 3
"""Minutes guessed for driving onto a tile that is not laid yet."""
_HAND_AT_MOST: Final = 5
"""So much is added that a full hand never brings the guess under what is left to drive."""

Sides = tuple[tuple[bool, ...] | None, ...]
Entering = tuple[int, ...]


def outlook(table: Table, seen: View) -> int:
    """Return the minutes that the viewer's seat will need for its checkpoints, by a guess; 0 once it has none left.

    Two tiles at hand count as a minute, each GPS update as another: they are worth what it takes to get them.
    """
    own = seen.racer(seen.viewer or "")
    if own is None or own.checkpoints is None or own.place is not None:
        return 0
    left = [INDEX[cell] for cell in own.checkpoints if cell not in own.marked]
    start = INDEX[own.cell or own.corner]
    exits, entering = _roads(table, own, seen.board)
    # The tile under the car stays as it lies: there is no way off it but by its exits.
    ways = {goal: _ways_to(goal, start, exits, entering) for goal in left}
    route = min(
        sum(ways[there][here] for here, there in zip((start, *order), order, strict=False)) for order in permutations(left)
    )
    return route + _HAND_AT_MOST - own.hand_count // 2 - own.gps


def _roads(table: Table, own: RacerView, board: tuple[Laid | None, ...]) -> tuple[Sides, Entering]:
    """Return for each cell the exits of its tile (``None``: no tile), and the minutes to drive onto it."""
    minutes = {road: table.minutes(own.car or "", road) for road in Road}
    exits: list[tuple[bool, ...] | None] = []
    entering: list[int] = []
    for laid in board:
        face = None if laid is None else table.faces[laid.tile][laid.rot // 90]
        exits.append(None if face is None else face.exits)
        entering.append(_NEW_TILE + _NEW_ROAD if face is None else minutes[face.road])
    return tuple(exits), tuple(entering)


@lru_cache(maxsize=4096)
def _ways_to(goal: int, start: int, exits: Sides, entering: Entering) -> tuple[int, ...]:
    """Return the guessed minutes from each cell to the cell ``goal``; the car stands on ``start``."""
    ways = [10 * _NO_WAY] * len(entering)
    ways[goal] = 0
    heap = [(0, goal)]
    while heap:
        minutes, cell = heappop(heap)
        if minutes > ways[cell]:
            continue
        sides = exits[cell]
        for side, other in enumerate(NEIGHBOURS[cell]):
            if other is None:
                continue
            facing = exits[other]
            # Driven from the other cell onto this one.
            meets = sides is None or facing is None or (sides[side] and facing[(side + 2) % 4])
            link = 0 if meets else _NEW_LINK if other != start or facing is None or facing[(side + 2) % 4] else _NO_WAY
            way = minutes + entering[cell] + link
            if way < ways[other]:
                ways[other] = way
                heappush(heap, (way, other))
    return tuple(ways)

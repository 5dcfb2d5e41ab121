"""Estimate the quickest ways on many boards at once, for each order of a simulated player.

A property of the cells of a board is a whole number with a bit for each cell: an exit to the north, two minutes to enter.
Many boards are side by side in the same numbers, each in its own lane. So a wave from a goal in every lane advances, minute
by minute, with a few shifts, however many lanes there are.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache, lru_cache
from itertools import permutations
from operator import itemgetter
from typing import Final, NamedTuple

from adjudicator.games.checkpoint_rally.components import CELLS, NEIGHBOURS, SIDES, SIZE, Config, Laid

_NEW_TILE: Final = 3
"""Estimated minutes for laying a tile on an empty cell."""
_NEW_ROAD: Final = 3
"""Estimated minutes for driving onto a tile that is not laid yet."""
_NEW_LINK: Final = 4
"""Estimated minutes for two tiles whose roads do not meet."""
_NO_WAY: Final = 200
"""More minutes than any way takes: guessed for leaving the tile under the car, which stays, by a side without an exit."""

_LANE: Final = len(CELLS)
"""Bits of a lane: one for each cell."""
_BOARD: Final = (1 << _LANE) - 1
_INSIDE: Final = tuple(
    sum([1 << cell for cell, others in enumerate(NEIGHBOURS) if others[side] is not None]) for side in range(len(SIDES))
)
"""For each side the cells that have a neighbour there. Others a wave comes upon by that side only from another lane."""


class Roads(NamedTuple):
    """The roads of a board for a car.

    ``exits`` are for each side the cells with an exit there, all those without a tile among them; ``entered`` the cells that
    take so many minutes to drive onto, ``entering`` those minutes cell by cell.
    """

    exits: tuple[int, ...]
    entered: Mapping[int, int]
    entering: Sequence[int]


class Drive(NamedTuple):
    """A drive from the cell ``start`` to all ``goals``.

    If it is so many minutes to drive onto it (``entered``), another tile is laid on ``cell`` before, with these ``exits``.
    """

    start: int
    goals: tuple[int, ...]
    cell: int = 0
    exits: tuple[bool, ...] = ()
    entered: int = 0


class _Lanes(NamedTuple):
    """Boards side by side, a lane for each goal of each drive; from the cells ``wanted`` that goal is driven to."""

    exits: tuple[int, ...]
    entered: tuple[tuple[int, int], ...]
    starts: int
    goals: int
    wanted: int
    cells: int


def roads_of(config: Config, car: str, board: Sequence[Laid | None]) -> Roads:
    """Return the roads of ``board`` for that ``car``."""
    minutes, entering, blank = config.minutes[car], [], 0
    exits, entered = [0] * len(SIDES), dict.fromkeys((*minutes.values(), _NEW_TILE + _NEW_ROAD), 0)
    for cell, laid in enumerate(board):
        if laid is None:
            entering.append(_NEW_TILE + _NEW_ROAD)
            blank |= 1 << cell
        else:
            face = config.faces[laid.tile][laid.rot // 90]
            entering.append(minutes[face.road])
            for side, has_exit in enumerate(face.exits):
                if has_exit:
                    exits[side] |= 1 << cell
        entered[entering[-1]] |= 1 << cell
    return Roads(tuple([cells | blank for cells in exits]), entered, entering)


def quickest(roads: Roads, drives: Sequence[Drive]) -> list[int]:
    """Estimate the minutes of each of ``drives`` on the board with these ``roads``."""
    lanes = _side_by_side(roads, drives)
    times = _times(lanes, lanes.wanted)
    minutes, first = [], 0
    for drive in drives:
        minutes.append(min(_in_each_order(times, first, drive)))
        first += len(drive.goals) * _LANE
    return minutes


def quickest_way(roads: Roads, drive: Drive) -> tuple[int, tuple[int, ...]]:
    """Return how many minutes ``drive``, for which nothing is laid, takes by a guess, and the cells on the way, in order."""
    lanes = _side_by_side(roads, [drive])
    times = _times(lanes, lanes.cells)
    goals = drive.goals
    minutes, order = min(zip(_in_each_order(times, 0, drive), permutations(goals), strict=True))
    way, here = [], drive.start
    for goal in order:
        lane = goals.index(goal) * _LANE
        while here != goal:
            here = _next(roads, drive.start, here, lane, times)
            way.append(here)
    return minutes, tuple(way)


def _next(roads: Roads, start: int, here: int, lane: int, times: Mapping[int, int]) -> int:
    """Return the cell that is driven onto next from ``here``: of those on a quickest way that nearest to the lane's goal."""
    found = []
    for side, other in enumerate(NEIGHBOURS[here]):
        time = None if other is None else times.get(lane + other)
        if other is None or time is None:
            continue
        leaves = roads.exits[side] >> here & 1
        enters = roads.exits[(side + 2) % 4] >> other & 1
        link = 0 if leaves and enters else _NEW_LINK if leaves or here != start else _NO_WAY
        if time + roads.entering[other] + link == times[lane + here]:
            found.append((time, other))
    return min(found)[1]


def _side_by_side(roads: Roads, drives: Sequence[Drive]) -> _Lanes:
    """Return the lanes of ``drives``, one after the other."""
    exits, entered = [0] * len(SIDES), dict.fromkeys(roads.entered, 0)
    laid = starts = goals = wanted = first = 0
    for drive in drives:
        own_starts, own_goals, own_wanted = _lanes_of(drive.start, drive.goals)
        starts |= own_starts << first
        goals |= own_goals << first
        wanted |= own_wanted << first
        if drive.entered:
            here = _ones(len(drive.goals)) << first + drive.cell
            laid |= here
            entered[drive.entered] |= here
            for side, has_exit in enumerate(drive.exits):
                if has_exit:
                    exits[side] |= here
        first += len(drive.goals) * _LANE
    each = _ones(first // _LANE)
    return _Lanes(
        tuple(
            [
                (before * each & ~laid | now) & inside * each
                for before, now, inside in zip(roads.exits, exits, _INSIDE, strict=True)
            ]
        ),
        tuple([(minutes, cells * each & ~laid | entered[minutes]) for minutes, cells in roads.entered.items()]),
        starts,
        goals,
        wanted,
        _BOARD * each,
    )


@lru_cache(maxsize=1024)
def _lanes_of(start: int, goals: tuple[int, ...]) -> tuple[int, int, int]:
    """Return in the lanes of a drive the start, the goal of each, and the cells from which each must be reached."""
    starts, ends = _ones(len(goals)) << start, sum([1 << lane * _LANE + goal for lane, goal in enumerate(goals)])
    return starts, ends, (starts | sum([_ones(len(goals)) << goal for goal in goals if goal != start])) & ~ends


@cache
def _ones(lanes: int) -> int:
    """Return a number with the first bit of each of so many lanes."""
    return sum(1 << lane * _LANE for lane in range(lanes))


def _links(lanes: _Lanes) -> list[tuple[int, tuple[int, ...]]]:
    """Return by how many minutes later a wave comes upon which cells, by the side of these that it comes from."""
    north, east, south, west = lanes.exits
    meet = (north & south << SIZE, east & west >> 1, south & north >> SIZE, west & east << 1)
    inside = [cells * (lanes.cells // _BOARD) for cells in _INSIDE]
    stay = tuple([lanes.starts & cells & ~exits for cells, exits in zip(inside, lanes.exits, strict=True)])
    links = [(0, meet), (_NEW_LINK, tuple([cells ^ kept for cells, kept in zip(inside, stay, strict=True)]))]
    return [*links, (_NO_WAY, stay)] if any(stay) else links


def _times(lanes: _Lanes, noted: int) -> dict[int, int]:
    """Return for each bit of ``noted`` that is found before all that is wanted the minutes to its goal.

    A wave sets out from the goals and goes backwards: ``found`` are the cells from which it takes so many minutes. It comes
    upon every cell in the end, since there is a link of some length on each side of it.
    """
    free, found, wanted, time = lanes.cells ^ lanes.goals, lanes.goals, lanes.wanted, 0
    links, times = _links(lanes), dict[int, int]()
    # What was found and what was left minute by minute, the last minute last: nothing before the first one.
    all_found, waves = [0] * max([minutes for minutes, _ in lanes.entered]), [0] * (_NO_WAY + 1)
    while True:
        hits = found & noted
        while hits:
            last = hits.bit_length() - 1
            times[last] = time
            hits ^= 1 << last
        wanted &= free
        if not wanted:
            return times
        all_found.append(found)
        time, wave, found = time + 1, 0, 0
        for minutes, cells in lanes.entered:
            wave |= all_found[-minutes] & cells
        waves.append(wave)
        for later, (north, east, south, west) in links:
            if wave := waves[-1 - later]:
                found |= wave << SIZE & north | wave >> 1 & east | wave >> SIZE & south | wave << 1 & west
        found &= free
        free ^= found


def _in_each_order(times: Mapping[int, int], first: int, drive: Drive) -> list[int]:
    """Return the minutes of ``drive``, whose lanes begin with the bit ``first``, for each order of its goals."""
    legs = [times.get(first + there, 0) for there in _legs_of(drive.start, drive.goals)]
    return [sum(chosen(legs)) for chosen in _orders(len(drive.goals))]


@lru_cache(maxsize=1024)
def _legs_of(start: int, goals: tuple[int, ...]) -> list[int]:
    """Return the bits of each goal and of the start in the lanes of a drive, lane by lane."""
    return [lane * _LANE + cell for lane in range(len(goals)) for cell in (*goals, start)]


@cache
def _orders(goals: int) -> tuple[Callable[[list[int]], tuple[int, ...]], ...]:
    """Return for each order of so many goals what picks its legs: those to each goal from all of them and the start."""
    found = []
    for order in permutations(range(goals)):
        legs = [there * (goals + 1) + here for here, there in zip((goals, *order), order, strict=False)]
        found.append(itemgetter(*legs) if goals > 1 else itemgetter(slice(goals, 2 * goals)))
    return tuple(found)

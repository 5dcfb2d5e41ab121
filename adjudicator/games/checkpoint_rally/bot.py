"""Advise a simulated driver by the minutes that it has still to spend: on roads that are laid, and on those to be laid."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import pairwise, permutations
from typing import Any, Final

from adjudicator.core.graph import cheapest_way
from adjudicator.game import View, advice
from adjudicator.games.checkpoint_rally.components import CELLS, INDEX, NEIGHBOURS, ROTATIONS, Cell, Config
from adjudicator.games.checkpoint_rally.orders import DrawTwo, Move, Place, Refresh, Take
from adjudicator.games.checkpoint_rally.phases import ACTION
from adjudicator.games.checkpoint_rally.state import Here, Racer, State

_NEW_TILE: Final = 6
"""Estimated minutes for laying a tile on an empty cell, and for driving onto it."""
_NEW_LINK: Final = 4
"""Estimated minutes for two tiles whose roads do not meet."""
_NO_WAY: Final = 200
"""More minutes than any way takes: for leaving the tile under the car, which stays, by a side without an exit."""
_USEFUL_HAND: Final = 4
"""Tiles at hand beyond these have no value: otherwise drawing would seem free, and no player would ever drive."""
_READY_AT_MOST: Final = 4
"""An addition that keeps the estimate above the minutes left to drive, even with a full hand and both GPS updates."""

Steps = Callable[[int], dict[int, int]]
"""The cells beside a cell, by number, each with the minutes to drive there."""


def advise(view: View[Config, State, Racer], luck: advice.Luck, *, plans: bool) -> advice.Advice | None:
    """Advise orders along the quickest way to the checkpoints, by the minutes that remain after them."""
    own, config = view.own, view.config
    if not plans or own is None or not own.left(config):
        return None

    def seen(state: State) -> tuple[int, list[int], Steps]:
        racer = state.of(own.seat)
        start = INDEX[racer.cell or config.corners[own.seat]]
        return start, [INDEX[cell] for cell in racer.left(config) or ()], _steps(config, racer, state, start)

    way = _quickest(*seen(view.state))

    def ahead(state: State) -> int:
        racer = state.of(own.seat)
        start, goals, steps = seen(state)
        if racer.place is not None or not goals:
            return 0
        rest = way[way.index(start) :] if start in way else []
        minutes = _minutes(rest, steps) if set(goals) <= set(rest) else _NO_WAY
        if minutes >= _NO_WAY:
            minutes = _minutes(_quickest(start, goals, steps), steps)
        # A hand of up to four tiles counts a minute for two of them, each GPS update another: what it takes to get them.
        return minutes + _READY_AT_MOST - min(len(racer.hand), _USEFUL_HAND) // 2 - racer.gps

    is_acting = any(due.seat == own.seat and due.kind == ACTION.kind for due in view.due)
    return advice.Advice(_along(view, [CELLS[cell] for cell in way[1:]]) if is_acting else None, ahead)


def _along(at: Here, way: Sequence[Cell]) -> Iterator[Any]:
    """Yield the orders along the quickest way: tiles on its cells, moves onto them; and those that need no way."""
    own, state = at.own, at.state
    for tile in own.hand:
        for cell in way:
            keeps = (False, True) if own.gps and state.at(cell) is not None else (False,)
            yield from (Place(tile, cell, rot, gps=gps) for gps in keeps for rot in ROTATIONS)
    moves = list(Move.offers(at))
    yield from [move for move in moves if move.path[0] in way] or moves
    yield from (DrawTwo(), Refresh(), *map(Take, state.row))


def _steps(config: Config, racer: Racer, state: State, start: int) -> Steps:
    """Return the steps of the car of ``racer``, which stands on ``start``, also over tiles that are still to be laid."""
    minutes = config.minutes[racer.car or ""]
    faces = [None if laid is None else config.face(laid) for laid in state.board]
    exits = [(True,) * 4 if face is None else face.exits for face in faces]
    entered = [_NEW_TILE if face is None else minutes[face.road] for face in faces]

    @cache
    def steps(here: int) -> dict[int, int]:
        found = dict[int, int]()
        for side, there in enumerate(NEIGHBOURS[here]):
            if there is not None:
                is_linked, can_relink = exits[here][side] and exits[there][side - 2], exits[here][side] or here != start
                found[there] = entered[there] + (0 if is_linked else _NEW_LINK if can_relink else _NO_WAY)
        return found

    return steps


def _minutes(way: Sequence[int], steps: Steps) -> int:
    return sum([steps(here)[there] for here, there in pairwise(way)])


def _quickest(start: int, goals: Sequence[int], steps: Steps) -> list[int]:
    """Return the cells of the quickest way from ``start`` over all ``goals``."""
    ends = [(one, two) for two in goals for one in (start, *goals)]
    legs = {(one, two): cheapest_way(one, two, lambda here: steps(here).items()) for one, two in ends}
    minutes = {leg: _minutes(way, steps) for leg, way in legs.items()}
    best = min(permutations(goals), key=lambda tour: sum([minutes[leg] for leg in pairwise((start, *tour))]))
    return [start, *(cell for leg in pairwise((start, *best)) for cell in legs[leg][1:])]

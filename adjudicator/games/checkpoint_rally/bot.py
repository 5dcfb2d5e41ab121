"""Advise a simulated driver by the minutes that it has still to spend: on roads that are laid, and on those to be laid."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import pairwise, permutations
from typing import Any, Final

from adjudicator.core.graph import cheapest_way
from adjudicator.game import View, advice
from adjudicator.games.checkpoint_rally.components import CELLS, INDEX, NEIGHBOURS, ROTATIONS, Cell, Config, Laid
from adjudicator.games.checkpoint_rally.driving import Move
from adjudicator.games.checkpoint_rally.laying import Place
from adjudicator.games.checkpoint_rally.orders import DrawTwo, Refresh, Take
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

_BESIDE: Final = [[(side, other) for side, other in enumerate(others) if other is not None] for others in NEIGHBOURS]
"""For each cell the sides with a neighbour, and the neighbours."""


def advise(view: View[Config, State, Racer], luck: advice.Luck, *, plans: bool) -> advice.Advice | None:
    """Advise orders along the quickest way to the checkpoints, by the minutes that remain after them."""
    own = view.own
    if not plans or own is None or not own.left(view.config):
        return None
    roads = Roads(view.config, own.car or "", view.state.board)
    way = roads.quickest(_cell(view.config, own), _goals(view.config, own))

    def ahead(state: State) -> int:
        racer = state.of(own.seat)
        start, goals = _cell(view.config, racer), _goals(view.config, racer)
        if racer.place is not None or not goals:
            return 0
        now = roads if state.board is roads.board else Roads(view.config, own.car or "", state.board)
        rest = way[way.index(start) :] if start in way else []
        minutes = now.minutes(rest, start) if set(goals) <= set(rest) else _NO_WAY
        if minutes >= _NO_WAY:
            minutes = now.minutes(now.quickest(start, goals), start)
        # A hand of up to four tiles counts a minute for two of them, each GPS update another: what it takes to get them.
        return minutes + _READY_AT_MOST - min(len(racer.hand), _USEFUL_HAND) // 2 - racer.gps

    is_acting = any(due.seat == own.seat and due.kind == ACTION.kind for due in view.due)
    return advice.Advice(_along(view, [CELLS[cell] for cell in way[1:]]) if is_acting else None, ahead)


def _cell(config: Config, own: Racer) -> int:
    return INDEX[own.cell or config.corners[own.seat]]


def _goals(config: Config, own: Racer) -> list[int]:
    return [INDEX[cell] for cell in own.left(config) or ()]


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


class Roads:
    """The roads of a ``board`` for a ``car``, with the minutes that it needs, also for tiles still to be laid."""

    def __init__(self, config: Config, car: str, board: Sequence[Laid | None]) -> None:
        """Look up the exits of every cell, and the minutes to enter it."""
        self.board, minutes = board, config.minutes[car]
        faces = [None if laid is None else config.face(laid) for laid in board]
        self._exits = [(True,) * 4 if face is None else face.exits for face in faces]
        self._entered = [_NEW_TILE if face is None else minutes[face.road] for face in faces]

    def _steps(self, start: int, here: int) -> Iterator[tuple[int, int]]:
        """Yield the cells beside ``here``, each with the minutes to drive there; the car stands on the cell ``start``."""
        own = self._exits[here]
        for side, there in _BESIDE[here]:
            is_linked = own[side] and self._exits[there][side - 2]
            link = 0 if is_linked else _NEW_LINK if own[side] or here != start else _NO_WAY
            yield there, self._entered[there] + link

    def minutes(self, way: Sequence[int], start: int) -> int:
        """Return the minutes over the cells of ``way`` for a car on the cell ``start``."""
        return sum([dict(self._steps(start, here))[there] for here, there in pairwise(way)])

    def quickest(self, start: int, goals: Sequence[int]) -> list[int]:
        """Return the cells of the quickest way from ``start`` over all ``goals``."""
        steps = cache(lambda here: list(self._steps(start, here)))
        legs = {(one, two): cheapest_way(one, two, steps) for two in goals for one in (start, *goals)}
        minutes = {leg: self.minutes(way, start) for leg, way in legs.items()}
        tours = permutations(goals)
        best = min(tours, key=lambda tour: sum([minutes[leg] for leg in pairwise((start, *tour))]))
        return [start, *(cell for leg in pairwise((start, *best)) for cell in legs[leg][1:])]

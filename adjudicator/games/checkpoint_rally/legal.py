"""Every order that is legal now, and what it costs."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import Any

from adjudicator.core.event import Part
from adjudicator.core.ids import Seat
from adjudicator.games.checkpoint_rally.check import check, reachable
from adjudicator.games.checkpoint_rally.components import CELLS, HAND_LIMIT, ROTATIONS
from adjudicator.games.checkpoint_rally.config import Config
from adjudicator.games.checkpoint_rally.cost import DRAW_WHY, REFRESH_WHY, move_why, place_why, start_why
from adjudicator.games.checkpoint_rally.orders import Discard, Draw, Keep, Move, Place, Refresh, Take, in_order
from adjudicator.games.checkpoint_rally.state import Racer, State
from adjudicator.games.checkpoint_rally.turn import ACTION, DISCARD, START, decision_kind, excess


def legal(config: Config, state: State, seat: Seat) -> Iterator[Any]:
    """Yield every order that ``check`` accepts from ``seat`` now, grouped by kind."""
    racer = state.racer(seat)
    kind = decision_kind(state, seat)
    if kind == START:
        yield from (Place(tile, racer.corner, rot) for tile in racer.hand for rot in ROTATIONS)
    elif kind == DISCARD:
        yield from (Discard(in_order(tiles)) for tiles in combinations(racer.hand, excess(racer)))
        yield from (Keep(in_order(tiles)) for tiles in combinations(racer.hand, HAND_LIMIT))
    elif kind == ACTION:
        yield from _places(state, racer)
        yield from _moves(config, state, racer)
        yield from (Draw(), Refresh())
        if racer.gps:
            yield from (Take(tile) for tile in state.row)


def cost(config: Config, state: State, seat: Seat, order: Any) -> tuple[Part, ...] | None:
    """Return why ``order`` would cost what it does, empty for a free one, or ``None`` if it is not legal now."""
    if check(config, state, seat, order) is not None:
        return None
    match order:
        case Place() if decision_kind(state, seat) == START:
            return start_why(config, state, seat, order)
        case Place():
            return place_why(config, state, order)
        case Move(path=path):
            return move_why(config, state, seat, path)
        case Draw():
            return DRAW_WHY
        case Refresh():
            return REFRESH_WHY
        case _:
            return ()


def _places(state: State, racer: Racer) -> Iterator[Place]:
    cars = {other.cell for other in state.racers}
    for tile in racer.hand:
        for cell, laid in zip(CELLS, state.board, strict=True):
            if cell in cars:
                continue
            yield from (Place(tile, cell, rot) for rot in ROTATIONS)
            if laid is not None and racer.gps:
                yield from (Place(tile, cell, rot, gps=True) for rot in ROTATIONS)


def _moves(config: Config, state: State, racer: Racer) -> Iterator[Move]:
    if racer.cell is None:
        return
    for first in reachable(config, state, racer.cell):
        yield Move((first,))
        yield from (Move((first, second)) for second in reachable(config, state, first))

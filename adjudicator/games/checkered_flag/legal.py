"""Every order that is legal now, and what it is worth."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from adjudicator.core.event import Part
from adjudicator.core.ids import Seat
from adjudicator.games.checkered_flag.check import braked_spaces, check
from adjudicator.games.checkered_flag.components import NEUTRAL
from adjudicator.games.checkered_flag.config import Config
from adjudicator.games.checkered_flag.cost import braking, move_why
from adjudicator.games.checkered_flag.decide import chosen_stop
from adjudicator.games.checkered_flag.orders import Brake, Go, Plan, Shift
from adjudicator.games.checkered_flag.state import State
from adjudicator.games.checkered_flag.turn import BRAKE, GEAR, SHIFTS, decision_kind


def legal(config: Config, state: State, seat: Seat) -> Iterator[Any]:
    """Yield every order that ``check`` accepts from ``seat`` now, grouped by kind."""
    kind = decision_kind(state, seat)
    if kind == GEAR:
        for gear in SHIFTS[state.racer(seat).gear]:
            yield from (Shift(gear, plan) for plan in (Plan if gear != NEUTRAL else (Plan.ASK,)))
    elif kind == BRAKE:
        yield Go()
        yield from (Brake(spaces) for spaces in braked_spaces(config, state, seat))
        yield Brake()


def cost(config: Config, state: State, seat: Seat, order: Any) -> tuple[Part, ...] | None:
    """Return what ``order`` is worth in spaces unless the car crashes, or ``None``: not legal now, or not spun yet."""
    if check(config, state, seat, order) is not None:
        return None
    if isinstance(order, Shift) or state.spun is None:
        return () if order == Shift(NEUTRAL) else None
    stop = chosen_stop(config, state, seat, order)
    return move_why(state.racer(seat).gear, state.spun, braking(config, state, seat, state.spun, stop))

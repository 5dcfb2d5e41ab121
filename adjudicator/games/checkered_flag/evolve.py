"""What an event changes in the state: never refuses, never rolls."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from adjudicator.core.change import change
from adjudicator.core.event import Spent
from adjudicator.games.checkered_flag import events as happened
from adjudicator.games.checkered_flag.components import NEUTRAL
from adjudicator.games.checkered_flag.config import Config
from adjudicator.games.checkered_flag.state import Spun, Stage, State


def evolve(_config: Config, state: State, event: Any) -> State:
    """Return ``state`` after ``event``."""
    evolved = _EVOLVED.get(type(event))
    return state if evolved is None else evolved(state, event)


def _race_started(state: State, event: happened.RaceStarted) -> State:
    return change(state, stage=Stage.RACING, turn=event.seat)


def _gear_shifted(state: State, event: happened.GearShifted) -> State:
    return state.with_racer(change(state.racer(event.seat), gear=event.gear))


def _wheels_spun(state: State, event: happened.WheelsSpun) -> State:
    return change(state, spun=Spun(event.a, event.b))


def _spent(state: State, event: Spent) -> State:
    # The move is made: the spin is used up.
    return state.with_racer(change(state.racer(event.seat), driven=event.after), spun=None)


def _car_crashed(state: State, event: happened.CarCrashed) -> State:
    return state.with_racer(change(state.racer(event.seat), lost=event.turns))


def _turn_lost(state: State, event: happened.TurnLost) -> State:
    # The last box the marker climbs to is neutral (CF-X1).
    gear = event.left + 1 if event.left else NEUTRAL
    return state.with_racer(change(state.racer(event.seat), lost=event.left, gear=gear))


def _turn_passed(state: State, event: happened.TurnPassed) -> State:
    return change(state, turn=event.seat)


def _game_ended(state: State, event: happened.GameEnded) -> State:
    return change(state, stage=Stage.OVER, winner=event.winner)


_EVOLVED: Final[dict[type, Callable[[State, Any], State]]] = {
    happened.RaceStarted: _race_started,
    happened.GearShifted: _gear_shifted,
    happened.WheelsSpun: _wheels_spun,
    Spent: _spent,
    happened.CarCrashed: _car_crashed,
    happened.TurnLost: _turn_lost,
    happened.TurnPassed: _turn_passed,
    happened.GameEnded: _game_ended,
}
"""The events that change something; the others tell how it came about."""

"""A guess of what a seat has still before it, in spaces: what a simulated player that plans ahead goes by.

How many turns a car by itself takes if each gear is chosen well is worked out from the finish backwards, without braking.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import product
from typing import Any, Final

from adjudicator.game import View
from adjudicator.games.checkered_flag.components import CRASHES, FIRST, NEUTRAL, SHIFTS, THIRD, Config, Gear, made
from adjudicator.games.checkered_flag.orders import Brake, Go
from adjudicator.games.checkered_flag.state import State, drive_of, entered

A_TURN: Final = 100
"""Spaces that a turn counts for: enough for its fractions to weigh more than the spaces driven meanwhile."""

Turns = Sequence[Sequence[float]]
"""The turns to come, by gear and spaces driven."""


def estimate(config: Config, view: View[State]) -> int:
    """Return what the viewer's seat has still before it by a guess: its turns to the finish, in spaces; 0 beyond it."""
    own = view.own(view.state.racers)
    if own is None or own.driven > config.distance:
        return 0
    turns, drive = _turns_to_finish(config), drive_of(config, view.state)
    if drive is not None and drive.racer.seat == own.seat:
        # The turns to come are counted from the end of this one, with the better of going on and braking.
        ways = {drive.free, *(stop.spaces for stop in drive.stops)}
        return round(A_TURN * min(_after(config, turns, own.driven, own.gear, left, drive.spaces - left) for left in ways))
    return round(A_TURN * (own.lost + turns[NEUTRAL if own.lost else own.gear][own.driven]))


def likely(_config: Config, _view: View[State]) -> Callable[[Any], bool]:
    """Return which orders are worth a look: what is said ahead about braking is whether, a stop is named by its spaces."""
    said_ahead = (None, Go(), Brake())
    return lambda order: getattr(order, "to", None) is None and getattr(order, "answer", None) in said_ahead


@lru_cache(maxsize=64)
def _turns_to_finish(config: Config) -> Turns:
    ways = [[0.0] * (config.distance + 1) for _ in SHIFTS]
    wheels = tuple(product(config.components.wheel_a, config.components.wheel_b))
    for driven in range(config.distance, -1, -1):
        by_gear = {gear: _turns_in(config, ways, driven, gear, wheels) for gear in range(FIRST, THIRD + 1)}
        for gear, shifts in SHIFTS.items():
            ways[gear][driven] = min(by_gear[shift] for shift in shifts if shift != NEUTRAL)
    return ways


def _turns_in(config: Config, ways: Turns, driven: int, gear: Gear, wheels: tuple[tuple[int, int], ...]) -> float:
    """Return the turns to come if this one is driven in ``gear``."""
    spins = [made(gear, a, b) for a, b in wheels]
    after = {spaces: _after(config, ways, driven, gear, spaces) for spaces in set(spins)}
    return 1 + sum(after[spaces] for spaces in spins) / len(spins)


def _after(config: Config, turns: Turns, driven: int, gear: Gear, spaces: int, braked: int = 0) -> float:
    """Return the turns to come after a move of ``spaces``, with the crashes it may end in (CF-B2, CF-D1)."""
    lost, expected, chance, there, faces = CRASHES[gear], 0.0, 1.0, driven + spaces, config.components.wheel_b
    checks = [(braked, spaces), *((lost, reached) for _, reached in entered(config, driven, spaces))]
    for limit, reached in checks if lost else ():
        crash = sum(face <= limit for face in faces) / len(faces)
        expected += chance * crash * (lost + turns[NEUTRAL][driven + reached]) if crash else 0.0
        chance *= 1 - crash
    return expected + chance * (0.0 if there > config.distance else turns[gear][there])

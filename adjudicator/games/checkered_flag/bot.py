"""Estimate a seat's way to the finish in spaces, for simulated players that plan ahead."""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from itertools import product
from types import SimpleNamespace
from typing import Any, Final

from adjudicator.game import View, remember_last
from adjudicator.games.checkered_flag.components import CRASHES, NEUTRAL, SHIFTS, TURNS_LOST, Config, Gear, made
from adjudicator.games.checkered_flag.orders import Brake, Go, Shift
from adjudicator.games.checkered_flag.state import State, drive_of, entered

A_TURN: Final = 100
"""The spaces that one turn counts for; driven spaces cost nothing else."""


def estimate(config: Config, view: View[State]) -> int:
    """Return an estimate of the viewer's turns to the finish, in spaces; 0 beyond it."""
    own, ahead = view.own(view.state.racers), outlook(config, view)
    if ahead or own is None or own.driven > config.distance:
        return ahead.estimate if ahead else 0
    return round(A_TURN * (own.lost + _turns_of(config)[0][NEUTRAL if own.lost else own.gear][own.driven]))


def outlook(config: Config, view: View[State]) -> SimpleNamespace | None:
    """Return the seat's possible orders now, with the estimate after each; ``None`` if it is not due."""
    own, drive, (turns, driving) = view.own(view.state.racers), drive_of(config, view.state), _turns_of(config)
    if own is None or own != view.state.due(config):
        return None
    if drive is None:
        left: dict[Any, float] = {Shift(gear): driving[gear][own.driven] - 1 for gear in SHIFTS[own.gear] if gear != NEUTRAL}
    else:
        ways = [(Go(), drive.free), *((Brake(stop.braked), stop.spaces) for stop in drive.stops)]
        left = {way: _after(config, turns, own.driven, own.gear, to, drive.spaces - to) for way, to in ways}
    after = {order: (0, round(A_TURN * still)) for order, still in left.items()}
    now, kinds = A_TURN + min(after.values())[1], [[order] for order in after]
    return SimpleNamespace(estimate=now, kinds=kinds, weighed=lambda orders: [after[order] for order in orders])


@lru_cache(maxsize=64)
def _turns_to_finish(config: Config) -> tuple[list[list[float]], list[list[float]]]:
    """Return the turns to come without braking, by gear and spaces driven: before the shift, and if driven in the gear."""
    turns, driving = ([[0.0] * (config.distance + 1) for _ in SHIFTS] for _ in range(2))
    wheels = [*product(config.components.wheel_a, config.components.wheel_b)]
    spins = {gear: Counter(made(gear, a, b) for a, b in wheels) for gear in SHIFTS if gear != NEUTRAL}
    for driven in range(config.distance, -1, -1):
        for gear, made_of in spins.items():
            ways = [_after(config, turns, driven, gear, spaces) * times for spaces, times in made_of.items()]
            driving[gear][driven] = 1 + sum(ways) / len(wheels)
        for gear, shifts in SHIFTS.items():
            turns[gear][driven] = min(driving[shift][driven] for shift in shifts if shift != NEUTRAL)
    return turns, driving


def _after(config: Config, turns: list[list[float]], driven: int, gear: Gear, spaces: int, braked: int = 0) -> float:
    """Return the turns to come after a move of ``spaces``, with the crashes it may end in (CF-B2, CF-D1)."""
    expected, chance, there, faces = 0.0, 1.0, driven + spaces, config.components.wheel_b
    checks = [(braked, spaces), *((CRASHES[gear], reached) for _, reached in entered(config, driven, spaces))]
    for limit, reached in checks if CRASHES[gear] else ():
        crash = sum(face <= limit for face in faces) / len(faces)
        expected += chance * crash * (TURNS_LOST[gear] + turns[NEUTRAL][driven + reached]) if crash else 0.0
        chance *= 1 - crash
    return expected + chance * (0.0 if there > config.distance else turns[gear][there])


_turns_of = remember_last(lambda config: _turns_to_finish(config))  # to hash a config with its track would take longest

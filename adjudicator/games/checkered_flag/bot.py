"""Advise a simulated racer by the turns that it has still to drive on average, if it does not brake later."""

from __future__ import annotations

from collections import Counter
from itertools import product
from typing import Any

from adjudicator.game import View, advice, remember_last
from adjudicator.games.checkered_flag.components import NEUTRAL, SHIFTS, TURNS_LOST, Config, Gear, made
from adjudicator.games.checkered_flag.danger import checks
from adjudicator.games.checkered_flag.orders import Brake, Go, Shift, drive_of
from adjudicator.games.checkered_flag.state import Racer, State

Turns = list[list[float]]
"""The turns to come on average, by gear and spaces driven."""


def advise(view: View[Config, State, Racer], luck: advice.Luck, *, plans: bool) -> advice.Advice | None:
    """Advise the orders that leave the fewest turns."""
    own = view.own
    if not plans or own is None or not view.is_due(own.seat):
        return None
    after = turns_after(view.config, view.state, own)
    return advice.Advice(sorted(after, key=lambda order: (after[order], luck.random())))


def turns_after(config: Config, state: State, own: Racer) -> dict[Any, float]:
    """Return the turns to come after each order of ``own``, which is due."""
    drive, (turns, driving) = drive_of(config, state), turns_to_finish(config)
    if drive is None:
        return {Shift(gear): driving[gear][own.driven] - 1 for gear in SHIFTS[own.gear] if gear != NEUTRAL}
    ways = [(Go(), drive.free), *((Brake(stop.braked), stop.spaces) for stop in drive.stops)]
    return {way: _after(config, turns, own.driven, own.gear, to, drive.spaces - to) for way, to in ways}


@remember_last
def turns_to_finish(config: Config) -> tuple[Turns, Turns]:
    """Return the turns to come without braking: before the shift, and in a turn that is driven in the gear."""
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


def _after(config: Config, turns: Turns, driven: int, gear: Gear, spaces: int, braked: int = 0) -> float:
    """Return the turns to come after a move of ``spaces``, with the crashes it may end in."""
    expected, chance, there, faces = 0.0, 1.0, driven + spaces, config.components.wheel_b
    for check in checks(config.sections, gear, driven, spaces, braked):
        crash = sum(face <= check.limit for face in faces) / len(faces)
        expected += chance * crash * (TURNS_LOST[gear] + turns[NEUTRAL][driven + check.spaces])
        chance *= 1 - crash
    return expected + chance * (0.0 if there > config.distance else turns[gear][there])

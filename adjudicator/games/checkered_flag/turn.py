"""Whose turn it is and what is asked (CF-S1, CF-G1, CF-B2)."""

from __future__ import annotations

from typing import Final

from adjudicator.core.ids import RuleId, Seat
from adjudicator.core.problem import Problem
from adjudicator.core.ruleset import Decision
from adjudicator.games.checkered_flag.components import FIRST, GEAR_LETTERS, GEAR_NAMES, NEUTRAL, SECOND, THIRD, Gear
from adjudicator.games.checkered_flag.config import Config
from adjudicator.games.checkered_flag.drive import choices, entered, free_spaces, is_safe, spin_spaces
from adjudicator.games.checkered_flag.state import Racer, Stage, State

GEAR: Final = "gear"
BRAKE: Final = "brake"
SHIFTS: Final[dict[Gear, tuple[Gear, ...]]] = {
    NEUTRAL: (NEUTRAL, FIRST),
    FIRST: (NEUTRAL, FIRST, SECOND),
    SECOND: (FIRST, SECOND, THIRD),
    THIRD: (SECOND, THIRD),
}
"""The gears a seat may be in after its shift, one step at most (CF-G1)."""


def awaiting(config: Config, state: State) -> tuple[Decision, ...]:
    """Return the one decision that is due, or none: before the start, while turns are lost, after the end."""
    if state.turn is None or not decision_kind(state, state.turn):
        return ()
    racer = state.racer(state.turn)
    return (_ask_gear(racer) if state.spun is None else _ask_brake(config, state, racer),)


def decision_kind(state: State, seat: Seat) -> str:
    """Return the kind of decision due from ``seat``, empty where none is."""
    if state.stage is not Stage.RACING or state.turn != seat or state.racer(seat).lost:
        return ""
    return GEAR if state.spun is None else BRAKE


def is_over(_config: Config, state: State) -> bool:
    """Return whether the race has been won."""
    return state.stage is Stage.OVER


def eliminated(_config: Config, state: State, seat: Seat) -> Problem | None:
    """Return why ``seat`` will never be asked again, or ``None`` while it will."""
    if state.stage is not Stage.OVER:
        return None
    words = "has won the race" if state.winner == seat else f"has lost the race to {state.winner}"
    return Problem("checkered-flag/race-over", f"the race is over: {seat} {words}", "CF-V1")


def _ask_gear(racer: Racer) -> Decision:
    orders = [f"GEAR {GEAR_LETTERS[gear]}" for gear in SHIFTS[racer.gear]]
    listed = f"{', '.join(orders[:-1])} or {orders[-1]}"
    return Decision(racer.seat, GEAR, f"a gear ({GEAR_NAMES[racer.gear]} now): {listed}", RuleId("CF-G1"))


def _ask_brake(config: Config, state: State, racer: Racer) -> Decision:
    spun = state.spun
    if spun is None:
        raise ValueError("nothing is spun")
    spaces = spin_spaces(racer.gear, spun.a, spun.b)
    free = free_spaces(config, state, racer.seat, spaces)
    answers = [f"GO {_where(config, racer, free)}{_risk(config, racer, spaces, free)}"]
    for stop in choices(config, state, racer.seat):
        where = f"{_where(config, racer, stop.spaces)}, before the {stop.zone.name}"
        answers.append(f"BRAKE {spaces - stop.spaces} {where}{_risk(config, racer, spaces, stop.spaces)}")
    ask = f"brake or not ({spun.a} and {spun.b} in {GEAR_NAMES[racer.gear]}): {'; '.join(answers)}"
    return Decision(racer.seat, BRAKE, ask, RuleId("CF-B2"))


def _where(config: Config, racer: Racer, spaces: int) -> str:
    if not spaces:
        return "to stay"
    there = racer.driven + spaces
    return "over the finish line" if there > config.distance else f"to {config.position_at(there)}"


def _risk(config: Config, racer: Racer, spaces: int, left: int) -> str:
    """Tell what is checked where ``left`` of ``spaces`` are driven: the braking, then the curves (CF-B2, CF-D1)."""
    if is_safe(racer.gear):
        return ""
    curves = sum(1 for _ in entered(config, racer.driven, left))
    checks = [_brake_risk(config, spaces - left)] if left < spaces else []
    checks += [f"{curves} curve{'s' if curves > 1 else ''}"] if curves else []
    return f" ({', then '.join(checks)})" if checks else ""


def _brake_risk(config: Config, braked: int) -> str:
    if braked >= max(config.components.wheel_b):
        return "a sure crash"
    return f"wheel B {'at' if braked == 1 else 'up to'} {braked} crashes"

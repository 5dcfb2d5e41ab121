"""Whether an order is legal: all legality lives here, and every refusal names its rule."""

from __future__ import annotations

from typing import Any

from adjudicator.core.ids import Seat
from adjudicator.core.problem import Problem
from adjudicator.games.checkered_flag.components import GEAR_LETTERS, GEAR_NAMES, NEUTRAL, THIRD
from adjudicator.games.checkered_flag.config import Config
from adjudicator.games.checkered_flag.drive import choices, spin_spaces
from adjudicator.games.checkered_flag.orders import TEXTS, Brake, Plan, Shift
from adjudicator.games.checkered_flag.state import State
from adjudicator.games.checkered_flag.turn import BRAKE, GEAR, SHIFTS, awaiting, decision_kind, eliminated


def validate(_config: Config, order: Any) -> Problem | None:
    """Return what is wrong with ``order`` in every position, or ``None``.

    Codes: ``no-such-gear``, ``nothing-moves``, ``nothing-braked``.
    """
    match order:
        case Shift(gear=gear) if gear > THIRD:
            message = f"there is no gear {gear}: the gears are N, 1, 2 and 3"
            return _problem("no-such-gear", message, "CF-C3", "box", tuple(f"GEAR {name}" for name in GEAR_LETTERS))
        case Shift(gear=0, plan=Plan.GO | Plan.BRAKE):
            message = "in neutral the car does not move: there is nothing to say about braking"
            return _problem("nothing-moves", message, "CF-G1", suggestions=("GEAR N",))
        case Brake(spaces=0):
            return _problem("nothing-braked", "to brake 0 spaces is to go on", "CF-B2", "spaces", ("GO",))
    return None


def check(config: Config, state: State, seat: Seat, order: Any) -> Problem | None:
    """Return why ``seat`` may not do ``order`` now, or ``None`` if it may."""
    problem = validate(config, order)
    if problem is not None:
        return problem
    kind = decision_kind(state, seat)
    if not kind:
        return _not_due(config, state, seat)
    if isinstance(order, Shift):
        return _check_shift(state, seat, order) if kind == GEAR else _brake_first(config, state, seat)
    if kind != BRAKE:
        return _gear_first(state, seat)
    return _check_brake(config, state, seat, order) if isinstance(order, Brake) else None


def _problem(code: str, message: str, rule: str, part: str = "", suggestions: tuple[str, ...] = ()) -> Problem:
    return Problem(f"checkered-flag/{code}", message, rule, part, suggestions)


def _not_due(config: Config, state: State, seat: Seat) -> Problem:
    gone = eliminated(config, state, seat)
    if gone is not None:
        return gone
    due = " and ".join(decision.seat for decision in awaiting(config, state)) or "nobody"
    return _problem("not-your-turn", f"it is not the turn of {seat}: {due} is to act", "CF-S1")


def _check_shift(state: State, seat: Seat, order: Shift) -> Problem | None:
    """CF-G1: one step at most."""
    gear = state.racer(seat).gear
    if order.gear in SHIFTS[gear]:
        return None
    allowed = tuple(f"GEAR {GEAR_LETTERS[other]}" for other in SHIFTS[gear])
    message = f"from {GEAR_NAMES[gear]} to {GEAR_NAMES[order.gear]} is more than one step"
    if gear == NEUTRAL:
        message += ": a car that stands shifts to first gear"
    return _problem("two-steps", message, "CF-G1", "box", allowed)


def _gear_first(state: State, seat: Seat) -> Problem:
    """CF-B2: before the spin there is nothing to brake."""
    gear = max(1, state.racer(seat).gear)
    message = "nothing is spun yet: first a gear, and what to do about braking can stand behind it"
    return _problem("gear-first", message, "CF-G1", suggestions=(f"GEAR {gear} go", f"GEAR {gear} brake before danger"))


def _brake_first(config: Config, state: State, seat: Seat) -> Problem:
    """CF-B2: the wheels are spun, a new gear comes next turn."""
    return _problem(
        "brake-first", "the wheels are spun: first BRAKE or GO", "CF-B2", suggestions=_answers(config, state, seat)
    )


def _check_brake(config: Config, state: State, seat: Seat, order: Brake) -> Problem | None:
    """CF-B2: only as many spaces as stop right before a danger zone that the move would enter."""
    if order.spaces is None or order.spaces in braked_spaces(config, state, seat):
        return None
    message = f"to brake {order.spaces} does not stop on the last position before a danger zone"
    return _problem("no-stop-there", message, "CF-B2", "spaces", _answers(config, state, seat))


def braked_spaces(config: Config, state: State, seat: Seat) -> tuple[int, ...]:
    """Return the spaces ``seat`` may give up by choice now, forced ones included; the first danger zone first (CF-B2)."""
    if state.spun is None:
        return ()
    spaces = spin_spaces(state.racer(seat).gear, state.spun.a, state.spun.b)
    return tuple(spaces - stop.spaces for stop in choices(config, state, seat))


def _answers(config: Config, state: State, seat: Seat) -> tuple[str, ...]:
    return ("GO", *(TEXTS[Brake](Brake(spaces)) for spaces in braked_spaces(config, state, seat)))

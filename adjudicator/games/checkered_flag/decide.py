"""What follows from a legal order: the events, one after the other (CF-G1, CF-M1, CF-B, CF-D, CF-X1, CF-V1)."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

from adjudicator.core.chance import Chance
from adjudicator.core.event import Part, Spent, total
from adjudicator.core.ids import Seat
from adjudicator.games.checkered_flag.components import NEUTRAL
from adjudicator.games.checkered_flag.config import Config
from adjudicator.games.checkered_flag.cost import Braking, braking, crash_why, move_why
from adjudicator.games.checkered_flag.drive import (
    Stop,
    choices,
    crash_limit,
    entered,
    is_safe,
    spin_spaces,
)
from adjudicator.games.checkered_flag.events import (
    BrakesChecked,
    CarBraked,
    CarCrashed,
    CarDriven,
    CurveChecked,
    Event,
    GearShifted,
    LineCrossed,
    StoodStill,
    TurnPassed,
    WheelsSpun,
)
from adjudicator.games.checkered_flag.orders import Brake, Plan, Shift
from adjudicator.games.checkered_flag.state import State

Moves = Generator[Event, State, State]


def decide(config: Config, state: State, seat: Seat, order: Any, chance: Chance) -> Generator[Event, State, None]:
    """Yield the events of ``order``, which ``check`` has passed; to be handed the state after each."""
    if isinstance(order, Shift):
        yield from _shift(config, state, seat, order, chance)
    else:
        yield from _move(config, state, seat, chosen_stop(config, state, seat, order), chance)


def chosen_stop(config: Config, state: State, seat: Seat, order: Any) -> Stop | None:
    """Return where ``order`` (``BRAKE``, ``GO``) stops by choice, ``None`` for going on (CF-B2)."""
    if not isinstance(order, Brake) or state.spun is None:
        return None
    stops = choices(config, state, seat)
    spaces = spin_spaces(state.racer(seat).gear, state.spun.a, state.spun.b)
    return next((stop for stop in stops if spaces - stop.spaces == order.spaces), stops[0])


def spin(chance: Chance, config: Config, seat: Seat, purpose: str) -> tuple[int, int]:
    """Return what the wheels A and B show when ``seat`` spins both (CF-C2)."""
    faces = config.components.wheel_a, config.components.wheel_b
    a, b = (
        int(chance.pick(f"wheel {name} of {seat} for {purpose}", tuple(map(str, wheel))))
        for name, wheel in zip("AB", faces, strict=True)
    )
    return a, b


def _shift(config: Config, state: State, seat: Seat, order: Shift, chance: Chance) -> Moves:
    """CF-G1, CF-M1: the shift, then the spin; the move too, unless the seat has still to say whether it brakes."""
    gear = state.racer(seat).gear
    if order.gear != gear:
        state = yield GearShifted(seat=seat, came_from=gear, gear=order.gear)
    if order.gear == NEUTRAL:
        state = yield StoodStill(seat=seat)
        return (yield TurnPassed(seat=config.other(seat)))
    a, b = spin(chance, config, seat, "the move")
    state = yield WheelsSpun(seat=seat, gear=order.gear, a=a, b=b, spaces=spin_spaces(order.gear, a, b))
    stops = choices(config, state, seat)
    if stops and order.plan is Plan.ASK:
        return state
    stop = stops[0] if stops and order.plan is Plan.BRAKE else None
    return (yield from _move(config, state, seat, stop, chance))


def _move(config: Config, state: State, seat: Seat, stop: Stop | None, chance: Chance) -> Moves:
    """Brake, check, drive, crash or cross the line, pass the turn: in this order (CF-B2, CF-D1)."""
    spun = state.spun
    if spun is None:
        raise ValueError("nothing is spun")
    gear = state.racer(seat).gear
    braked = braking(config, state, seat, spun, stop)
    why = move_why(gear, spun, braked)
    is_crash = False
    if braked.braked:
        state, is_crash = yield from _brake(config, state, seat, braked, chance)
    if not is_crash:
        state, crash = yield from _take_curves(config, state, seat, braked.left, chance)
        why, is_crash = why + (crash or ()), crash is not None
    state = yield from _arrive(config, state, seat, why)
    if is_crash:
        position = config.position_at(state.racer(seat).driven)
        state = yield CarCrashed(seat=seat, position=position, turns=gear - 1)
    if state.racer(seat).driven > config.distance:
        return state
    return (yield TurnPassed(seat=config.other(seat)))


def _brake(
    config: Config, state: State, seat: Seat, braked: Braking, chance: Chance
) -> Generator[Event, State, tuple[State, bool]]:
    """CF-B1, CF-B2: stop, and check unless in first gear; return whether the car crashes where braking put it."""
    racer = state.racer(seat)
    state = yield CarBraked(
        seat=seat,
        forced=braked.forced,
        chosen=braked.chosen,
        position=config.position_at(racer.driven + braked.left),
        rule="CF-B2" if braked.chosen else "CF-B1",
    )
    if is_safe(racer.gear):
        return state, False
    b = _check_spin(config, seat, "the braking", chance)
    is_crash = b <= braked.braked
    state = yield BrakesChecked(seat=seat, b=b, limit=braked.braked, is_crash=is_crash)
    return state, is_crash


def _take_curves(
    config: Config, state: State, seat: Seat, spaces: int, chance: Chance
) -> Generator[Event, State, tuple[State, tuple[Part, ...] | None]]:
    """CF-D1, CF-D2: check each curve entered; return what a crash takes away, ``None`` if there is none."""
    racer = state.racer(seat)
    if is_safe(racer.gear):
        return state, None
    limit = crash_limit(racer.gear)
    for curve in entered(config, racer.driven, spaces):
        section = curve.section
        name = section.zone.name if section.of == 1 else f"{section.zone.name}, curve {section.number}"
        b = _check_spin(config, seat, f"the {name}", chance)
        is_crash = b <= limit
        state = yield CurveChecked(
            seat=seat, zone=section.zone.id, curve=section.number, b=b, limit=limit, is_crash=is_crash
        )
        if is_crash:
            return state, crash_why(spaces - curve.spaces, section.zone)
    return state, None


def _check_spin(config: Config, seat: Seat, purpose: str, chance: Chance) -> int:
    return int(chance.pick(f"wheel B of {seat} for {purpose}", tuple(map(str, config.components.wheel_b))))


def _arrive(config: Config, state: State, seat: Seat, why: tuple[Part, ...]) -> Moves:
    """Count the spaces and put the car there, or over the line (CF-M1, CF-V1)."""
    before = state.racer(seat).driven
    after = before + total(why)
    state = yield Spent(seat=seat, before=before, after=after, why=why)
    came_from = config.position_at(before)
    if after > config.distance:
        return (yield LineCrossed(seat=seat, came_from=came_from))
    if after == before:
        return state
    return (yield CarDriven(seat=seat, came_from=came_from, position=config.position_at(after), lap=config.lap_at(after)))

"""The order of play: what each phase of a turn asks, and what follows (CF-V1, CF-S1, CF-X1, CF-B2, CF-G1)."""

from __future__ import annotations

from typing import Final

from adjudicator.game import Ask, Chance, Moves, Phase, Problem, count, listed
from adjudicator.games.checkered_flag import events as happened
from adjudicator.games.checkered_flag.components import CRASHES, GEAR_NAMES, SHIFTS, Config, up_to
from adjudicator.games.checkered_flag.meta import META
from adjudicator.games.checkered_flag.orders import Brake, Go, Shift, brake_words, drive_now, gear_words, spin, stops_told
from adjudicator.games.checkered_flag.state import Drive, Here, drive_of, entered


def _choose_gear(at: Here) -> str:
    gear = at.own.gear
    return f"choose a gear ({GEAR_NAMES[gear]} now): {listed(gear_words(SHIFTS[gear]), 'or')}"


def _gear_first(at: Here) -> Problem:
    message = "nothing is spun yet: order a gear first, and braking after it if you like"
    gear = f"GEAR {max(1, at.own.gear)}"
    return META.problem("gear-first", message, "CF-G1", near=(f"{gear} go", f"{gear} brake before danger"))


def _brake_or_not(at: Here) -> str:
    drive = drive_now(at.config, at.state)
    ways = [("GO", drive.free, "")]
    ways += [(f"BRAKE {stop.braked}", stop.spaces, f", before the {stop.zone.name}") for stop in drive.stops if stop.zone]
    answers = [f"{order} {_outlook(at.config, drive, left, before)}" for order, left, before in ways]
    if len(drive.stops) >= len(ways):
        answers.append(f"{stops_told(drive)}{' (a crash up to as many on wheel B)' if CRASHES[drive.racer.gear] else ''}")
    return f"brake or not ({drive.spun.a} and {drive.spun.b} in {GEAR_NAMES[drive.racer.gear]}): {'; '.join(answers)}"


def _outlook(config: Config, drive: Drive, left: int, before: str) -> str:
    """Tell where ``left`` spaces lead, and what is checked: the braking, then the curves (CF-B2, CF-D1)."""
    braked, curves, there = drive.spaces - left, entered(config, drive.racer.driven, left), drive.racer.driven + left
    where = "over the finish line" if there > config.distance else f"to {config.position_at(there)}" if left else "to stay"
    sure = "a sure crash" if braked >= max(config.components.wheel_b) else ""
    checks = [sure or f"a crash at {up_to(braked)} on wheel B"] if braked else []
    checks += [count(len(curves), "curve" if all(section.number for section, _ in curves) else "check")] if curves else []
    return f"{where}{before} ({', then '.join(checks)})" if checks and CRASHES[drive.racer.gear] else f"{where}{before}"


def _brake_first(at: Here) -> Problem:
    near = brake_words(drive_now(at.config, at.state))
    return META.problem("brake-first", "the wheels are spun: first BRAKE or GO", "CF-B2", "", near)


GEAR: Final = Ask("gear", "CF-G1", _choose_gear, (Shift,), _gear_first)
BRAKE: Final = Ask("brake", "CF-B2", _brake_or_not, (Go, Brake), _brake_first)


def _spin_for_start(at: Here, chance: Chance) -> Moves:
    """CF-S1: both spin both wheels; the higher total goes first, equal totals are spun again."""
    totals = []
    for seat in at.config.seats:
        a, b = spin(chance, at.config, seat, "the first turn")
        yield happened.StartSpun(seat=seat, a=a, b=b)
        totals.append(a + b)
    if totals[0] == totals[1]:
        yield happened.StartTied(total=totals[0])
    else:
        yield happened.RaceStarted(seat=at.config.seats[totals.index(max(totals))])


def _lose_turn(at: Here, _chance: Chance) -> Moves:
    assert at.state.turn is not None
    yield happened.TurnLost(seat=at.state.turn, left=at.of(at.state.turn).lost - 1)
    yield happened.TurnPassed(seat=at.config.after(at.state.turn))


PHASES: Final = (
    Phase("CF-V1", lambda at: at.state.winner(at.config) is not None),
    Phase("CF-S1", lambda at: at.state.turn is None, follow=_spin_for_start),
    Phase("CF-X1", lambda at: at.of(at.state.turn).lost, follow=_lose_turn),
    Phase("CF-B2", lambda at: drive_of(at.config, at.state) is not None, lambda at: BRAKE.to(at.state.turn)),
    Phase("CF-G1", lambda _at: True, lambda at: GEAR.to(at.state.turn)),
)

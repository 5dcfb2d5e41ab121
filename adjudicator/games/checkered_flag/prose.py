"""What happened, in sentences."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from adjudicator.games.checkered_flag import events as happened
from adjudicator.games.checkered_flag.components import GEAR_NAMES
from adjudicator.games.checkered_flag.config import Config

_CURVES: Final = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth")


def tell(config: Config, event: Any) -> str:
    """Return ``event`` as a sentence without a full stop, empty for what the log tells otherwise (clock, whose turn)."""
    teller = _TOLD.get(type(event))
    return f"{teller(config, event)} ({event.rule})" if teller else ""


def _spaces(count: int) -> str:
    return "1 space" if count == 1 else f"{count} spaces"


def _car_braked(config: Config, event: happened.CarBraked) -> str:
    other = config.other(event.seat)
    reasons = []
    if event.forced:
        reasons.append(f"{event.forced} behind {other} on the narrow track")
    if event.chosen:
        reasons.append(f"{event.chosen} by choice")
    whole = _spaces(event.forced + event.chosen)
    where = f"to stop on {event.position}" if event.position else "to stay at the line"
    return f"{event.seat} brakes {whole} {where}: {' and '.join(reasons)}"


def _brakes_checked(_config: Config, event: happened.BrakesChecked) -> str:
    return _checked(event, f"{_spaces(event.limit)} braked")


def _curve_checked(config: Config, event: happened.CurveChecked) -> str:
    zone = next(zone for zone in config.components.zones if zone.id == event.zone)
    where = f"the {zone.name}"
    if len(zone.curves) > 1:
        where += f", {_CURVES[event.curve - 1]} curve"
    return _checked(event, where)


def _checked(event: happened.BrakesChecked | happened.CurveChecked, why: str) -> str:
    """Tell the number on wheel B, what would crash, and whether it does."""
    crashing = {1: "1", 2: "1 or 2"}.get(event.limit, f"1 to {event.limit}")
    outcome = "a crash" if event.is_crash else "no crash"
    return f"{event.seat} spins {event.b} on wheel B for {why}: {outcome} ({crashing} crashes)"


def _car_driven(config: Config, event: happened.CarDriven) -> str:
    start = f"from {event.came_from}" if event.came_from else "from the line"
    crossed = "over the line " if event.came_from > event.position else ""
    lap = f" of lap {event.lap}" if config.laps > 1 else ""
    return f"{event.seat} drives {start} {crossed}to {event.position}{lap}"


def _car_crashed(_config: Config, event: happened.CarCrashed) -> str:
    where = f"on {event.position}" if event.position else "at the line"
    return f"{event.seat} has crashed {where} and loses {'1 turn' if event.turns == 1 else f'{event.turns} turns'}"


def _turn_lost(_config: Config, event: happened.TurnLost) -> str:
    then = "the next turn starts in neutral" if not event.left else "1 more turn is lost"
    return f"{event.seat} loses a turn by its crash; {then}"


_TOLD: Final[dict[type, Callable[[Config, Any], str]]] = {
    happened.StartSpun: lambda _config, event: (
        f"{event.seat} spins {event.a} and {event.b} for the first turn: {event.a + event.b}"
    ),
    happened.StartTied: lambda _config, event: f"both have {event.total}: they spin again",
    happened.RaceStarted: lambda _config, event: f"{event.seat} goes first",
    happened.GearShifted: lambda _config, event: (
        f"{event.seat} shifts from {GEAR_NAMES[event.came_from]} to {GEAR_NAMES[event.gear]}"
    ),
    happened.StoodStill: lambda _config, event: f"{event.seat} stands still in neutral",
    happened.WheelsSpun: lambda _config, event: (
        f"{event.seat} spins {event.a} and {event.b} in {GEAR_NAMES[event.gear]}: {_spaces(event.spaces)}"
    ),
    happened.CarBraked: _car_braked,
    happened.BrakesChecked: _brakes_checked,
    happened.CurveChecked: _curve_checked,
    happened.CarDriven: _car_driven,
    happened.CarCrashed: _car_crashed,
    happened.TurnLost: _turn_lost,
    happened.LineCrossed: lambda _config, event: f"{event.seat} drives from {event.came_from} over the finish line",
    happened.GameEnded: lambda _config, event: f"the race is over: {event.winner} wins",
}

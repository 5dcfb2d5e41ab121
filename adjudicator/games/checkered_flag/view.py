"""What a viewer may know: everything, since the track, the gears and every spin lie open (CF-C)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from adjudicator.core.conditions import Facts, Value
from adjudicator.core.ids import Seat, Viewer
from adjudicator.core.ruleset import Decision
from adjudicator.games.checkered_flag.components import Gear
from adjudicator.games.checkered_flag.config import Config
from adjudicator.games.checkered_flag.drive import choices, free_spaces, spin_spaces
from adjudicator.games.checkered_flag.state import Spun, Stage, State
from adjudicator.games.checkered_flag.turn import awaiting


@dataclass(frozen=True, slots=True, kw_only=True)
class RacerView:
    """What is known of a seat: ``position`` 0 is the starting line, ``None`` beyond the finish."""

    seat: Seat
    driven: int
    position: int | None
    lap: int
    gear: Gear
    lost: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SpinView:
    """A spin that waits for an answer: its ``spaces``, how many are ``free``, and what may be braked, by zone."""

    wheels: Spun
    spaces: int
    free: int
    brakes: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """What a viewer knows of the position."""

    viewer: Viewer
    stage: Stage
    laps: int
    racers: tuple[RacerView, ...]
    turn: Seat | None
    spin: SpinView | None
    winner: Seat | None
    due: tuple[Decision, ...]

    def racer(self, seat: str) -> RacerView | None:
        """Return what is known of ``seat``, or ``None`` if there is no such seat."""
        return next((racer for racer in self.racers if racer.seat == seat), None)


def view(config: Config, state: State, viewer: Viewer) -> View:
    """Return what ``viewer`` may know of ``state``: the same for everybody but the name of the viewer."""
    return View(
        viewer=viewer,
        stage=state.stage,
        laps=config.laps,
        racers=tuple(
            RacerView(
                seat=racer.seat,
                driven=racer.driven,
                position=None if racer.driven > config.distance else config.position_at(racer.driven),
                lap=min(config.lap_at(racer.driven), config.laps),
                gear=racer.gear,
                lost=racer.lost,
            )
            for racer in state.racers
        ),
        turn=state.turn,
        spin=_spin_view(config, state),
        winner=state.winner,
        due=awaiting(config, state),
    )


def _spin_view(config: Config, state: State) -> SpinView | None:
    if state.spun is None or state.turn is None:
        return None
    spaces = spin_spaces(state.racer(state.turn).gear, state.spun.a, state.spun.b)
    brakes = tuple(spaces - stop.spaces for stop in choices(config, state, state.turn))
    return SpinView(wheels=state.spun, spaces=spaces, free=free_spaces(config, state, state.turn, spaces), brakes=brakes)


def redact(_config: Config, event: Any, _viewer: Viewer) -> Any:
    """Return ``event`` as everybody sees it: nothing is hidden."""
    return event


def public_text(_config: Config, _state: State, _seat: Seat, _order: Any) -> None:
    """Return the words in which everybody may read an order: its own."""


FACT_NAMES: Final = {
    "gear": "the gear, 0 for neutral; `gear of SEAT` for another seat",
    "position": "the position of the car, 0 at the starting line; `position of SEAT`",
    "lap": "the lap the car is in; `lap of SEAT`",
    "driven": "spaces since the start, all laps together; `driven of SEAT`",
    "left": "spaces to the last position of the race: one more wins; `left of SEAT`",
    "gap": "spaces between the cars, whoever leads",
    "ahead": "spaces ahead of the other car, 0 when not ahead; `ahead of SEAT`: how far that seat is ahead",
    "danger": "spaces to the next danger position, not known where none comes before the finish; `danger of SEAT`",
    "narrow": "spaces to the next narrow position, likewise; `narrow of SEAT`",
    "ground": "straight or danger: where the car stands, or `ground at 16`",
    "width": "wide or narrow: where the car stands, or `width at 12`",
    "lost": "turns a crashed car has still to lose; `lost of SEAT`",
    "spin": "the spaces that are spun, while braking is to be decided",
    "braking": "what stopping before the first danger zone would give up, while that is to be decided",
}
"""The facts for conditions, in words."""


def names(config: Config) -> frozenset[str]:
    """Return the words that facts are compared with, in lower case: seats, and what a position may be."""
    return frozenset((*config.seats, "straight", "danger", "wide", "narrow"))


def facts(config: Config, seen: View) -> Facts:
    """Return the named values that conditions of the viewer may use."""
    own = seen.racer(seen.viewer or "")

    def of_seat(value: Callable[[RacerView], Value]) -> Callable[[str], Value]:
        def look_up(argument: str) -> Value:
            racer = seen.racer(argument.lower()) if argument else own
            return None if racer is None else value(racer)

        return look_up

    first, second = seen.racers
    return {
        "gear": of_seat(lambda racer: racer.gear),
        "position": of_seat(lambda racer: racer.position),
        "lap": of_seat(lambda racer: racer.lap),
        "driven": of_seat(lambda racer: racer.driven),
        "left": of_seat(lambda racer: max(0, config.distance - racer.driven)),
        "gap": abs(first.driven - second.driven),
        "ahead": of_seat(lambda racer: max(0, racer.driven - min(first.driven, second.driven))),
        "danger": of_seat(lambda racer: _next(config, racer, lambda there: config.section_at(there) is not None)),
        "narrow": of_seat(lambda racer: _next(config, racer, config.is_narrow_at)),
        "ground": lambda argument: _spot(config, own, argument, "ground"),
        "width": lambda argument: _spot(config, own, argument, "width"),
        "lost": of_seat(lambda racer: racer.lost),
        "spin": None if seen.spin is None else seen.spin.spaces,
        "braking": seen.spin.brakes[0] if seen.spin is not None and seen.spin.brakes else None,
    }


def _next(config: Config, racer: RacerView, is_such: Callable[[int], bool]) -> int | None:
    """Return how many spaces ahead the next such position is, ``None`` if there is none before the finish."""
    ahead = range(racer.driven + 1, min(racer.driven + config.length, config.distance) + 1)
    return next((there - racer.driven for there in ahead if is_such(there)), None)


def _spot(config: Config, own: RacerView | None, argument: str, what: str) -> Value:
    """Return the ground or the width of a position, of the own car's without an argument."""
    number = int(argument) if argument.isascii() and argument.isdigit() else None if own is None else own.position
    if number is None or not 1 <= number <= config.length or (argument and not argument.isdigit()):
        return None
    spot = config.components.track[number - 1]
    return spot.ground.value if what == "ground" else spot.width.value

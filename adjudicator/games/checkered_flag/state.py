"""The state of a race: everything that changes, values that follow from it, explicit positions, and impossible states."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Annotated

from adjudicator.game import At, Flaw, Meta, Seat, Value, Whole, count, remember_last, replace
from adjudicator.game import State as BaseState
from adjudicator.games.checkered_flag import components as parts
from adjudicator.games.checkered_flag.components import GEAR_LETTERS, NEUTRAL, Config, Face, Gear, Section, Zone, box_beside


class Spun(Value):
    """What the wheels A and B show."""

    a: Face
    b: Face


class Racer(Value, kw_only=True):
    """The values of a seat: ``driven`` counts spaces since the start, all laps together, 0 at the line.

    ``lost`` turns a crashed car has still to lose; its marker lies beside the box ``lost`` + 1, its ``gear`` (CF-X1).
    """

    seat: Seat
    driven: Annotated[int, Meta(ge=0, le=2_000)] = 0
    gear: Gear = NEUTRAL
    lost: parts.Lost = 0


class State(BaseState[Racer], Value, kw_only=True):
    """The whole position: ``turn`` is the seat to move, ``None`` before the first turn is spun for.

    ``spun`` is what that seat has spun while it has still to say whether it brakes (CF-B2).
    """

    own_in, account = "racers", "driven"

    racers: tuple[Racer, ...]
    turn: Seat | None = None
    spun: Spun | None = None

    def winner(self, config: Config) -> Seat | None:
        """Return the seat that is beyond the finish line (CF-V1), ``None`` before the race is over."""
        for racer in self.racers:
            if racer.driven > config.distance:
                return racer.seat
        return None


Here = At[Config, State, Racer]
"""A position of the game."""


class Stop(Value):
    """Where a car may stop by choice, ``spaces`` on: ``braked`` of its spin are given up in all; ``zone`` is right ahead.

    ``position`` is ``None`` if the braked move still crosses the finish line.
    """

    spaces: int
    position: int | None
    braked: int
    zone: Zone | None


class Drive(Value):
    """What a ``racer`` may do with its spin: ``spaces`` in all, ``free`` of them before the other car is in the way.

    ``stops`` are the positions where it may stop by choice, in the order of driving (CF-B2).
    """

    racer: Racer
    spun: Spun
    spaces: Whole
    free: Whole
    stops: tuple[Stop, ...]

    @property
    def before_danger(self) -> Stop | None:
        """Return the stop right before the first danger zone that the move would enter: if there is one, the game asks."""
        return next((stop for stop in self.stops if stop.zone), None)


@remember_last
def drive_of(config: Config, state: State) -> Drive | None:
    """Return what the seat that has the turn may do with the wheels as they are spun, ``None`` while they are not."""
    if state.turn is None or state.spun is None:
        return None
    racer, spun = state.of(state.turn), state.spun
    if not racer.gear:
        return None
    other = state.of(config.after(racer.seat))
    spaces = parts.made(racer.gear, spun.a, spun.b)
    free = _free_spaces(config, racer.driven, other.driven, spaces)
    return Drive(racer, spun, spaces, free, tuple(_stops(config, racer, spaces, free)))


def _free_spaces(config: Config, driven: int, other: int, spaces: int) -> int:
    """Return how many of ``spaces`` a car may go before the ``other``, maybe laps away, blocks a narrow position (CF-B1)."""
    if not config.is_narrow_at(other):
        return spaces
    ahead = (other - driven) % config.length or config.length
    return min(spaces, ahead - 1) if driven + ahead <= config.distance else spaces


def _stops(config: Config, racer: Racer, spaces: int, free: int) -> Iterator[Stop]:
    """Yield where a move of ``free`` spaces may be cut short: before danger, in first gear anywhere (CF-B2)."""
    places = range((free if config.brakes_freely else min(free, config.distance - racer.driven)) + 1)
    ground = config.sections[racer.driven : racer.driven + len(places)]
    zones = {gone: ahead.zone for gone, (here, ahead) in enumerate(pairwise(ground)) if ahead and not here}
    last = free - 1 if racer.gear == parts.FIRST else max(zones, default=-1)
    for gone in places[: last + 1]:
        if config.brakes_freely or gone in zones:
            yield Stop(gone, config.stop_at(racer.driven + gone), spaces - gone, zones.get(gone))


def entered(config: Config, driven: int, spaces: int) -> list[tuple[Section, int]]:
    """Return each section that a move of ``spaces`` from ``driven`` enters, with how far it drives in it (CF-D1, CF-D2).

    The danger between the curves of a zone counts once, as far as the next of them.
    """
    found: list[tuple[Section, int]] = []
    for gone, (section, after) in enumerate(pairwise((*config.sections[driven + 1 : driven + spaces + 1], None)), 1):
        if section is not None and section is not after and all(section is not earlier for earlier, _ in found):
            found.append((section, gone))
    return found


class SeatAt(Value, kw_only=True):
    """The place of a seat: on ``position`` of ``lap`` (0: at the starting line), in ``gear``, 0 for neutral.

    ``lost`` is the number of turns that a crashed car has still to lose; its gear follows from that and is optional.
    """

    seat: Seat
    position: Annotated[int, Meta(ge=0, le=200)] = 0
    lap: Annotated[int, Meta(ge=1, le=9)] = 1
    gear: Gear | None = None
    lost: parts.Lost = 0


class Position(Value, kw_only=True):
    """A position for puzzles, tests, games begun elsewhere; without ``turn`` the first turn is spun for (CF-S1).

    ``spun`` are the wheels that the seat to move has spun already where it has still to say whether it brakes.
    """

    seats: Annotated[tuple[SeatAt, ...], Meta(min_length=2, max_length=2)]
    turn: Seat | None = None
    spun: Spun | None = None


def racer_at(config: Config, at: SeatAt) -> Racer:
    """Return the values of the seat ``at`` a place; an impossible value becomes the nearest possible one."""
    driven = (min(at.lap, config.laps) - 1) * config.length + min(at.position, config.length)
    return Racer(seat=at.seat, driven=driven, gear=at.gear or NEUTRAL, lost=at.lost)


def _misplaced(config: Config, position: Position) -> Iterator[str]:
    for at in position.seats:
        if at.position > config.length:
            yield f"{at.seat}: there is no position {at.position} on a track of {config.length}"
        if at.lap > config.laps:
            yield f"{at.seat}: there is no lap {at.lap} in a race of {config.laps}"
        if at.lap > 1 and not at.position:
            yield f"{at.seat}: a car is at the line only at the start of lap 1"
        if at.lost and at.gear not in (None, box_beside(at.lost)):
            turns, box = count(at.lost, "turn"), GEAR_LETTERS[box_beside(at.lost)]
            yield f"{at.seat}: with {turns} to lose the marker lies beside box {box}, not {GEAR_LETTERS[at.gear or NEUTRAL]}"


def normalized(config: Config, state: State) -> State:
    """Return ``state`` with the marker of every crashed car beside the box that its lost turns ask for (CF-X1)."""
    return replace(state, racers=tuple(replace(one, gear=box_beside(one.lost)) if one.lost else one for one in state.racers))


def impossible(config: Config, state: State, position: Position | None) -> Iterator[str | Flaw]:
    """Yield why ``state`` is impossible; the explicit ``position`` may have errors that no state can show."""
    if position is not None:
        yield from _misplaced(config, position)
    first, second = (racer.driven for racer in state.racers)
    place = config.position_at(first)
    if state.winner(config) is None and config.is_narrow_at(first) and place == config.position_at(second):
        yield Flaw(f"position {place} is narrow: there is room for one car", "CF-C1")
    if min(first, second) > config.distance:
        yield Flaw(f"both cars are beyond the finish line, which comes after {config.distance} spaces", "CF-V1")
    for racer in state.racers:
        if racer.driven > config.distance + sum(config.fastest):
            yield Flaw(f"{racer.seat}: {racer.driven} spaces are more than any spin leads beyond the finish line", "CF-V1")
    if state.spun is not None:
        yield from _impossible_spin(config, state, state.spun)


def _impossible_spin(config: Config, state: State, spun: Spun) -> Iterator[str | Flaw]:
    racer, drive = None if state.turn is None else state.of(state.turn), drive_of(config, state)
    wheels = (("A", spun.a, config.components.wheel_a), ("B", spun.b, config.components.wheel_b))
    missing = [Flaw(f"wheel {wheel} has no {face}", "CF-C2") for wheel, face, faces in wheels if face not in faces]
    yield from missing
    if state.winner(config) is not None:
        yield "after the race no spin needs a decision"
    elif racer is None or racer.lost or racer.gear == NEUTRAL:
        yield "spun wheels belong to the seat that has the turn, with its car in gear"
    elif drive is not None and not drive.stops and not missing:
        yield Flaw(f"with {spun.a} and {spun.b} spun there is no danger zone before which {racer.seat} could stop", "CF-B2")

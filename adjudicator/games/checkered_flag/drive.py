"""How far a spin brings a car, what it may brake, what is checked on the way, and where it ends (CF-M1, CF-B, CF-D)."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from typing import Any, Final

from adjudicator.game import Chance, Part, Seat, Spent, frozen, total
from adjudicator.games.checkered_flag import events as happened
from adjudicator.games.checkered_flag.components import FIRST, GEAR_NAMES, SECOND, THIRD, Config, Gear, Section, Zone
from adjudicator.games.checkered_flag.state import Spun, State

Moves = Generator[Any, State, Any]
_MADE: Final = ("", "the lesser of", "the greater of")


@frozen
class Stop:
    """A position where the car may stop by choice, ``spaces`` on from where it stands (0: right there), before ``zone``.

    ``braked`` is how many spaces of the spin are given up then, forced braking included.
    """

    spaces: int
    zone: Zone
    braked: int


@frozen
class Drive:
    """What a seat may do with its spin: ``spaces`` in all, ``free`` of them before the other car is in the way.

    ``stops`` are the positions where it may stop by choice, in the order of driving (CF-B2).
    """

    seat: Seat
    gear: Gear
    driven: int
    spun: Spun
    spaces: int
    free: int
    stops: tuple[Stop, ...]

    def stop_after(self, braked: int | None) -> Stop | None:
        """Return the stop that gives up ``braked`` spaces (``None``: the first there is), or ``None``."""
        return next((stop for stop in self.stops if braked in (None, stop.braked)), None)

    def why(self, stop: Stop | None) -> tuple[Part, ...]:
        """Return why the car goes as far as it does: the spin, less what is braked up to ``stop``."""
        parts = [Part(self.spaces, f"{GEAR_NAMES[self.gear]}, {_made(self.gear, self.spun)}", "CF-M1")]
        if self.free < self.spaces:
            parts.append(Part(self.free - self.spaces, "braked behind the car on the narrow track", "CF-B1"))
        if stop is not None and stop.spaces < self.free:
            parts.append(Part(stop.spaces - self.free, f"braked before the {stop.zone.name}", "CF-B2"))
        return tuple(parts)


def spin_spaces(gear: Gear, a: int, b: int) -> int:
    """Return the spaces that ``gear`` makes of the wheels: the lesser, the greater or the sum (CF-M1)."""
    if gear == FIRST:
        return min(a, b)
    return max(a, b) if gear == SECOND else a + b


def drive_of(config: Config, state: State, seat: Seat) -> Drive | None:
    """Return what ``seat`` may do with the wheels as they are spun, ``None`` while they are not."""
    if state.spun is None:
        return None
    racer, spun = state.racer(seat), state.spun
    spaces = spin_spaces(racer.gear, spun.a, spun.b)
    free = _free_spaces(config, state, seat, spaces)
    stops = tuple(_stops(config, racer.driven, spaces, free))
    return Drive(seat, racer.gear, racer.driven, spun, spaces, free, stops)


def _free_spaces(config: Config, state: State, seat: Seat, spaces: int) -> int:
    """Return how many of ``spaces`` the car of ``seat`` may go before the other car blocks a narrow position (CF-B1)."""
    driven, other = state.racer(seat).driven, state.racer(config.other(seat)).driven
    # Two lengths of track may lie between the cars: what counts is where they stand.
    if not config.is_narrow_at(other):
        return spaces
    ahead = (other - driven) % config.length or config.length
    return min(spaces, ahead - 1) if driven + ahead <= config.distance else spaces


def _stops(config: Config, driven: int, spaces: int, free: int) -> Iterator[Stop]:
    """Yield the last position before each danger zone that a move of ``free`` spaces enters (CF-B2)."""
    for gone in range(1, min(free, config.distance - driven) + 1):
        section = config.section_at(driven + gone)
        if section is not None and config.section_at(driven + gone - 1) is None:
            yield Stop(gone - 1, section.zone, spaces - gone + 1)


def entered(config: Config, driven: int, spaces: int) -> Iterator[tuple[Section, int]]:
    """Yield each curve of which a move of ``spaces`` from ``driven`` enters a position, in order (CF-D1, CF-D2).

    With it comes how many spaces on from the start the last position of it is that the move reaches.
    """
    last: tuple[Section, int] | None = None
    for gone in range(1, min(spaces, config.distance - driven) + 1):
        section = config.section_at(driven + gone)
        if last is not None and section is not last[0]:
            yield last
        last = None if section is None else (section, gone)
    if last is not None:
        yield last


def crash_limit(gear: Gear) -> int:
    """Return up to which number on wheel B a curve is a crash in ``gear``: 0 in first, 1 in second, 2 in third (CF-D1)."""
    return gear - FIRST


def is_safe(gear: Gear) -> bool:
    """Return whether ``gear`` can neither crash in a curve nor by braking (CF-D1, CF-B2)."""
    return gear < SECOND


def spin(chance: Chance, config: Config, seat: Seat, purpose: str) -> tuple[int, int]:
    """Return what the wheels A and B show when ``seat`` spins both (CF-C2)."""
    parts = config.components
    return _spin_a_wheel(chance, parts.wheel_a, f"wheel A of {seat} for {purpose}"), _spin_a_wheel(
        chance, parts.wheel_b, f"wheel B of {seat} for {purpose}"
    )


def _spin_a_wheel(chance: Chance, faces: tuple[int, ...], purpose: str) -> int:
    return int(chance.pick(purpose, tuple(map(str, faces))))


def move(config: Config, state: State, drive: Drive, stop: Stop | None, chance: Chance) -> Moves:
    """Brake, check, drive, crash or cross the line, pass the turn: in this order (CF-B2, CF-D1)."""
    seat = drive.seat
    left = drive.free if stop is None else stop.spaces
    why, is_crash = drive.why(stop), False
    if left < drive.spaces:
        is_crash = yield from _brake(config, drive, left, chance)
    if not is_crash:
        crash = yield from _take_curves(config, drive, left, chance)
        why, is_crash = why + (crash or ()), crash is not None
    state = yield from _arrive(config, drive, why)
    if is_crash:
        yield happened.CarCrashed(seat=seat, position=config.position_at(state.racer(seat).driven), turns=drive.gear - 1)
    if state.winner(config) is None:
        yield happened.TurnPassed(seat=config.other(seat))


def _brake(config: Config, drive: Drive, left: int, chance: Chance) -> Generator[Any, State, bool]:
    """CF-B1, CF-B2: stop, and check unless in first gear; return whether the car crashes where braking put it."""
    forced, chosen = drive.spaces - drive.free, drive.free - left
    position = config.position_at(drive.driven + left)
    rule = "CF-B2" if chosen else "CF-B1"
    yield happened.CarBraked(seat=drive.seat, forced=forced, chosen=chosen, position=position, rule=rule)
    if is_safe(drive.gear):
        return False
    b, limit = _check(config, drive.seat, "the braking", chance), forced + chosen
    yield happened.BrakesChecked(seat=drive.seat, b=b, limit=limit, is_crash=b <= limit)
    return b <= limit


def _take_curves(
    config: Config, drive: Drive, spaces: int, chance: Chance
) -> Generator[Any, State, tuple[Part, ...] | None]:
    """CF-D1, CF-D2: check each curve entered; return what a crash takes away, ``None`` if there is none."""
    limit = crash_limit(drive.gear)
    for section, reached in () if is_safe(drive.gear) else entered(config, drive.driven, spaces):
        b = _check(config, drive.seat, f"the {section.name}", chance)
        yield happened.CurveChecked(
            seat=drive.seat, zone=section.zone.id, curve=section.number, b=b, limit=limit, is_crash=b <= limit
        )
        if b <= limit:
            missing = spaces - reached
            return (Part(-missing, f"crashed in the {section.zone.name}", "CF-D2"),) if missing else ()
    return None


def _check(config: Config, seat: Seat, purpose: str, chance: Chance) -> int:
    return _spin_a_wheel(chance, config.components.wheel_b, f"wheel B of {seat} for {purpose}")


def _arrive(config: Config, drive: Drive, why: tuple[Part, ...]) -> Generator[Any, State, State]:
    """Count the spaces and put the car there, or over the line (CF-M1, CF-V1)."""
    after, came_from = drive.driven + total(why), config.position_at(drive.driven)
    state = yield Spent(seat=drive.seat, before=drive.driven, after=after, why=why)
    if after > config.distance:
        yield happened.LineCrossed(seat=drive.seat, came_from=came_from)
        yield happened.GameEnded(winner=drive.seat)
    elif after > drive.driven:
        position, lap = config.position_at(after), config.lap_at(after)
        yield happened.CarDriven(seat=drive.seat, came_from=came_from, position=position, lap=lap)
    return state


def _made(gear: Gear, spun: Spun) -> str:
    if gear == THIRD:
        return f"{spun.a} and {spun.b} together"
    return f"{spun.a} on both wheels" if spun.a == spun.b else f"{_MADE[gear]} {spun.a} and {spun.b}"

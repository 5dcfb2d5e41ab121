"""Where a spin brings a car: forced braking, stops that may be chosen, curves entered (CF-M1, CF-B1, CF-B2, CF-D1)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from adjudicator.core.ids import Seat
from adjudicator.games.checkered_flag.components import FIRST, SECOND, Gear, Zone
from adjudicator.games.checkered_flag.config import Config, Section
from adjudicator.games.checkered_flag.state import State


@dataclass(frozen=True, slots=True)
class Stop:
    """The last position before ``zone``, ``spaces`` on from where the car stands (0: right there)."""

    spaces: int
    zone: Zone


@dataclass(frozen=True, slots=True)
class Entered:
    """A curve the move goes through; its last position that the move reaches is ``spaces`` on from the start."""

    section: Section
    spaces: int


def spin_spaces(gear: Gear, a: int, b: int) -> int:
    """Return the spaces that ``gear`` makes of the wheels: the lesser, the greater or the sum (CF-M1)."""
    if gear == FIRST:
        return min(a, b)
    return max(a, b) if gear == SECOND else a + b


def free_spaces(config: Config, state: State, seat: Seat, spaces: int) -> int:
    """Return how many of ``spaces`` the car of ``seat`` may go before the other car blocks a narrow position (CF-B1)."""
    driven, other = state.racer(seat).driven, state.racer(config.other(seat)).driven
    # Two lengths of track may lie between the cars: what counts is where they stand.
    if not config.is_narrow_at(other):
        return spaces
    ahead = (other - driven) % config.length or config.length
    return min(spaces, ahead - 1) if driven + ahead <= config.distance else spaces


def stops(config: Config, driven: int, spaces: int) -> tuple[Stop, ...]:
    """Return where a move of ``spaces`` from ``driven`` may stop by choice: before each danger zone it enters (CF-B2)."""
    found = []
    for gone in range(1, spaces + 1):
        if driven + gone > config.distance:
            break
        section = config.section_at(driven + gone)
        if section is not None and config.section_at(driven + gone - 1) is None:
            found.append(Stop(gone - 1, section.zone))
    return tuple(found)


def choices(config: Config, state: State, seat: Seat) -> tuple[Stop, ...]:
    """Return where ``seat`` may stop by choice with what it has spun, none if it has not spun (CF-B2)."""
    if state.spun is None:
        return ()
    spaces = spin_spaces(state.racer(seat).gear, state.spun.a, state.spun.b)
    return stops(config, state.racer(seat).driven, free_spaces(config, state, seat, spaces))


def entered(config: Config, driven: int, spaces: int) -> Iterator[Entered]:
    """Yield each curve of which a move of ``spaces`` from ``driven`` enters a position, in order (CF-D1, CF-D2)."""
    last: Entered | None = None
    for gone in range(1, spaces + 1):
        if driven + gone > config.distance:
            break
        section = config.section_at(driven + gone)
        if last is not None and section is not last.section:
            yield last
        last = None if section is None else Entered(section, gone)
    if last is not None:
        yield last


def crash_limit(gear: Gear) -> int:
    """Return up to which number on wheel B a curve is a crash in ``gear``: 0 in first, 1 in second, 2 in third (CF-D1)."""
    return gear - FIRST


def is_safe(gear: Gear) -> bool:
    """Return whether ``gear`` can neither crash in a curve nor by braking (CF-D1, CF-B2)."""
    return gear < SECOND

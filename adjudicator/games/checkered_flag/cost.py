"""What a move is worth in spaces, part by part with the rule behind each (CF-M1, CF-B1, CF-B2, CF-D2)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from adjudicator.core.event import Part
from adjudicator.core.ids import Seat
from adjudicator.games.checkered_flag.components import GEAR_NAMES, THIRD, Gear, Zone
from adjudicator.games.checkered_flag.config import Config
from adjudicator.games.checkered_flag.drive import Stop, free_spaces, spin_spaces
from adjudicator.games.checkered_flag.state import Spun, State

_MADE: Final = ("", "the lesser of", "the greater of")


@dataclass(frozen=True, slots=True)
class Braking:
    """A spin of ``spaces`` of which ``forced`` and ``chosen`` are given up; chosen ones before ``zone``."""

    spaces: int
    forced: int
    chosen: int
    zone: Zone | None

    @property
    def braked(self) -> int:
        """All spaces given up: what wheel B is compared with (CF-B2)."""
        return self.forced + self.chosen

    @property
    def left(self) -> int:
        """The spaces the car goes, unless it crashes on the way."""
        return self.spaces - self.braked


def braking(config: Config, state: State, seat: Seat, spun: Spun, stop: Stop | None) -> Braking:
    """Return what ``seat`` gives up of what is ``spun`` when it stops at ``stop`` (``None``: goes on)."""
    spaces = spin_spaces(state.racer(seat).gear, spun.a, spun.b)
    free = free_spaces(config, state, seat, spaces)
    chosen = 0 if stop is None else free - stop.spaces
    return Braking(spaces, spaces - free, chosen, None if stop is None else stop.zone)


def move_why(gear: Gear, spun: Spun, braked: Braking) -> tuple[Part, ...]:
    """Return why the car goes as far as it does: the spin, less what is braked (CF-M1, CF-B1, CF-B2)."""
    parts = [Part(braked.spaces, f"{GEAR_NAMES[gear]}, {_made(gear, spun)}", "CF-M1")]
    if braked.forced:
        parts.append(Part(-braked.forced, "braked behind the car on the narrow track", "CF-B1"))
    if braked.zone is not None and braked.chosen:
        parts.append(Part(-braked.chosen, f"braked before the {braked.zone.name}", "CF-B2"))
    return tuple(parts)


def _made(gear: Gear, spun: Spun) -> str:
    if gear == THIRD:
        return f"{spun.a} and {spun.b} together"
    return f"{spun.a} on both wheels" if spun.a == spun.b else f"{_MADE[gear]} {spun.a} and {spun.b}"


def crash_why(missing: int, zone: Zone) -> tuple[Part, ...]:
    """Return what a crash in ``zone`` takes away: the spaces beyond the last one reached there (CF-D2)."""
    return (Part(-missing, f"crashed in the {zone.name}", "CF-D2"),) if missing else ()

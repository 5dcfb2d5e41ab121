"""The parts of the game: the track with its danger zones and narrow stretches, the wheels, the gears (CF-C)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, Final

from annotated_types import Ge, Le, Len

from adjudicator.core.ids import Name

Gear = Annotated[int, Ge(0), Le(3)]
"""A box of the gear marker: 0 is neutral (CF-C3)."""

NEUTRAL: Final = 0
FIRST: Final = 1
SECOND: Final = 2
THIRD: Final = 3
GEAR_LETTERS: Final = ("N", "1", "2", "3")
"""The gears as orders name them."""
GEAR_NAMES: Final = ("neutral", "first gear", "second gear", "third gear")


class Ground(StrEnum):
    """What a position is: straight is the white of the board, danger the salmon (CF-C1)."""

    STRAIGHT = "straight"
    DANGER = "danger"


class Width(StrEnum):
    """A wide position has two spaces side by side, a narrow one (striped) a single space (CF-C1)."""

    WIDE = "wide"
    NARROW = "narrow"


@dataclass(frozen=True, slots=True)
class Spot:
    """A position of the track; ``number`` counts from 1 behind the starting line."""

    number: Annotated[int, Ge(1)]
    ground: Ground
    width: Width


@dataclass(frozen=True, slots=True)
class Curve:
    """The part of a danger zone, both ends included, that asks for one check (CF-D1)."""

    first: Annotated[int, Ge(1)]
    last: Annotated[int, Ge(1)]


@dataclass(frozen=True, slots=True)
class Zone:
    """Contiguous danger positions, made of one curve or several in the order in which they are driven."""

    id: Annotated[Name, Len(1, 16)]
    name: Annotated[Name, Len(1, 24)]
    curves: Annotated[tuple[Curve, ...], Len(1, 8)]


Face = Annotated[int, Ge(1), Le(9)]
"""A number on a wheel."""


@dataclass(frozen=True, slots=True)
class Components:
    """A component set: the track, and the faces of the wheels A and B, each face equally likely (CF-C1, CF-C2)."""

    id: Name
    version: Annotated[int, Ge(1)]
    name: Name
    note: Annotated[str, Len(0, 500)]
    wheel_a: Annotated[tuple[Face, ...], Len(1, 36)]
    wheel_b: Annotated[tuple[Face, ...], Len(1, 36)]
    track: Annotated[tuple[Spot, ...], Len(20, 200)]
    zones: Annotated[tuple[Zone, ...], Len(1, 40)]

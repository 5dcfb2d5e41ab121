"""The parts of the game (CF-C): the track with its danger zones and narrow stretches, the wheels, the gears."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from enum import StrEnum
from itertools import pairwise
from typing import Annotated, Any, Final

from adjudicator.game import Flaw, Ge, Le, Len, Name, Seat, Setup, frozen

Gear = Annotated[int, Ge(0), Le(3)]
"""A box of the gear marker: 0 is neutral (CF-C3)."""

NEUTRAL: Final = 0
FIRST: Final = 1
SECOND: Final = 2
THIRD: Final = 3
GEAR_LETTERS: Final = ("N", "1", "2", "3")
"""The gears as orders name them."""
GEAR_NAMES: Final = ("neutral", "first gear", "second gear", "third gear")
SHIFTS: Final = {
    NEUTRAL: (NEUTRAL, FIRST),
    FIRST: (NEUTRAL, FIRST, SECOND),
    SECOND: (FIRST, SECOND, THIRD),
    THIRD: (SECOND, THIRD),
}
"""The gears a seat may be in after its shift, one step at most (CF-G1)."""


class Width(StrEnum):
    """A wide position has two spaces side by side, a narrow one (striped) a single space (CF-C1)."""

    WIDE = "wide"
    NARROW = "narrow"


@frozen
class Spot:
    """A position of the track; ``number`` counts from 1 after the starting line."""

    number: Annotated[int, Ge(1)]
    width: Width


@frozen
class Curve:
    """The part of a danger zone, both ends included, that asks for one check (CF-D1)."""

    first: Annotated[int, Ge(1)]
    last: Annotated[int, Ge(1)]


@frozen
class Zone:
    """Contiguous danger positions, made of one curve or several in the order in which they are driven."""

    id: Annotated[Name, Len(1, 16)]
    name: Annotated[Name, Len(1, 24)]
    curves: Annotated[tuple[Curve, ...], Len(1, 8)]


Face = Annotated[int, Ge(1), Le(9)]
"""A number on a wheel."""


@frozen
class Components:
    """A component set: the track, and the faces of the wheels A and B, each face equally likely (CF-C1, CF-C2).

    The positions in a curve of a zone are danger (salmon), all others are straight (white).
    """

    id: Name
    version: Annotated[int, Ge(1)]
    name: Name
    note: Annotated[str, Len(0, 500)]
    wheel_a: Annotated[tuple[Face, ...], Len(1, 36)]
    wheel_b: Annotated[tuple[Face, ...], Len(1, 36)]
    track: Annotated[tuple[Spot, ...], Len(20, 200)]
    zones: Annotated[tuple[Zone, ...], Len(1, 40)]


@frozen
class Section:
    """A curve of a danger zone; ``number`` counts from 1 within ``zone``, which has ``of`` curves."""

    zone: Zone
    number: int
    of: int

    @property
    def name(self) -> str:
        """What the section is called where outcomes are drawn for it."""
        return self.zone.name if self.of == 1 else f"{self.zone.name}, curve {self.number}"


@frozen
class Config:
    """Seats in order, options as chosen, and the track: ``sections`` and ``narrow`` by position, from 0 (the line)."""

    seats: tuple[Seat, ...]
    position: Any
    components: Components
    laps: int
    sections: tuple[Section | None, ...]
    narrow: tuple[bool, ...]

    @property
    def length(self) -> int:
        """The positions of one lap."""
        return len(self.components.track)

    @property
    def distance(self) -> int:
        """The spaces of the whole race: a car that has driven more has won (CF-V1)."""
        return self.length * self.laps

    def position_at(self, driven: int) -> int:
        """Return the position of a car that has ``driven`` so many spaces, 0 at the start (CF-S1)."""
        return (driven - 1) % self.length + 1 if driven else 0

    def lap_at(self, driven: int) -> int:
        """Return the lap, from 1, of a car that has ``driven`` so many spaces."""
        return max(0, driven - 1) // self.length + 1

    def section_at(self, driven: int) -> Section | None:
        """Return the curve where a car stands that has ``driven`` so many spaces, ``None`` on a straight."""
        return self.sections[self.position_at(driven)]

    def is_narrow_at(self, driven: int) -> bool:
        """Return whether a car that has ``driven`` so many spaces stands where there is room for one only."""
        return self.narrow[self.position_at(driven)]

    def other(self, seat: Seat) -> Seat:
        """Return the opponent of ``seat``."""
        return self.seats[1 - self.seats.index(seat)]


def configured(setup: Setup, version: int) -> Config:
    """Return what never changes in a game of ``setup``, the track looked up by position."""
    components: Components = setup.components
    sections: list[Section | None] = [None] * (len(components.track) + 1)
    for zone in components.zones:
        for number, curve in enumerate(zone.curves, 1):
            section = Section(zone, number, len(zone.curves))
            sections[curve.first : curve.last + 1] = [section] * (curve.last + 1 - curve.first)
    return Config(
        seats=setup.seats,
        position=setup.position,
        components=components,
        laps=int(setup.options["laps"]),
        sections=tuple(sections),
        narrow=(False, *(spot.width is Width.NARROW for spot in components.track)),
    )


def unfit(setup: Setup) -> Iterator[Flaw]:
    """Yield what makes the component set unfit to play with, each with the rule it offends."""
    components: Components = setup.components
    if len({*components.wheel_a}) == len({*components.wheel_b}) == 1:
        yield Flaw("two wheels with one number each would spin for the first turn for ever", "CF-C2")
    length = len(components.track)
    wrong = next((spot.number for at, spot in enumerate(components.track, 1) if spot.number != at), None)
    if wrong is not None:
        yield Flaw(f"the track counts its positions 1, 2, … in order; {wrong} is out of turn", "CF-C1")
    for what, names in (("zone", [zone.id for zone in components.zones]), ("zone name", [z.name for z in components.zones])):
        for name, times in Counter(names).items():
            if times > 1:
                yield Flaw(f"the component set has the {what} {name} {times} times", "CF-C1")
    for zone in components.zones:
        if not zone.name.isprintable():
            yield Flaw(f"the name of zone {zone.id} is not one line of plain text", "CF-C1")
    bad = [curve for zone in components.zones for curve in zone.curves if not curve.first <= curve.last <= length]
    for curve in bad:
        yield Flaw(f"a curve cannot go from {curve.first} to {curve.last} on a track of {length} positions", "CF-D1")
    if not bad:
        yield from _unfit_zones(components)


def _unfit_zones(components: Components) -> Iterator[Flaw]:
    """Yield curves that overlap or leave a gap, and zones that touch: contiguous positions are one zone (CF-C1)."""
    spans = [(curve, zone) for zone in components.zones for curve in zone.curves]
    counted = Counter(at for curve, _ in spans for at in range(curve.first, curve.last + 1))
    for number, times in sorted(counted.items()):
        if times > 1:
            yield Flaw(f"position {number} is in {times} curves", "CF-D1")
    for zone in components.zones:
        if any(after.first != before.last + 1 for before, after in pairwise(zone.curves)):
            yield Flaw(f"the curves of {zone.name} do not follow each other without a gap", "CF-D1")
    for before, after in pairwise(sorted(components.zones, key=lambda zone: zone.curves[0].first)):
        if after.curves[0].first == before.curves[-1].last + 1:
            yield Flaw(f"{before.name} and {after.name} touch: contiguous danger positions are one zone", "CF-C1")
    if {1, len(components.track)} <= counted.keys():
        yield Flaw("danger on both sides of the line would be one zone from one lap into the next", "CF-C1")

"""The parts of the game (CF-C): the track with its danger zones and narrow stretches, the wheels, the gears."""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum
from itertools import pairwise
from typing import Annotated, Final

from adjudicator.game import ComponentSet, Configuration, Flaw, Meta, Positive, Said, Setup, Value

NEUTRAL, FIRST, SECOND, THIRD = range(4)
GEAR_LETTERS: Final = ("N", "1", "2", "3")
"""The gears as orders name them."""
GEAR_NAMES: Final = ("neutral", "first gear", "second gear", "third gear")
SHIFTS: Final = {gear: tuple(range(max(gear - 1, NEUTRAL), min(gear + 1, THIRD) + 1)) for gear in range(THIRD + 1)}
"""The gears a seat may be in after its shift, one step at most (CF-G1)."""
CRASHES: Final = (0, 0, 1, 2)
"""Up to which number on wheel B a curve crashes, by gear (CF-D1)."""
TURNS_LOST: Final = (0, 0, 1, 2)
"""How many turns a crash costs, by gear (CF-X1)."""

Gear = Annotated[int, Meta(ge=0, le=3), Said(lambda _config, gear: GEAR_NAMES[gear])]
"""A box of the gear marker: 0 is neutral (CF-C3)."""

Lost = Annotated[int, Meta(ge=0, le=max(TURNS_LOST))]
"""The turns that a crashed car still loses."""


def box_beside(lost: int) -> Gear:
    """Return the box beside which the marker lies while a crash still costs ``lost`` turns; neutral when none (CF-X1)."""
    return min(lost + 1, THIRD) if lost else NEUTRAL


def made(gear: Gear, a: int, b: int) -> int:
    """Return the spaces that ``gear`` makes of what the wheels show: the lesser, the greater or the sum (CF-M1)."""
    return a + b if gear == THIRD else min(a, b) if gear == FIRST else max(a, b)


def up_to(limit: int) -> str:
    """Return a text for the numbers of a wheel up to ``limit``."""
    return {1: "1", 2: "1 or 2"}.get(limit, f"1 to {limit}")


class Width(StrEnum):
    """A wide position has two spaces side by side, a narrow one (striped) a single space (CF-C1)."""

    WIDE = "wide"
    NARROW = "narrow"


class Spot(Value):
    """A position of the track."""

    number: Positive
    """The number of the position, from 1 after the starting line."""
    width: Width
    """``wide``: two spaces side by side; ``narrow``: one."""


class Curve(Value):
    """A part of a danger zone, both ends included, with its own check (CF-D1)."""

    first: Positive
    """The number of its first position."""
    last: Positive
    """The number of its last position."""


class Zone(Value):
    """A danger zone (CF-D1)."""

    id: Annotated[str, Meta(min_length=1, max_length=16)]
    """The name of the zone in data."""
    name: Annotated[str, Meta(min_length=1, max_length=24)]
    """The name for people."""
    curves: Annotated[tuple[Curve, ...], Meta(min_length=1, max_length=8)]
    """Its curves in driving order; what lies between them is danger, too."""

    @property
    def whole(self) -> Curve:
        """All of it, as if it were one curve."""
        return Curve(self.curves[0].first, self.curves[-1].last)


Face = Annotated[int, Meta(ge=1, le=9)]
"""A number on a wheel."""


class Components(ComponentSet):
    """The track and the two wheels (CF-C1, CF-C2)."""

    wheel_a: Annotated[tuple[Face, ...], Meta(min_length=1, max_length=36)]
    """The numbers on wheel A; each is equally likely."""
    wheel_b: Annotated[tuple[Face, ...], Meta(min_length=1, max_length=36)]
    """The numbers on wheel B; each is equally likely."""
    track: Annotated[tuple[Spot, ...], Meta(min_length=20, max_length=200)]
    """The positions of the track, from the first after the starting line."""
    zones: Annotated[tuple[Zone, ...], Meta(min_length=1, max_length=40)]
    """The danger zones in driving order; the rest of the track is straight."""


class Section(Value):
    """A curve of a danger ``zone``; ``number`` counts from 1 within it, 0 is the danger between its curves."""

    zone: Zone
    number: int


class Config(Configuration[Components]):
    """The options as chosen, and the track: ``length`` positions a lap, ``sections`` by spaces driven, from 0 (the line).

    With ``brakes_freely`` a car may stop anywhere before danger, and a braked move in first gear may still cross the finish
    line; otherwise it may stop right before danger only (CF-B2). The whole race has ``distance`` spaces: a car that has
    driven more has won (CF-V1). The wheels A and B show ``fastest`` at most.
    """

    laps: int
    brakes_freely: bool
    length: int
    distance: int
    fastest: tuple[Face, Face]
    sections: tuple[Section | None, ...]

    @property
    def names(self) -> tuple[str, ...]:
        """The names of places that conditions may compare facts with."""
        return ("straight", "danger", "wide", "narrow")

    def position_at(self, driven: int) -> int:
        """Return the position of a car that has ``driven`` so many spaces, 0 at the start (CF-S1)."""
        return (driven - 1) % self.length + 1 if driven else 0

    def stop_at(self, driven: int) -> int | None:
        """Return the position after ``driven`` spaces, ``None`` beyond the finish line."""
        return self.position_at(driven) if driven <= self.distance else None

    def lap_at(self, driven: int) -> int:
        """Return the lap, from 1, of a car that has ``driven`` so many spaces, the last one beyond the finish."""
        return min(max(0, driven - 1) // self.length + 1, self.laps)

    def section_at(self, driven: int) -> Section | None:
        """Return the curve at the position after ``driven`` spaces, ``None`` on a straight."""
        return self.sections[driven]

    def is_narrow_at(self, driven: int) -> bool:
        """Return whether the position after ``driven`` spaces is narrow."""
        position = self.position_at(driven)
        return position > 0 and self.components.track[position - 1].width is Width.NARROW


def configure(setup: Setup) -> Config:
    """Return the constants of a game of ``setup``, with the track by position."""
    parts, laps = setup.components, int(setup.options["laps"])
    length, fastest, (line, *lap) = len(parts.track), (max(parts.wheel_a), max(parts.wheel_b)), sections_of(parts)
    return Config(
        seats=setup.seats,
        position=setup.position,
        components=parts,
        laps=laps,
        brakes_freely=setup.options["braking"] == "free",
        length=length,
        distance=length * laps,
        fastest=fastest,
        sections=(line, *lap * laps),
    )


def sections_of(components: Components) -> tuple[Section | None, ...]:
    """Return the curve at each position, from 0 (the line), ``None`` on a straight."""
    found: dict[int, Section] = {}
    for zone in components.zones:
        for number, curve in enumerate((zone.whole, *zone.curves)):
            places = range(curve.first, min(curve.last, len(components.track)) + 1)
            found.update(dict.fromkeys(places, Section(zone, number)))
    return tuple(found.get(position) for position in range(len(components.track) + 1))


def unfit(setup: Setup) -> Iterator[Flaw]:
    """Yield what makes the component set unfit for play, each with the rule that it breaks."""
    components: Components = setup.components
    track, zones = components.track, components.zones
    if len({*components.wheel_a}) == len({*components.wheel_b}) == 1:
        yield Flaw("two wheels with one number each would spin for the first turn forever", "CF-C2")
    for wrong in [spot.number for at, spot in enumerate(track, 1) if spot.number != at][:1]:
        yield Flaw(f"the track counts its positions 1, 2, … in order; {wrong} is out of order", "CF-C1")
    yield from Flaw.repeated("the zone", (zone.id for zone in zones), "CF-C1")
    yield from Flaw.repeated("the zone name", (zone.name for zone in zones), "CF-C1")
    for zone in zones:
        if not zone.name.isprintable():
            yield Flaw(f"the name of zone {zone.id} is not one line of plain text", "CF-C1")
        if any(after.first <= before.last for before, after in pairwise(zone.curves)):
            yield Flaw(f"the curves of {zone.name} do not follow each other", "CF-D1")
    bad = [curve for zone in zones for curve in zone.curves if not curve.first <= curve.last <= len(track)]
    for curve in bad:
        yield Flaw(f"a curve cannot go from {curve.first} to {curve.last} on a track of {len(track)} positions", "CF-D1")
    as_driven = [] if bad else sorted(zones, key=lambda zone: zone.whole.first)
    for before, after in pairwise(as_driven):
        if (apart := after.whole.first - before.whole.last) <= 1:
            how = "touch" if apart == 1 else "overlap"
            yield Flaw(f"{before.name} and {after.name} {how}: contiguous danger positions are one zone", "CF-C1")
    if as_driven and as_driven[0].whole.first == 1 and as_driven[-1].whole.last == len(track):
        yield Flaw("danger on both sides of the line would be one zone from one lap into the next", "CF-C1")

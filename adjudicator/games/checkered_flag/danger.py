"""Danger: the zones of the track, the checks of a move, and where it crashes (CF-D1, CF-D2)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Annotated, Any, Final

from adjudicator.game import Chance, Count, Event, Flaw, Meta, Moves, Name, Positive, Seat, Value, count, ordinal

CRASHES: Final = (0, 0, 1, 2)
"""Up to which number on wheel B a curve crashes, by gear (CF-D1)."""

Face = Annotated[int, Meta(ge=1, le=9)]
"""A number on a wheel."""


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


class Section(Value):
    """A curve of a danger ``zone``; ``number`` counts from 1 within it, 0 is the danger between its curves."""

    zone: Zone
    number: int


def sections_of(zones: Iterable[Zone], length: int) -> tuple[Section | None, ...]:
    """Return the section at each position of a track, from 0 (the line), ``None`` on a straight."""
    found: list[Section | None] = [None] * (length + 1)
    for zone in zones:
        for number, curve in enumerate((zone.whole, *zone.curves)):
            section = Section(zone, number)
            for position in range(curve.first, min(curve.last, length) + 1):
                found[position] = section
    return tuple(found)


class Check(Value):
    """A spin of wheel B: up to ``limit`` the move ends in a crash, ``spaces`` after its start.

    It is for a ``section`` of danger; ``None`` is the braking.
    """

    limit: int
    spaces: int
    section: Section | None = None


def checks(sections: Sequence[Section | None], gear: int, driven: int, spaces: int, braked: int = 0) -> list[Check]:
    """Return the checks of a move of ``spaces`` from ``driven``, after giving up ``braked``, in order; none in first gear.

    The braking comes first (CF-B2). Then each curve that the move enters is checked, and all danger between the curves of a
    zone once (CF-D1): the car crashes on the last position that it would have reached there (CF-D2). ``sections`` are those
    of the track, by spaces driven.
    """
    limit = CRASHES[gear]
    if not limit:
        return []
    found = [Check(braked, spaces)] if braked else []
    for gone, (section, ahead) in enumerate(pairwise((*sections[driven + 1 : driven + spaces + 1], None)), 1):
        if section is not None and section is not ahead and all(section is not one.section for one in found):
            found.append(Check(limit, gone, section))
    return found


def crash_of(found: Iterable[Check], config: Any, seat: Seat, chance: Chance) -> Moves:
    """Spin wheel B for the checks ``found`` up to the first crash, and return that one, ``None`` without a crash."""
    for check in found:
        if check.section is None:
            b = config.spin(chance, seat, "the braking", "B")
            yield BrakesChecked(seat=seat, b=b, limit=check.limit, is_crash=b <= check.limit)
        else:
            zone, number = check.section.zone, check.section.number
            curve = f", curve {number}" if number else ", between its curves"
            b = config.spin(chance, seat, f"the {zone.name}{curve if len(zone.curves) > 1 else ''}", "B")
            yield CurveChecked(seat=seat, zone=zone.id, curve=number, b=b, limit=check.limit, is_crash=b <= check.limit)
        if b <= check.limit:
            return check
    return None


class CurveChecked(Event):
    """Wheel B was spun for curve number ``curve`` of ``zone``, 0 between its curves: ``b`` up to ``limit`` is a crash."""

    seat: Seat
    zone: Name
    curve: Count
    b: Face
    limit: Annotated[int, Meta(ge=1, le=max(CRASHES))]
    is_crash: bool
    rule: Name = "CF-D1"

    def tell(self, config: Any) -> str:
        zone = next(zone for zone in config.components.zones if zone.id == self.zone)
        curve = f", {ordinal(self.curve)} curve" if self.curve else ", between the curves"
        return _told(self, f"the {zone.name}{curve if len(zone.curves) > 1 else ''}")


class BrakesChecked(Event):
    """Wheel B was spun for braking: ``b`` up to ``limit``, the spaces braked, is a crash."""

    seat: Seat
    b: Face
    limit: Positive
    is_crash: bool
    rule: Name = "CF-B2"

    def tell(self, config: Any) -> str:
        return _told(self, f"{count(self.limit, 'space')} braked")


def _told(check: CurveChecked | BrakesChecked, why: str) -> str:
    """Tell the number on the wheel, whether it is a crash, and which numbers are."""
    crash = f"{'a' if check.is_crash else 'no'} crash (it crashes at {up_to(check.limit)})"
    return f"{check.seat} spins {check.b} on wheel B for {why}: {crash}"


def up_to(limit: int) -> str:
    """Return a text for the numbers of a wheel up to ``limit``."""
    return {1: "1", 2: "1 or 2"}.get(limit, f"1 to {limit}")


def unfit(zones: tuple[Zone, ...], length: int) -> Iterator[Flaw]:
    """Yield the flaws of the danger ``zones`` on a track of ``length`` positions."""
    yield from Flaw.repeated("the zone", (zone.id for zone in zones), "CF-C1")
    yield from Flaw.repeated("the zone name", (zone.name for zone in zones), "CF-C1")
    for zone in zones:
        if not zone.name.isprintable():
            yield Flaw(f"the name of zone {zone.id} is not one line of plain text", "CF-C1")
        if any(after.first <= before.last for before, after in pairwise(zone.curves)):
            yield Flaw(f"the curves of {zone.name} do not follow each other", "CF-D1")
    bad = [curve for zone in zones for curve in zone.curves if not curve.first <= curve.last <= length]
    for curve in bad:
        yield Flaw(f"a curve cannot go from {curve.first} to {curve.last} on a track of {length} positions", "CF-D1")
    as_driven = [] if bad else sorted(zones, key=lambda zone: zone.whole.first)
    for before, after in pairwise(as_driven):
        if (apart := after.whole.first - before.whole.last) <= 1:
            how = "touch" if apart == 1 else "overlap"
            yield Flaw(f"{before.name} and {after.name} {how}: contiguous danger positions are one zone", "CF-C1")
    if as_driven and as_driven[0].whole.first == 1 and as_driven[-1].whole.last == length:
        yield Flaw("danger on both sides of the line would be one zone from one lap into the next", "CF-C1")

"""The config: what does not change during a game, looked up fast (CF-C)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from adjudicator.core.ids import Seat
from adjudicator.core.problem import Problem, SetupError
from adjudicator.core.ruleset import Setup
from adjudicator.games.checkered_flag.components import Components, Ground, Width, Zone
from adjudicator.games.checkered_flag.position import Position


@dataclass(frozen=True, slots=True)
class Section:
    """A curve of a danger zone; ``number`` counts from 1 within ``zone``, which has ``of`` curves."""

    zone: Zone
    number: int
    of: int


@dataclass(frozen=True, slots=True)
class Config:
    """Seats in order, options as chosen, and the track: ``sections`` and ``narrow`` by position, from 0 (the line)."""

    seats: tuple[Seat, ...]
    components: Components
    position: Position | None
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


def configure(setup: Setup) -> Config:
    """Return the config for ``setup``. Raises ``SetupError`` with everything that is wrong with it (CF-C)."""
    components: Components = setup.components
    problems = tuple(_set_problems(components))
    if problems:
        raise SetupError(problems)
    return Config(
        seats=tuple(player.seat for player in setup.players),
        components=components,
        position=setup.position,
        laps=int(setup.options["laps"]),
        sections=_sections(components),
        narrow=(False, *(spot.width is Width.NARROW for spot in components.track)),
    )


def _sections(components: Components) -> tuple[Section | None, ...]:
    found: list[Section | None] = [None] * (len(components.track) + 1)
    for zone in components.zones:
        for number, curve in enumerate(zone.curves, 1):
            section = Section(zone, number, len(zone.curves))
            found[curve.first : curve.last + 1] = [section] * (curve.last + 1 - curve.first)
    return tuple(found)


def _set_problems(components: Components) -> Iterator[Problem]:
    """Yield what makes a component set unfit to play with."""
    numbers = [spot.number for spot in components.track]
    if numbers != list(range(1, len(numbers) + 1)):
        wrong = next(number for at, number in enumerate(numbers, 1) if number != at)
        yield _problem(f"the track counts its positions 1, 2, … in order; {wrong} is out of turn")
        return
    for what, names in (("zone", [zone.id for zone in components.zones]), ("zone name", [z.name for z in components.zones])):
        for name, count in Counter(names).items():
            if count > 1:
                yield _problem(f"the component set has the {what} {name} {count} times")
    for zone in components.zones:
        if not zone.name.isprintable():
            yield _problem(f"the name of zone {zone.id} is not one line of plain text")
    if len({*components.wheel_a}) == len({*components.wheel_b}) == 1:
        yield _problem("two wheels with one number each would spin for the first turn for ever")
    curves = [curve for zone in components.zones for curve in zone.curves]
    bad = [curve for curve in curves if not curve.first <= curve.last <= len(numbers)]
    for curve in bad:
        yield _problem(f"a curve cannot go from {curve.first} to {curve.last} on a track of {len(numbers)} positions")
    if not bad:
        yield from _zone_problems(components)


def _zone_problems(components: Components) -> Iterator[Problem]:
    """Yield where curves, zones and the ground of the track do not agree (CF-C1)."""
    covered = Counter(
        number for zone in components.zones for curve in zone.curves for number in range(curve.first, curve.last + 1)
    )
    for spot in components.track:
        count, is_danger = covered[spot.number], spot.ground is Ground.DANGER
        if count > 1:
            yield _problem(f"position {spot.number} is in {count} curves")
        elif is_danger and not count:
            yield _problem(f"position {spot.number} is danger, but in no curve of a zone")
        elif count and not is_danger:
            yield _problem(f"position {spot.number} is in a curve, but straight")
    for zone in components.zones:
        if any(after.first != before.last + 1 for before, after in pairwise(zone.curves)):
            yield _problem(f"the curves of {zone.name} do not follow each other without a gap")
    yield from _border_problems(components)


def _border_problems(components: Components) -> Iterator[Problem]:
    """Yield zones that touch each other, or the line from both sides: contiguous positions are one zone (CF-C1)."""
    zones = sorted(components.zones, key=lambda zone: zone.curves[0].first)
    for before, after in pairwise(zones):
        if after.curves[0].first == before.curves[-1].last + 1:
            yield _problem(f"{before.name} and {after.name} touch: contiguous danger positions are one zone")
    if {components.track[0].ground, components.track[-1].ground} == {Ground.DANGER}:
        yield _problem("danger on both sides of the line would be one zone from one lap into the next")


def _problem(message: str) -> Problem:
    return Problem("checkered-flag/unfit-set", message, "CF-C1")

"""The parts of the game (CF-C): the track with its narrow stretches, the wheels, the gears. Its danger is in `danger.py`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import StrEnum
from typing import Annotated, Final

from adjudicator.game import Chance, ComponentSet, Configuration, Flaw, Meta, Positive, Said, Seat, Setup, Value
from adjudicator.games.checkered_flag import danger
from adjudicator.games.checkered_flag.danger import Face, Section, Zone

NEUTRAL, FIRST, SECOND, THIRD = range(4)
GEAR_LETTERS: Final = ("N", "1", "2", "3")
"""The gears as orders name them."""
GEAR_NAMES: Final = ("neutral", "first gear", "second gear", "third gear")
DANGER: Final = "danger"
"""The ground of the danger zones."""
SHIFTS: Final = {gear: tuple(range(max(gear - 1, NEUTRAL), min(gear + 1, THIRD) + 1)) for gear in range(THIRD + 1)}
"""The gears a seat may be in after its shift, one step at most (CF-G1)."""
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


class Components(ComponentSet, omit_defaults=True):
    """The track and the two wheels (CF-C1, CF-C2)."""

    wheel_a: Annotated[tuple[Face, ...], Meta(min_length=1, max_length=36)]
    """The numbers on wheel A; each is equally likely."""
    wheel_b: Annotated[tuple[Face, ...], Meta(min_length=1, max_length=36)]
    """The numbers on wheel B; each is equally likely."""
    track: Annotated[tuple[Spot, ...], Meta(min_length=20, max_length=200)]
    """The positions of the track, from the first after the starting line."""
    zones: Annotated[tuple[Zone, ...], Meta(min_length=1, max_length=40)]
    """The danger zones in driving order; the rest of the track is straight."""
    shape: Annotated[str, Meta(max_length=500, pattern=r"^(|\d+( [LR]\d+)?( \d+( [LR]\d+)?)*)$")] = ""
    """The circuit in pictures, from the line on: numbers of spaces, each followed by the degrees of its bend to the left or
    right, if it is one: ``7 3 R110 6 3 R60 3 L60``. The line is the first space. Empty: an oval."""

    @property
    def sections(self) -> tuple[Section | None, ...]:
        """The section of danger at each position, from 0 (the line), ``None`` on a straight."""
        return danger.sections_of(self.zones, len(self.track))


class Config(Configuration[Components]):
    """The options as chosen, and the track: ``length`` positions a lap, ``sections`` by spaces driven, from 0 (the line).

    With ``brakes_freely`` a car may stop anywhere before danger, and a braked move in first gear may still cross the finish
    line; otherwise it may stop right before danger only (CF-B2). With ``asks_anywhere`` (begun before version 4) a position
    may ask about braking also where the game never asks. The whole race has ``distance`` spaces: a car that has driven more
    has won (CF-V1). The wheels A and B show ``fastest`` at most.
    """

    laps: int
    brakes_freely: bool
    asks_anywhere: bool
    length: int
    distance: int
    fastest: tuple[Face, Face]
    sections: tuple[Section | None, ...]
    wheels: tuple[tuple[str, ...], tuple[str, ...]]

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

    def is_narrow_at(self, driven: int) -> bool:
        """Return whether the position after ``driven`` spaces is narrow."""
        position = self.position_at(driven)
        return position > 0 and self.components.track[position - 1].width is Width.NARROW

    def spin(self, chance: Chance, seat: Seat, purpose: str, wheel: str) -> int:
        """Return the number that ``wheel`` (A or B) shows when ``seat`` spins it (CF-C2)."""
        return int(chance.pick(f"wheel {wheel} of {seat} for {purpose}", self.wheels[wheel == "B"]))


def bends(shape: str) -> list[tuple[int, int]]:
    """Return the pieces of a circuit of this ``shape``: how many spaces each has, and by how many degrees it turns right."""
    found = re.findall(r"(\d+)(?: ([LR])(\d+))?", shape)
    return [(int(spaces), int(turn or 0) * (-1 if side == "L" else 1)) for spaces, side, turn in found if int(spaces)]


def is_circuit(shape: str, size: int) -> bool:
    """Return whether ``shape`` has ``size`` spaces, with the line, and turns once around to the right."""
    pieces = bends(shape)
    return sum(spaces for spaces, _ in pieces) == size and sum(turn for _, turn in pieces) == 360


def configure(setup: Setup, version: int) -> Config:
    """Return the constants of a game of ``setup``, with the track by position."""
    parts, laps = setup.components, int(setup.options["laps"])
    line, *lap = parts.sections
    return Config(
        seats=setup.seats,
        position=setup.position,
        components=parts,
        laps=laps,
        brakes_freely=setup.options["braking"] == "free",
        asks_anywhere=version < 4,
        length=len(parts.track),
        distance=len(parts.track) * laps,
        fastest=(max(parts.wheel_a), max(parts.wheel_b)),
        sections=(line, *lap * laps),
        wheels=(tuple(map(str, parts.wheel_a)), tuple(map(str, parts.wheel_b))),
    )


def unfit(components: Components) -> Iterator[Flaw]:
    """Yield what makes a component set unfit for play, each with the rule that it breaks."""
    if len({*components.wheel_a}) == len({*components.wheel_b}) == 1:
        yield Flaw("two wheels with one number each would spin for the first turn forever", "CF-C2")
    for wrong in [spot.number for at, spot in enumerate(components.track, 1) if spot.number != at][:1]:
        yield Flaw(f"the track counts its positions 1, 2, … in order; {wrong} is out of order", "CF-C1")
    if components.shape and not is_circuit(components.shape, len(components.track) + 1):
        spaces, turns = (sum(each) for each in zip(*bends(components.shape), strict=True))
        words = f"the shape has {spaces} spaces and turns right by {turns} degrees"
        yield Flaw(f"{words}; it needs {len(components.track) + 1}, with the line, and 360", "CF-C1")
    yield from danger.unfit(components.zones, len(components.track))

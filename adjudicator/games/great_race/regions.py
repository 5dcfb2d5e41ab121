"""Describe a map for its picture and its text: regions that touch each other, lines between them, lanes with markers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from adjudicator.game import Seat, frozen
from adjudicator.games.great_race.components import LineKind
from adjudicator.games.great_race.icons import Mark
from adjudicator.scenes import touch

TILE: Final = "terrain tile"
CITY: Final = "city"
HATCHED: Final = "risk zone"
RINGED: Final = "start and finish"
CLOSED: Final = "no way"
MARKS: Final[Mapping[str, str]] = {HATCHED: "▒", RINGED: "◎"}
"""The characters for hatched and ringed regions."""


@frozen
class Region:
    """A space, its middle at ``x`` to the east and ``y`` to the south: its label, its ground, its marks, its vehicles.

    An empty region has no ground.
    """

    x: int
    y: int
    label: str
    ground: str = ""
    marks: tuple[Mark, ...] = ()
    vehicles: tuple[Seat, ...] = ()
    is_hatched: bool = False
    is_ringed: bool = False


@frozen
class Passage:
    """A line between two regions that do not touch, by their labels: its kind and its price."""

    ends: tuple[str, str]
    kind: LineKind
    text: str

    @property
    def name(self) -> str:
        """Its name in sentences."""
        return f"the {self.kind} line from {self.ends[0]} to {self.ends[1]}"


@frozen
class Lane:
    """A lane, ``at`` its distance south (or east): its label, and the seats of its markers, the lowest of a stack first."""

    label: str
    at: int
    markers: tuple[Seat, ...] = ()


@frozen
class Chart:
    """A map of hexagons with ``ways`` between regions, by their labels; its lanes are the rows (or the columns).

    A picture marks missing ways between regions that touch, and existing ways between regions that do not.
    """

    title: str
    regions: tuple[Region, ...]
    ways: tuple[tuple[str, str], ...]
    passages: tuple[Passage, ...] = ()
    lanes: tuple[Lane, ...] = ()
    is_across: bool = False

    def do_touch(self, one: Region, other: Region) -> bool:
        """Return whether two regions have a common border."""
        return touch((one.x, one.y), (other.x, other.y), is_across=self.is_across)

    @property
    def seats(self) -> Sequence[Seat]:
        """The seats with a vehicle, sorted."""
        return sorted(seat for region in self.regions for seat in region.vehicles)

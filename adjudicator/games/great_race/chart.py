"""Describe a board for its picture and its text: regions with tiles and vehicles, lines with prices, lanes with markers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from itertools import combinations
from typing import Final

from adjudicator.game import Seat, Value
from adjudicator.games.great_race.components import Board, Course, LineKind, Space, SpaceId, Tile
from adjudicator.games.great_race.roads import Roads
from adjudicator.scenes import touch

TILE: Final = "terrain tile"
CITY: Final = "city"
HATCHED: Final = "risk zone"
RINGED: Final = "start and finish"
CLOSED: Final = "no way"
MARKS: Final[Mapping[str, str]] = {HATCHED: "▒", RINGED: "◎"}
"""The characters for hatched and ringed regions."""


class Icon(StrEnum):
    """A small sign on a space."""

    DROP = "drop"
    NUT = "nut"
    BOLT = "bolt"
    STOP = "stop"
    CARD = "card"


class Mark(Value):
    """An ``icon`` on a space, with a ``number`` (0: none)."""

    icon: Icon
    number: int = 0


ICON_SIGNS: Final = {Icon.DROP: "~", Icon.NUT: "*", Icon.BOLT: "!", Icon.STOP: "■", Icon.CARD: "+"}
"""The character for each icon in text, which follows its number."""
ICON_NAMES: Final = {Icon.DROP: "fuel", Icon.NUT: "parts", Icon.BOLT: "danger", Icon.STOP: "stop", Icon.CARD: "cards"}


class Region(Value):
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

    @property
    def is_city(self) -> bool:
        """Whether it is a city."""
        return self.ground == CITY


class Passage(Value):
    """A line between two regions that do not touch, by their labels: its kind and its price."""

    ends: tuple[str, str]
    kind: LineKind
    text: str

    @property
    def name(self) -> str:
        """Its name in sentences."""
        return f"the {self.kind} line from {self.ends[0]} to {self.ends[1]}"


class Lane(Value):
    """A lane, ``at`` its distance south (or east): its label, and the seats of its markers, the lowest of a stack first."""

    label: str
    at: int
    markers: tuple[Seat, ...] = ()


class Chart(Value):
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
    def closed(self) -> Sequence[tuple[Region, Region]]:
        """The pairs of regions with a common border that no way crosses."""
        ways = {frozenset(way) for way in self.ways}
        pairs = ((one, other) for one, other in combinations(self.regions, 2) if self.do_touch(one, other))
        return [(one, other) for one, other in pairs if frozenset((one.label, other.label)) not in ways]

    @property
    def seats(self) -> Sequence[Seat]:
        """The seats with a vehicle, sorted."""
        return sorted(seat for region in self.regions for seat in region.vehicles)


def chart_of(
    board: Board,
    roads: Roads | None,
    tiles: Mapping[SpaceId, Tile],
    vehicles: Mapping[Seat, SpaceId],
    markers: Iterable[Seat],
) -> Chart:
    """Draw ``board`` with the ``tiles`` and ``vehicles`` on it.

    ``markers`` are the seats in the order in which their markers came to their lanes (GR-N2). Without ``roads`` the
    start is not known yet: the lanes have the numbers of the board.
    """
    standing: dict[SpaceId, list[Seat]] = {}
    for seat, space in vehicles.items():
        standing.setdefault(space, []).append(seat)
    return Chart(
        f"Map: {board.name}",
        tuple(_region(space, tiles.get(space.id), standing.get(space.id, ())) for space in board.spaces),
        tuple((space.id, other) for space in board.spaces for other in space.next if space.id < other),
        tuple(Passage((line.ends[0], line.ends[1]), line.kind, f"{line.price} F") for line in board.lines),
        tuple(_lanes(board, roads, vehicles, markers)),
        is_across=board.course is Course.WEST_EAST,
    )


def _region(space: Space, tile: Tile | None, standing: Iterable[Seat]) -> Region:
    ground = CITY if space.is_city else "" if tile is None else TILE
    cards = (Mark(Icon.CARD, space.cards),)
    marks = cards if space.is_city else () if tile is None else marks_of(tile)
    return Region(space.x, space.y, space.id, ground, marks, tuple(standing), space.risk, space.purple)


def marks_of(tile: Tile) -> tuple[Mark, ...]:
    """Return the symbols printed on ``tile``."""
    levels = ((Icon.DROP, tile.fuel), (Icon.NUT, tile.parts))
    signs = ((Icon.BOLT, tile.danger), (Icon.STOP, tile.stop))
    return (
        *(Mark(icon, level) for icon, level in levels if level),
        *(Mark(icon) for icon, is_there in signs if is_there),
    )


def _lanes(board: Board, roads: Roads | None, vehicles: Mapping[Seat, SpaceId], markers: Iterable[Seat]) -> Iterator[Lane]:
    """Yield the lanes of the board; each lies where most of its spaces do."""
    in_lane = {space.id: space.lane for space in board.spaces}
    places: dict[int, list[int]] = {}
    for space in board.spaces:
        places.setdefault(space.lane, []).append(space.x if board.course is Course.WEST_EAST else space.y)
    order = list(markers)
    for lane, found in sorted(places.items()):
        label = lane if roads is None else roads.lane(next(space.id for space in board.spaces if space.lane == lane))
        markers = tuple(seat for seat in order if in_lane[vehicles[seat]] == lane)
        yield Lane(str(label), sorted(found)[len(found) // 2], markers)

"""Define the parts of the game (GR-C): boards with spaces and lines, terrain tiles, resource cards, and tables."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, NewType

from adjudicator.game import Ge, Le, Len, Name, frozen
from adjudicator.games.great_race.cards import CardId

SpaceId = NewType("SpaceId", str)
TileId = NewType("TileId", str)

Francs = Annotated[int, Ge(0), Le(1_000)]
"""An amount of money in francs."""
Levels = Annotated[int, Ge(0), Le(9)]
"""Levels of a gauge that something costs or gives."""
Label = Annotated[Name, Len(1, 40)]
"""A name for people to read."""
SpaceName = Annotated[SpaceId, Len(1, 20)]
TileName = Annotated[TileId, Len(1, 12)]


class SpaceKind(StrEnum):
    """The kinds of space: for a terrain tile, or a city (GR-C1)."""

    TERRAIN = "terrain"
    CITY = "city"


@frozen(kw_only=True)
class Space:
    """A space of a board, drawn at ``x`` to the east and ``y`` to the south, both counted from 1 (GR-C1).

    A terrain space may be a ``risk`` zone. A city gives a number of ``cards`` and is ``purple`` if a race can begin and end
    there. ``lane`` is its place on the scale of progress, which counts from 1. ``next`` are the spaces beside it by land,
    which name it in turn, so that the program finds slips.
    """

    id: SpaceName
    kind: SpaceKind
    risk: bool = False
    cards: Annotated[int, Ge(0), Le(9)] = 0
    purple: bool = False
    lane: Annotated[int, Ge(1), Le(99)]
    x: Annotated[int, Ge(1), Le(200)]
    y: Annotated[int, Ge(1), Le(200)]
    next: Annotated[tuple[SpaceName, ...], Len(0, 12)]

    @property
    def is_city(self) -> bool:
        """Whether the space is a city, where no tile can lie."""
        return self.kind is SpaceKind.CITY


class LineKind(StrEnum):
    """The kinds of transport (GR-D5)."""

    SEA = "sea"
    AIR = "air"


@frozen(kw_only=True)
class Line:
    """A transport line between the two cities at its ``ends``, in either direction, for ``price`` francs (GR-D5)."""

    kind: LineKind
    ends: Annotated[tuple[SpaceName, ...], Len(2, 2)]
    price: Francs


class Course(StrEnum):
    """The direction of the lanes of progress on a board: one below the other, or one beside the other (GR-C1)."""

    NORTH_SOUTH = "north-south"
    WEST_EAST = "west-east"


@frozen(kw_only=True)
class Board:
    """One side of the game board: its spaces, and the transport lines between its cities (GR-C1)."""

    id: Annotated[Name, Len(1, 24)]
    name: Label
    course: Course
    spaces: Annotated[tuple[Space, ...], Len(2, 400)]
    lines: Annotated[tuple[Line, ...], Len(0, 100)]

    @property
    def purple(self) -> tuple[SpaceId, ...]:
        """The cities in which a race can begin and end, in the order of the board."""
        return tuple(space.id for space in self.spaces if space.purple)

    @property
    def lanes(self) -> int:
        """How many lanes the scale of progress has."""
        return max(space.lane for space in self.spaces)


@frozen(kw_only=True)
class Tile:
    """A kind of terrain tile, of which there are ``count``: the levels of fuel and the parts that it costs (GR-C2).

    With ``danger`` it costs more parts unless a guard cancels it (GR-D2); with ``stop`` the drive ends there.
    """

    id: TileName
    name: Label
    fuel: Levels
    parts: Levels
    danger: bool = False
    stop: bool = False
    count: Annotated[int, Ge(1), Le(99)]


@frozen(kw_only=True)
class Card:
    """A kind of resource card, of which there are ``count`` (GR-C3).

    ``amount`` is what it gives (francs; levels of fuel, engine or chassis), saves (francs of a fare) or costs another
    player (parts), how many tiles it lays, or how many cards it draws, all but one of them to keep; 0 for no amount.
    """

    id: CardId
    name: Label
    count: Annotated[int, Ge(0), Le(99)]
    amount: Annotated[int, Ge(0), Le(200)] = 0


@frozen(kw_only=True)
class Gauges:
    """The highest level of each gauge, at which all begin (GR-C4)."""

    fuel: Annotated[int, Ge(1), Le(99)]
    engine: Annotated[int, Ge(1), Le(20)]
    chassis: Annotated[int, Ge(1), Le(20)]


@frozen(kw_only=True)
class Purse:
    """For a number of ``players``, in turn order: the ``cash`` they begin with, the ``bonus`` of a round (GR-S2, GR-N3)."""

    players: Annotated[int, Ge(2), Le(4)]
    cash: Annotated[tuple[Francs, ...], Len(2, 4)]
    bonus: Annotated[tuple[Francs, ...], Len(2, 4)]


@frozen(kw_only=True)
class Prices:
    """Francs for a level of fuel (GR-V1) and for a mechanical part (GR-A2), in a city and outside."""

    fuel_in_city: Francs
    fuel_outside: Francs
    part_in_city: Francs
    part_outside: Francs


@frozen(kw_only=True)
class Prestige:
    """Points for the first, second … to arrive, and the ``francs`` that give one point (GR-F2)."""

    arrivals: Annotated[tuple[Annotated[int, Ge(0), Le(20)], ...], Len(1, 4)]
    francs: Annotated[int, Ge(1), Le(1_000)]


@frozen(kw_only=True)
class Components:
    """A component set: the boards, the tiles in the bag, the cards in the deck, and what the tables of the box say.

    ``funding`` gives the francs for one, two … assistants together (GR-A4). ``surcharge`` is the extra fuel for a risk zone,
    ``city_fuel`` the fuel to enter a city, ``danger`` the parts that a danger costs (GR-D).
    """

    id: Name
    version: Annotated[int, Ge(1)]
    name: Name
    note: Annotated[str, Len(0, 500)]
    tiles: Annotated[tuple[Tile, ...], Len(1, 100)]
    cards: Annotated[tuple[Card, ...], Len(1, len(CardId))]
    boards: Annotated[tuple[Board, ...], Len(1, 10)]
    gauges: Gauges
    assistants: Annotated[int, Ge(1), Le(9)]
    purses: Annotated[tuple[Purse, ...], Len(1, 3)]
    funding: Annotated[tuple[Francs, ...], Len(1, 9)]
    prices: Prices
    surcharge: Levels
    city_fuel: Levels
    danger: Levels
    prestige: Prestige

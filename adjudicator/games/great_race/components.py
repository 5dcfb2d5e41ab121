"""Define the parts of the game (GR-C): boards with spaces and lines, terrain tiles, resource cards, and tables."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, NewType

from adjudicator.game import ComponentSet, Meta, Value
from adjudicator.games.great_race.cards import CardId

SpaceId = NewType("SpaceId", str)
TileId = NewType("TileId", str)

Francs = Annotated[int, Meta(ge=0, le=1_000)]
"""An amount of money in francs."""
Levels = Annotated[int, Meta(ge=0, le=9)]
"""Levels of a gauge that something costs or gives."""
Label = Annotated[str, Meta(min_length=1, max_length=40)]
"""A name for people to read."""
SpaceName = Annotated[SpaceId, Meta(min_length=1, max_length=20)]
TileName = Annotated[TileId, Meta(min_length=1, max_length=12)]


class SpaceKind(StrEnum):
    """The kinds of space: for a terrain tile, or a city (GR-C1)."""

    TERRAIN = "terrain"
    CITY = "city"


class Space(Value, kw_only=True):
    """A space of a board (GR-C1)."""

    id: SpaceName
    """The name of the space, which orders use."""
    kind: SpaceKind
    """Whether it is for a tile, or a city."""
    risk: bool = False
    """Whether a terrain space is a risk zone."""
    cards: Annotated[int, Meta(ge=0, le=9)] = 0
    """How many cards a city gives."""
    purple: bool = False
    """Whether a race can begin and end in the city."""
    lane: Annotated[int, Meta(ge=1, le=99)]
    """Its place on the scale of progress, from 1."""
    x: Annotated[int, Meta(ge=1, le=200)]
    """The column of the picture, from 1 in the west."""
    y: Annotated[int, Meta(ge=1, le=200)]
    """The row of the picture, from 1 in the north."""
    next: Annotated[tuple[SpaceName, ...], Meta(max_length=12)]
    """The spaces beside it by land; they name it in turn, so that the program finds slips."""

    @property
    def is_city(self) -> bool:
        """Whether the space is a city, where no tile can lie."""
        return self.kind is SpaceKind.CITY


class LineKind(StrEnum):
    """The kinds of transport (GR-D5)."""

    SEA = "sea"
    AIR = "air"


class Line(Value, kw_only=True):
    """A transport line (GR-D5)."""

    kind: LineKind
    """By sea or by air."""
    ends: Annotated[tuple[SpaceName, ...], Meta(min_length=2, max_length=2)]
    """The two cities that it joins, in either direction."""
    price: Francs
    """The fare in francs."""


class Course(StrEnum):
    """The direction of the lanes of progress on a board: one below the other, or one beside the other (GR-C1)."""

    NORTH_SOUTH = "north-south"
    WEST_EAST = "west-east"


class Board(Value, kw_only=True):
    """One side of the game board (GR-C1)."""

    id: Annotated[str, Meta(min_length=1, max_length=24)]
    """The name that options use."""
    name: Label
    """The name for people."""
    course: Course
    """The direction in which the lanes of progress follow each other."""
    spaces: Annotated[tuple[Space, ...], Meta(min_length=2, max_length=400)]
    """All spaces."""
    lines: Annotated[tuple[Line, ...], Meta(max_length=100)]
    """The transport lines between cities."""

    @property
    def purple(self) -> tuple[SpaceId, ...]:
        """The cities in which a race can begin and end, in the order of the board."""
        return tuple(space.id for space in self.spaces if space.purple)

    @property
    def lanes(self) -> int:
        """How many lanes the scale of progress has."""
        return max(space.lane for space in self.spaces)


class Tile(Value, kw_only=True):
    """A kind of terrain tile (GR-C2)."""

    id: TileName
    """The name of the kind."""
    name: Label
    """The name for people."""
    fuel: Levels
    """Levels of fuel that it costs."""
    parts: Levels
    """Mechanical parts that it costs."""
    danger: bool = False
    """Whether it costs more parts unless a guard cancels the danger."""
    stop: bool = False
    """Whether the drive ends there."""
    count: Annotated[int, Meta(ge=1, le=99)]
    """How many tiles of this kind are in the bag."""


class Card(Value, kw_only=True):
    """A kind of resource card (GR-C3)."""

    id: CardId
    """The card, one of those that the rules know."""
    name: Label
    """The name for people."""
    count: Annotated[int, Meta(ge=0, le=99)]
    """How many of these cards are in the deck."""
    amount: Annotated[int, Meta(ge=0, le=200)] = 0
    """What it gives (francs, levels of fuel, engine or chassis), saves (francs of a fare) or costs another player
    (parts), how many tiles it lays, or how many cards it draws, all but one of them to keep; 0 for no amount."""


class Gauges(Value, kw_only=True):
    """The highest level of each gauge, at which all begin (GR-C4)."""

    fuel: Annotated[int, Meta(ge=1, le=99)]
    """The highest level of fuel."""
    engine: Annotated[int, Meta(ge=1, le=20)]
    """The highest level of the engine."""
    chassis: Annotated[int, Meta(ge=1, le=20)]
    """The highest level of the chassis."""


class Purse(Value, kw_only=True):
    """The money for a number of players."""

    players: Annotated[int, Meta(ge=2, le=4)]
    """The number of players in the game."""
    cash: Annotated[tuple[Francs, ...], Meta(min_length=2, max_length=4)]
    """Francs with which each begins, in turn order (GR-S2)."""
    bonus: Annotated[tuple[Francs, ...], Meta(min_length=2, max_length=4)]
    """Francs of the bonus of a round, in turn order (GR-N3)."""


class Prices(Value, kw_only=True):
    """The prices of fuel (GR-V1) and of mechanical parts (GR-A2)."""

    fuel_in_city: Francs
    """Francs for a level of fuel in a city."""
    fuel_outside: Francs
    """Francs for a level of fuel elsewhere."""
    part_in_city: Francs
    """Francs for a mechanical part in a city."""
    part_outside: Francs
    """Francs for a mechanical part elsewhere."""


class Prestige(Value, kw_only=True):
    """The points at the end (GR-F2)."""

    arrivals: Annotated[tuple[Annotated[int, Meta(ge=0, le=20)], ...], Meta(min_length=1, max_length=4)]
    """Points for the first, second … to arrive."""
    francs: Annotated[int, Meta(ge=1, le=1_000)]
    """Francs that give one point."""


class Components(ComponentSet, kw_only=True):
    """A component set: the boards, the tiles in the bag, the cards in the deck, and what the tables of the box say."""

    tiles: Annotated[tuple[Tile, ...], Meta(min_length=1, max_length=100)]
    """The kinds of terrain tile in the bag."""
    cards: Annotated[tuple[Card, ...], Meta(min_length=1, max_length=len(CardId))]
    """The kinds of resource card in the deck."""
    boards: Annotated[tuple[Board, ...], Meta(min_length=1, max_length=10)]
    """The boards; an option chooses one."""
    gauges: Gauges
    """The gauges of a car."""
    assistants: Annotated[int, Meta(ge=1, le=9)]
    """How many assistants each player has."""
    purses: Annotated[tuple[Purse, ...], Meta(min_length=1, max_length=3)]
    """The money for each number of players."""
    funding: Annotated[tuple[Francs, ...], Meta(min_length=1, max_length=9)]
    """Francs for one, two … assistants together (GR-A4)."""
    prices: Prices
    """What fuel and parts cost."""
    surcharge: Levels
    """Extra fuel for a risk zone (GR-D)."""
    city_fuel: Levels
    """Fuel to enter a city (GR-D)."""
    danger: Levels
    """Parts that a danger costs (GR-D)."""
    prestige: Prestige
    """The points at the end."""

"""Define the parts of the game (GR-C): resource cards, boards, terrain tiles, tables; and what never changes in a game."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from enum import StrEnum
from functools import lru_cache
from typing import Annotated, Any, NewType

from adjudicator.core.graph import Graph
from adjudicator.game import (
    OWNER,
    PUBLIC,
    ComponentSet,
    Configuration,
    Memo,
    Meta,
    Said,
    Setup,
    Value,
    count,
    field,
    listed,
    remembered,
)

# Resource cards (GR-C3, GR-K1 to GR-K3)


class When(StrEnum):
    """The times at which cards are played."""

    BEFORE = "before an assistant"
    REPAIR = "with a repair"
    DRIVE = "with a drive"
    ANY_TIME = "at any time"

    @property
    def rule(self) -> str:
        """The rule for it."""
        return {When.BEFORE: "GR-K1", When.ANY_TIME: "GR-K3"}.get(self, "GR-K2")


class Does(StrEnum):
    """What a card does when it is played: it gives something by itself, or it is a way to carry out an order.

    ``REMOVE``, ``HARM`` and ``SWAP`` make a danger card, which others may cancel (GR-K4).
    """

    FRANCS = "francs"
    FUEL = "fuel"
    CARDS = "cards"
    REPAIR = "repair"
    DRIVE = "drive"
    SCOUT = "scout"
    REMOVE = "remove"
    HARM = "harm"
    SWAP = "swap"
    HELPS = "helps"


def card_words(card: str) -> str:
    """Return how orders name a card: ``Trail hunter`` for ``trail-hunter``."""
    return card.replace("-", " ").capitalize()


CardName = Annotated[str, Said(lambda _config, card: card_words(card))]
"""The name of a card in an order."""


class CardId(StrEnum):
    """The kinds of resource cards, named as in orders.

    A row has what the card does, and its effect in words with its ``{amount}``, if it has one; its worth in francs to a crew
    with a long way to drive; what ``PLAY`` and the name alone leave open, and an order that says it; other spellings, as
    regular expressions.
    """

    when: When
    does: Does
    effect: str
    worth: int
    lacks: tuple[str, str]
    also: tuple[str, ...]
    _value_: str

    def __new__(cls, card: str, *row: Any) -> CardId:
        """Make the card of a row."""
        made = str.__new__(cls, card)
        made._value_, (made.when, made.does, made.effect, made.worth, *more) = card, row
        made.lacks = next((one for one in more if isinstance(one, tuple)), ("", ""))
        made.also = tuple(one for one in more if isinstance(one, str))
        return made

    @property
    def words(self) -> str:
        """The name of the card in orders."""
        return card_words(self.value)

    @property
    def fact(self) -> str:
        """The name of the card in conditions: one word, ``trail_hunter``."""
        return self.value.replace("-", "_")

    @property
    def is_danger(self) -> bool:
        """Whether others may cancel the card."""
        return self.does in (Does.REMOVE, Does.HARM, Does.SWAP)

    @property
    def has_amount(self) -> bool:
        """Whether the card has an amount in the component set."""
        return "{amount}" in self.effect

    def told(self, amount: int) -> str:
        """Return what the card does, with its ``amount``, and when it is played."""
        danger = "danger card: " if self.is_danger else ""
        return f"{danger}{self.effect.format(amount=amount)}; play it {self.when} ({self.when.rule})"

    # fmt: off
    TRACKER = ("tracker", When.BEFORE, Does.REMOVE, "remove a tile on a path joined with your vehicle", 8,
               ("say which tile it removes", "PLAY Tracker remove …"))
    FINANCIAL = "financial", When.BEFORE, Does.FRANCS, "get {amount} francs", 32
    TRANSPORT = ("transport", When.DRIVE, Does.HELPS, "pay {amount} francs less for a line by sea or air", 20,
                 ("use it with a line by sea or air", "DRIVE sea … using transport 1"))
    MECHANIC = ("mechanic", When.BEFORE, Does.REPAIR, "repair as with a mechanic", 18,
                ("say what it repairs with", "PLAY Mechanic using parts …"))
    RANGER = ("ranger", When.ANY_TIME, Does.HELPS, "cancel a danger", 28,
              ("there is no danger now: use it on the way, or to answer a danger card", "DRIVE … using ranger"))
    DRIVER = ("driver", When.BEFORE, Does.DRIVE, "drive as with a mechanic", 60,
              ("say where it drives", "PLAY Driver …"), "pilot")
    CARTOGRAPHER = ("cartographer", When.BEFORE, Does.SCOUT, "draw {amount} tiles and lay them as with a scout", 30,
                    ("play it alone", "PLAY Cartographer"), "geographer")
    SABOTEUR = ("saboteur", When.BEFORE, Does.HARM, "another player loses {amount} parts", 24,
                ("say whom it harms", "PLAY Saboteur on …"))
    TRAIL_HUNTER = ("trail-hunter", When.BEFORE, Does.CARDS, "draw {amount} cards and keep all but one", 34,
                    "trail-?hunter")
    CHEATER = ("cheater", When.BEFORE, Does.SWAP, "swap two tiles anywhere on the board", 6,
               ("say which tiles it swaps", "PLAY Cheater swap … with …"))
    JERRYCAN = "jerrycan", When.ANY_TIME, Does.FUEL, "get {amount} fuel", 17, "jerry[ -]can"
    REFUELLING = "refuelling", When.BEFORE, Does.FUEL, "get {amount} fuel", 60, "refueling"
    SPARE_PARTS = ("spare-parts", When.REPAIR, Does.HELPS, "repair points: {amount}", 24,
                   ("use it in a repair", "REPAIR using parts …"), "spare[ -]?parts?")
    TOOLBOX = ("toolbox", When.REPAIR, Does.HELPS, "repair points: {amount}", 55,
               ("use it in a repair", "REPAIR using toolbox …"), "tool[ -]box")
    CARAVAN = ("caravan", When.DRIVE, Does.HELPS, "ignore a stop", 16,
               ("use it on the way, against a stop", "DRIVE … using caravan"), "guide")
    # fmt: on


@lru_cache(256)
def card_called(name: str) -> str:
    """Return the id of the card that a player calls ``name``, or ``name`` in lower case if no card is called that."""
    for card in CardId:
        if any(re.fullmatch(spelling, name, re.IGNORECASE) for spelling in (card.value, card.words, *card.also)):
            return card.value
    return name.lower()


def spellings(*does: Does) -> tuple[str, ...]:
    """Return the names, as regular expressions, of the cards that do one of these, or of all cards."""
    cards = [card for card in CardId if not does or card.does in does]
    return tuple(spelling for card in cards for spelling in (card.words, *card.also))


# The component set

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


# What never changes in a game: the ways of its board, and the parts by their ids

FIRST = "first"
"""The option value for the board, or the start, that the component set names first."""


class Roads(Value):
    """A ``board`` for a race from ``start`` to ``finish``, with its spaces by their id.

    ``lines`` gives the transport lines of each city, ``to_finish`` the fewest steps from each space to the finish, ``lanes``
    the place of each on the scale of progress (1: the lane of the start, GR-N1), ``graph`` all ways by land and line,
    ``called`` the spaces by their names in lower case.
    """

    board: Board
    start: SpaceId
    finish: SpaceId
    spaces: Mapping[SpaceId, Space]
    lines: Mapping[SpaceId, tuple[Line, ...]]
    to_finish: Mapping[SpaceId, int]
    lanes: Mapping[SpaceId, int]
    graph: Graph[SpaceId]
    called: Mapping[str, SpaceId]
    memo: Memo = field(default_factory=Memo)

    def beside(self, space: SpaceId) -> tuple[SpaceId, ...]:
        """Return the spaces beside ``space`` by land, in the order of the board."""
        return self.spaces[space].next

    def is_city(self, space: SpaceId) -> bool:
        """Return whether ``space`` is a city."""
        return space in self.lines

    def connected(self, here: SpaceId, laid: Collection[SpaceId]) -> dict[SpaceId, int]:
        """Return the spaces that an unbroken path of tiles and cities joins with ``here``, each with its number of steps.

        ``laid`` are the spaces with a tile. A line joins its ends (GR-D5); ``here`` itself comes first.
        """
        return self.graph.steps(here, lambda space: space in laid or space in self.lines)

    def free(self, here: SpaceId, laid: Collection[SpaceId]) -> tuple[SpaceId, ...]:
        """Return the empty spaces beside the path from ``here``, where a tile can go, in the order of the board (GR-A1)."""
        return _free(self, here, frozenset(laid))


@remembered
def _free(roads: Roads, here: SpaceId, laid: frozenset[SpaceId]) -> tuple[SpaceId, ...]:
    reached = roads.connected(here, laid)
    edge = {other for space in reached for other in roads.spaces[space].next}.difference(reached, laid)
    return tuple([space for space in roads.spaces if space in edge])


@lru_cache(16)
def roads_of(board: Board, start: SpaceId) -> Roads:
    """Return ``board``, which has no flaw, for a race from its purple city ``start`` to the other."""
    spaces = {space.id: space for space in board.spaces}
    finish = next(city for city in board.purple if city != start)
    lines = {
        space.id: tuple(line for line in board.lines if space.id in line.ends) for space in board.spaces if space.is_city
    }
    graph = graph_of(board)
    ahead = 1 if spaces[finish].lane > spaces[start].lane else -1
    lanes = {space.id: ahead * (space.lane - spaces[start].lane) + 1 for space in board.spaces}
    called = {space.casefold(): space for space in spaces}
    return Roads(board, start, finish, spaces, lines, graph.steps(finish), lanes, graph, called)


def graph_of(board: Board) -> Graph[SpaceId]:
    """Return the ways of ``board`` from each space, by land first, then by the lines that the board names first."""
    ways = {space.id: dict.fromkeys(space.next) for space in board.spaces}
    for line in board.lines:
        for here in line.ends:
            ways.get(here, {})[other_end(line, here)] = None
    return Graph(ways)


def other_end(line: Line, here: SpaceId) -> SpaceId:
    """Return the city to which ``line`` leads from ``here``."""
    return line.ends[1] if line.ends[0] == here else line.ends[0]


class Config(Configuration[Components]):
    """Seats in order, the ``roads`` of the board that is played, and tiles and cards by their ids.

    ``deck`` and ``bag`` are all cards and all tiles. ``cash`` is what the seats begin with, ``bonus`` what a round gives by
    rank, both in turn order (GR-S2, GR-N3). Conditions may compare facts with ``names``. ``is_older`` is a game begun with
    the second version of the rules: there a Saboteur can be cancelled that takes nothing, standing answers have scopes and
    limits, and a drive may split its parts by number.
    """

    roads: Roads
    tiles: Mapping[TileId, Tile]
    cards: Mapping[CardId, Card]
    deck: tuple[CardId, ...]
    bag: tuple[TileId, ...]
    cash: tuple[Francs, ...]
    bonus: tuple[Francs, ...]
    names: tuple[str, ...]
    is_older: bool = False

    def fuel_price(self, here: SpaceId) -> int:
        """Return what a level of fuel costs ``here`` (GR-V1)."""
        prices = self.components.prices
        return prices.fuel_in_city if self.roads.is_city(here) else prices.fuel_outside

    def part_price(self, here: SpaceId) -> int:
        """Return what a mechanical part costs ``here`` (GR-A2)."""
        prices = self.components.prices
        return prices.part_in_city if self.roads.is_city(here) else prices.part_outside

    def amount(self, card: CardId) -> int:
        """Return the amount of ``card``, 0 if the set does not have it."""
        return self.cards[card].amount if card in self.cards else 0

    @property
    def can(self) -> int:
        """How many levels of fuel a jerrycan gives."""
        return self.amount(CardId.JERRYCAN) or 1

    def tile_fuel(self, space: SpaceId, tile: TileId) -> int:
        """Return the fuel that ``tile`` costs on ``space`` (GR-D1)."""
        return self.tiles[tile].fuel + self.components.surcharge * self.roads.spaces[space].risk

    def tile_parts(self, tile: TileId) -> int:
        """Return the parts that ``tile`` costs, with those of its danger (GR-D1)."""
        kind = self.tiles[tile]
        return kind.parts + self.components.danger * kind.danger


def configured(setup: Setup, names: Iterable[str] = (), *, is_older: bool = False) -> Config:
    """Return the configuration of a game of ``setup``, which has no flaw; conditions know ``names``, too."""
    components: Components = setup.components
    board = board_of(setup)
    assert board is not None
    purse = next(purse for purse in components.purses if purse.players == len(setup.seats))
    roads = roads_of(board, start_of(setup, board) or board.purple[0])
    tiles, cards = {tile.id: tile for tile in components.tiles}, {card.id: card for card in components.cards}
    return Config(
        seats=setup.seats,
        position=setup.position,
        components=components,
        roads=roads,
        tiles=tiles,
        cards=cards,
        deck=tuple(card.id for card in components.cards for _ in range(card.count)),
        bag=tuple(tile.id for tile in components.tiles for _ in range(tile.count)),
        cash=purse.cash,
        bonus=purse.bonus,
        names=(*roads.spaces, *tiles, *(card.fact for card in CardId), *names),
        is_older=is_older,
    )


def board_of(setup: Setup) -> Board | None:
    """Return the board that ``setup`` asks for, ``None`` if the component set has no board of that id."""
    boards, wanted = setup.components.boards, setup.options["board"]
    return next((board for board in boards if wanted in (FIRST, board.id)), None)


def start_of(setup: Setup, board: Board) -> SpaceId | None:
    """Return the purple city that ``setup`` asks for as the start, in any case; ``None`` if ``board`` has no such city."""
    wanted = setup.options["start"].casefold()
    return next((city for city in board.purple if wanted in (FIRST, city.casefold())), None)


# Cards, tiles and amounts in sentences about events

Cards = Annotated[tuple[CardId, ...], Said(lambda config, cards: cards_told(config, cards))]
"""Cards that all may see."""
OneCard = Annotated[CardId, Said(lambda config, card: config.cards[card].name)]
OneTile = Annotated[TileId, Said(lambda config, tile: tile_told(config, tile))]
DrawnCards = Annotated[tuple[CardId | None, ...], OWNER.counted, Said(lambda config, cards: cards_told(config, cards))]
"""Cards of which others see only how many they are."""
DrawnTiles = Annotated[tuple[TileId | None, ...], OWNER.counted, Said(lambda config, tiles: tiles_told(config, tiles))]
Amount = Annotated[int, Meta(ge=0, le=999), PUBLIC]


def cards_told(config: Config, cards: tuple[CardId | None, ...]) -> str:
    """Return the names of ``cards`` as a list in a sentence, or their number if the viewer does not know them."""
    known = [config.cards[card].name for card in cards if card is not None]
    return listed(known) if known or not cards else count(len(cards), "card")


def tiles_told(config: Config, tiles: tuple[TileId | None, ...]) -> str:
    """Describe ``tiles`` as a list in a sentence, or tell their number if the viewer does not know them."""
    return listed([tile_told(config, tile) for tile in tiles if tile is not None]) or count(len(tiles), "tile")


def levels_told(**levels: int) -> list[str]:
    """Return the words for the ``levels`` that are not 0: ``engine 2``."""
    return [f"{gauge} {many}" for gauge, many in levels.items() if many]


def tile_told(config: Config, tile: TileId) -> str:
    """Describe a tile with its cost: ``Soft sand (3 fuel)``."""
    kind = config.tiles[tile]
    costs = [f"{kind.fuel} fuel"] if kind.fuel else []
    costs += [count(kind.parts, "part")] if kind.parts else []
    costs += ["danger"] if kind.danger else []
    costs += ["stop"] if kind.stop else []
    return f"{kind.name} ({', '.join(costs) or 'no cost'})"

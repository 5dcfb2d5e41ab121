"""Hold what never changes in a game: the ways of its board, and the parts by their ids; and put them into words."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from functools import lru_cache
from typing import Annotated

from adjudicator.core.graph import Graph
from adjudicator.game import OWNER, PUBLIC, Configuration, Memo, Meta, Said, Setup, Value, count, field, listed, remembered
from adjudicator.games.great_race.components import (
    Board,
    Card,
    CardId,
    Components,
    Francs,
    Line,
    Space,
    SpaceId,
    Tile,
    TileId,
)

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

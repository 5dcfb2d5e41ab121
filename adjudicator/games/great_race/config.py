"""Hold what never changes in a game: the board with its start and finish, and the parts by their ids."""

from __future__ import annotations

from collections.abc import Mapping

from adjudicator.game import Configuration, Setup, frozen
from adjudicator.games.great_race.cards import CardId
from adjudicator.games.great_race.components import Board, Card, Components, Francs, LineKind, SpaceId, Tile, TileId
from adjudicator.games.great_race.roads import Roads, roads_of

FIRST = "first"
"""The option value for the board, or the start, that the component set names first."""


@frozen
class Config(Configuration[Components]):
    """Seats in order, the ``roads`` of the board that is played, and tiles and cards by their ids.

    It also has the ``counts`` of tiles and cards, in the order of the component set. ``cash`` is what the seats begin with,
    ``bonus`` what a round gives by rank, both in turn order (GR-S2, GR-N3). Conditions may
    compare facts with ``names``.

    Version 2 of the rules changed the others. A line ``leads_back`` to the city where it begins (GR-D5). Help that a drive
    named is ``kept_for_payment`` (GR-D3). The parts that known tiles cost ``can_be_split`` exactly before a blank space
    (GR-D1). Orders ``may_be_idle`` (GR-K1, GR-H9). The ``last_hand_is_cut`` when nothing follows (GR-H1). The log
    ``spells_names`` as the board does (GR-C1).
    """

    roads: Roads
    tiles: Mapping[TileId, Tile]
    cards: Mapping[CardId, Card]
    tile_counts: Mapping[TileId, int]
    card_counts: Mapping[CardId, int]
    cash: tuple[Francs, ...]
    bonus: tuple[Francs, ...]
    leads_back: bool
    kept_for_payment: bool
    can_be_split: bool
    may_be_idle: bool
    last_hand_is_cut: bool
    spells_names: bool
    names: tuple[str, ...] = ()

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

    def fare(self, kind: LineKind, here: SpaceId, there: SpaceId, cards: int) -> int:
        """Return the price of a line with so many Transport cards (GR-D5)."""
        line = self.roads.line(kind, here, there)
        assert line is not None
        return max(0, line.price - cards * self.amount(CardId.TRANSPORT))

    def tile_fuel(self, space: SpaceId, tile: TileId) -> int:
        """Return the fuel that ``tile`` costs on ``space`` (GR-D1)."""
        return self.tiles[tile].fuel + self.components.surcharge * self.roads.spaces[space].risk

    def tile_parts(self, tile: TileId) -> int:
        """Return the parts that ``tile`` costs, with those of its danger (GR-D1, GR-D2)."""
        kind = self.tiles[tile]
        return kind.parts + self.components.danger * kind.danger


def configured(setup: Setup, version: int) -> Config:
    """Return the configuration of a game of ``setup``, which has no flaw."""
    components: Components = setup.components
    board = board_of(setup)
    assert board is not None
    purse = next(purse for purse in components.purses if purse.players == len(setup.seats))
    return Config(
        seats=setup.seats,
        position=setup.position,
        components=components,
        roads=roads_of(board, start_of(setup, board) or board.purple[0]),
        tiles={tile.id: tile for tile in components.tiles},
        cards={card.id: card for card in components.cards},
        tile_counts={tile.id: tile.count for tile in components.tiles},
        card_counts={card.id: card.count for card in components.cards},
        cash=purse.cash,
        bonus=purse.bonus,
        leads_back=version < 2,
        kept_for_payment=version >= 2,
        can_be_split=version >= 2,
        may_be_idle=version >= 2,
        last_hand_is_cut=version < 2,
        spells_names=version >= 2,
    )


def board_of(setup: Setup) -> Board | None:
    """Return the board that ``setup`` asks for, ``None`` if the component set has no board of that id."""
    boards, wanted = setup.components.boards, setup.options["board"]
    return next((board for board in boards if wanted in (FIRST, board.id)), None)


def start_of(setup: Setup, board: Board) -> SpaceId | None:
    """Return the purple city that ``setup`` asks for as the start, in any case; ``None`` if ``board`` has no such city."""
    wanted = setup.options["start"].casefold()
    return next((city for city in board.purple if wanted in (FIRST, city.casefold())), None)

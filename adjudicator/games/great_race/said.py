"""Describe cards, tiles and amounts in sentences about events."""

from __future__ import annotations

from typing import Annotated

from adjudicator.game import OWNER, PUBLIC, Ge, Le, Said, count, listed
from adjudicator.games.great_race.cards import CardId
from adjudicator.games.great_race.components import Card, TileId
from adjudicator.games.great_race.config import Config

Cards = Annotated[tuple[CardId, ...], Said(lambda config, cards: cards_told(config, cards))]
"""Cards that all may see."""
OneCard = Annotated[CardId, Said(lambda config, card: config.cards[card].name)]
OneTile = Annotated[TileId, Said(lambda config, tile: tile_told(config, tile))]
DrawnCards = Annotated[tuple[CardId | None, ...], OWNER.counted, Said(lambda config, cards: cards_told(config, cards))]
"""Cards of which others see only how many they are."""
DrawnTiles = Annotated[tuple[TileId | None, ...], OWNER.counted, Said(lambda config, tiles: tiles_told(config, tiles))]
Amount = Annotated[int, Ge(0), Le(999), PUBLIC]


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


def effect_told(card: Card) -> str:
    """Return what a card does and when it is played: ``get 5 fuel; play it before an assistant (GR-K1)``."""
    return card.id.does(card.amount)


def tile_told(config: Config, tile: TileId) -> str:
    """Describe a tile with its cost: ``Soft sand (3 fuel)``."""
    kind = config.tiles[tile]
    costs = [f"{kind.fuel} fuel"] if kind.fuel else []
    costs += [count(kind.parts, "part")] if kind.parts else []
    costs += ["danger"] if kind.danger else []
    costs += ["stop"] if kind.stop else []
    return f"{kind.name} ({', '.join(costs) or 'no cost'})"

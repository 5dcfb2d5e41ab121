"""How cards, tiles and amounts are said in sentences about what happened."""

from __future__ import annotations

from typing import Annotated, Final

from adjudicator.game import PUBLIC, Ge, Le, Said, count, listed
from adjudicator.games.great_race.components import CardId, TileId
from adjudicator.games.great_race.config import Config

Cards = Annotated[tuple[CardId, ...], Said(lambda config, cards: cards_told(config, cards))]
"""Cards that all may see."""
OneCard = Annotated[CardId, Said(lambda config, card: config.cards[card].name)]
OneTile = Annotated[TileId, Said(lambda config, tile: tile_told(config, tile))]
Amount = Annotated[int, Ge(0), Le(999), PUBLIC]
ORDINALS: Final = ("first", "second", "third", "fourth")


def cards_told(config: Config, cards: tuple[CardId, ...]) -> str:
    """Return ``cards`` as they are said."""
    return listed([config.cards[card].name for card in cards])


def tile_told(config: Config, tile: TileId) -> str:
    """Return a tile with what it costs: ``Soft sand (3 fuel)``."""
    kind = config.tiles[tile]
    costs = [f"{kind.fuel} fuel"] if kind.fuel else []
    costs += [count(kind.parts, "part")] if kind.parts else []
    costs += ["danger"] if kind.danger else []
    costs += ["stop"] if kind.stop else []
    return f"{kind.name} ({', '.join(costs) or 'no cost'})"


def drawn_told(config: Config, cards: tuple[CardId | None, ...]) -> str:
    """Return cards drawn, by name to those who see them."""
    known = tuple(card for card in cards if card is not None)
    return cards_told(config, known) if known else count(len(cards), "card")

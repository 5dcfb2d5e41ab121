"""Describe cards, tiles and amounts in sentences about events."""

from __future__ import annotations

from typing import Annotated, Final

from adjudicator.game import PUBLIC, Ge, Le, Said, count, listed
from adjudicator.games.great_race.components import Card, CardId, TileId
from adjudicator.games.great_race.config import Config

Cards = Annotated[tuple[CardId, ...], Said(lambda config, cards: cards_told(config, cards))]
"""Cards that all may see."""
OneCard = Annotated[CardId, Said(lambda config, card: config.cards[card].name)]
OneTile = Annotated[TileId, Said(lambda config, tile: tile_told(config, tile))]
Amount = Annotated[int, Ge(0), Le(999), PUBLIC]
ORDINALS: Final = ("first", "second", "third", "fourth")


def cards_told(config: Config, cards: tuple[CardId, ...]) -> str:
    """Return the names of ``cards`` as a list in a sentence."""
    return listed([config.cards[card].name for card in cards])


_BEFORE: Final = "before an assistant (GR-K1)"
_ANY_TIME: Final = "at any time (GR-K3)"
_REPAIR, _DRIVE = "with a repair (GR-K2)", "with a drive (GR-K2)"
_EFFECTS: Final = {
    CardId.TRACKER: ("danger card: remove a tile on a path joined with your vehicle", _BEFORE),
    CardId.FINANCIAL: ("get {amount} francs", _BEFORE),
    CardId.TRANSPORT: ("pay {amount} francs less for a line by sea or air", _DRIVE),
    CardId.MECHANIC: ("repair as with a mechanic", _BEFORE),
    CardId.RANGER: ("cancel a danger", _ANY_TIME),
    CardId.DRIVER: ("drive as with a mechanic", _BEFORE),
    CardId.CARTOGRAPHER: ("draw {amount} tiles and lay them as with a scout", _BEFORE),
    CardId.SABOTEUR: ("danger card: another player loses {amount} parts", _BEFORE),
    CardId.TRAIL_HUNTER: ("draw {amount} cards and keep all but one", _BEFORE),
    CardId.CHEATER: ("danger card: swap two tiles anywhere on the board", _BEFORE),
    CardId.JERRYCAN: ("get {amount} fuel", _ANY_TIME),
    CardId.REFUELLING: ("get {amount} fuel", _BEFORE),
    CardId.SPARE_PARTS: ("repair points: {amount}", _REPAIR),
    CardId.TOOLBOX: ("repair points: {amount}", _REPAIR),
    CardId.CARAVAN: ("ignore a stop", _DRIVE),
}
"""What each card does, and when it is played."""


def effect_told(card: Card) -> str:
    """Return what a card does and when it is played: ``get 5 fuel; play it before an assistant (GR-K1)``."""
    effect, when = _EFFECTS[card.id]
    return f"{effect.format(amount=card.amount)}; play it {when}"


def tile_told(config: Config, tile: TileId) -> str:
    """Describe a tile with its cost: ``Soft sand (3 fuel)``."""
    kind = config.tiles[tile]
    costs = [f"{kind.fuel} fuel"] if kind.fuel else []
    costs += [count(kind.parts, "part")] if kind.parts else []
    costs += ["danger"] if kind.danger else []
    costs += ["stop"] if kind.stop else []
    return f"{kind.name} ({', '.join(costs) or 'no cost'})"


def drawn_told(config: Config, cards: tuple[CardId | None, ...]) -> str:
    """Return the names of cards drawn, or for others how many they are."""
    known = tuple(card for card in cards if card is not None)
    return cards_told(config, known) if known else count(len(cards), "card")

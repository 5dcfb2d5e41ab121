"""Draw cards and tiles: the discards become the deck when it is empty and a card must be drawn (GR-K4, GR-H9)."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

from adjudicator.game import Chance, Seat
from adjudicator.games.great_race import card_events as dealt
from adjudicator.games.great_race.cards import CardId
from adjudicator.games.great_race.components import TileId
from adjudicator.games.great_race.config import Config
from adjudicator.games.great_race.state import Moves, State


def drawn(config: Config, state: State, many: int, purpose: str, chance: Chance) -> Generator[Any, State, list[CardId]]:
    """Draw ``many`` cards, or as many as there are, and return them; they are in no hand yet."""
    deck, found = state.deck(config), list[CardId]()
    for _ in range(many):
        if not deck and state.discards:
            state = yield dealt.DeckShuffled(cards=state.discards)
            deck = state.deck(config)
            for gone in found:
                deck.remove(gone)
        if not deck:
            break
        card: Any = chance.pick(purpose, deck)
        deck.remove(card)
        found.append(card)
    return found


def cards_drawn(config: Config, state: State, seat: Seat, many: int, chance: Chance, rule: str) -> Moves:
    """Draw ``many`` cards for ``seat``."""
    found = yield from drawn(config, state, many, f"a card for {seat}", chance)
    if found:
        yield dealt.CardsDrawn(seat=seat, cards=tuple(found), rule=rule)
    if len(found) < many:
        yield dealt.CardsMissed(seat=seat, missing=many - len(found))


def tiles_drawn(config: Config, state: State, many: int, seat: Seat, chance: Chance) -> tuple[TileId, ...]:
    """Return ``many`` tiles of the bag, or as many as there are."""
    bag, found = state.bag(config), list[TileId]()
    for _ in range(min(many, len(bag))):
        tile = TileId(chance.pick(f"a tile for {seat}", bag))
        bag.remove(tile)
        found.append(tile)
    return tuple(found)

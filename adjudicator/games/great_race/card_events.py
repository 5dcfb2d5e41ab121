"""The events of cards and tiles: laid out, taken, drawn, played, laid, removed."""

from __future__ import annotations

from typing import Annotated

from adjudicator.game import OWNER, Event, Meta, Name, Public, Seat, replace
from adjudicator.games.great_race.cards import CardId
from adjudicator.games.great_race.components import SpaceId, TileId
from adjudicator.games.great_race.config import Amount, Cards, Config, DrawnCards, DrawnTiles, OneCard, OneTile, cards_told
from adjudicator.games.great_race.state import Keeping, Laid, Laying, State, known, without


class CardsOffered(Event):
    """Cards were laid out for the bivouac; the ``takers`` take one each, in this order."""

    says = "the bivouac offers {cards}"
    sets = {"offered": "cards", "takers": "takers"}
    cards: Public[Cards]
    takers: Public[tuple[Seat, ...]]
    rule: Name = "GR-B1"


class DeckShuffled(Event):
    """The discards became the new deck."""

    says = "the deck is empty: the discard pile ({cards:card}) becomes the new deck"
    becomes = {"discards": ()}
    cards: Public[tuple[CardId, ...]]
    rule: Name = "GR-H9"


class CardTaken(Event):
    """A seat took a card of the bivouac, or got the one that was left."""

    says = "{seat} takes {card}"
    seat: Public[Seat]
    card: Public[OneCard]
    rule: Name = "GR-B1"

    def apply(self, config: Config, state: State) -> State:
        takers = tuple([seat for seat in state.takers if seat != self.seat])
        return state.with_hand(self.seat, (self.card,), offered=without(state.offered, self.card), takers=takers)


class CardsDiscarded(Event):
    """A seat discarded the cards that it had too many."""

    says = "{seat} discards {cards}"
    seat: Public[Seat]
    cards: Public[Cards]
    rule: Name = "GR-H1"

    def apply(self, config: Config, state: State) -> State:
        return state.with_hand(self.seat, gone=self.cards, discards=(*state.discards, *self.cards))


class CardPlayed(Event):
    """A seat played a card, which goes to the discards at once."""

    says = "{seat} plays {card}"
    seat: Public[Seat]
    card: Public[OneCard]
    rule: Name

    def apply(self, config: Config, state: State) -> State:
        return state.with_hand(self.seat, gone=(self.card,), discards=(*state.discards, self.card))


class CardBegun(Event):
    """A seat began to play a card: it goes to the discards when its effect is complete. The seat can buy no more fuel."""

    says = "{seat} plays {card}"
    seat: Public[Seat]
    card: Public[OneCard]
    rule: Name

    def apply(self, config: Config, state: State) -> State:
        return state.with_hand(self.seat, gone=(self.card,), in_play=self.card, may_buy=False)


class CardSpent(Event):
    """The effect of a card is complete: the card goes to the discards."""

    rule: Name = "GR-H9"

    def apply(self, config: Config, state: State) -> State:
        assert state.in_play is not None
        return replace(state, in_play=None, discards=(*state.discards, state.in_play))


class CardWasted(Event):
    """A seat played a danger card that changes nothing: the ``target`` has no parts, or (``None``) both tiles are alike."""

    warns = True
    seat: Public[Seat]
    card: Public[OneCard]
    target: Public[Seat | None]
    rule: Name = "GR-K1"

    def tell(self, config: Config) -> str:
        why = "both tiles are alike" if self.target is None else f"{self.target} has no parts to lose"
        return f"the {config.cards[self.card].name} of {self.seat} changes nothing: {why}"


class CardsDrawn(Event):
    """A seat drew cards; others see only how many."""

    says = "{seat} draws {cards}"
    seat: Public[Seat]
    cards: Annotated[DrawnCards, Meta(min_length=1)]
    rule: Name

    def apply(self, config: Config, state: State) -> State:
        return state.with_hand(self.seat, self.cards)


class CardsSearched(Event):
    """A seat drew cards with a Trail hunter, and discards one of them."""

    says = "{seat} draws {cards}, and discards one of them"
    seat: Public[Seat]
    cards: Annotated[DrawnCards, Meta(min_length=1)]
    rule: Name = "GR-K1"

    def apply(self, config: Config, state: State) -> State:
        return replace(state, pending=Keeping(seat=self.seat, cards=known(self.cards)))


class CardsKept(Event):
    """A seat kept the cards of its Trail hunter but for ``back``, which all see."""

    seat: Public[Seat]
    cards: DrawnCards
    back: Public[Cards]
    rule: Name = "GR-K1"

    def apply(self, config: Config, state: State) -> State:
        return state.with_hand(self.seat, self.cards, pending=None, discards=(*state.discards, *self.back))

    def tell(self, config: Config) -> str:
        back = f" and discards {cards_told(config, self.back)}" if self.back else ""
        return f"{self.seat} keeps {cards_told(config, self.cards)}{back}"


class CardsMissed(Event):
    """Deck and discards were empty."""

    says = "no card is left to draw: {seat} draws {missing:card} too few"
    warns = True
    seat: Public[Seat]
    missing: Amount
    rule: Name = "GR-H9"


class TilesScouted(Event):
    """A seat drew tiles that it must lay, on the spaces ``to`` if it has named them."""

    says = "{seat} draws {tiles}"
    seat: Public[Seat]
    tiles: Annotated[DrawnTiles, Meta(min_length=1)]
    to: Public[tuple[SpaceId, ...]]
    rule: Name

    def apply(self, config: Config, state: State) -> State:
        return replace(state, pending=Laying(seat=self.seat, tiles=known(self.tiles), to=self.to))


class TileLaid(Event):
    """A seat laid one of the tiles it has drawn."""

    says = "{seat} lays {tile} at {space}"
    seat: Public[Seat]
    space: Public[SpaceId]
    tile: Public[OneTile]
    rule: Name

    def apply(self, config: Config, state: State) -> State:
        laying = state.pending_as(Laying)
        tiles, to = without(laying.tiles, self.tile), tuple([space for space in laying.to if space != self.space])
        left = Laying(seat=laying.seat, tiles=tiles, to=to) if tiles else None
        return replace(state, laid=(*state.laid, Laid(self.space, self.tile)), pending=left)


class TilesReturned(Event):
    """A seat could not lay all its tiles: the others go back into the bag."""

    says = "no free space is left: {seat} returns {tiles:tile} to the bag"
    becomes = {"pending": None}
    warns = True
    seat: Public[Seat]
    tiles: Annotated[tuple[TileId | None, ...], Meta(min_length=1), OWNER.counted]
    rule: Name = "GR-H9"


class TileRemoved(Event):
    """A seat removed a tile from the board, and from the game."""

    says = "{seat} removes {tile} from {space}, permanently"
    seat: Public[Seat]
    space: Public[SpaceId]
    tile: Public[OneTile]
    rule: Name

    def apply(self, config: Config, state: State) -> State:
        laid = tuple(laid for laid in state.laid if laid.space != self.space)
        return replace(state, laid=laid, removed=(*state.removed, self.tile))


class TilesSwapped(Event):
    """Two tiles on the board changed places."""

    says = "{seat} swaps {one_tile} at {one} with {other_tile} at {other}"
    seat: Public[Seat]
    one: Public[SpaceId]
    other: Public[SpaceId]
    one_tile: Public[OneTile]
    other_tile: Public[OneTile]
    rule: Name = "GR-K1"

    def apply(self, config: Config, state: State) -> State:
        now = {self.one: self.other_tile, self.other: self.one_tile}
        return replace(state, laid=tuple(Laid(laid.space, now.get(laid.space, laid.tile)) for laid in state.laid))

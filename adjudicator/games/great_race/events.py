"""The events of a race outside of drives and dangers: rounds, plans, assistants, money and levels, cards, tiles, the end."""

from __future__ import annotations

from typing import Annotated, Final

from adjudicator.game import OWNER, PUBLIC, Event, Meta, Name, Public, Said, Seat, Secret, count, ordinal, piles, replace
from adjudicator.games.great_race.components import (
    Amount,
    CardId,
    Cards,
    Config,
    DrawnCards,
    DrawnTiles,
    OneCard,
    OneTile,
    SpaceId,
    TileId,
    cards_told,
)
from adjudicator.games.great_race.state import (
    Assistants,
    Crew,
    Keeping,
    Laid,
    Laying,
    Slot,
    Stage,
    State,
)

_SLOTS: Final = {Slot.SCOUTS: "a scout", Slot.MECHANICS: "a mechanic", Slot.ESCORT: "an escort", Slot.FUNDING: "its funding"}
_OneOf = Annotated[Slot, PUBLIC, Said(lambda _config, slot: _SLOTS[slot])]
_Order = Annotated[tuple[Seat, ...], PUBLIC, Said(lambda _config, order: ", ".join(order))]


class RaceBegun(Event):
    """The race began, with all vehicles in a purple city."""

    says = "the race goes from {start} to {finish}; the turn order is {order}"
    start: Public[SpaceId]
    finish: Public[SpaceId]
    order: Public[tuple[Seat, ...]]
    rule: Name = "GR-S1"


class PlanningBegun(Event):
    """All seats have their cards: they plan their assistants."""

    becomes = {"stage": Stage.PLANNING, "takers": ()}
    rule: Name = "GR-L1"


class PlanMade(Event):
    """A seat made a sealed plan; others see ``None``."""

    says = "{seat} plans {plan} (sealed)"
    unseen = "{seat} has planned"
    sets = {"own.plan": "plan"}
    seat: Public[Seat]
    plan: Secret[Assistants | None]
    rule: Name = "GR-L1"


class PlanOpened(Event):
    """All have planned: the program opened a seat's plan."""

    says = "{seat} has planned {plan}"
    sets = {"own.active": "plan"}
    becomes = {"own.plan": None}
    seat: Public[Seat]
    plan: Public[Assistants]
    rule: Name = "GR-L1"


class SequenceBegun(Event):
    """A seat's sequence began."""

    says = "{seat} is next"
    sets = {"turn": "seat"}
    becomes = {"stage": Stage.CONVOY, "may_buy": True, "has_acted": False}
    seat: Public[Seat]
    rule: Name = "GR-V1"


class FuelGained(Event):
    """A seat bought fuel, or poured some in; ``fuel`` is its level now."""

    says = "{seat} gains {levels:level} of fuel and has {fuel}"
    sets = {"own.fuel": "fuel"}
    seat: Public[Seat]
    levels: Amount
    fuel: Amount
    rule: Name


class PartsRestored(Event):
    """A seat repaired its vehicle by so many levels."""

    says = "{seat} repairs engine {engine}, chassis {chassis}"
    adds = {"own.engine": "engine", "own.chassis": "chassis"}
    seat: Public[Seat]
    engine: Amount
    chassis: Amount
    rule: Name = "GR-A2"


class PartsLost(Event):
    """A Saboteur took parts of a seat's vehicle."""

    says = "{seat} loses engine {engine}, chassis {chassis}"
    adds = {"own.engine": "-engine", "own.chassis": "-chassis"}
    seat: Public[Seat]
    engine: Amount
    chassis: Amount
    rule: Name = "GR-K1"


class AssistantPlayed(Event):
    """A seat played an assistant, or all of its funding: its sequence ends when the effect is complete."""

    says = "{seat} plays {slot}"
    seat: Public[Seat]
    slot: _OneOf
    rule: Name

    def apply(self, config: Config, state: State) -> State:
        active, slot = state.of(self.seat).active, self.slot
        left = 0 if slot is Slot.FUNDING else getattr(active, slot) - 1
        return state.with_own(self.seat, {"has_acted": True, "may_buy": False}, active=replace(active, **{slot: left}))


class EscortGiven(Event):
    """A seat gave up an escort to cancel a danger: this does not count as playing an assistant."""

    says = "{seat} gives up an escort"
    seat: Public[Seat]
    rule: Name

    def apply(self, config: Config, state: State) -> State:
        active = state.of(self.seat).active
        return state.with_own(self.seat, active=replace(active, escort=active.escort - 1))


class SeatPassed(Event):
    """A seat passed and lost all its assistants but the escort."""

    says = "{seat} passes"
    seat: Public[Seat]
    rule: Name = "GR-V1"

    def apply(self, config: Config, state: State) -> State:
        active = Assistants(escort=state.of(self.seat).active.escort)
        return state.with_own(self.seat, {"has_acted": True}, active=active, has_passed=True)


class OrderChanged(Event):
    """A round ended, with the turn order of the next: by progress and, in one lane, by whose marker came first."""

    says = "the turn order of the next round is {order}"
    order: _Order
    rule: Name

    def apply(self, config: Config, state: State) -> State:
        now = replace(state, stage=Stage.BIVOUAC, round=state.round + 1, turn=None, has_acted=False)
        return replace(now, order=self.order, crews=_without_assistants(state))


class PrestigeCounted(Event):
    """The program counted a seat's prestige; ``place`` is its place of arrival (0: it has not arrived)."""

    seat: Public[Seat]
    place: Annotated[int, Meta(ge=0, le=4), PUBLIC]
    points: Amount
    levels: Amount
    francs: Amount
    rule: Name = "GR-F2"

    def tell(self, config: Config) -> str:
        if not self.place:
            return f"{self.seat} has not arrived and cannot win"
        total = count(self.points + self.levels + self.francs, "point")
        parts = f"{self.points} for arriving {ordinal(self.place)}, {self.levels} for engine and chassis"
        return f"{self.seat} has {total} of prestige: {parts}, {self.francs} for money"


class RaceEnded(Event):
    """All crews have played out their plans after the first arrival."""

    says = "the race is over"
    rule: Name = "GR-F1"

    def apply(self, config: Config, state: State) -> State:
        return replace(state, stage=Stage.OVER, turn=None, pending=None, crews=_without_assistants(state))


def _without_assistants(state: State) -> tuple[Crew, ...]:
    none = Assistants()
    return tuple([replace(crew, active=none, has_passed=False) for crew in state.crews])


# Cards and tiles


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
    moves = ("card: offered > own.hand", "seat: takers >")
    seat: Public[Seat]
    card: Public[OneCard]
    rule: Name = "GR-B1"


class CardsDiscarded(Event):
    """A seat discarded the cards that it had too many."""

    says = "{seat} discards {cards}"
    moves = "cards: own.hand > discards"
    seat: Public[Seat]
    cards: Public[Cards]
    rule: Name = "GR-H1"


class CardPlayed(Event):
    """A seat played a card, which goes to the discards at once."""

    says = "{seat} plays {card}"
    moves = "card: own.hand > discards"
    seat: Public[Seat]
    card: Public[OneCard]
    rule: Name


class CardBegun(Event):
    """A seat began to play a card: it goes to the discards when its effect is complete. The seat can buy no more fuel."""

    says = "{seat} plays {card}"
    becomes = {"may_buy": False}
    moves = "card: own.hand > in_play"
    seat: Public[Seat]
    card: Public[OneCard]
    rule: Name


class CardSpent(Event):
    """The effect of a card is complete: the card goes to the discards."""

    moves = "in_play > discards"
    rule: Name = "GR-H9"


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
    moves = "cards: > own.hand"
    seat: Public[Seat]
    cards: Annotated[DrawnCards, Meta(min_length=1)]
    rule: Name


class CardsSearched(Event):
    """A seat drew cards with a Trail hunter, and discards one of them."""

    says = "{seat} draws {cards}, and discards one of them"
    sets = {"pending": Keeping}
    seat: Public[Seat]
    cards: Annotated[DrawnCards, Meta(min_length=1)]
    rule: Name = "GR-K1"


class CardsKept(Event):
    """A seat kept the cards of its Trail hunter but for ``back``, which all see."""

    becomes = {"pending": None}
    moves = ("cards: > own.hand", "back: > discards")
    seat: Public[Seat]
    cards: DrawnCards
    back: Public[Cards]
    rule: Name = "GR-K1"

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
    sets = {"pending": Laying}
    seat: Public[Seat]
    tiles: Annotated[DrawnTiles, Meta(min_length=1)]
    to: Public[tuple[SpaceId, ...]]
    rule: Name


class TileLaid(Event):
    """A seat laid one of the tiles it has drawn."""

    says = "{seat} lays {tile} at {space}"
    seat: Public[Seat]
    space: Public[SpaceId]
    tile: Public[OneTile]
    rule: Name

    def apply(self, config: Config, state: State) -> State:
        laying = state.pending_as(Laying)
        tiles, to = piles.without(laying.tiles, self.tile), tuple([space for space in laying.to if space != self.space])
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

"""What happens in a race: in the bivouac, while planning, when something is bought, played or drawn, in the end."""

from __future__ import annotations

from typing import Annotated, Final

from adjudicator.game import (
    OWNER,
    PUBLIC,
    Event,
    Ge,
    Le,
    Len,
    Name,
    Public,
    Said,
    Seat,
    Secret,
    change,
    count,
    event,
    listed,
)
from adjudicator.games.great_race.components import CardId, SpaceId, TileId
from adjudicator.games.great_race.config import Config
from adjudicator.games.great_race.state import (
    Assistants,
    Help,
    Keeping,
    Laid,
    Laying,
    Reaction,
    Slot,
    Stage,
    State,
    without,
)

Cards = Annotated[tuple[CardId, ...], Said(lambda config, cards: cards_told(config, cards))]
"""Cards that all may see."""
OneCard = Annotated[CardId, Said(lambda config, card: config.cards[card].name)]
OneTile = Annotated[TileId, Said(lambda config, tile: tile_told(config, tile))]
Amount = Annotated[int, Ge(0), Le(999), PUBLIC]
ORDINALS: Final = ("first", "second", "third", "fourth")
_SLOTS: Final = {Slot.SCOUTS: "a scout", Slot.MECHANICS: "a mechanic", Slot.ESCORT: "an escort", Slot.FUNDING: "its funding"}


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


@event("GR-B1", "in the bivouac lie {cards}")
class CardsOffered(Event):
    """Cards were laid out for the bivouac; the ``takers`` take one each, in this order."""

    cards: Public[Cards]
    takers: Public[tuple[Seat, ...]]

    def apply(self, config: Config, state: State) -> State:
        return change(state, offered=self.cards, takers=self.takers)


@event("GR-H9", "the deck is empty: the {cards:card} discarded are shuffled")
class DeckShuffled(Event):
    """The discards became the new deck."""

    cards: Public[tuple[CardId, ...]]

    def apply(self, config: Config, state: State) -> State:
        return change(state, discards=())


@event("GR-B1", "{seat} takes {card}")
class CardTaken(Event):
    """A seat took a card of the bivouac, or got the one that was left."""

    seat: Public[Seat]
    card: Public[OneCard]

    def apply(self, config: Config, state: State) -> State:
        hand = (*state.crew(self.seat).hand, self.card)
        takers = tuple(seat for seat in state.takers if seat != self.seat)
        return change(state.with_crew(self.seat, hand=hand), offered=without(state.offered, self.card), takers=takers)


@event("GR-L1")
class PlanningBegun(Event):
    """All have their cards: assistants are planned."""

    def apply(self, config: Config, state: State) -> State:
        return change(state, stage=Stage.PLANNING, takers=())


@event("GR-H1", "{seat} discards {cards}")
class CardsDiscarded(Event):
    """A seat discarded what it had too many."""

    seat: Public[Seat]
    cards: Public[Cards]

    def apply(self, config: Config, state: State) -> State:
        hand = without(state.crew(self.seat).hand, *self.cards)
        return change(state.with_crew(self.seat, hand=hand), discards=(*state.discards, *self.cards))


@event("GR-L1")
class PlanMade(Event):
    """A seat planned, sealed: ``plan`` is ``None`` to the others."""

    seat: Public[Seat]
    plan: Secret[Assistants | None]

    def apply(self, config: Config, state: State) -> State:
        return state.with_crew(self.seat, plan=self.plan)

    def tell(self, config: Config) -> str:
        if self.plan is None:
            return f"{self.seat} has planned"
        return f"{self.seat} plans {plan_told(self.plan)} (sealed)"


def plan_told(plan: Assistants) -> str:
    """Return a plan in words."""
    slots = (("scouts", plan.scouts), ("mechanics", plan.mechanics), ("escort", plan.escort), ("funding", plan.funding))
    return ", ".join(f"{name} {many}" for name, many in slots if many) or "nothing"


@event("GR-L1")
class PlanOpened(Event):
    """All have planned: a seat's plan lies open."""

    seat: Public[Seat]
    plan: Public[Assistants]

    def apply(self, config: Config, state: State) -> State:
        return state.with_crew(self.seat, plan=None, active=self.plan)

    def tell(self, config: Config) -> str:
        return f"{self.seat} has planned {plan_told(self.plan)}"


@event("GR-V1", "{seat} is next")
class SequenceBegun(Event):
    """It is a seat's turn to play a sequence."""

    seat: Public[Seat]

    def apply(self, config: Config, state: State) -> State:
        return change(state, stage=Stage.CONVOY, turn=self.seat, may_buy=True, has_acted=False)


@event("GR-K4", seen_by=OWNER)
class ReactionChosen(Event):
    """A seat changed its standing answer to danger, to cards or to tiles; nobody else hears of it."""

    seat: Public[Seat]
    to: Public[Name]
    reaction: Secret[Reaction | None]

    def apply(self, config: Config, state: State) -> State:
        return state.with_crew(self.seat, **{f"to_{self.to}": self.reaction})

    def tell(self, config: Config) -> str:
        what = "danger cards" if self.to == "cards" else "the danger of tiles drawn"
        return f"from now on {self.seat} answers {what} {reaction_told(self.reaction)}"


def reaction_told(reaction: Reaction | None) -> str:
    """Return a standing answer in words."""
    if reaction is None:
        return "when asked"
    if not reaction.helps:
        return "with nothing"
    over = f", if more than {count(reaction.over, 'part')} would go" if reaction.over >= 0 else ""
    return f"with {listed([one.value for one in reaction.helps], 'or else')}{over}"


@event(says="{seat} has {levels:level} more of fuel, {fuel} in all")
class FuelGained(Event):
    """A seat bought fuel, or poured some in; ``fuel`` is its level now."""

    seat: Public[Seat]
    levels: Amount
    fuel: Amount
    rule: Name

    def apply(self, config: Config, state: State) -> State:
        return state.with_crew(self.seat, fuel=self.fuel)


@event(says="{seat} plays {card}")
class CardPlayed(Event):
    """A seat played a card, which is among the discards at once."""

    seat: Public[Seat]
    card: Public[OneCard]
    rule: Name

    def apply(self, config: Config, state: State) -> State:
        hand = without(state.crew(self.seat).hand, self.card)
        return change(state.with_crew(self.seat, hand=hand), discards=(*state.discards, self.card))


@event(says="{seat} plays {card}")
class CardBegun(Event):
    """A seat plays a card that takes a while: it is among the discards once all of it is done. No more fuel is bought."""

    seat: Public[Seat]
    card: Public[OneCard]
    rule: Name

    def apply(self, config: Config, state: State) -> State:
        hand = without(state.crew(self.seat).hand, self.card)
        return change(state.with_crew(self.seat, hand=hand), in_play=self.card, may_buy=False)


@event("GR-H9")
class CardSpent(Event):
    """What a card does is done: it is among the discards."""

    def apply(self, config: Config, state: State) -> State:
        assert state.in_play is not None
        return change(state, in_play=None, discards=(*state.discards, state.in_play))


@event(says="")
class CardsDrawn(Event):
    """A seat drew cards; ``cards`` is counted to the others."""

    seat: Public[Seat]
    cards: Annotated[tuple[CardId | None, ...], Len(1), OWNER.counted]
    rule: Name

    def apply(self, config: Config, state: State) -> State:
        drawn = tuple(card for card in self.cards if card is not None)
        return state.with_crew(self.seat, hand=(*state.crew(self.seat).hand, *drawn))

    def tell(self, config: Config) -> str:
        return f"{self.seat} draws {drawn_told(config, self.cards)}"


@event("GR-K1")
class CardsSearched(Event):
    """A seat drew cards with a Trail hunter, of which one goes back."""

    seat: Public[Seat]
    cards: Annotated[tuple[CardId | None, ...], Len(1), OWNER.counted]

    def apply(self, config: Config, state: State) -> State:
        drawn = tuple(card for card in self.cards if card is not None)
        return change(state, pending=Keeping(seat=self.seat, cards=drawn))

    def tell(self, config: Config) -> str:
        return f"{self.seat} draws {drawn_told(config, self.cards)}, of which one is discarded"


@event("GR-K1")
class CardsKept(Event):
    """A seat kept what its Trail hunter found but for ``back``, which all see."""

    seat: Public[Seat]
    cards: Annotated[tuple[CardId | None, ...], OWNER.counted]
    back: Public[Cards]

    def apply(self, config: Config, state: State) -> State:
        kept = tuple(card for card in self.cards if card is not None)
        after = state.with_crew(self.seat, hand=(*state.crew(self.seat).hand, *kept))
        return change(after, pending=None, discards=(*state.discards, *self.back))

    def tell(self, config: Config) -> str:
        back = f" and discards {cards_told(config, self.back)}" if self.back else ""
        return f"{self.seat} keeps {drawn_told(config, self.cards)}{back}"


@event("GR-H9", "no card is left to be drawn: {seat} draws {missing:card} too few")
class CardsMissed(Event):
    """Deck and discards were empty."""

    seat: Public[Seat]
    missing: Amount


@event(says="")
class TilesScouted(Event):
    """A seat drew tiles that it is to lay, on the spaces ``to`` if it has named them."""

    seat: Public[Seat]
    tiles: Annotated[tuple[TileId | None, ...], Len(1), OWNER.counted]
    to: Public[tuple[SpaceId, ...]]
    rule: Name

    def apply(self, config: Config, state: State) -> State:
        drawn = tuple(tile for tile in self.tiles if tile is not None)
        return change(state, pending=Laying(seat=self.seat, tiles=drawn, to=self.to))

    def tell(self, config: Config) -> str:
        known = [tile_told(config, tile) for tile in self.tiles if tile is not None]
        return f"{self.seat} draws {listed(known) or count(len(self.tiles), 'tile')}"


@event(says="{seat} lays {tile} at {space}")
class TileLaid(Event):
    """A seat laid one of the tiles it has drawn."""

    seat: Public[Seat]
    space: Public[SpaceId]
    tile: Public[OneTile]
    rule: Name

    def apply(self, config: Config, state: State) -> State:
        laying = state.pending
        assert isinstance(laying, Laying)
        left = change(
            laying, tiles=without(laying.tiles, self.tile), to=tuple(space for space in laying.to if space != self.space)
        )
        return change(state, laid=(*state.laid, Laid(self.space, self.tile)), pending=left if left.tiles else None)


@event("GR-H9", "no free space is left: {seat} puts {tiles:tile} back")
class TilesReturned(Event):
    """A seat could not lay all tiles: they are in the bag again."""

    seat: Public[Seat]
    tiles: Annotated[tuple[TileId | None, ...], Len(1), OWNER.counted]

    def apply(self, config: Config, state: State) -> State:
        return change(state, pending=None)


@event(says="{seat} removes {tile} from {space}, for good")
class TileRemoved(Event):
    """A tile was removed from the board, and from the game."""

    seat: Public[Seat]
    space: Public[SpaceId]
    tile: Public[OneTile]
    rule: Name

    def apply(self, config: Config, state: State) -> State:
        laid = tuple(laid for laid in state.laid if laid.space != self.space)
        return change(state, laid=laid, removed=(*state.removed, self.tile))


@event("GR-K1", "{seat} swaps {one_tile} at {one} with {other_tile} at {other}")
class TilesSwapped(Event):
    """Two tiles on the board changed places."""

    seat: Public[Seat]
    one: Public[SpaceId]
    other: Public[SpaceId]
    one_tile: Public[OneTile]
    other_tile: Public[OneTile]

    def apply(self, config: Config, state: State) -> State:
        now = {self.one: self.other_tile, self.other: self.one_tile}
        return change(state, laid=tuple(Laid(laid.space, now.get(laid.space, laid.tile)) for laid in state.laid))


@event("GR-A2", "{seat} restores engine {engine}, chassis {chassis}")
class PartsRestored(Event):
    """A seat repaired its vehicle; so many levels were gained."""

    seat: Public[Seat]
    engine: Amount
    chassis: Amount

    def apply(self, config: Config, state: State) -> State:
        crew = state.crew(self.seat)
        return state.with_crew(self.seat, engine=crew.engine + self.engine, chassis=crew.chassis + self.chassis)


@event("GR-K1", "{seat} loses engine {engine}, chassis {chassis}")
class PartsLost(Event):
    """A Saboteur has been at work."""

    seat: Public[Seat]
    engine: Amount
    chassis: Amount

    def apply(self, config: Config, state: State) -> State:
        crew = state.crew(self.seat)
        return state.with_crew(self.seat, engine=crew.engine - self.engine, chassis=crew.chassis - self.chassis)


@event()
class AssistantPlayed(Event):
    """A seat played an assistant, or all of its funding: that ends its sequence once all of it is done."""

    seat: Public[Seat]
    slot: Public[Slot]
    rule: Name

    def apply(self, config: Config, state: State) -> State:
        active = state.crew(self.seat).active
        left = 0 if self.slot is Slot.FUNDING else getattr(active, self.slot.value) - 1
        after = state.with_crew(self.seat, active=change(active, **{self.slot.value: left}))
        return change(after, has_acted=True, may_buy=False)

    def tell(self, config: Config) -> str:
        return f"{self.seat} plays {_SLOTS[self.slot]}"


@event(says="{seat} gives up an escort")
class EscortGiven(Event):
    """A seat gave up an escort to cancel a danger: that is no assistant played."""

    seat: Public[Seat]
    rule: Name

    def apply(self, config: Config, state: State) -> State:
        active = state.crew(self.seat).active
        return state.with_crew(self.seat, active=change(active, escort=active.escort - 1))


@event("GR-V1", "{seat} passes")
class SeatPassed(Event):
    """A seat passed: all of its assistants but the escort are gone."""

    seat: Public[Seat]

    def apply(self, config: Config, state: State) -> State:
        active = Assistants(escort=state.crew(self.seat).active.escort)
        return change(state.with_crew(self.seat, active=active, has_passed=True), has_acted=True)


@event("GR-N1")
class OrderChanged(Event):
    """A round is over: this is the turn order of the next."""

    order: Public[tuple[Seat, ...]]

    def apply(self, config: Config, state: State) -> State:
        crews = tuple(change(crew, active=Assistants(), has_passed=False) for crew in state.crews)
        return change(
            state, stage=Stage.BIVOUAC, round=state.round + 1, order=self.order, crews=crews, turn=None, has_acted=False
        )

    def tell(self, config: Config) -> str:
        return f"the turn order of the next round is {', '.join(self.order)}"


@event("GR-F2")
class PrestigeCounted(Event):
    """The race is over for a seat: what its prestige comes to; ``place`` is its arrival (0: it has not arrived)."""

    seat: Public[Seat]
    place: Annotated[int, Ge(0), Le(4), PUBLIC]
    points: Amount
    levels: Amount
    francs: Amount

    def tell(self, config: Config) -> str:
        if not self.place:
            return f"{self.seat} has not arrived and cannot win"
        total = self.points + self.levels + self.francs
        parts = f"{self.points} for arriving {ORDINALS[self.place - 1]}, {self.levels} for engine and chassis"
        return f"{self.seat} has {count(total, 'point')} of prestige: {parts}, {self.francs} for money"


@event("GR-F1", "the race is over")
class RaceEnded(Event):
    """All have played out their plans after the first arrival."""

    def apply(self, config: Config, state: State) -> State:
        crews = tuple(change(crew, active=Assistants(), has_passed=False) for crew in state.crews)
        return change(state, stage=Stage.OVER, turn=None, pending=None, crews=crews)


HELP_CARDS: Final = {Help.JERRYCAN: CardId.JERRYCAN, Help.RANGER: CardId.RANGER, Help.CARAVAN: CardId.CARAVAN}
"""The helps that are cards."""

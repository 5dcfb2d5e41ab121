"""Low Card: all play a card at once, unseen; the lowest takes the stakes. A game with every kind of secret."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Final

from adjudicator.game import (
    NOBODY,
    OWNER,
    Ask,
    At,
    Chance,
    Configuration,
    Event,
    Fact,
    Flaw,
    GameMeta,
    InOrder,
    Meta,
    Moves,
    Name,
    Option,
    Order,
    Part,
    Phase,
    Positive,
    Problem,
    Public,
    Rules,
    Seat,
    Secret,
    Setup,
    Spent,
    Standing,
    Term,
    Unit,
    Value,
    View,
    Whole,
    drawing,
    events_of,
    listed,
    replace,
)
from adjudicator.game import State as BaseState

HAND: Final = 2
Card = Annotated[str, Meta(min_length=2, max_length=2)]

META = GameMeta(
    id="low-card",
    name="Low Card",
    version=1,
    prefix="LC",
    players=(2, 3),
    unit=Unit("pt", "points", "score"),
    options=(Option("most", ("1", "3"), "3", "the highest stake"),),
    component_sets=("house",),
    ruleset="tests.drivers.low_card:LowCard",
)


class Components(Value, kw_only=True):
    id: Name
    version: Positive
    cards: Annotated[tuple[Card, ...], Meta(min_length=6, max_length=9)]


class Config(Configuration[Components]):
    cards: tuple[Card, ...]
    most: int

    @property
    def names(self) -> tuple[Card, ...]:
        return self.cards


class Played(Value, kw_only=True):
    """A card played face down, and the stake that everybody sees."""

    card: Secret[Card]
    seat: Public[Seat]
    stake: Public[Annotated[int, Meta(ge=1, le=3)]]


class Hand(Value, kw_only=True):
    seat: Public[Seat]
    cards: Annotated[tuple[Card, ...], OWNER.counted, InOrder(lambda _config: str)] = ()
    played: Public[Played | None] = None
    score: Public[Whole] = 0


class State(BaseState[Hand], Value, kw_only=True):
    hands: Public[tuple[Hand, ...]]
    deck: Annotated[tuple[Card, ...], NOBODY.counted]
    discard: Public[tuple[Card, ...]] = ()
    last: Public[Seat | None] = None

    own_in, account = "hands", "score"


Here = At[Config, State, Hand]
"""A position of the game."""


class HandAt(Value, kw_only=True):
    seat: Seat
    cards: tuple[Card, ...]
    score: Whole = 0


class Position(Value, kw_only=True):
    seats: Annotated[tuple[HandAt, ...], Meta(min_length=2, max_length=3)]
    discard: tuple[Card, ...] = ()


class Play(Order):
    examples = ("PLAY C1", "PLAY C1 for 2")
    template = "PLAY {card}[ for {stake}]"
    card: str
    stake: int = 1

    def wrong(self, config: Config) -> Problem | None:
        if self.card not in config.cards:
            return META.problem("no-card", f"there is no card {self.card}", "LC-1", "card")
        if not 1 <= self.stake <= config.most:
            return META.problem("no-stake", f"a stake is 1 to {config.most}", "LC-2", "stake")
        return None

    def check(self, at: Here) -> Problem | None:
        if self.card not in at.own.cards:
            return META.problem("not-in-hand", f"{self.card} is not in your hand", "LC-2", "card")
        return None

    @classmethod
    def offers(cls, at: Here) -> Iterator[Play]:
        yield from (Play(card, stake) for card in at.own.cards for stake in range(1, at.config.most + 1))

    def decide(self, at: Here, chance: Chance) -> Moves:
        lowest = min(at.own.cards)
        yield CardPlayed(seat=at.seat, card=self.card, stake=self.stake)
        if lowest != self.card:
            yield CardRegretted(seat=at.seat, lowest=lowest)


class CardDealt(Event):
    says = "{seat} draws a card"
    moves = "card: deck > own.cards"
    seat: Public[Seat]
    card: Secret[Card | None]
    rule: Name = "LC-1"


class CardPlayed(Event):
    says = "{seat} plays a card for {stake}"
    seat: Public[Seat]
    card: Secret[Card | None]
    stake: Public[Whole]
    rule: Name = "LC-2"

    def apply(self, config: Config, state: State) -> State:
        cards = tuple(card for card in state.of(self.seat).cards if card != self.card)
        played = Played(card=self.card or "", seat=self.seat, stake=self.stake)
        return state.with_own(self.seat, cards=cards, played=played)


class CardRegretted(Event):
    """Only the seat hears that it could have played lower."""

    seen_by = OWNER
    seat: Public[Seat]
    lowest: Public[Card]
    rule: Name = "LC-2"

    def tell(self, config: Config) -> str:
        return f"{self.seat} had {self.lowest}"


class CardsShown(Event):
    seats: Public[tuple[Seat, ...]]
    cards: Public[tuple[Card, ...]]
    rule: Name = "LC-3"

    def apply(self, config: Config, state: State) -> State:
        hands = tuple(replace(hand, played=None) for hand in state.hands)
        return replace(state, hands=hands, discard=(*state.discard, *self.cards))

    def tell(self, config: Config) -> str:
        return listed(f"{seat} shows {card}" for seat, card in zip(self.seats, self.cards, strict=True))


class StakesTaken(Event):
    says = "{seat} has the lowest card"
    sets = {"last": "seat"}
    seat: Public[Seat]
    rule: Name = "LC-4"


EVENTS = events_of(__name__)


def in_order(cards: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(sorted(cards))


CARD: Final = Ask("card", "LC-2", lambda _at: "a card to play", (Play,), META.problem("no-other", "play a card", "LC-2"))


def choosing(at: Here) -> tuple[Ask, ...]:
    return CARD.to(*(hand.seat for hand in at.state.hands if hand.cards and hand.played is None))


def go_on(at: Here, chance: Chance) -> Moves:
    if not at.state.discard and not any(hand.played or hand.cards for hand in at.state.hands):
        for seat in at.config.seats * HAND:
            at = yield CardDealt(seat=seat, card=chance.pick(f"a card for {seat}", at.state.deck))
    elif all(hand.played for hand in at.state.hands):
        plays = [hand.played for hand in at.state.hands if hand.played is not None]
        yield CardsShown(seats=at.config.seats, cards=tuple(play.card for play in plays))
        lowest = min(plays, key=lambda play: play.card)
        yield StakesTaken(seat=lowest.seat)
        before, stakes = at.of(lowest.seat).score, sum(play.stake for play in plays)
        why = (Part(stakes, "stakes", "LC-4"),)
        yield Spent(seat=lowest.seat, before=before, after=before + stakes, why=why)


class LowCard(Rules[Config, State]):
    meta, components, position, state = META, Components, Position, State
    events, orders, not_due = EVENTS, (Play,), ("not-due", "LC-2")
    phases = (Phase("LC-2", lambda _at: True, choosing, go_on),)
    grammar = "tests.drivers.low_card:low_card.lark"
    terms: Final = {"card": Term("a card such as C1", lambda children: children[0].upper()), "stake": Term.number("a stake")}
    facts: Final = {
        "cards": Fact.of_game("the cards in hand", lambda at: own(at)),
        "score": Fact.of_seat("points; `score of SEAT` for another", "score"),
    }

    def configure(self, setup: Setup, version: int) -> Config:
        return Config(setup.seats, setup.position, setup.components, setup.components.cards, int(setup.options["most"]))

    def begin(self) -> State:
        return State(hands=tuple(Hand(seat=seat) for seat in self.config.seats), deck=self.config.cards)

    def place(self, position: Position | State) -> State:
        state = position if isinstance(position, State) else placed(self.config, position)
        hands = tuple(replace(hand, cards=in_order(hand.cards)) for hand in state.hands)
        return replace(state, hands=hands, deck=in_order(state.deck))

    def impossible(self, state: State, position: Position | None) -> Iterator[str | Flaw]:
        if position is not None and len({len(at.cards) for at in position.seats}) > 1:
            yield "all hands are of one size"
        if sorted(everything(self.config, state)) != sorted(self.config.cards):
            yield Flaw("every card is in one place", "LC-1")
        if len({len(hand.cards) + (hand.played is not None) for hand in state.hands}) > 1:
            yield Flaw("all hands are of one size", "LC-1")
        if any(hand.played is not None and hand.played.seat != hand.seat for hand in state.hands):
            yield "a card lies before the seat that played it"
        if any(hand.played is not None and hand.played.stake > self.config.most for hand in state.hands):
            yield Flaw(f"a stake is at most {self.config.most}", "LC-2")

    def is_over(self, state: State) -> bool:
        return not any(hand.cards or hand.played for hand in state.hands)

    def public_text(self, at: Here, order: Play) -> str | None:
        return "PLAY" if order.stake == 1 else f"PLAY for {order.stake}"

    def standings(self, state: State) -> tuple[Standing, ...]:
        over = self.is_over(state)
        return Standing.ranking(
            state.hands,
            key=lambda hand: -hand.score,
            score=lambda hand: hand.score,
            note=lambda hand: "played" if hand.played else "plays",
            is_final=over,
        )

    def draw(self, view: View[Config, State, Hand]) -> drawing.Drawing:
        return drawing.Drawing(
            (drawing.Fields("Hands", tuple((hand.seat, " ".join(filter(None, hand.cards))) for hand in view.state.hands)),)
        )


def placed(config: Config, position: Position) -> State:
    taken = {card for at in position.seats for card in at.cards} | set(position.discard)
    hands = tuple(Hand(seat=at.seat, cards=at.cards, score=at.score) for at in position.seats)
    return State(hands=hands, deck=tuple(card for card in config.cards if card not in taken), discard=position.discard)


def own(view: View[Config, State, Hand]) -> tuple[str, ...] | None:
    return view.of(view.seat).cards if view.seat in view.config.seats and view.seat is not None else None


def everything(_config: Config, state: State) -> list[str]:
    """Return every card in every place."""
    hands = [card for hand in state.hands for card in hand.cards]
    played = [hand.played.card for hand in state.hands if hand.played is not None]
    return [*hands, *played, *state.deck, *state.discard]

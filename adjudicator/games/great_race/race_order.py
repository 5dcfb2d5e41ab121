"""What every order of a race can do: refuse itself, list its legal forms, say its cost, and happen.

The class of an order defines these methods; the functions of the same names add what all orders have in common.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Generator, Iterable, Iterator
from typing import Any, ClassVar, Final, cast

from adjudicator.game import Chance, Order, Part, Problem, Seat, Spent, change, suggest
from adjudicator.games.great_race import card_events as dealt
from adjudicator.games.great_race import events as happened
from adjudicator.games.great_race.cards import CardId, card_words
from adjudicator.games.great_race.components import SpaceId, TileId
from adjudicator.games.great_race.config import Config
from adjudicator.games.great_race.meta import META
from adjudicator.games.great_race.state import Crew, Moves, Slot, State, Use

MOST_SUGGESTED: Final = 8
"""The most spaces that a refusal suggests."""
_BETWEEN: Final = ("losing", "using", "then")
"""Words after spaces: with a typo they look like one more space."""


class RaceOrder(Order):
    """An order of a race.

    An order that plays an assistant names its ``slot``, an order that plays a card that card (``plays``): the check requires
    it, and playing it is the first event, by ``rule``. ``names_cards`` and ``names_spaces`` are fields with names. ``words``
    are a pattern of its text, ``sealed`` the words that others may read (``None``: all).
    """

    __slots__ = ()
    slot: ClassVar[Slot | None] = None
    plays: ClassVar[CardId | None] = None
    rule: ClassVar[str] = "GR-K1"
    names_cards: ClassVar[tuple[str, ...]] = ()
    names_spaces: ClassVar[tuple[str, ...]] = ()
    words: ClassVar[str] = ""
    sealed: ClassVar[str | None] = None

    def text(self) -> str:
        return self.words.format(self) or type(self).__name__.upper()

    def validate(self, config: Config) -> Problem | None:
        """Return the problem that this order has in every position, apart from unknown cards and spaces."""
        return None

    def check(self, config: Config, state: State, seat: Seat) -> Problem | None:
        """Return why ``seat``, which has the assistant or the card, cannot do this now; ``None`` if it can."""
        return None

    @classmethod
    def offers(cls, config: Config, state: State, crew: Crew) -> Iterator[Any]:
        """Yield the orders of this kind that may be legal for ``crew``, in the shortest words.

        The crew has the assistant or the card that they play.
        """
        yield cls()

    def cost(self, config: Config, crew: Crew) -> tuple[Part, ...]:
        """Return the francs that this order costs ``crew``, or brings."""
        return ()

    def decide(self, config: Config, state: State, seat: Seat, chance: Chance) -> Moves:
        """Yield what this order does after its assistant or its card is played."""
        yield from ()

    def told(self) -> str | None:
        """Return the words that others may read, ``None`` for all of them."""
        return self.sealed


def validate(config: Config, order: Any) -> Problem | None:
    """Return the problem that ``order`` has in every position, or ``None``."""
    problem: Problem | None = None
    if order.plays is not None and order.plays not in config.cards:
        problem = unknown_card(config, order.plays, "card:0")
    elif order.names_cards:
        problem = _first_unknown(config, _names(order, order.names_cards), config.cards, "card", unknown_card)
    if problem is None and order.names_spaces:
        problem = _first_unknown(config, _names(order, order.names_spaces), config.roads.spaces, "space", unknown_space)
    return problem or cast("Problem | None", order.validate(config))


def _first_unknown(
    config: Config, names: list[str], known: Container[str], part: str, unknown: Callable[..., Problem | None]
) -> Problem | None:
    for at, name in enumerate(names):
        problem = None if name in known else unknown(config, name, f"{part}:{at}")  # it may be known in other capitals
        if problem is not None:
            return problem
    return None


def _names(order: Any, fields: Iterable[str]) -> list[str]:
    found = list[str]()
    for field in fields:
        value = getattr(order, field)
        found += (value,) if isinstance(value, str) else value
    return found


def check(config: Config, state: State, seat: Seat, order: Any) -> Problem | None:
    """Return why ``seat``, whose decision ``order`` answers, cannot give it, or ``None``."""
    problem = None if order.slot is None else check_assistant(state, seat, order.slot)
    problem = problem or (None if order.plays is None else check_held(state, seat, order.plays))
    return problem or order.check(config, state, seat)


def decide(config: Config, state: State, seat: Seat, order: Any, chance: Chance) -> Moves:
    """Play the assistant or the card of ``order``, then let it happen."""
    if order.slot is not None:
        state = yield happened.AssistantPlayed(seat=seat, slot=order.slot, rule=order.rule)
    elif order.plays is not None:
        state = yield dealt.CardBegun(seat=seat, card=order.plays, rule=order.rule)
    yield from order.decide(config, state, seat, chance)


def settle(state: State, seat: Seat, why: Iterable[Part]) -> Moves:
    """Add the francs of each part of ``why`` to the cash of ``seat``, or pay them if they are below 0."""
    for part in why:
        if part.amount:
            cash = state.crew(seat).cash
            state = yield Spent(seat=seat, before=cash, after=cash + part.amount, why=(part,))
    return state


# Drawing cards and tiles: the discards become the deck when it is empty and a card must be drawn (GR-K4, GR-H9)


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


# What crews have


_ORDERS: Final = (
    (Slot.SCOUTS, "SCOUT tiles"),
    (Slot.MECHANICS, "DRIVE …"),
    (Slot.MECHANICS, "REPAIR …"),
    (Slot.ESCORT, "ESCORT remove …"),
    (Slot.FUNDING, "FUND"),
)
"""The orders that play an assistant of each slot."""
_NAMED: Final = {
    Slot.SCOUTS: "scout",
    Slot.MECHANICS: "mechanic",
    Slot.ESCORT: "escort",
    Slot.FUNDING: "assistant in the funding",
}


def check_assistant(state: State, seat: Seat, slot: Slot) -> Problem | None:
    """GR-V1: require an assistant in that slot."""
    active = state.crew(seat).active
    if getattr(active, slot):
        return None
    message = f"{seat} has no {_NAMED[slot]} left; it still has {active.text()}"
    others = tuple(words for left, words in _ORDERS if getattr(active, left))
    return META.problem("no-assistant", message, "GR-V1", suggestions=(*others, "PASS"))


def check_held(
    state: State, seat: Seat, card: str, many: int = 1, part: str = "card", others: tuple[str, ...] | None = None
) -> Problem | None:
    """GR-K1: require ``many`` of a card in the seat's hand; a refusal suggests the ``others``, by default of the hand."""
    hand = state.crew(seat).hand
    has = hand.count(cast("CardId", card))
    if has >= many:
        return None
    message = f"{seat} has no {card_words(card)} in hand"
    if has:
        message = f"{seat} has {has} of the {many} cards “{card_words(card)}” in hand"
    suggested = tuple(map(card_words, dict.fromkeys(hand))) if others is None else others
    return META.problem("not-in-hand", message, "GR-K1", part, suggested)


# Names in orders


def find_space(config: Config, name: str) -> SpaceId | None:
    """Return the space of that name, in any case; ``None`` if the board has no such space."""
    spaces = config.roads.spaces
    if name in spaces:
        return SpaceId(name)
    wanted = name.casefold()
    return next((space for space in spaces if space.casefold() == wanted), None)


def space_called(config: Config, name: str) -> SpaceId:
    """Return the space of that name, which ``validate`` has checked."""
    space = find_space(config, name)
    assert space is not None
    return space


def unknown_space(config: Config, name: str, part: str) -> Problem | None:
    """Return the refusal of a space that the board does not have, in any case."""
    if find_space(config, name) is not None:
        return None
    message = f"{config.roads.board.name} has no space {name}"
    return META.problem("unknown-space", message, "GR-C1", part, suggest(name, (*config.roads.spaces, *_BETWEEN)))


def unknown_card(config: Config, card: str, part: str) -> Problem:
    """Return the refusal of a card that the game does not have."""
    known = suggest(card_words(card), map(card_words, config.cards))
    return META.problem("unknown-card", f"this game has no resource card “{card_words(card)}”", "GR-C3", part, known)


def check_uses(config: Config, using: Iterable[Use] | None) -> Problem | None:
    """GR-C1: require that the board has the spaces at which an order uses helps."""
    problems = (unknown_space(config, use.at, "using") for use in using or () if use.at)
    return next((problem for problem in problems if problem is not None), None)


def spelled(config: Config, order: Any) -> Any:
    """Return ``order`` with the names of spaces as the board has them."""
    names = (*order.names_spaces, *(("using",) if hasattr(order, "using") else ()))
    given = {name: _spelled(config, getattr(order, name)) for name in names}
    if "one" in given:  # the order of the two has no meaning: keep them sorted
        given["one"], given["other"] = sorted((given["one"], given["other"]))
    return change(order, **given) if any(value != getattr(order, name) for name, value in given.items()) else order


def _spelled(config: Config, value: Any) -> Any:
    if isinstance(value, tuple):
        return tuple(_spelled(config, one) for one in value)
    if isinstance(value, str):
        return (value and find_space(config, value)) or value
    return change(value, at=_spelled(config, value.at)) if isinstance(value, Use) else value

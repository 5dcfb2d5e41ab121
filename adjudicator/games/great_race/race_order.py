"""The base of all orders of a race: the assistant or the card that an order plays, and the names in it."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator
from typing import Any, ClassVar, Final, cast

from adjudicator.game import Chance, Order, Part, Problem, Seat, Spent, piles, remember_last, replace, suggest
from adjudicator.games.great_race import card_events as dealt
from adjudicator.games.great_race import events as happened
from adjudicator.games.great_race.cards import CardId, card_words
from adjudicator.games.great_race.components import SpaceId, TileId
from adjudicator.games.great_race.config import Config
from adjudicator.games.great_race.meta import META
from adjudicator.games.great_race.state import BAG, DECK, Help, Here, Moves, Slot, Use

MOST_SUGGESTED: Final = 8
"""The most spaces that a refusal suggests."""
_BETWEEN: Final = ("losing", "using", "then")
"""Words after spaces: with a typo they look like one more space."""
_TYPO: Final = 0.7
"""The least similarity of such a word: nobody who writes “Lyonn” means “losing”."""


class RaceOrder(Order):
    """An order of a race: it may play an assistant of a ``slot`` or a card (``plays``) first, by ``rule``.

    A kind of order defines what else is wrong in every position (``mistake``) or now (``refusal``), and its ``effect``.
    ``names_cards`` and ``names_spaces`` are its fields with names. ``words`` are a pattern of its text, ``sealed`` the words
    that others may read (``None``: all).
    """

    slot: ClassVar[Slot | None] = None
    plays: ClassVar[CardId | None] = None
    rule: ClassVar[str] = "GR-K1"
    names_cards: ClassVar[tuple[str, ...]] = ()
    names_spaces: ClassVar[tuple[str, ...]] = ()
    words: ClassVar[str] = ""
    sealed: ClassVar[str | None] = None

    def text(self) -> str:
        return self.words.format(self) or type(self).__name__.upper()

    def public_text(self) -> str | None:
        """Return the words that others may read, ``None`` for all of them."""
        return self.sealed

    def wrong(self, config: Config) -> Problem | None:
        if self.plays is not None and self.plays not in config.cards:
            return unknown_card(config, self.plays, "card:0")
        for place, card in enumerate(self._names(self.names_cards)) if self.names_cards else ():
            if card not in config.cards:
                return unknown_card(config, card, self.part("card", place, card))
        for place, space in enumerate(self._names(self.names_spaces)) if self.names_spaces else ():
            if find_space(config, space) is None:
                return unknown_space(config, space, self.part("space", place, space))
        return self.mistake(config)

    def check(self, at: Here) -> Problem | None:
        problem = None if self.slot is None else check_assistant(at, self.slot)
        problem = problem or (None if self.plays is None else check_held(at, self.plays))
        return problem or self.refusal(at)

    def decide(self, at: Here, chance: Chance) -> Moves:
        return self.effect(at, chance) if self.slot is None and self.plays is None else self._play(at, chance)

    def _play(self, at: Here, chance: Chance) -> Moves:
        if self.slot is not None:
            at = yield happened.AssistantPlayed(seat=at.seat, slot=self.slot, rule=self.rule)
        elif self.plays is not None:
            at = yield dealt.CardBegun(seat=at.seat, card=self.plays, rule=self.rule)
        yield from self.effect(at, chance)

    def part(self, kind: str, place: int, name: str) -> str:
        """Return the part of the order at ``place`` (from 0) among its names of a ``kind``, ``card`` or ``space``."""
        return f"{kind}:{place}"

    def mistake(self, config: Config) -> Problem | None:
        """Return the problem that this order, whose cards and spaces are known, has in every position."""
        return None

    def refusal(self, at: Here) -> Problem | None:
        """Return why the seat of ``at``, which has the assistant or the card, cannot do this; ``None`` if it can."""
        return None

    def effect(self, at: Here, chance: Chance) -> Moves:
        """Yield what this order does after its assistant or its card is played."""
        yield from ()

    def _names(self, fields: Iterable[str]) -> Iterator[str]:
        for field in fields:
            value = getattr(self, field)
            yield from (value,) if isinstance(value, str) else value


def settle(at: Here, seat: Seat, why: Iterable[Part]) -> Moves:
    """Add the francs of each part of ``why`` to the cash of ``seat``, or pay them if they are below 0."""
    for part in why:
        if part.amount:
            cash = at.of(seat).cash
            at = yield Spent(seat=seat, before=cash, after=cash + part.amount, why=(part,))
    return at


def pour_can(at: Here, seat: Seat) -> Moves:
    """Play a jerrycan of ``seat`` (GR-K3)."""
    at = yield dealt.CardPlayed(seat=seat, card=CardId.JERRYCAN, rule="GR-K3")
    return (yield fuel_gained(at, seat, at.config.can, "GR-K3"))


def fuel_gained(at: Here, seat: Seat, levels: int, rule: str) -> happened.FuelGained:
    """Return the event of ``levels`` of fuel filled in; levels that do not fit are lost (GR-S2)."""
    fuel = at.of(seat).fuel
    full = min(fuel + levels, at.config.components.gauges.fuel)
    return happened.FuelGained(seat=seat, levels=full - fuel, fuel=full, rule=rule)


def give_guard(seat: Seat, guard: Help, rule: str) -> happened.EscortGiven | dealt.CardPlayed:
    """Return the event of an escort or a Ranger that is given up."""
    if guard is Help.ESCORT:
        return happened.EscortGiven(seat=seat, rule=rule)
    return dealt.CardPlayed(seat=seat, card=CardId.RANGER, rule=rule)


# Drawing cards and tiles: the discards become the deck when it is empty and a card must be drawn (GR-K4, GR-H9)


def drawn(at: Here, many: int, purpose: str, chance: Chance) -> Generator[Any, Here, tuple[tuple[CardId, ...], Here]]:
    """Draw ``many`` cards, or as many as there are; return them and the position, in which they are in no hand yet."""
    return piles.draw_from(
        lambda at: DECK.left(at.config, at.state),
        lambda at: dealt.DeckShuffled(cards=at.state.discards) if at.state.discards else None,
        at,
        many,
        purpose,
        chance,
    )


def cards_drawn(at: Here, seat: Seat, many: int, chance: Chance, rule: str) -> Moves:
    """Draw ``many`` cards for ``seat``."""
    found, at = yield from drawn(at, many, f"a card for {seat}", chance)
    if found:
        at = yield dealt.CardsDrawn(seat=seat, cards=found, rule=rule)
    return (yield dealt.CardsMissed(seat=seat, missing=many - len(found))) if len(found) < many else at


def tiles_drawn(at: Here, many: int, purpose: str, chance: Chance) -> Generator[Any, Here, tuple[tuple[TileId, ...], Here]]:
    """Draw ``many`` tiles of the bag, or as many as there are; return them and the position, in which the bag has them."""
    return piles.draw_from(lambda at: BAG.left(at.config, at.state), lambda _at: None, at, many, purpose, chance)


# What crews have


_ASSISTANTS: Final = {
    Slot.SCOUTS: ("scout", "SCOUT tiles"),
    Slot.MECHANICS: ("mechanic", "DRIVE …", "REPAIR …"),
    Slot.ESCORT: ("escort", "ESCORT remove …"),
    Slot.FUNDING: ("assistant in the funding", "FUND"),
}
"""The name of the assistants in each slot, and the orders that play one."""


def check_assistant(at: Here, slot: Slot) -> Problem | None:
    """GR-V1: require an assistant in that slot."""
    active = at.own.active
    if getattr(active, slot):
        return None
    message = f"{at.seat} has no {_ASSISTANTS[slot][0]} left; it still has {active.text()}"
    others = [words for left, (_, *orders) in _ASSISTANTS.items() if getattr(active, left) for words in orders]
    return META.problem("no-assistant", message, "GR-V1", near=(*others, "PASS"))


def check_held(
    at: Here, card: str, many: int = 1, part: str = "card", others: tuple[str, ...] | None = None
) -> Problem | None:
    """GR-K1: require ``many`` of a card in the seat's hand; a refusal suggests the ``others``, by default of the hand."""
    hand = at.own.hand
    has = hand.count(cast("CardId", card))
    if has >= many:
        return None
    message = f"{at.seat} has no {card_words(card)} in hand"
    if has:
        message = f"{at.seat} has {has} of the {many} cards “{card_words(card)}” in hand"
    suggested = tuple(map(card_words, dict.fromkeys(hand))) if others is None else others
    return META.problem("not-in-hand", message, "GR-K1", part, suggested)


def check_help(at: Here, guard: str, part: str, others: tuple[str, ...] | None = None) -> Problem | None:
    """GR-A3, GR-K3: require an escort, or another help that is a card of the hand."""
    if guard != Slot.ESCORT:
        return check_held(at, guard, 1, part, others)
    if at.own.active.escort:
        return None
    return META.problem("no-escort", f"{at.seat} has no escort", "GR-A3", part, others or ())


def check_helps(at: Here, using: Iterable[Use] | None, way: tuple[SpaceId, ...]) -> Problem | None:
    """GR-K2, GR-K3, GR-A3: require the helps that an order names, and the spaces of its ``way`` for them."""
    for use in using or ():
        problem = check_help(at, use.help, "using")
        if problem is None and use.at and use.at not in way:
            problem = META.problem("not-on-the-way", f"{use.at} is not on the way", "GR-D2", "using", way)
        if problem is not None:
            return problem
    return None


# Names in orders


def find_space(config: Config, name: str) -> SpaceId | None:
    """Return the space of that name, in any case; ``None`` if the board has no such space."""
    spaces = config.roads.spaces
    if name in spaces:
        return SpaceId(name)
    wanted = name.casefold()
    return next((space for space in spaces if space.casefold() == wanted), None)


def unknown_space(config: Config, name: str, part: str) -> Problem:
    """Return the refusal of a space that the board does not have, in any case."""
    message = f"{config.roads.board.name} has no space {name}"
    known = suggest(name, _BETWEEN, alike=_TYPO) + suggest(name, config.roads.spaces)
    return META.problem("unknown-space", message, "GR-C1", part, known)


def unknown_card(config: Config, card: str, part: str) -> Problem:
    """Return the refusal of a card that the game does not have."""
    message = f"this game has no resource card “{card_words(card)}”"
    return META.problem("unknown-card", message, "GR-C3", part, map(card_words, config.cards), card_words(card))


def check_uses(config: Config, using: Iterable[Use] | None) -> Problem | None:
    """GR-C1: require that the board has the spaces at which an order uses helps."""
    unknown = (use.at for use in using or () if use.at and find_space(config, use.at) is None)
    return next((unknown_space(config, space, "using") for space in unknown), None)


@remember_last
def spelled(config: Config, order: Any) -> Any:
    """Return ``order`` with the names of spaces as the board has them."""
    names = (*order.names_spaces, "using") if getattr(order, "using", None) else order.names_spaces
    given = {name: _spelled(config, getattr(order, name)) for name in names}
    return replace(order, **given) if any(value != getattr(order, name) for name, value in given.items()) else order


def _spelled(config: Config, value: Any) -> Any:
    if isinstance(value, tuple):
        return tuple(_spelled(config, one) for one in value)
    if isinstance(value, str):
        return (value and find_space(config, value)) or value
    return replace(value, at=_spelled(config, value.at)) if isinstance(value, Use) else value

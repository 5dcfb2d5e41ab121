"""Play plain cards: each gives francs, fuel or cards; a jerrycan at any time (GR-K1, GR-K3)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import Any, Final

from adjudicator.game import Chance, Part, Problem, count
from adjudicator.games.great_race import card_events as dealt
from adjudicator.games.great_race.cards import RULES, CardId, Gain, card_words
from adjudicator.games.great_race.meta import META
from adjudicator.games.great_race.race_order import RaceOrder, check_held, drawn, fuel_gained, pour_can, settle
from adjudicator.games.great_race.state import Here, Keeping, Moves, without
from adjudicator.games.great_race.terms import cards_text


class Play(RaceOrder):
    """Play a ``card`` alone; for a Trail hunter, name the cards worth ``keeping``, the best first."""

    examples = ("PLAY Refuelling", "PLAY Trail hunter", "PLAY Trail hunter keeping Ranger, Toolbox, Jerrycan")

    names_cards = ("card", "keeping")
    card: str
    keeping: tuple[str, ...] = ()

    def text(self) -> str:
        return f"PLAY {card_words(self.card)}" + (cards_text(" keeping", self.keeping) if self.keeping else "")

    def public_text(self) -> str:
        return f"PLAY {card_words(self.card)}"

    def part(self, kind: str, place: int, name: str) -> str:
        return "played" if place == 0 else f"card:{place - 1}"

    def refusal(self, at: Here) -> Problem | None:
        """GR-K1, GR-K2, GR-K3: require a card of the hand that needs no other order."""
        card = CardId(self.card)
        kind, problem = card.kind, check_held(at, card, part="played")
        if problem is None and self.keeping and kind.gain is not Gain.CARDS:
            message = f"{card.words} draws no cards to keep: only a Trail hunter does"
            return META.problem("nothing-to-keep", message, "GR-K1", "keeping")
        if problem is not None or kind.gain is not None or card is CardId.JERRYCAN:
            return problem
        what, instead = kind.instead
        return META.problem("say-more", f"{card.words}: {what}", RULES[kind.when], "played", (instead,))

    def cost(self, at: Here) -> tuple[Part, ...]:
        card = CardId(self.card)
        if card.kind.gain is not Gain.FRANCS:
            return ()
        return (Part(at.config.amount(card), card.words, "GR-K1"),)

    def effect(self, at: Here, chance: Chance) -> Moves:
        card = CardId(self.card)
        if card.kind.gain is None:
            yield from pour_can(at, at.seat)
            return
        at = yield dealt.CardBegun(seat=at.seat, card=card, rule="GR-K1")
        match card.kind.gain:
            case Gain.FRANCS:
                yield from settle(at, at.seat, self.cost(at))
            case Gain.FUEL:
                yield fuel_gained(at, at.seat, at.config.amount(card), "GR-K1")
            case Gain.CARDS:
                yield from self._search(at, at.config.amount(card), chance)

    def _search(self, at: Here, amount: int, chance: Chance) -> Moves:
        found, at = yield from drawn(at, amount, f"a card for {at.seat}", chance)
        if found:
            at = yield dealt.CardsSearched(seat=at.seat, cards=found)
            if self.keeping:
                yield from Keep(_best(at, self.keeping)).effect(at, chance)
        if len(found) < amount:
            yield dealt.CardsMissed(seat=at.seat, missing=amount - len(found))


CAN: Final = Play(CardId.JERRYCAN.value)
"""The order that crews may give at any time (GR-K3)."""


class Keep(RaceOrder):
    """Keep ``cards`` of those drawn with a Trail hunter."""

    examples = ("KEEP Ranger, Toolbox",)

    sealed = "KEEP"
    names_cards = ("cards",)
    cards: tuple[str, ...]

    @classmethod
    def read(cls, children: list[Any]) -> Keep:
        return cls(tuple(sorted(children)))

    def text(self) -> str:
        return cards_text("KEEP", self.cards)

    def part(self, kind: str, place: int, name: str) -> str:
        return f"card={card_words(name)}"  # The order has its cards sorted, not as written.

    def refusal(self, at: Here) -> Problem | None:
        """GR-K1: require all cards drawn but one."""
        cards = at.state.pending_as(Keeping).cards
        known = tuple(map(card_words, dict.fromkeys(cards)))
        for place, card in enumerate(self.cards):
            if self.cards.count(card) > cards.count(CardId(card)):
                message = f"{card_words(card)} is not among the cards drawn"
                return META.problem("not-drawn", message, "GR-K1", self.part("card", place, card), known)
        many = _kept(at)
        if len(self.cards) == many:
            return None
        return META.problem("keep-two", f"keep {count(many, 'card')} of {len(cards)}", "GR-K1", "", known)

    @classmethod
    def offers(cls, at: Here) -> Iterator[Any]:
        return map(cls, dict.fromkeys(combinations(sorted(at.state.pending_as(Keeping).cards), _kept(at))))

    def effect(self, at: Here, chance: Chance) -> Moves:
        cards = tuple(map(CardId, self.cards))
        yield dealt.CardsKept(seat=at.seat, cards=cards, back=without(at.state.pending_as(Keeping).cards, *cards))


def _kept(at: Here) -> int:
    """Return how many of the cards drawn with the card in play the crew keeps."""
    state = at.state
    assert state.in_play is not None
    return min(len(state.pending_as(Keeping).cards), max(1, at.config.amount(state.in_play) - 1))


def _best(at: Here, wanted: tuple[str, ...]) -> tuple[str, ...]:
    """Return the cards to keep: those ``wanted``, the best first, then in the order of drawing."""
    rank = {card: place for place, card in reversed(list(enumerate(wanted)))}
    ranked = sorted(at.state.pending_as(Keeping).cards, key=lambda card: rank.get(card.value, len(wanted)))
    return tuple(card.value for card in ranked[: _kept(at)])

"""Play plain cards: each gives francs, fuel or cards; a jerrycan at any time (GR-K1, GR-K3)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import Any, Final

from adjudicator.game import Chance, Part, Problem, Seat, count
from adjudicator.games.great_race import card_events as dealt
from adjudicator.games.great_race.cards import RULES, CardId, Gain, card_words
from adjudicator.games.great_race.config import Config
from adjudicator.games.great_race.meta import META
from adjudicator.games.great_race.race_order import RaceOrder, check_held, drawn, fuel_gained, pour_can, settle
from adjudicator.games.great_race.state import Keeping, Moves, State, without
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

    def part(self, kind: str, at: int, name: str) -> str:
        return "played" if at == 0 else f"card:{at - 1}"

    def refusal(self, config: Config, state: State, seat: Seat) -> Problem | None:
        """GR-K1, GR-K2, GR-K3: require a card of the hand that needs no other order."""
        card = CardId(self.card)
        kind, problem = card.kind, check_held(state, seat, card, part="played")
        if problem is None and self.keeping and kind.gain is not Gain.CARDS:
            message = f"{card.words} draws no cards to keep: only a Trail hunter does"
            return META.problem("nothing-to-keep", message, "GR-K1", "keeping")
        if problem is not None or kind.gain is not None or card is CardId.JERRYCAN:
            return problem
        what, instead = kind.instead
        return META.problem("say-more", f"{card.words}: {what}", RULES[kind.when], "played", (instead,))

    def cost(self, config: Config, state: State, seat: Seat) -> tuple[Part, ...]:
        card = CardId(self.card)
        if card.kind.gain is not Gain.FRANCS:
            return ()
        return (Part(config.amount(card), card.words, "GR-K1"),)

    def effect(self, config: Config, state: State, seat: Seat, chance: Chance) -> Moves:
        card = CardId(self.card)
        if card.kind.gain is None:
            yield from pour_can(config, state, seat)
            return
        state = yield dealt.CardBegun(seat=seat, card=card, rule="GR-K1")
        match card.kind.gain:
            case Gain.FRANCS:
                yield from settle(state, seat, self.cost(config, state, seat))
            case Gain.FUEL:
                yield fuel_gained(config, state, seat, config.amount(card), "GR-K1")
            case Gain.CARDS:
                yield from self._search(config, state, seat, config.amount(card), chance)

    def _search(self, config: Config, state: State, seat: Seat, amount: int, chance: Chance) -> Moves:
        found, state = yield from drawn(config, state, amount, f"a card for {seat}", chance)
        if found:
            state = yield dealt.CardsSearched(seat=seat, cards=found)
            if self.keeping:
                yield from Keep(_best(config, state, self.keeping)).effect(config, state, seat, chance)
        if len(found) < amount:
            yield dealt.CardsMissed(seat=seat, missing=amount - len(found))


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

    def part(self, kind: str, at: int, name: str) -> str:
        return f"card={card_words(name)}"  # The order has its cards sorted, not as written.

    def refusal(self, config: Config, state: State, seat: Seat) -> Problem | None:
        """GR-K1: require all cards drawn but one."""
        cards = state.pending_as(Keeping).cards
        known = tuple(map(card_words, dict.fromkeys(cards)))
        for at, card in enumerate(self.cards):
            if self.cards.count(card) > cards.count(CardId(card)):
                message = f"{card_words(card)} is not among the cards drawn"
                return META.problem("not-drawn", message, "GR-K1", self.part("card", at, card), known)
        many = _kept(config, state)
        if len(self.cards) == many:
            return None
        return META.problem("keep-two", f"keep {count(many, 'card')} of {len(cards)}", "GR-K1", "", known)

    @classmethod
    def offers(cls, config: Config, state: State, seat: Seat) -> Iterator[Any]:
        return map(cls, dict.fromkeys(combinations(sorted(state.pending_as(Keeping).cards), _kept(config, state))))

    def effect(self, config: Config, state: State, seat: Seat, chance: Chance) -> Moves:
        cards = tuple(map(CardId, self.cards))
        yield dealt.CardsKept(seat=seat, cards=cards, back=without(state.pending_as(Keeping).cards, *cards))


def _kept(config: Config, state: State) -> int:
    """Return how many of the cards drawn with the card in play the crew keeps."""
    assert state.in_play is not None
    return min(len(state.pending_as(Keeping).cards), max(1, config.amount(state.in_play) - 1))


def _best(config: Config, state: State, wanted: tuple[str, ...]) -> tuple[str, ...]:
    """Return the cards to keep: those ``wanted``, the best first, then in the order of drawing."""
    rank = {card: place for place, card in reversed(list(enumerate(wanted)))}
    ranked = sorted(state.pending_as(Keeping).cards, key=lambda card: rank.get(card.value, len(wanted)))
    return tuple(card.value for card in ranked[: _kept(config, state)])

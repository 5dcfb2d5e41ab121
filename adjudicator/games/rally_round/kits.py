"""Choose kit cards (RR-K1), and a lone player's own crew (RR-V1)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from adjudicator.game import Chance, Moves, Order, Problem, Seat, listed, piles
from adjudicator.games.rally_round import events as happened
from adjudicator.games.rally_round.components import CardId, Kind, KitId
from adjudicator.games.rally_round.config import Config
from adjudicator.games.rally_round.meta import META
from adjudicator.games.rally_round.state import Crew, Here, State


def numbered(part: str, number: int) -> str:
    """Return the name of the ``part`` of an order with that ``number``, from 0, for a problem."""
    return f"{part}:{number}" if number else part


class Pick(Order):
    """Take the kit ``card``, and ``then`` others; at a table the others wait for the next rounds."""

    examples = ("PICK D3", "KIT D1 N1 E4 S2 A2 B5")
    template = "[KIT {card} {then}|PICK {card}]"
    card: KitId
    then: tuple[KitId, ...] = ()

    def check(self, at: Here) -> Problem | None:
        """RR-K1: one card of each kind, none exchanged, and at a table none that another crew has taken."""
        config, crew, cards = at.config, at.own, (self.card, *self.then)

        def chosen_before(number: int) -> Problem:
            free = choosable(config, at.state, crew)
            named = [card for card in self.then if card in free]
            message = f"your kit already has {cards[number]}; it still needs {_needed(config, crew)}"
            return META.problem("one-of-a-kind", message, "RR-K1", numbered("card", number), tuple(named or free)[:6])

        holders = {card: other.seat for other in at.state.crews for card in other.kit} if config.is_table else {}
        if self.card in holders:  # of a kit that is sent again, blame the card that another crew has taken
            gone = next((number for number, card in enumerate(cards) if holders.get(card, crew.seat) != crew.seat), None)
            if gone is None:
                return chosen_before(0)
            kind = config.kit[cards[gone]].kind
            free = tuple(card for card in cards_left(config, at.state) if config.kit[card].kind is kind)
            message = f"{holders[cards[gone]]} has taken {cards[gone]}: choose {listed(free, 'or')}"
            return META.problem("card-taken", message, "RR-K1", numbered("card", gone), free)
        if crew.has_kit():
            return META.problem("kit-complete", "your kit is complete, and you cannot exchange cards", "RR-K1", "card")
        kinds = Counter(config.kit[card].kind for card in crew.kit)
        for number, card in enumerate(cards):
            kind = config.kit[card].kind
            kinds[kind] += 1
            if kinds[kind] > 1:
                if card in crew.kit:
                    return chosen_before(number)
                others = (other for other in (*crew.kit, *cards) if config.kit[other].kind is kind)
                message = f"a kit has one {kind} card: {listed(dict.fromkeys(others))} are too many"
                return META.problem("one-of-a-kind", message, "RR-K1", numbered("card", number))
        return None

    @classmethod
    def offers(cls, at: Here) -> Iterator[Any]:
        return map(cls, choosable(at.config, at.state, at.own))

    def rest(self, at: Here) -> Pick | None:
        # At a table the engine carries out a kit one turn at a time.
        return Pick(self.then[0], self.then[1:]) if self.then and at.config.is_table else None

    def decide(self, at: Here, chance: Chance) -> Moves:
        for card in (self.card,) if at.config.is_table else (self.card, *self.then):
            at = yield happened.CardPicked(seat=at.seat, card=card)
        return at


class Choose(Order):
    """Choose a lone player's own crew."""

    examples = ("CHOOSE red",)
    crew: Seat

    @classmethod
    def offers(cls, at: Here) -> Iterator[Any]:
        return map(cls, at.state.order)

    def decide(self, at: Here, chance: Chance) -> Moves:
        return (yield happened.CrewChosen(seat=self.crew))


def cards_left(config: Config, state: State) -> list[CardId]:
    """Return the kit cards that no crew at the table has taken."""
    return piles.left_in(config.kit, (card for crew in state.crews for card in crew.kit))


def choosable(config: Config, state: State, crew: Crew) -> list[CardId]:
    """Return the cards that ``crew`` may still choose; by internet each crew has all cards to choose from."""
    free, kinds = cards_left(config, state) if config.is_table else config.kit, crew.missing(config)
    return [card for card in free if config.kit[card].kind in kinds]


def check_has_kit(config: Config, crew: Crew) -> Problem | None:
    """Refuse to let ``crew`` drive before its kit is complete."""
    if crew.has_kit():
        return None
    first = {card.kind: card.id for card in reversed(config.components.kit)}
    cards = [first[kind] for kind in crew.missing(config)]
    message = f"first complete the kit: it still needs {_needed(config, crew)}"
    return META.problem("kit-first", message, "RR-K1", near=(Pick(cards[0], tuple(cards[1:])).text(),))


def _needed(config: Config, crew: Crew) -> str:
    """Return the cards that the kit of ``crew`` still needs, as text."""
    return listed(f"{'an' if kind in (Kind.EQUIPMENT, Kind.ACCEL) else 'a'} {kind} card" for kind in crew.missing(config))

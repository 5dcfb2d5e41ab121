"""Choose kit cards (RR-K1), and a lone player's own crew (RR-V1)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from adjudicator.game import Chance, Moves, Order, Problem, Seat, listed, piles
from adjudicator.games.rally_round import events as happened
from adjudicator.games.rally_round import table_events as marks
from adjudicator.games.rally_round.components import CardId, Kind
from adjudicator.games.rally_round.config import Config
from adjudicator.games.rally_round.meta import META
from adjudicator.games.rally_round.state import Crew, Here, State


def numbered(part: str, number: int) -> str:
    """Return the name of the ``part`` of an order with that ``number``, from 0, for a problem."""
    return f"{part}:{number}" if number else part


class Pick(Order):
    """Take the kit ``card``, and ``then`` others; at a table the others wait for the next rounds."""

    examples = ("PICK D3", "KIT D1 N1 E4 S2 A2 B5")
    card: CardId
    then: tuple[CardId, ...] = ()

    @property
    def cards(self) -> tuple[CardId, ...]:
        """All its cards, in order."""
        return self.card, *self.then

    @classmethod
    def read(cls, children: list[Any]) -> Pick:
        return cls(children[0], tuple(children[1:]))

    def text(self) -> str:
        return " ".join(("KIT" if self.then else "PICK", *self.cards))

    def wrong(self, config: Config) -> Problem | None:
        for number, card in enumerate(self.cards):
            if card not in config.kit:
                named = [known for known, kit_card in config.kit.items() if _begins(kit_card.name, card)]
                message, part = f"the game has no kit card {card}", numbered("card", number)
                near, written = (named[:3], None) if named else (config.kit, card)
                return META.problem("no-such-card", message, "RR-C3", part, near, written)
        return None

    def check(self, at: Here) -> Problem | None:
        """RR-K1: one card of each kind, none exchanged, and at a table none that another crew has taken."""
        crew = at.own
        problem = self._check_taken(at.config, at.state, crew) if at.config.is_table else None
        if problem is not None:
            return problem
        if crew.has_kit():
            return META.problem("kit-complete", "your kit is complete, and you cannot exchange cards", "RR-K1", "card")
        kinds = Counter(at.config.kit[card].kind for card in crew.kit)
        for number, card in enumerate(self.cards):
            kind = at.config.kit[card].kind
            kinds[kind] += 1
            if kinds[kind] > 1:
                if card in crew.kit:
                    return self._chosen_before(at.config, crew, number, tuple(at.config.kit))
                others = (other for other in (*crew.kit, *self.cards) if at.config.kit[other].kind is kind)
                message = f"a kit has one {kind} card: {listed(dict.fromkeys(others))} are too many"
                return META.problem("one-of-a-kind", message, "RR-K1", numbered("card", number))
        return None

    def _check_taken(self, config: Config, state: State, crew: Crew) -> Problem | None:
        """Refuse a card that is in a kit; if a crew sends its kit again, name the card that another crew has taken."""
        holders = {card: other.seat for other in state.crews for card in other.kit}
        if self.card not in holders:
            return None
        cards, left = self.cards, cards_left(config, state)
        gone = next((number for number, card in enumerate(cards) if holders.get(card, crew.seat) != crew.seat), None)
        if gone is None:
            return self._chosen_before(config, crew, 0, left)
        kind = config.kit[cards[gone]].kind
        free = tuple(card for card in left if config.kit[card].kind is kind)
        message = f"{holders[cards[gone]]} has taken {cards[gone]}: choose {listed(free, 'or')}"
        return META.problem("card-taken", message, "RR-K1", numbered("card", gone), free)

    def _chosen_before(self, config: Config, crew: Crew, number: int, left: Sequence[CardId]) -> Problem:
        """Refuse the card of that ``number``: the kit of ``crew`` has it; suggest others of ``left``."""
        kinds = crew.missing(config)
        free = [card for card in left if config.kit[card].kind in kinds]
        named = [card for card in self.then if card in free]
        message = f"your kit already has {self.cards[number]}; it still needs {_needed(config, crew)}"
        return META.problem("one-of-a-kind", message, "RR-K1", numbered("card", number), tuple(named or free)[:6])

    @classmethod
    def offers(cls, at: Here) -> Iterator[Any]:
        return map(cls, choosable(at.config, at.state, at.own))

    def rest(self, at: Here) -> Pick | None:
        # At a table the engine carries out a kit one turn at a time.
        return Pick(self.then[0], self.then[1:]) if self.then and at.config.is_table else None

    def decide(self, at: Here, chance: Chance) -> Moves:
        for card in self.cards[:1] if at.config.is_table else self.cards:
            at = yield happened.CardPicked(seat=at.seat, card=card)
        return at


class Choose(Order):
    """Choose a lone player's own crew."""

    examples = ("CHOOSE red",)
    crew: str

    def wrong(self, config: Config) -> Problem | None:
        if self.crew in config.seats:
            return None
        message = f"this rally has no crew {self.crew}"
        return META.problem("no-such-crew", message, "RR-V1", "crew", config.seats, self.crew)

    @classmethod
    def offers(cls, at: Here) -> Iterator[Any]:
        return map(cls, at.state.order)

    def decide(self, at: Here, chance: Chance) -> Moves:
        return (yield marks.CrewChosen(seat=Seat(self.crew)))


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


def _begins(name: str, written: str) -> bool:
    return name.casefold().startswith(written.casefold())

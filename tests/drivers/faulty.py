"""Low Card with a fault each: the law that finds it, and some of what is told."""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from itertools import count
from typing import Any

from msgspec import structs

from adjudicator.game import Decision, Fact, Part, Problem, Public, Spent, Standing, replace
from tests.drivers.low_card import (
    RULESET,
    CardPlayed,
    CardRegretted,
    CardsShown,
    Config,
    LowCard,
    Play,
    State,
    in_order,
)

QUESTIONS = count()
FAULTS: dict[str, tuple[Any, str, str]] = {}
"""By its name each faulty ruleset, the law that it breaks, and some of the words."""


def breaks(law: str, words: str) -> Callable[[Any], Any]:
    """Remember a faulty game, or a function that makes its rules."""

    def remember(made: Any) -> Any:
        rules = made()
        FAULTS[made.__name__] = (rules, law, words)
        return made

    return remember


def with_costs(moves: Any, changed: Callable[[Any], Any]) -> Any:
    """Yield what ``moves`` yield, the costs ``changed``."""
    state = None
    while True:
        try:
            found = moves.send(state)
        except StopIteration:
            return
        state = yield changed(found) if isinstance(found, Spent) else found


# Playing -------------------------------------------------------------------------------------------------------------


@breaks("games can be played", "PLAY C")
class ListsWhatIsRefused(LowCard):
    candidates_are_legal = True

    def candidates(self, config: Any, state: Any, seat: Any) -> Any:
        yield from (Play(card) for card in config.cards)


@breaks("games can be played", "KeyError: 'C")
class FailsOverOrders(LowCard):
    def decide(self, config: Any, state: Any, seat: Any, order: Any, chance: Any) -> Any:
        yield CardPlayed(seat=seat, card=order.card, stake=order.stake)
        raise KeyError(order.card)


@breaks("who is asked can answer", "no seat is due, but the game is not over")
class NeverEnds(LowCard):
    def is_over(self, config: Any, state: Any) -> bool:
        return False


@breaks("who is asked can answer", "is not due, but `legal` lists PLAY C")
class ListsWhatIsNotAsked(LowCard):
    candidates_are_legal = True

    def candidates(self, config: Any, state: Any, seat: Any) -> Any:
        yield from super().candidates(config, state, seat) if seat in self.due(config, state) else ()
        yield from (Play(card) for card in state.hand(seat).cards if state.hand(seat).played)


@breaks("who is asked can answer", "`due` does not name blue, but `decision` asks it")
class AsksNobody(LowCard):
    def due(self, config: Any, state: Any) -> Any:
        return super().due(config, state)[:1]


@breaks("each seat is asked by itself", "seats are independent, but an order of")
class KeepsApart(LowCard):
    def configure(self, setup: Any, version: int) -> Any:
        return Independent(*structs.astuple(super().configure(setup, version)))


class Independent(Config):
    @property
    def seats_are_independent(self) -> bool:
        return True


# Orders --------------------------------------------------------------------------------------------------------------


@breaks("legal is what check accepts", "more than once")
class ListsTwice(LowCard):
    def candidates(self, config: Any, state: Any, seat: Any) -> Any:
        found = list(super().candidates(config, state, seat))
        yield from (*found, *found[:1])


@breaks("legal is what check accepts", "`legal` does not list it")
class ListsTooLittle(LowCard):
    def candidates(self, config: Any, state: Any, seat: Any) -> Any:
        return list(super().candidates(config, state, seat))[:1]


@breaks("legal is what check accepts", "the rules raise ValueError")
class FailsOverForeignCards(LowCard):
    def check(self, config: Any, state: Any, seat: Any, order: Any) -> Problem | None:
        if state.hand(seat).cards:
            state.hand(seat).cards.index(order.card)
        return super().check(config, state, seat, order)


@breaks("refusals say why", "is “not-in-hand”, not low-card/…")
class HasNoCode(LowCard):
    def check(self, config: Any, state: Any, seat: Any, order: Any) -> Problem | None:
        problem = super().check(config, state, seat, order)
        return None if problem is None else replace(problem, code="not-in-hand")


@breaks("refusals say why", "is “No.”: empty, or with a full stop")
class IsCurt(LowCard):
    def check(self, config: Any, state: Any, seat: Any, order: Any) -> Problem | None:
        problem = super().check(config, state, seat, order)
        return None if problem is None else replace(problem, message="No.")


@breaks("refusals say why", "is “rule 2”, not LC-…")
class CitesNoRule(LowCard):
    def check(self, config: Any, state: Any, seat: Any, order: Any) -> Problem | None:
        problem = super().check(config, state, seat, order)
        return None if problem is None else replace(problem, rule="rule 2")


@breaks("refusals say why", "`cost` gives its cost")
def prices_everything() -> Any:
    return RULESET.changed(cost_if_legal=lambda *_: (Part(1, "a card", "LC-2"),))


@breaks("legal is what check accepts", "but `legal` does not list it")
def wavers() -> Any:
    asked = count()

    def check(config: Any, state: Any, seat: Any, order: Any) -> Problem | None:
        held = order.card in state.hand(seat).cards
        return RULESET.refusal(config, state, seat, order) if held or next(asked) % 2 == 0 else None

    def decide(config: Any, state: Any, seat: Any, order: Any, chance: Any) -> Any:
        yield CardPlayed(seat=seat, card=state.hand(seat).cards[0], stake=1)

    return RULESET.changed(check=check, decide=decide)


@breaks("orders read back", "”, which reads back as Play(card='C")
def forgets_stakes() -> Any:
    builders = {**RULESET.language.builders, "play": lambda children: Play(children[0])}
    return RULESET.changed(language=replace(RULESET.language, builders=builders, examples=("PLAY C1",)))


@breaks("orders read back", "the example “PLAY” is not an order")
def shows_no_order() -> Any:
    return RULESET.changed(language=replace(RULESET.language, examples=("PLAY",)))


# The record ----------------------------------------------------------------------------------------------------------


@breaks("why adds up", "but continues from 0")
class ForgetsScores(LowCard):
    def proceed(self, config: Any, state: Any, chance: Any) -> Any:
        moves = super().proceed(config, state, chance)
        yield from with_costs(moves, lambda found: replace(found, before=0, after=found.after - found.before))


@breaks("cited rules are on the page", "the page of rules has no LC-9")
class CitesWhatNobodyWrote(LowCard):
    def proceed(self, config: Any, state: Any, chance: Any) -> Any:
        moves = super().proceed(config, state, chance)
        yield from with_costs(moves, lambda found: replace(found, why=(replace(found.why[0], rule="LC-9"),)))


class LongerState(State, kw_only=True):
    cards_shown: Public[int] = 0


@breaks("a changed state has a new version", "data/state.json does not list the fields of LongerState for version 1")
class KeepsItsVersion(LowCard):
    state = LongerState

    def begin(self, config: Any) -> Any:
        begun = super().begin(config)
        return LongerState(hands=begun.hands, deck=begun.deck)

    def place(self, config: Any, position: Any) -> Any:
        begun = super().place(config, position)
        return LongerState(hands=begun.hands, deck=begun.deck, discard=begun.discard)


@breaks("why adds up", "the rule “rule 4”, not LC-…")
class CitesNothing(LowCard):
    def proceed(self, config: Any, state: Any, chance: Any) -> Any:
        moves = super().proceed(config, state, chance)
        yield from with_costs(moves, lambda found: replace(found, why=(replace(found.why[0], rule="rule 4"),)))


@breaks("deciding again gives the same game", "recorded")
def remembers_in_states() -> Any:
    seen = set[Any]()

    def evolve(config: Any, state: Any, found: Any) -> Any:
        after = RULESET.evolve(config, state, found)
        if isinstance(found, CardsShown) and (config, found) not in seen:
            seen.add((config, found))
            return replace(after, discard=after.discard[::-1])
        return after

    return RULESET.changed(evolve=evolve)


@breaks("deciding again gives the same game", "discard: ")
def changes_its_mind() -> Any:
    calls = count()

    def evolve(config: Any, state: Any, found: Any) -> Any:
        after = RULESET.evolve(config, state, found)
        is_odd = isinstance(found, CardsShown) and next(calls) % 2
        return replace(after, discard=after.discard[::-1]) if is_odd else after

    return RULESET.changed(evolve=evolve)


@breaks("deciding again gives the same game", "as the first answer has")
class LosesTheFirstAnswer(LowCard):
    def position_before_answer(self, config: Any, state: Any, seat: Any) -> Any:
        hand = state.hand(seat)
        if hand.played is None:
            return None
        return state.with_hand(seat, played=None, cards=in_order((*hand.cards, hand.played.card)))


@breaks("deciding again gives the same game", "recorded")
def remembers_in_orders() -> Any:
    asked = count()

    def decide(config: Any, state: Any, seat: Any, order: Any, chance: Any) -> Any:
        yield CardPlayed(seat=seat, card=order.card, stake=order.stake)
        if next(asked) % 2:
            yield CardRegretted(seat=seat, lowest=order.card)

    return RULESET.changed(decide=decide)


@breaks("timelines can grow", "of the grown timeline has")
class AsksInOtherWords(LowCard):
    def decision(self, config: Any, state: Any, seat: Any) -> Any:
        asked = super().decision(config, state, seat)
        return asked and Decision(seat, "card", f"a card, question {next(QUESTIONS) % 3}", "LC-2")


@breaks("files keep the game", "loaded")
def holds_what_no_file_keeps() -> Any:
    def evolve(config: Any, state: Any, found: Any) -> Any:
        after = RULESET.evolve(config, state, found)
        return replace(after, discard=list(after.discard))

    return RULESET.changed(evolve=evolve)


@breaks("values are frozen", "State holds a value that is mutable: unhashable type: 'list'")
def holds_lists() -> Any:
    return holds_what_no_file_keeps()


@breaks("things are conserved", "but was ['C1', 'C2'")
def loses_cards() -> Any:
    def evolve(config: Any, state: Any, found: Any) -> Any:
        after = RULESET.evolve(config, state, found)
        return replace(after, discard=after.discard[:1]) if isinstance(found, CardsShown) else after

    return RULESET.changed(evolve=evolve)


# Corrections ---------------------------------------------------------------------------------------------------------


@breaks("what came about is possible", "refuse it as impossible: a card lies on the pile")
class RefusesWhatCameAbout(LowCard):
    def impossible(self, config: Any, state: Any, position: Any) -> Any:
        if state.discard:
            yield "a card lies on the pile"


@breaks("what came about is possible", "after an empty amendment")
class PutsRightWhatIsRight(LowCard):
    def place(self, config: Any, position: Any) -> Any:
        state = super().place(config, position)
        return replace(state, discard=in_order(state.discard))


@breaks("amendments are refused or can be played", "the game gives no reason against it")
class FailsOverAmendments(LowCard):
    def impossible(self, config: Any, state: Any, position: Any) -> Any:
        yield from (f"no {card}" for hand in state.hands for card in hand.cards if config.cards.index(card) < 0)


@breaks("amendments are refused or can be played", "after one validation")
class IsNeverDoneWithAmendments(LowCard):
    def place(self, config: Any, position: Any) -> Any:
        right = super().place(config, position)
        scores = [hand.score for hand in right.hands]
        return right if max(scores) < 900 else right.with_hand(config.seats[0], score=right.hands[0].score + 1)


# Secrets -------------------------------------------------------------------------------------------------------------


@breaks("a view answers as the state does", "the list of decisions due of")
class AsksOpenly(LowCard):
    def decision(self, config: Any, state: Any, seat: Any) -> Any:
        asked = super().decision(config, state, seat)
        return asked and Decision(seat, "card", f"a card; {state.deck[0]} is left", "LC-2")


@breaks("a view answers as the state does", "the problem with PLAY C")
class RefusesOpenly(LowCard):
    def check(self, config: Any, state: Any, seat: Any, order: Any) -> Problem | None:
        problem = super().check(config, state, seat, order)
        holder = next((hand.seat for hand in state.hands if order.card in hand.cards and hand.seat != seat), None)
        return replace(problem, message=f"{holder} has {order.card}") if problem and holder else problem


@breaks("a view answers as the state does", "the standings of a bystander: ")
class StandsOpenly(LowCard):
    def standings(self, config: Any, state: Any) -> Any:
        return tuple(replace(one, note=f"has {state.hand(one.seat).cards}") for one in super().standings(config, state))


@breaks("a view answers as the state does", "the problem with PLAY C")
class RefusesWhatOthersHold(LowCard):
    def check(self, config: Any, state: Any, seat: Any, order: Any) -> Problem | None:
        problem = super().check(config, state, seat, order)
        is_elsewhere = any(order.card in hand.cards for hand in state.hands if hand.seat != seat)
        return replace(problem, message="another seat has it") if problem and is_elsewhere else problem


@breaks("a view answers as the state does", "the rules raise TypeError")
class CountsWhatIsHidden(LowCard):
    def standings(self, config: Any, state: Any) -> Any:
        least = {hand.seat: min(hand.cards, default="") + "" for hand in state.hands}
        return super().standings(config, state) if least else ()


class Side(StrEnum):
    """The side of a card that others see."""

    BACK = "back"


@breaks("views can be written for players", "declare `among` in the mark")
def shows_backs() -> Any:
    def view(config: Any, state: Any, viewer: Any) -> Any:
        seen = RULESET.view(config, state, viewer)
        hands = tuple(
            replace(hand, cards=tuple(Side.BACK if card is None else card for card in hand.cards))
            for hand in seen.state.hands
        )
        return replace(seen, state=replace(seen.state, hands=hands))

    return RULESET.changed(view=view)


@breaks("public words hide what is marked", "everybody reads “PLAY C")
class SpeaksOpenly(LowCard):
    def public_text(self, config: Any, state: Any, seat: Any, order: Any) -> str | None:
        return None


# What is told --------------------------------------------------------------------------------------------------------


@breaks("events have texts", "is “None”")
def tells_what_is_missing() -> Any:
    return RULESET.changed(tell=lambda _config, found: str(getattr(found, "card", "")))


@breaks("a what if says what happens", "in a what-if, but to")
class LooksAtTheKindOfSecrets(LowCard):
    def decide(self, config: Any, state: Any, seat: Any, order: Any, chance: Any) -> Any:
        others = [card for hand in state.hands if hand.seat != seat for card in hand.cards]
        yield CardPlayed(seat=seat, card=order.card, stake=3 if all(isinstance(card, str) for card in others) else 1)


@breaks("facts are explained", "the help of the fact `score`")
class HelpsNot(LowCard):
    facts = {**LowCard.facts, "score": Fact.of_game(" ", lambda config, view: 1)}


def cards_of(config: Any, view: Any, seat: Any) -> int:
    return len(view.state.hand(seat or config.seats[0]).cards)


@breaks("facts are explained", "`cards` takes ann, but its `argument` is None")
class TakesMore(LowCard):
    facts = {**LowCard.facts, "cards": Fact("the cards; `cards of SEAT`", cards_of)}


@breaks("facts are explained", "its help does not say `cards at …`")
class HidesItsArgument(LowCard):
    facts = {**LowCard.facts, "cards": Fact("the cards; `cards of SEAT`", cards_of, "place")}


@breaks("facts are explained", "which is not in `names`")
def names_nothing() -> Any:
    return RULESET.changed(names=lambda config: {*config.seats, "c0"})


@breaks("standings name everybody", "the standings have")
class LeavesOut(LowCard):
    def standings(self, config: Any, state: Any) -> Any:
        return super().standings(config, state)[1:]


@breaks("standings name everybody", "the places are [2, ")
class RanksNobodyFirst(LowCard):
    def standings(self, config: Any, state: Any) -> Any:
        return tuple(Standing(place, seat, 0, "plays") for place, seat in enumerate(config.seats, 2))


@breaks("standings name everybody", "the standings are not final")
class IsNeverFinal(LowCard):
    def standings(self, config: Any, state: Any) -> Any:
        return tuple(replace(one, is_final=False) for one in super().standings(config, state))

"""Low Card with a fault each: the law that finds it, and some of what is told."""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from itertools import count
from typing import Any

from msgspec import structs

from adjudicator.core.rules import changed
from adjudicator.game import Fact, Moves, Part, Problem, Public, Spent, Standing, replace
from tests.drivers.low_card import (
    CARD,
    CardPlayed,
    CardRegretted,
    CardsShown,
    Config,
    LowCard,
    Play,
    State,
    choosing,
    go_on,
    in_order,
)

NUMBERS = count()
FAULTS: dict[str, tuple[Any, str, str]] = {}
"""By its name each faulty ruleset, the law that it breaks, and some of the words."""


def breaks(law: str, words: str) -> Callable[[Any], Any]:
    """Remember a faulty game, or a function that makes one."""

    def remember(made: Any) -> Any:
        rules = made if isinstance(made, type) else made()
        FAULTS[made.__name__] = (rules, law, words)
        return made

    return remember


def asking(asks: Callable[[Any], Any]) -> Any:
    """Return the order of play of Low Card that ``asks`` other questions."""
    return (LowCard.phases[0]._replace(asks=asks),)


def telling(change: Callable[[Any], Any]) -> Any:
    """Return the order of play of Low Card, where ``change`` gives the events that follow."""

    def moves(at: Any, chance: Any) -> Moves:
        begun, after = go_on(at, chance), None
        while True:
            try:
                found = begun.send(after)
            except StopIteration:
                return
            after = yield change(found)

    return (LowCard.phases[0]._replace(follow=moves),)


def costing(change: Callable[[Spent], Spent]) -> Any:
    """Return the order of play of Low Card, where ``change`` gives the costs."""
    return telling(lambda found: change(found) if isinstance(found, Spent) else found)


def showing(effect: Callable[[Any, State, State], Any]) -> Any:
    """Return Low Card where showing cards has the ``effect`` that it gives from the event and the states around it."""

    class Shown(CardsShown):
        __module__ = f"{__name__}.{next(NUMBERS)}"  # A module declares one event of a name.

        def apply(self, config: Any, state: State) -> Any:
            return effect((config, self), state, super().apply(config, state))

    def shown(found: Any) -> Any:
        return Shown(**structs.asdict(found)) if isinstance(found, CardsShown) else found

    return changed(LowCard, events=(*LowCard.events, Shown), phases=telling(shown))


# Playing -------------------------------------------------------------------------------------------------------------


@breaks("games can be played", "PLAY C")
class ListsWhatIsRefused(LowCard):
    candidates_are_legal = True

    def candidates(self, at: Any) -> Any:
        yield from (Play(card) for card in at.config.cards)


@breaks("games can be played", "KeyError: 'C")
class FailsOverOrders(LowCard):
    def decide(self, at: Any, order: Any, chance: Any) -> Any:
        yield CardPlayed(seat=at.seat, card=order.card, stake=order.stake)
        raise KeyError(order.card)


@breaks("who is asked can answer", "no seat is due, but the game is not over")
class NeverEnds(LowCard):
    def is_over(self, state: Any) -> bool:
        return False


@breaks("who is asked can answer", "is not due, but `legal` lists PLAY C")
class ListsWhatIsNotAsked(LowCard):
    candidates_are_legal = True

    def candidates(self, at: Any) -> Any:
        yield from super().candidates(at)
        yield from (Play(card) for card in at.own.cards if at.own.played)


@breaks("who is asked can answer", "is asked 2 times, which is not what it is asked by itself")
class AsksTwice(LowCard):
    phases = asking(lambda at: (*choosing(at), *choosing(at)[:1]))


@breaks("each seat is asked by itself", "seats are independent, but an order of")
class KeepsApart(LowCard):
    def configure(self, setup: Any, version: int) -> Any:
        return Independent(*structs.astuple(super().configure(setup, version)))


class Independent(Config):
    @property
    def seats_are_independent(self) -> bool:
        return True


@breaks("who is asked can answer", "is asked card 1 time, which is not what it is asked by itself")
class AsksOtherwiseAlone(KeepsApart):
    phases = asking(lambda at: choosing(at) if at.seat is None else [replace(ask, kind="lone") for ask in choosing(at)])


# Orders --------------------------------------------------------------------------------------------------------------


@breaks("legal is what check accepts", "more than once")
class ListsTwice(LowCard):
    def candidates(self, at: Any) -> Any:
        found = list(super().candidates(at))
        yield from (*found, *found[:1])


@breaks("legal is what check accepts", "`legal` does not list it")
class ListsTooLittle(LowCard):
    def candidates(self, at: Any) -> Any:
        return list(super().candidates(at))[:1]


@breaks("legal is what check accepts", "the rules raise ValueError")
class FailsOverForeignCards(LowCard):
    def refusal(self, at: Any, order: Any) -> Problem | None:
        if at.own.cards:
            at.own.cards.index(order.card)
        return super().refusal(at, order)


@breaks("refusals say why", "is “not-in-hand”, not low-card/…")
class HasNoCode(LowCard):
    def refusal(self, at: Any, order: Any) -> Problem | None:
        problem = super().refusal(at, order)
        return None if problem is None else replace(problem, code="not-in-hand")


@breaks("refusals say why", "is “No.”: empty, or with a full stop")
class IsCurt(LowCard):
    def refusal(self, at: Any, order: Any) -> Problem | None:
        problem = super().refusal(at, order)
        return None if problem is None else replace(problem, message="No.")


@breaks("refusals say why", "is “rule 2”, not LC-…")
class CitesNoRule(LowCard):
    def refusal(self, at: Any, order: Any) -> Problem | None:
        problem = super().refusal(at, order)
        return None if problem is None else replace(problem, rule="rule 2")


@breaks("refusals say why", "`cost` gives its cost")
def prices_everything() -> Any:
    return changed(LowCard, cost_if_legal=lambda *_: (Part(1, "a card", "LC-2"),))


@breaks("legal is what check accepts", "but `legal` does not list it")
def wavers() -> Any:
    asked = count()

    def refusal(self: Any, at: Any, order: Any) -> Problem | None:
        held = order.card in at.own.cards
        return LowCard.refusal(self, at, order) if held or next(asked) % 2 == 0 else None

    def decide(_self: Any, at: Any, order: Any, chance: Any) -> Any:
        yield CardPlayed(seat=at.seat, card=at.own.cards[0], stake=1)

    return changed(LowCard, refusal=refusal, decide=decide)


@breaks("orders read back", "”, which reads back as Play(card='C")
def forgets_stakes() -> Any:
    builders = {**LowCard.language.builders, "play": lambda children: Play(children[0])}
    return changed(LowCard, language=replace(LowCard.language, builders=builders, examples=("PLAY C1",)))


@breaks("orders read back", "the example “PLAY” is not an order")
def shows_no_order() -> Any:
    return changed(LowCard, language=replace(LowCard.language, examples=("PLAY",)))


# The record ----------------------------------------------------------------------------------------------------------


@breaks("why adds up", "but continues from 0")
class ForgetsScores(LowCard):
    phases = costing(lambda found: replace(found, before=0, after=found.after - found.before))


@breaks("cited rules are on the page", "the page of rules has no LC-9")
class CitesWhatNobodyWrote(LowCard):
    phases = costing(lambda found: replace(found, why=(replace(found.why[0], rule="LC-9"),)))


class LongerState(State, kw_only=True):
    cards_shown: Public[int] = 0


@breaks("a changed state has a new version", "data/state.json does not list the fields of LongerState for version 1")
class KeepsItsVersion(LowCard):
    state = LongerState

    def begin(self) -> Any:
        begun = super().begin()
        return LongerState(hands=begun.hands, deck=begun.deck)

    def place(self, position: Any) -> Any:
        begun = super().place(position)
        return LongerState(hands=begun.hands, deck=begun.deck, discard=begun.discard)


@breaks("why adds up", "the rule “rule 4”, not LC-…")
class CitesNothing(LowCard):
    phases = costing(lambda found: replace(found, why=(replace(found.why[0], rule="rule 4"),)))


@breaks("deciding again gives the same game", "recorded")
def remembers_in_states() -> Any:
    seen = set[Any]()

    def effect(what: Any, _before: Any, after: Any) -> Any:
        is_new = what not in seen
        seen.add(what)
        return replace(after, discard=after.discard[::-1]) if is_new else after

    return showing(effect)


@breaks("deciding again gives the same game", "discard: ")
def changes_its_mind() -> Any:
    calls = count()
    return showing(lambda _what, _before, after: replace(after, discard=after.discard[:: -1 if next(calls) % 2 else 1]))


@breaks("deciding again gives the same game", "as the first answer has")
class LosesTheFirstAnswer(LowCard):
    has_windows = True
    phases = asking(
        lambda at: (
            *choosing(at),
            *replace(CARD, answered_in=lambda at: before_answer(at.state, at.own)).to(
                *(hand.seat for hand in at.state.hands if hand.played)
            ),
        )
    )


def before_answer(state: Any, hand: Any) -> Any:
    return state.with_own(hand.seat, played=None, cards=in_order((*hand.cards, hand.played.card)))


@breaks("deciding again gives the same game", "recorded")
def remembers_in_orders() -> Any:
    asked = count()

    def decide(_self: Any, at: Any, order: Any, chance: Any) -> Any:
        yield CardPlayed(seat=at.seat, card=order.card, stake=order.stake)
        if next(asked) % 2:
            yield CardRegretted(seat=at.seat, lowest=order.card)

    return changed(LowCard, decide=decide)


@breaks("timelines can grow", "of the grown timeline has")
class AsksOtherQuestions(LowCard):
    phases = asking(lambda at: replace(CARD, kind=f"card-{next(NUMBERS) % 3}").to(*(one.seat for one in choosing(at))))


@breaks("files keep the game", "loaded")
def holds_what_no_file_keeps() -> Any:
    return showing(lambda _what, _before, after: replace(after, discard=[*after.discard]))


@breaks("values are frozen", "State holds a value that is mutable: unhashable type: 'list'")
def holds_lists() -> Any:
    return holds_what_no_file_keeps()


@breaks("things are conserved", "but was ['C1', 'C2'")
def loses_cards() -> Any:
    return showing(lambda _what, _before, after: replace(after, discard=after.discard[:1]))


# Corrections ---------------------------------------------------------------------------------------------------------


@breaks("what came about is possible", "refuse it as impossible: a card lies on the pile")
class RefusesWhatCameAbout(LowCard):
    def impossible(self, state: Any, position: Any) -> Any:
        if state.discard:
            yield "a card lies on the pile"


@breaks("what came about is possible", "after an empty amendment")
class PutsRightWhatIsRight(LowCard):
    def place(self, position: Any) -> Any:
        state = super().place(position)
        return replace(state, discard=in_order(state.discard))


@breaks("amendments are refused or can be played", "the game gives no reason against it")
class FailsOverAmendments(LowCard):
    def impossible(self, state: Any, position: Any) -> Any:
        yield from (f"no {card}" for hand in state.hands for card in hand.cards if self.config.cards.index(card) < 0)


@breaks("amendments are refused or can be played", "after one validation")
class IsNeverDoneWithAmendments(LowCard):
    def place(self, position: Any) -> Any:
        right = super().place(position)
        scores = [hand.score for hand in right.hands]
        return right if max(scores) < 900 else right.with_own(self.config.seats[0], score=right.hands[0].score + 1)


# Secrets -------------------------------------------------------------------------------------------------------------


@breaks("a view answers as the state does", "the list of decisions due of")
class AsksOpenly(LowCard):
    phases = asking(
        lambda at: replace(CARD, words=lambda at: f"a card; {at.state.deck[0]} is left").to(
            *(one.seat for one in choosing(at))
        )
    )


@breaks("a view answers as the state does", "the problem with PLAY C")
class RefusesOpenly(LowCard):
    def refusal(self, at: Any, order: Any) -> Problem | None:
        problem = super().refusal(at, order)
        holder = next((hand.seat for hand in at.state.hands if order.card in hand.cards and hand.seat != at.seat), None)
        return replace(problem, message=f"{holder} has {order.card}") if problem and holder else problem


@breaks("a view answers as the state does", "the standings of a bystander: ")
class StandsOpenly(LowCard):
    def standings(self, state: Any) -> Any:
        return tuple(replace(one, note=f"has {state.of(one.seat).cards}") for one in super().standings(state))


@breaks("a view answers as the state does", "the problem with PLAY C")
class RefusesWhatOthersHold(LowCard):
    def refusal(self, at: Any, order: Any) -> Problem | None:
        problem = super().refusal(at, order)
        is_elsewhere = any(order.card in hand.cards for hand in at.state.hands if hand.seat != at.seat)
        return replace(problem, message="another seat has it") if problem and is_elsewhere else problem


@breaks("a view answers as the state does", "the rules raise TypeError")
class CountsWhatIsHidden(LowCard):
    def standings(self, state: Any) -> Any:
        least = {hand.seat: min(hand.cards, default="") + "" for hand in state.hands}
        return super().standings(state) if least else ()


class Side(StrEnum):
    """The side of a card that others see."""

    BACK = "back"


@breaks("views can be written for players", "declare `among` in the mark")
def shows_backs() -> Any:
    def view(self: Any, state: Any, viewer: Any) -> Any:
        seen = LowCard.view(self, state, viewer)
        hands = tuple(
            replace(hand, cards=tuple(Side.BACK if card is None else card for card in hand.cards))
            for hand in seen.state.hands
        )
        return replace(seen, state=replace(seen.state, hands=hands))

    return changed(LowCard, view=view)


@breaks("public words hide what is marked", "everybody reads “PLAY C")
class SpeaksOpenly(LowCard):
    def public_text(self, at: Any, order: Any) -> str | None:
        return None


# What is told --------------------------------------------------------------------------------------------------------


@breaks("events have texts", "is “None”")
def tells_what_is_missing() -> Any:
    return changed(LowCard, tell=lambda _self, found: str(getattr(found, "card", "")))


@breaks("a what if says what happens", "in a what-if, but to")
class LooksAtTheKindOfSecrets(LowCard):
    def decide(self, at: Any, order: Any, chance: Any) -> Any:
        others = [card for hand in at.state.hands if hand.seat != at.seat for card in hand.cards]
        yield CardPlayed(seat=at.seat, card=order.card, stake=3 if all(isinstance(card, str) for card in others) else 1)


@breaks("facts are explained", "the help of the fact `score`")
class HelpsNot(LowCard):
    facts = {**LowCard.facts, "score": Fact.of_game(" ", lambda at: 1)}


def cards_of(at: Any, seat: Any) -> int:
    return len(at.of(seat or at.config.seats[0]).cards)


@breaks("facts are explained", "`cards` takes ann, but its `argument` is None")
class TakesMore(LowCard):
    facts = {**LowCard.facts, "cards": Fact("the cards; `cards of SEAT`", cards_of)}


@breaks("facts are explained", "its help does not say `cards at …`")
class HidesItsArgument(LowCard):
    facts = {**LowCard.facts, "cards": Fact("the cards; `cards of SEAT`", cards_of, "place")}


@breaks("facts are explained", "which is not in `names`")
def names_nothing() -> Any:
    return changed(LowCard, names=lambda self: {*self.config.seats, "c0"})


@breaks("standings name everybody", "the standings have")
class LeavesOut(LowCard):
    def standings(self, state: Any) -> Any:
        return super().standings(state)[1:]


@breaks("standings name everybody", "the places are [2, ")
class RanksNobodyFirst(LowCard):
    def standings(self, state: Any) -> Any:
        return tuple(Standing(place, seat, 0, "plays") for place, seat in enumerate(self.config.seats, 2))


@breaks("standings name everybody", "the standings are not final")
class IsNeverFinal(LowCard):
    def standings(self, state: Any) -> Any:
        return tuple(replace(one, is_final=False) for one in super().standings(state))

"""Events: what each is called, what it says, what it changes, and how they are found."""

from __future__ import annotations

import sys
from dataclasses import replace
from itertools import count
from types import ModuleType
from typing import Annotated, Any, Literal, get_type_hints

import pytest

from adjudicator.core.event import Event, Part, Spent, event, events_of, total
from adjudicator.core.frozen import frozen
from adjudicator.core.ids import Name, Seat
from adjudicator.core.visibility import OWNER, PUBLIC, Secret


@event("XY-A1", "{seat} loses {count} of {seat}'s things")
class ThingsLost(Event):
    """Something is lost."""

    seat: Seat
    count: int = 1


@event(says="{told}")
class RuleNamed(Event):
    """It names its rule itself."""

    rule: Name

    @property
    def told(self) -> str:
        return f"by {self.rule}"


@event("XY-A2", seen_by=OWNER)
class HeardAlone(Event):
    seat: Seat

    def tell(self, config: Any) -> str:
        return f"{self.seat} hears {config}"


def test_rule_and_kind_are_filled_in() -> None:
    lost = ThingsLost(seat=Seat("red"))
    assert (lost.rule, lost.kind, lost.count) == ("XY-A1", "things-lost", 1)
    assert get_type_hints(ThingsLost)["kind"] == Literal["things-lost"]
    assert ThingsLost.__doc__ == "Something is lost."


def test_an_event_may_name_its_own_rule() -> None:
    assert RuleNamed(rule="XY-B1").tell(None) == "by XY-B1"
    with pytest.raises(TypeError, match="rule"):
        RuleNamed()  # type: ignore[call-arg]


def test_events_are_frozen_and_their_fields_named() -> None:
    with pytest.raises(TypeError):
        ThingsLost(Seat("red"))  # type: ignore[misc]
    with pytest.raises(AttributeError):
        ThingsLost(seat=Seat("red")).count = 2  # type: ignore[misc]


def test_a_sentence_shows_fields_or_is_told_in_more_words() -> None:
    assert ThingsLost(seat=Seat("red"), count=3).tell(None) == "red loses 3 of red's things"
    assert HeardAlone(seat=Seat("red")).tell("the wind") == "red hears the wind"


def test_an_event_that_says_nothing_and_changes_nothing() -> None:
    @event("XY-A3")
    class Nothing(Event):
        pass

    assert Nothing().tell(None) == ""
    assert Nothing().apply(None, "state") == "state"


def test_who_sees_it_is_a_mark() -> None:
    assert ThingsLost.seen_by is PUBLIC
    assert HeardAlone.seen_by is OWNER


@pytest.mark.parametrize("says", ["{seat} and {nobody}", "{seat} and {nobody.name}", "{nobody:>3}"])
def test_a_sentence_with_a_field_that_is_not_there_is_told_when_it_is_declared(says: str) -> None:
    with pytest.raises(TypeError, match=r"Spoiled says \{nobody\}, and has no such field"):

        @event("XY-A4", says)
        class Spoiled(Event):
            seat: Seat


def test_an_event_without_a_rule_is_told_when_it_is_declared() -> None:
    with pytest.raises(TypeError, match="Lawless has no rule"):

        @event()
        class Lawless(Event):
            seat: Seat


SOURCE = """
from adjudicator.core.event import Event, event, events_of

@event("XY-A1")
class Second(Event):
    pass

@event("XY-A2")
class First(Event):
    pass
"""


@pytest.fixture
def name() -> str:
    """Return the name of a module that no test has declared events in before."""
    return f"game_{next(_numbers)}_of_a_test"


_numbers = count()


def module(source: str, name: str) -> ModuleType:
    made = ModuleType(name)
    sys.modules[name] = made
    exec(source, made.__dict__)
    return made


def test_the_events_of_a_module_come_in_its_order_and_with_those_of_every_game(name: str) -> None:
    made = module(SOURCE, name)
    assert events_of(name) == (made.Second, made.First, Spent)
    assert events_of("game_without_events") == (Spent,)
    other = module(SOURCE.replace("First", "Third"), f"other_{name}")
    assert events_of(f"other_{name}", name) == (other.Second, other.Third, made.Second, made.First, Spent)


def test_a_module_loaded_anew_has_its_new_events_only(name: str) -> None:
    module(SOURCE, name)
    events_of(name)
    again = module(SOURCE.replace("Second", "Other"), name)
    assert events_of(name) == (again.Other, again.First, Spent)


def test_two_events_of_one_name_are_told(name: str) -> None:
    with pytest.raises(TypeError, match=f"{name} declares two events called Second"):
        module(SOURCE + SOURCE.partition("events_of")[2], name)


@frozen
class Purse:
    seat: Seat
    coins: int = 0
    hand: tuple[str, ...] = ()


@frozen
class Table:
    purses: tuple[Purse, ...]
    due: Seat | None = None
    round: int = 1


@event("XY-A5", sets={"due": "seat", "round": "number"}, sets_own={"coins": "left"})
class CoinsLeft(Event):
    seat: Seat
    left: int
    number: int


@event("XY-A5", sets={"due": "seat"})
class DueNow(Event):
    seat: Seat


@event("XY-A5", sets={"due": "seat"}, becomes={"round": 9})
class LastRound(Event):
    seat: Seat


@event("XY-A5", becomes={"due": None})
class NobodyDue(Event):
    """Everybody has had a turn."""


def test_an_event_may_say_what_always_follows_from_it() -> None:
    after = LastRound(seat=Seat("red")).apply(None, Table(()))
    assert after == Table((), Seat("red"), 9)
    assert NobodyDue().apply(None, after) == Table((), None, 9)


def test_an_event_may_say_what_its_fields_set() -> None:
    red, blue = Purse(Seat("red"), 3, ("H3",)), Purse(Seat("blue"), 4)
    after = CoinsLeft(seat=Seat("red"), left=1, number=2).apply(None, Table((red, blue)))
    assert after == Table((Purse(Seat("red"), 1, ("H3",)), blue), Seat("red"), 2)
    again = CoinsLeft(seat=Seat("blue"), left=0, number=3).apply(None, after)
    assert again == Table((after.purses[0], Purse(Seat("blue"), 0)), Seat("blue"), 3)
    assert DueNow(seat=Seat("blue")).apply(None, Table(())) == Table((), Seat("blue"))


@pytest.mark.parametrize("how", ["sets", "sets_own"])
def test_a_field_that_is_set_to_what_the_event_does_not_have_is_told_when_it_is_declared(how: str) -> None:
    with pytest.raises(TypeError, match="Spoiled sets coins to nothing, and has no such field"):

        @event("XY-A6", **{how: {"coins": "nothing"}})  # type: ignore[arg-type]
        class Spoiled(Event):
            seat: Seat


@event("XY-A7", "{seat} draws {card}", unseen="{seat} draws a card")
class CardDrawn(Event):
    seat: Seat
    card: Secret[str | None]
    last: str | None = None


@event("XY-A8", "{seat} draws {cards}", unseen="{seat} draws {cards:card}")
class CardsDrawn(Event):
    seat: Seat
    cards: Annotated[tuple[str | None, ...], OWNER.counted]


def test_an_event_says_something_else_where_a_secret_in_it_is_hidden() -> None:
    red = Seat("red")
    assert CardDrawn(seat=red, card="H3").tell(None) == "red draws H3"
    assert CardDrawn(seat=red, card=None, last="H2").tell(None) == "red draws a card"
    assert CardsDrawn(seat=red, cards=("H3", "H4")).tell(None) == "red draws H3 and H4"
    assert CardsDrawn(seat=red, cards=(None, None)).tell(None) == "red draws 2 cards"


def test_what_is_said_where_a_secret_is_hidden_has_fields_of_the_event() -> None:
    with pytest.raises(TypeError, match="nobody"):

        @event("XY-A9", "{seat}", unseen="{nobody}")
        class Spoiled(Event):
            seat: Seat


def test_parts_add_up() -> None:
    assert total((Part(3, "a", "XY-A1"), Part(-5, "b", "XY-A1"))) == -2
    assert total(()) == 0


@frozen
class Queue:
    turn: Seat


@frozen
class Room:
    turn: Seat
    lights: int = 0


@event("XY-A3", sets={"turn": "seat"})
class TurnTaken(Event):
    seat: Seat


def test_an_event_applies_to_each_class_of_states():
    taken = TurnTaken(seat=Seat("blue"))
    for state in (Queue(Seat("red")), Room(Seat("red"), 3), Queue(Seat("red"))):
        assert taken.apply(None, state) == replace(state, turn="blue")
        assert type(taken.apply(None, state)) is type(state)

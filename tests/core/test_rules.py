"""A class of rules and the record that it makes: what each hook becomes, and what follows where none is written."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, ClassVar

import pytest

from adjudicator.core.each_seat import exchanged
from adjudicator.core.order_of_play import OrderOfPlay
from adjudicator.core.problem import SetupError
from adjudicator.core.ruleset import Constants, Player
from adjudicator.core.visibility import UnmarkedFieldError
from adjudicator.game import (
    MODERATOR,
    OWNER,
    Chance,
    Decision,
    Event,
    Fact,
    Flaw,
    Meta,
    Order,
    Part,
    Problem,
    Public,
    Readiness,
    Rules,
    Seat,
    Secret,
    Setup,
    Spent,
    Standing,
    Unit,
    View,
    change,
    drawing,
    event,
    frozen,
    of_seat,
    order,
)

RED, BLUE = Seat("red"), Seat("blue")
META = Meta("two-piles", "Two Piles", 1, "TP", (2, 2), Unit("c", "coins"), (), ("house",), "nowhere:RULESET")


@frozen
class Pile:
    seat: Public[Seat]
    coins: Secret[int] = 0


@frozen
class Bid:
    seat: Public[Seat]
    coins: Public[int]


@frozen
class Call:
    seat: Public[Seat]


@frozen
class State:
    piles: Public[tuple[Pile, ...]]
    bids: Public[tuple[Bid, ...]] = ()
    turn: Public[Seat] = RED
    open_call: Public[Bid | Call | None] = None

    def with_coins(self, seat: Seat, coins: int) -> State:
        return change(self, piles=exchanged(self.piles, Pile(seat, coins)))


@frozen
class Position:
    seats: tuple[Pile, ...]
    turn: Seat = RED


@frozen
class Config(Constants):
    seats: tuple[Seat, ...]
    position: Any = None
    version: int = 1

    @property
    def names(self) -> tuple[str, ...]:
        return ("Gold",)


@order("TAKE 1")
class Take(Order):
    coins: int = 1


@event("TP-1", "{seat} takes {coins}")
class CoinsTaken(Event):
    seat: Public[Seat]
    coins: Secret[int | None]

    def apply(self, config: Config, state: State) -> State:
        return change(state, turn=BLUE if self.seat == RED else RED)


@event("TP-2", "{seat} is glad", seen_by=OWNER)
class SeatGlad(Event):
    seat: Public[Seat]


class TwoPiles(Rules[Config, State]):
    meta, components, position, state = META, dict, Position, State
    events, orders = (CoinsTaken, SeatGlad, Spent), (Take,)
    order_of_play = OrderOfPlay(not_due=("not-due", "TP-1"))
    facts: ClassVar[Any] = {
        "coins": Fact.of_game("the own coins", lambda config, view: of_seat(view.state.piles, view.viewer).coins)
    }

    def configure(self, setup: Setup, version: int) -> Config:
        if setup.options.get("coins") == "none":
            self.refuse("unfit-set", ("there are no coins", Flaw("there is nothing to take", "TP-1")))
        return Config(setup.seats, setup.position, version)

    def begin(self, config: Config) -> State:
        return State(tuple(map(Pile, config.seats)))

    def place(self, config: Config, position: Position | State) -> State:
        state = position if isinstance(position, State) else State(position.seats, turn=position.turn)
        return change(state, piles=tuple(of_seat(state.piles, seat) for seat in config.seats))

    def impossible(self, config: Config, state: State, position: Position | State | None) -> Iterator[str | Flaw]:
        if isinstance(position, Position):
            yield from (f"{pile.seat}: half a coin" for pile in position.seats if pile.coins == 77)
        yield from (Flaw(f"{pile.seat} has {pile.coins} coins", "TP-1") for pile in state.piles if pile.coins < 0)

    def decision(self, config: Config, state: State, seat: Seat) -> Decision | Problem | None:
        if of_seat(state.piles, seat).coins > 99:
            return META.problem("out", f"{seat} is out")
        return Decision(seat, "take", "how many?", "TP-1") if seat == state.turn else None

    def due(self, config: Config, state: State) -> tuple[Seat, ...]:
        return tuple(seat for seat in config.seats if isinstance(self.decision(config, state, seat), Decision))

    def is_over(self, config: Config, state: State) -> bool:
        return False

    def validate(self, config: Config, order: Take) -> Problem | None:
        return META.problem("none", "nothing is taken", "TP-1") if order.coins < 1 else None

    def check(self, config: Config, state: State, seat: Seat, order: Take) -> Problem | None:
        if seat != state.turn:
            return self._not_due(config, state, seat)
        return META.problem("too-many", "three are too many", "TP-1") if order.coins > 2 else None

    def candidates(self, config: Config, state: State, seat: Seat) -> Iterator[Take]:
        yield from map(Take, range(5))

    def cost(self, config: Config, state: State, seat: Seat, order: Take) -> tuple[Part, ...]:
        return (Part(order.coins, "coins", "TP-1"),)

    def decide(self, config: Config, state: State, seat: Seat, order: Take, chance: Chance) -> Any:
        state = yield CoinsTaken(seat=seat, coins=order.coins)
        before = of_seat(state.piles, seat).coins
        yield Spent(seat=seat, before=before, after=before + order.coins, why=self.cost(config, state, seat, order))

    def spent(self, config: Config, state: State, event: Spent) -> State:
        return state.with_coins(event.seat, event.after)

    def standings(self, config: Config, state: State) -> tuple[Standing, ...]:
        return ()

    def draw(self, config: Config, view: View[State]) -> drawing.Drawing:
        return drawing.Drawing(())

    def warnings(self, config: Config, state: State) -> Iterator[str]:
        yield "it is late"


RULES: Rules[Any, Any] = TwoPiles()


def config(position: Any = None, **options: str) -> Config:
    made: Config = RULES.configure(Setup((Player(RED), Player(BLUE)), options, {}, position), 3)
    return made


def at(red: int = 0, blue: int = 0, **fields: Any) -> Position:
    return Position((Pile(RED, red), Pile(BLUE, blue)), **fields)


def problems(call: Any, *arguments: Any) -> list[tuple[str, str, str]]:
    with pytest.raises(SetupError) as caught:
        call(*arguments)
    return [(problem.code, problem.message, problem.rule) for problem in caught.value.problems]


# Setting up ----------------------------------------------------------------------------------------------------------


def test_the_configuration_is_made_for_a_version_of_the_rules() -> None:
    assert config() == Config((RED, BLUE), None, 3)


def test_everything_that_is_unfit_is_told_at_once() -> None:
    def begin() -> Config:
        return config(coins="none")

    assert problems(begin) == [
        ("two-piles/unfit-set", "there are no coins", ""),
        ("two-piles/unfit-set", "there is nothing to take", "TP-1"),
    ]


def test_a_game_begins_as_usual_or_from_a_position_in_its_usual_order() -> None:
    assert RULES.initial(config()) == State((Pile(RED), Pile(BLUE)))
    turned = Position((Pile(BLUE, 2), Pile(RED, 1)), turn=BLUE)
    assert RULES.initial(config(turned)) == State((Pile(RED, 1), Pile(BLUE, 2)), turn=BLUE)


def test_what_is_miswritten_and_what_cannot_be_is_told_at_once() -> None:
    assert problems(RULES.initial, config(at(77, -1))) == [
        ("two-piles/impossible-position", "red: half a coin", ""),
        ("two-piles/impossible-position", "blue has -1 coins", "TP-1"),
    ]


def test_a_position_is_for_the_seats_of_the_game() -> None:
    other = Position((Pile(RED), Pile(Seat("green"))))
    message = "the position is for the seats red, green, the game for red, blue"
    assert problems(RULES.initial, config(other)) == [("two-piles/impossible-position", message, "")]


# Amendments ----------------------------------------------------------------------------------------------------------


def test_an_amendment_is_put_right_and_refused_in_the_words_of_positions() -> None:
    amended = State((Pile(RED, 3), Pile(BLUE, 4)), turn=BLUE)
    assert RULES.validated_amendment(config(), amended) == amended
    wrong = State((Pile(RED, -1), Pile(BLUE, -2)))
    told = [(message, rule) for _, message, rule in problems(RULES.validated_amendment, config(), wrong)]
    assert told == [(message, rule) for _, message, rule in problems(RULES.initial, config(at(-1, -2)))]
    assert problems(RULES.validated_amendment, config(), wrong)[0][0] == "two-piles/impossible-amendment"


@pytest.mark.parametrize(
    "piles", [(Pile(RED),), (Pile(BLUE), Pile(RED)), (Pile(RED), Pile(Seat("green"))), (Pile(RED), Pile(RED))]
)
def test_seats_cannot_be_amended(piles: Any) -> None:
    told = problems(RULES.validated_amendment, config(), State(piles))
    assert told == [("two-piles/impossible-amendment", "the seats of a game cannot be amended", "")]


@pytest.mark.parametrize("bids", [(Bid(BLUE, 1),), (Bid(BLUE, 1), Bid(RED, 2)), (Bid(RED, 1), Bid(RED, 2))])
def test_things_of_seats_that_come_and_go_can_be(bids: Any) -> None:
    amended = State((Pile(RED), Pile(BLUE)), bids)
    assert RULES.validated_amendment(config(), amended) == amended


@pytest.mark.parametrize("open_call", [Bid(BLUE, 1), Call(RED), None])
def test_one_thing_of_a_seat_that_may_be_of_several_kinds_is_no_list_of_seats(open_call: Any) -> None:
    amended = State((Pile(RED), Pile(BLUE)), open_call=open_call)
    assert RULES.validated_amendment(config(), amended) == amended


def test_seats_of_a_position_cannot_be_amended_either() -> None:
    begun = config(at(1, 2))
    assert problems(RULES.validated_amendment, begun, State((Pile(BLUE, 1), Pile(RED, 2))))


# Orders --------------------------------------------------------------------------------------------------------------


def test_legal_is_what_check_accepts_of_the_candidates() -> None:
    state = RULES.initial(config())
    assert list(RULES.legal(config(), state, RED)) == [Take(1), Take(2)]
    assert list(RULES.legal(config(), state, BLUE)) == []


def test_check_says_first_what_is_wrong_in_every_position() -> None:
    state = RULES.initial(config())
    found = [RULES.refusal(config(), state, BLUE, Take(coins)) for coins in (0, 1)]
    assert [problem.code for problem in found if problem] == ["two-piles/none", "two-piles/not-due"]
    assert RULES.refusal(config(), state, RED, Take(1)) is None


def test_who_is_not_due_is_told_who_is_or_that_it_is_out() -> None:
    state = RULES.initial(config())
    problem = RULES.refusal(config(), state, BLUE, Take())
    assert problem == Problem("two-piles/not-due", "it is not blue's turn: red must act", "TP-1")
    assert RULES.refusal(config(), state.with_coins(BLUE, 100), BLUE, Take()) == META.problem("out", "blue is out")


def test_only_what_is_legal_has_a_cost() -> None:
    state = RULES.initial(config())
    assert RULES.cost_if_legal(config(), state, RED, Take(2)) == (Part(2, "coins", "TP-1"),)
    for seat, taken in ((RED, 3), (RED, 0), (BLUE, 1)):
        assert RULES.cost_if_legal(config(), state, seat, Take(taken)) is None


def test_events_change_the_state_and_accounts_by_the_rules() -> None:
    state = RULES.initial(config())
    taken = CoinsTaken(seat=RED, coins=2)
    assert RULES.evolve(config(), state, taken).turn == BLUE
    spent = Spent(seat=RED, before=0, after=2, why=(Part(2, "coins", "TP-1"),))
    assert RULES.evolve(config(), state, spent) == state.with_coins(RED, 2)


# What is told --------------------------------------------------------------------------------------------------------


def test_views_and_events_follow_from_the_marks() -> None:
    state = RULES.initial(config(at(1, 2)))
    due = (Decision(RED, "take", "how many?", "TP-1"),)
    assert RULES.view(config(), state, MODERATOR) == View(MODERATOR, state, due)
    assert RULES.view(config(), state, RED).state.piles == (Pile(RED, 1), Pile(BLUE, None))  # type: ignore[arg-type]
    assert RULES.view(config(), state, None).state.piles == (Pile(RED, None), Pile(BLUE, None))  # type: ignore[arg-type]
    taken = CoinsTaken(seat=RED, coins=2)
    assert RULES.redact(config(), taken, RED) == RULES.redact(config(), taken, MODERATOR) == taken
    assert RULES.redact(config(), taken, BLUE) == replace(taken, coins=None)
    glad = SeatGlad(seat=RED)
    assert [RULES.redact(config(), glad, viewer) for viewer in (RED, MODERATOR, BLUE, None)] == [glad, glad, None, None]


def test_accounts_are_open_to_all() -> None:
    spent = Spent(seat=RED, before=0, after=0, why=())
    assert RULES.redact(config(), spent, BLUE) == spent


def test_events_are_told_with_their_rule_and_accounts_are_not() -> None:
    assert RULES.tell(config(), CoinsTaken(seat=RED, coins=2)) == "red takes 2 (TP-1)"
    assert RULES.tell(config(), Spent(seat=RED, before=0, after=0, why=())) == ""


def test_facts_have_their_help_and_names_are_those_of_the_game_and_its_seats() -> None:
    state = RULES.initial(config(at(5, 6)))
    assert RULES.fact_names == {"coins": "the own coins"}
    asked: Any = RULES.fact_values(config(), RULES.view(config(), state, BLUE))["coins"]
    assert asked("") == 6
    assert RULES.names(config()) == {"red", "blue", "gold"}


def test_the_rest_of_the_record() -> None:
    state = RULES.initial(config())
    assert tuple(RULES.warnings(config(), state)) == ("it is late",)
    assert RULES.language.grammar == "two_piles.lark"
    assert RULES.language.text(Take(2)) == "TAKE 2"
    assert RULES.types.events == (CoinsTaken, SeatGlad, Spent)
    assert (RULES.meta, RULES.upgrades) == (META, {})


class Least(Rules[Config, State]):
    """The hooks that every game has: the others say nothing."""

    meta, components, position, state = META, dict, Position, State
    events, orders, grammar = (CoinsTaken, Spent), (Take,), "least:orders.lark"


class Ranked(Least):
    """Who has more coins leads."""

    def decision(self, config: Config, state: Any, seat: Seat) -> Decision | None:
        return None

    def is_over(self, config: Config, state: Any) -> bool:
        return True


def test_what_is_not_written_says_nothing() -> None:
    rules, state = Ranked(), State((Pile(RED), Pile(BLUE)))
    made = rules
    assert made.language.grammar == "least:orders.lark"
    assert list(rules.impossible(config(), state, at())) == list(rules.impossible(config(), state, None)) == []
    assert made.validate(config(), Take()) is None
    assert list(made.proceed(config(), state, None)) == []  # type: ignore[arg-type]
    assert made.public_text(config(), state, RED, Take()) is None
    assert made.eliminated(config(), state, RED) is None
    assert made.continuation(config(), state, RED, Take()) is None
    assert made.readiness(config(), state, RED, Take()) is Readiness.READY
    assert list(made.warnings(config(), state)) == list(made.preview(config(), View(RED, state, ()), RED, ())) == []
    assert made.fact_values(config(), View(RED, state, ())) == made.fact_names == {}
    assert made.names(Setup((Player(RED), Player(BLUE)), {}, {})) == {"red", "blue"}


def test_what_follows_from_what_each_seat_has_need_not_be_written() -> None:
    """The beginning, an explicit position, an account."""
    made = Ranked()
    state = made.initial(config())
    assert state == State((Pile(RED), Pile(BLUE)))
    state = made.evolve(config(), state, Spent(seat=BLUE, before=0, after=5, why=()))
    assert state == State((Pile(RED), Pile(BLUE, 5)))
    placed = made.initial(config(Position((Pile(BLUE, 2), Pile(RED, 1)), turn=BLUE)))
    assert placed == State((Pile(RED, 1), Pile(BLUE, 2)), turn=BLUE)


def test_what_orders_cost_is_kept_nowhere_where_no_field_is_called_like_it() -> None:
    class Costless(Ranked):
        meta = replace(META, unit=Unit("s", "seconds"))

    state = State((Pile(RED), Pile(BLUE)))
    assert Costless().evolve(config(), state, Spent(seat=RED, before=0, after=7, why=())) is state


def test_a_state_without_anything_of_seats_has_its_beginning_written() -> None:
    class Bare(Least):
        state, events = Open, (Spent,)

    with pytest.raises(NotImplementedError, match="Open has no field with something for each seat"):
        Bare().initial(config())
    assert Bare().evolve(config(), Open(7), Spent(seat=RED, before=0, after=7, why=())) == Open(7)


def test_the_configuration_is_the_set_up_where_there_is_no_more_to_it() -> None:
    setup = Setup((Player(RED), Player(BLUE)), {}, {})
    assert Least().configure(setup, 1) is setup


class Stated(TwoPiles):
    """Its positions are written as its states are."""

    position = None
    place = Rules.place


def test_without_a_class_of_their_own_positions_are_states() -> None:
    made = Stated()
    assert made.types.position is State
    bids = Bid(BLUE, 7), Bid(RED, 8), Bid(BLUE, 9)
    placed = State((Pile(BLUE, 2), Pile(RED, 1)), bids, BLUE)
    assert made.initial(config(placed)) == State((Pile(RED, 1), Pile(BLUE, 2)), bids, BLUE)
    negative = State((Pile(RED, -1), Pile(BLUE)))
    assert problems(made.initial, config(negative)) == [("two-piles/impossible-position", "red has -1 coins", "TP-1")]


@pytest.mark.parametrize("bids", [(Bid(BLUE, 1), Bid(RED, 2)), (Bid(BLUE, 1),)])
def test_an_amendment_of_such_a_game_keeps_the_order_of_what_comes_and_goes(bids: Any) -> None:
    amended = State((Pile(RED, 3), Pile(BLUE)), bids)
    assert Stated().validated_amendment(config(), amended) == amended


@pytest.mark.parametrize("seats", ["red", "red green", "red red", "red blue green"])
def test_such_a_position_is_for_the_seats_of_the_game_too(seats: str) -> None:
    placed = State(tuple(Pile(Seat(seat)) for seat in seats.split()))
    message = f"the position is for the seats {', '.join(seats.split())}, the game for red, blue"
    assert problems(Stated().initial, config(placed)) == [("two-piles/impossible-position", message, "")]


def test_changed_rules_are_a_copy_with_other_methods() -> None:
    over = RULES.changed(is_over=lambda _config, _state: True)
    state = RULES.initial(config())
    assert (over.is_over(config(), state), RULES.is_over(config(), state)) == (True, False)
    with pytest.raises(AttributeError, match="no_such_hook"):
        RULES.changed(no_such_hook=None)


@pytest.mark.parametrize(
    ("hook", "arguments"),
    [
        ("is_over", (None, None)),
        ("standings", (None, None)),
        ("draw", (None, None)),
    ],
)
def test_what_every_game_must_write(hook: str, arguments: tuple[Any, ...]) -> None:
    with pytest.raises(NotImplementedError):
        getattr(Least(), hook)(*arguments)


# Forgotten marks -----------------------------------------------------------------------------------------------------


@frozen
class Forgotten:
    piles: Public[tuple[Pile, ...]]
    bid: int = 0
    rule: str = ""


@event("TP-3")
class BidMade(Event):
    seat: Public[Seat]
    coins: int


@frozen
class Open:
    coins: int = 0


def test_a_game_with_secrets_is_not_loaded_while_a_mark_is_missing() -> None:
    class Forgetful(TwoPiles):
        state = Forgotten
        events = (CoinsTaken, BidMade, Spent)

    with pytest.raises(UnmarkedFieldError, match=r": Forgotten\.bid, Forgotten\.rule, BidMade\.coins$"):
        Forgetful()


def test_an_event_that_not_all_hear_of_is_a_secret_too() -> None:
    class Whispering(TwoPiles):
        state = Open
        events = (SeatGlad, Spent)

    with pytest.raises(UnmarkedFieldError, match=r": Open\.coins$"):
        Whispering()


def test_a_game_without_secrets_marks_nothing() -> None:
    class Plain(TwoPiles):
        state = Open
        events = (BidMade, Spent)

        def decision(self, config: Config, state: Any, seat: Seat) -> Decision | None:
            return None

    made: Any = Plain()
    assert made.redact(None, BidMade(seat=RED, coins=1), None) == BidMade(seat=RED, coins=1)
    assert made.view(config(), Open(7), None) == View(None, Open(7), ())


@event("TP-A1", sets={"heap": "seat"})
class HeapTaken(Event):
    seat: Public[Seat]


@event("TP-A1", sets_own={"gems": "seat"})
class GemsTaken(Event):
    seat: Public[Seat]


@event("TP-A1", becomes={"stones": 3})
class StonesThrown(Event):
    seat: Public[Seat]


@pytest.mark.parametrize(("kind", "field"), [(HeapTaken, "heap"), (GemsTaken, "gems"), (StonesThrown, "stones")])
def test_a_game_is_not_loaded_whose_events_set_what_is_not_there(kind: type, field: str) -> None:
    class Spoiled(TwoPiles):
        events = (*TwoPiles.events, kind)

    with pytest.raises(TypeError, match=f"{kind.__name__} sets {field}, and there is no such field"):
        Spoiled()

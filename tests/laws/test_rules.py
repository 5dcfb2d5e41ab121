"""The rules of a game as its author writes them: phases, hooks and their defaults, flaws, marks, facts, pieces, tables."""

from __future__ import annotations

import re
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Annotated, Any, NewType

import pytest
from msgspec import defstruct

from adjudicator import game
from adjudicator.core.rules import changed
from adjudicator.core.values import require_readable
from adjudicator.game import (
    MODERATOR,
    NOBODY,
    OWNER,
    Fact,
    Flaw,
    Mark,
    Problem,
    Public,
    Seat,
    Secret,
    Spent,
    Value,
    View,
    Whole,
    replace,
)

RED, BLUE, GREEN = Seat("red"), Seat("blue"), Seat("green")
META = game.GameMeta("test", "Test", 1, "T", (1, 9), game.Unit("c", "coins"), ruleset="tests.laws:RULES")


class Purse(Value):
    seat: Public[Seat]
    coins: Public[Whole] = 0


class Bid(Value):
    seat: Public[Seat]
    amount: Secret[int | None]


class Table(game.State[Purse]):
    own_in = "purses"

    purses: Public[tuple[Purse, ...]]
    due: Public[Seat | None] = None
    round: Public[int] = 1


class CardDrawn(game.Event):
    says = "{seat} draws {card}"
    unseen = "{seat} draws a card"
    seat: Public[Seat]
    card: Secret[str | None]
    rule: game.Name = "T-1"


class SeatGlad(game.Event):
    says = "{seat} is glad"
    seen_by = OWNER
    seat: Public[Seat]
    rule: game.Name = "T-2"


class RuleNamed(game.Event):
    says = "by {rule}"
    rule: Public[game.Name]


class Move(game.Order):
    examples = ("MOVE C3",)
    cell: str
    steps: int = 1

    def check(self, at: Any) -> Problem | None:
        return Problem("test/far", "that is too far", "T-1") if self.steps > 2 else None

    @classmethod
    def offers(cls, at: Any) -> Any:
        return (cls("C3", steps) for steps in range(1, 4))

    def cost(self, at: Any) -> tuple[game.Part, ...]:
        return (game.Part(self.steps, "steps", "T-1"), game.Part(-3, "bonus", "T-1"))


class DrawTwo(game.Order):
    """It has nothing to say."""

    examples = ("DRAW",)


ASKED = game.Ask(
    "move", "T-1", lambda at: f"{at.seat}: round {at.state.round}", (Move,), Problem("test/move", "move", "T-1")
)


def rules(config: Any = None, **members: Any) -> Any:
    """Return the rules of a game with these members of its class."""
    usual = {
        "meta": META,
        "components": dict,
        "state": Table,
        "events": (CardDrawn, SeatGlad, Spent),
        "orders": (Move, DrawTwo),
    }
    return type("Some", (game.Rules,), {**usual, **members})(config or CONFIG, 1)


CONFIG: Any = SimpleNamespace(seats=(RED, BLUE), position=None, names=("Gold",), seats_are_independent=False)
BEGUN = Table((Purse(RED), Purse(BLUE)))


def test_odds_are_as_long_as_the_list_that_they_replace_and_need_no_list() -> None:
    odds = game.piles.Odds((("a", "b"), 1), (("c",), 3), (("a", "b"), 2), ((), 9), (("d",), 0))
    listed = ["a", "b", "c", "c", "c", "a", "b", "a", "b"]
    assert ([odds[index] for index in range(len(odds))], [*odds]) == (listed, ["a", "b", "c"])
    with pytest.raises(IndexError):
        odds[9]
    assert game.piles.without(("a", "b", "a"), "a") == ("b", "a")


ROADS = game.piles.Pieces("road card", "T-4", lambda _config: ("gold", "grey", "gold"))
RoadCard = Annotated[str, ROADS, game.Said(lambda _config, card: f"“{card}”")]


class Swap(game.Order):
    examples = ("SWAP",)
    card: RoadCard
    others: tuple[RoadCard, ...] = ()
    whom: Seat | None = None

    def wrong(self, config: Any) -> Problem | None:
        return Problem("test/none", "nothing is swapped") if not self.others else None


@pytest.mark.parametrize(
    ("order", "problem"),
    [
        (Swap("gold", ("grey",), RED), None),
        (Swap("gold"), Problem("test/none", "nothing is swapped")),
        (Swap("grown"), ("unknown-road-card", "there is no road card “grown”", "T-4", "road_card", "“grown”")),
        (
            Swap("gold", ("grey", "lead")),
            ("unknown-road-card", "there is no road card “lead”", "T-4", "road_card:2", "“lead”"),
        ),
        (Swap("gold", ("grey",), Seat("rad")), ("unknown-seat", "there is no seat rad", "", "whom", "rad")),
    ],
)
def test_an_order_may_name_only_seats_and_pieces_of_the_game(order: Swap, problem: Any) -> None:
    some = rules(orders=(Swap,), pieces=(ROADS,), terms={"whom": game.Term("a seat")})
    if isinstance(problem, tuple):
        near = ("red", "blue") if order.whom else ("“gold”", "“grey”")
        problem = Problem(f"test/{problem[0]}", *problem[1:4], near, problem[4])
    assert some.wrong(order) == problem


def test_the_first_phase_that_applies_asks_or_its_events_follow() -> None:
    def deal(_at: Any, _chance: Any) -> Any:
        yield "cards are dealt"

    phases = (
        game.Phase("T-0", lambda at: at.state.round == 0, follow=deal),
        game.Phase("T-1", lambda at: at.state.round < 3, lambda at: ASKED.to(at.state.due) if at.state.due else (), deal),
    )
    some = rules(phases=phases, unasked=lambda rules, at, _order: rules.others_act(at, "another", "T-2"))
    asked, dealing, over = (replace(BEGUN, round=n, due=RED) for n in (1, 0, 3))
    assert [[ask.seat for ask in some.due(at)] for at in (asked, dealing, over)] == [[RED], [], []]
    follows = [list(some.follow(at, None)) for at in (asked, dealing, replace(asked, due=None), over)]
    assert follows == [[], ["cards are dealt"], ["cards are dealt"], []]
    (ask,) = some.due(asked)
    assert (ask.seat, ask.kind, ask.rule, ask.text(CONFIG, asked)) == (RED, "move", "T-1", "red: round 1")
    red, blue = some.at(asked, RED), some.at(asked, BLUE)
    assert [order.text() for order in some.legal(red)] == ["MOVE C3", "MOVE C3 2"]
    assert list(some.legal(blue)) == []
    assert [some.check(red, order).code for order in (Move("C3", 3), DrawTwo())] == ["test/far", "test/move"]
    refused = some.check(blue, Move("C3"))
    assert refused == Problem("test/another", "it is not blue's turn: red must act", "T-2")
    assert game.total(some.cost_if_legal(red, Move("C3", 2))) == -1
    assert some.cost_if_legal(red, Move("C3", 3)) is None


def test_who_has_left_hears_that_and_who_answers_something_else_what_is_asked() -> None:
    ask = replace(ASKED, refusal=lambda at: Problem("test/move", f"{at.seat} must move", "T-1"))
    gone = Problem("test/gone", "blue has left", "T-3")
    phases = (game.Phase("T-1", lambda _at: True, lambda _at: ask.to(RED)),)
    some = rules(phases=phases, retired=lambda _self, _state, seat: gone if seat == BLUE else None)
    told = [some.check(some.at(BEGUN, seat), DrawTwo()).message for seat in (RED, BLUE, GREEN)]
    assert told == ["red must move", "blue has left", "it is not green's turn: red must act"]
    named = rules(phases=phases, not_due=("not-yet", "T-7"))
    refused = [one.check(one.at(BEGUN, GREEN), Move("C3")) for one in (some, named)]
    assert [(one.code, one.rule) for one in refused] == [("test/not-due", ""), ("test/not-yet", "T-7")]


def test_what_is_wrong_in_every_position_is_told_first_and_never_legal() -> None:
    phases = (game.Phase("T-1", lambda _at: True, lambda _at: ASKED.to(RED)),)
    never = Problem("test/never", "nobody ever goes so far", "T-1")
    some = rules(phases=phases, wrong=lambda _self, order: never if order.steps > 1 else None)
    assert [some.check(some.at(BEGUN, seat), Move("C3", 3)) for seat in (RED, BLUE)] == [never, never]
    assert list(some.legal(some.at(BEGUN, RED))) == [Move("C3")]


def test_the_position_after_an_event_is_that_of_the_same_seat() -> None:
    at = rules(state=Heap, events=(Spent,)).at(Heap((Pile(RED), Pile(BLUE, 2))), BLUE)
    after = at.after(Spent(seat=BLUE, before=2, after=5, why=()))
    assert (after.seat, after.config) == (BLUE, CONFIG)
    assert [one.coins for one in (at.own, after.own, after.of(RED))] == [2, 5, 0]
    assert [replace(at, seat=seat).own for seat in (None, MODERATOR)] == [None, None], "bystanders have nothing of their own"


def test_a_phase_of_another_stage_is_not_tried() -> None:
    tried = []

    def noted(name: str, answer: bool) -> Any:
        return lambda _at: tried.append(name) or answer

    some = rules(
        phases=(
            game.Phase("T-0", noted("first", False)),
            game.Phase("T-1", game.at_stage("bid"), lambda _at: ASKED.to(RED)),
            game.Phase("T-2", game.at_stage("show"), lambda _at: ASKED.to(BLUE)),
            game.Phase("T-3", noted("last", True), lambda _at: ASKED.to(GREEN)),
        )
    )
    states = (*(SimpleNamespace(stage=one) for one in ("bid", "show", "over")), BEGUN)
    found = [[ask.seat for ask in some.asked(state)] for state in states]
    assert (found, tried) == ([[RED], [BLUE], [GREEN], [GREEN]], ["first", "first", "first", "last", "first", "last"])


def test_hooks_that_are_not_written_say_nothing_and_three_must_be() -> None:
    some, order = rules(), Move("C3")
    at, seen = some.at(BEGUN, RED), some.view(BEGUN, RED)
    nothing = [
        *(some.impossible(BEGUN, None), some.follow(BEGUN, None), some.choices(seen)),
        *(some.warnings(BEGUN), some.preview(seen, ()), some.candidates(at)),
    ]
    assert [list(one) for one in nothing] == [[]] * 6
    asked = (some.wrong(order), some.public_text(at, order), some.retired(BEGUN, RED), some.ask_of(BEGUN, RED))
    assert (*asked, order.rest(at)) == (None,) * 5
    assert (some.waits(at, order), order.has_expired(at)) == (False, False)
    assert some.names() == {"red", "blue", "gold"}
    for hook, argument in (("is_over", BEGUN), ("standings", BEGUN), ("draw", seen)):
        with pytest.raises(NotImplementedError):
            getattr(some, hook)(argument)


class Pile(Value):
    seat: Seat
    coins: int = 0


class Heap(game.State[Pile]):
    own_in, account = "piles", "coins"

    piles: tuple[Pile, ...]
    turn: Seat = RED
    calls: tuple[Pile, ...] = ()


class Clock(game.State[Any]):
    hour: int = 0


def test_a_state_without_parts_may_be_a_position_and_amended() -> None:
    members: Any = {"state": Clock, "events": (Spent,), "begin": lambda _self: Clock()}
    at = SimpleNamespace(**{**vars(CONFIG), "position": Clock(5)})
    assert (rules(**members).initial(), rules(at, **members).initial()) == (Clock(), Clock(5))
    assert rules(**members).amended(Clock(3)) == Clock(3)


class HeapAt(Value):
    seats: tuple[Pile, ...]
    turn: Seat = RED


def test_what_follows_from_what_each_seat_has_need_not_be_written() -> None:
    """The beginning, an explicit position in any order, an account; and what is impossible is told in one way."""

    def impossible(_self: Any, state: Heap, position: Any) -> Any:
        yield from (Flaw(f"{pile.seat} has {pile.coins} coins", "T-1") for pile in state.piles if pile.coins < 0)
        if position is not None and position.turn == BLUE:
            yield "blue never begins"

    members: Any = {"state": Heap, "position": HeapAt, "events": (Spent,), "impossible": impossible}
    some = rules(**members)
    assert some.initial() == Heap((Pile(RED), Pile(BLUE)))
    spent = Spent(seat=BLUE, before=0, after=5, why=())
    assert spent.apply(CONFIG, Heap((Pile(RED), Pile(BLUE)))) == Heap((Pile(RED), Pile(BLUE, 5)))
    at = SimpleNamespace(**{**vars(CONFIG), "position": HeapAt((Pile(BLUE, 2), Pile(RED, 1)))})
    assert rules(at, **members).initial() == Heap((Pile(RED, 1), Pile(BLUE, 2)))

    def told(call: Any, *arguments: Any) -> list[tuple[str, str, str]]:
        with pytest.raises(Exception, match=r"coins|blue|seats") as caught:
            call(*arguments)
        return [(one.code, one.message, one.rule) for one in caught.value.problems]  # type: ignore[attr-defined]

    wrong = SimpleNamespace(**{**vars(CONFIG), "position": HeapAt((Pile(RED, -1), Pile(BLUE)), BLUE)})
    code, words = "test/impossible-position", "the position is for the seats red, green, the game for red, blue"
    assert told(rules(wrong, **members).initial) == [(code, "red has -1 coins", "T-1"), (code, "blue never begins", "")]
    other = SimpleNamespace(**{**vars(CONFIG), "position": HeapAt((Pile(RED), Pile(GREEN)))})
    assert told(rules(other, **members).initial) == [(code, words, "")]
    amended = Heap((Pile(RED, 3), Pile(BLUE)), BLUE, (Pile(BLUE, 1), Pile(RED, 2)))
    assert some.amended(amended) == amended
    code = "test/impossible-amendment"
    assert told(some.amended, Heap((Pile(RED, -1), Pile(BLUE)))) == [(code, "red has -1 coins", "T-1")]
    for piles in ((Pile(RED),), (Pile(BLUE), Pile(RED)), (Pile(RED), Pile(GREEN)), (Pile(RED), Pile(RED))):
        seats = [(code, "the seats of a game cannot be amended", "")]
        assert told(some.amended, Heap(piles)) == seats


def test_without_a_class_of_their_own_positions_are_states() -> None:
    calls = (Pile(BLUE, 7), Pile(RED, 8), Pile(BLUE, 9))
    at = SimpleNamespace(**{**vars(CONFIG), "position": Heap((Pile(BLUE, 2), Pile(RED, 1)), BLUE, calls)})
    assert rules(at, state=Heap, events=(Spent,)).initial() == Heap((Pile(RED, 1), Pile(BLUE, 2)), BLUE, calls)
    for seats in ("red", "red green", "red red", "red blue green"):
        other = SimpleNamespace(**{**vars(CONFIG), "position": Heap(tuple(Pile(Seat(seat)) for seat in seats.split()))})
        words = f"the position is for the seats {', '.join(seats.split())}, the game for red, blue"
        with pytest.raises(Exception, match=words):
            rules(other, state=Heap, events=(Spent,)).initial()


def test_all_that_is_unfit_is_told_at_once_each_flaw_with_its_code_and_rule() -> None:
    flaws = (
        "in words alone",
        *Flaw.where((1 > 2, "never", "T-1"), ([1], "by a rule", "T-1")),
        Flaw("so", "T-2", "own", ("x",)),
    )
    with pytest.raises(Exception, match="in words alone") as caught:
        rules().refuse("unfit-set", flaws)
    told = [(one.code, one.rule, one.suggestions) for one in caught.value.problems]  # type: ignore[attr-defined]
    assert told == [("test/unfit-set", "", ()), ("test/unfit-set", "T-1", ()), ("test/own", "T-2", ("x",))]
    rules().refuse("unfit-set", ())


@pytest.mark.parametrize("name", ["no_hook_at_all", "lint", "refuse", "view", "language"])
def test_a_public_name_that_is_not_a_hook_is_refused(name: str) -> None:
    with pytest.raises(TypeError, match=f"Wrong: “{name}” is not the name of a hook"):
        type("Wrong", (game.Rules,), {name: lambda config, state: None})
    assert type("Helped", (game.Rules,), {"_help": lambda config, state: None})


class Draw(game.Order):
    examples = ("DRAW",)


@pytest.mark.parametrize(
    ("parts", "words"),
    [
        ({"is_over": lambda self, config, state: True},
         "Some.is_over must take (self, state), and takes (self, config, state)"),
        ({"draw": staticmethod(lambda config, view: None)}, "Some.draw must take (view), and takes (config, view)"),
        ({"catalogue": lambda self: None}, "Some.catalogue must take (cls, components), and takes (self)"),
        ({"orders": (type("Take", (Draw,), {"check": lambda self, config, state, seat: None}),)},
         "Take.check must take (self, at), and takes (self, config, state, seat)"),
        ({"events": (type("Won", (CardDrawn,), {"apply": lambda self, state: state}), Spent)},
         "Won.apply must take (self, config, state), and takes (self, state)"),
        ({"phases": (game.Phase("T-1", lambda config, state: True),)},
         "`when` of the phase T-1 must take (at), and takes (config, state)"),
        ({"phases": (game.Phase("T-1", lambda at: True, follow=lambda at: ()),)},
         "`follow` of the phase T-1 must take (at, chance), and takes (at)"),
    ],
)  # fmt: skip
def test_a_function_that_the_program_cannot_call_is_told_when_the_class_is_made(parts: dict[str, Any], words: str) -> None:
    with pytest.raises(TypeError, match=re.escape(words)):
        type("Some", (type(rules()),), parts)


def test_functions_of_facts_take_a_position() -> None:
    for make, whose in ((Fact.of_game, "the game"), (Fact.of_seat, "a seat")):
        words = f"the value of a fact of {whose} must take (at), and takes (config, view)"
        with pytest.raises(TypeError, match=re.escape(words)):
            make("a fact", lambda config, view: 1)  # type: ignore[arg-type, misc]


def test_optional_and_free_arguments_fit() -> None:
    assert type("Some", (type(rules()),), {"is_over": lambda self, state, more=1: True, "wrong": lambda *all: None})


ASK = game.Ask("card", "T-1", "which card?", (), Problem("no-card", "give a card"))


@pytest.mark.parametrize(("asked", "shown"), [({RED: None}, "red"), (ASK, "card"), ((ASK,), "card")])
def test_a_phase_must_ask_questions_to_seats(asked: Any, shown: str) -> None:
    asks = rules(phases=(game.Phase("T-1", lambda at: True, lambda at: asked),))
    words = f"`asks` of the phase T-1 gives {shown!r}, and must give questions to seats: ASK.to(seat)"
    with pytest.raises(Exception, match=re.escape(words)) as caught:
        asks.due(BEGUN)
    assert caught.value.ruleset == "test"  # type: ignore[attr-defined]


def test_a_state_that_lacks_what_the_program_needs_is_told() -> None:
    @dataclass
    class Plain:
        seat: Seat

    for own_in, words in (
        ("", "Taken sets card, and there is no such field (Kept has no `own_in`"),
        ("parts", "Plain must be"),
    ):
        fields = [("parts", tuple[Plain, ...])]
        state = defstruct("Kept", fields, bases=(game.State,), namespace={"own_in": own_in})
        taken = type("Taken", (CardDrawn,), {"sets": {"own.card": "card"}, "__module__": f"taken_{own_in}"})
        with pytest.raises(TypeError, match=re.escape(words)):
            rules(state=state, events=(taken, Spent))


@pytest.mark.parametrize(
    ("state", "words"),
    [
        (type("Misnamed", (Heap,), {"own_in": "pile"}), "Misnamed says `own_in = 'pile'`, and there is no such field"),
        (
            type("Misnamed", (Heap,), {"account": "coin"}),
            "Misnamed says `account = 'coin'`, and a seat's part has no such field",
        ),
        (Pile, "Pile must be a `State`"),
    ],
)
def test_a_state_names_a_part_and_an_account_that_it_has(state: type, words: str) -> None:
    with pytest.raises(TypeError, match=re.escape(words)):
        rules(state=state, events=(Spent,))


@pytest.mark.parametrize("kind", [list, tuple, dict])
def test_a_list_must_say_what_it_holds(kind: type) -> None:
    with pytest.raises(TypeError, match=f"{kind.__name__} must say what it holds"):
        require_readable(defstruct("Kept", [("parts", kind)], bases=(Value,)))


def test_what_an_order_or_event_must_declare_is_told() -> None:
    with pytest.raises(TypeError, match="Move has no `examples`: an example of each way to write it"):
        type("Some", (type(rules()),), {"orders": (type("Move", (game.Order,), {}),)})
    words = (
        "Crashed declares `say`; events declare says, unseen, seen_by, warns, sets, becomes, adds, moves; fields have a type"
    )
    type("Crashed", (CardDrawn,), {"say": "{seat} crashed", "__module__": "misspelled"})
    with pytest.raises(TypeError, match=words):
        game.events_of("misspelled")


def test_changed_rules_are_a_copy_with_other_methods() -> None:
    some = rules()
    over = changed(some, is_over=lambda _state: True)
    assert over.is_over(BEGUN)
    with pytest.raises(NotImplementedError):
        some.is_over(BEGUN)
    with pytest.raises(AttributeError, match="no_such_hook"):
        changed(some, no_such_hook=None)


@pytest.mark.parametrize(
    ("how", "field"),
    [
        ({"sets": {"heap": "seat"}}, "heap"),
        ({"sets": {"own.gems": "seat"}}, "gems"),
        ({"becomes": {"stones": 3}}, "stones"),
        ({"adds": {"own.laps": 1}}, "laps"),
        ({"moves": "rule: own.hand > pile"}, "hand, pile"),
    ],
)
def test_a_game_is_not_loaded_whose_events_set_what_is_not_there(how: dict[str, Any], field: str) -> None:
    kind = defstruct(
        "Spoiled", [("seat", Public[Seat]), ("rule", str, "T-1")], bases=(game.Event,), namespace=how, module=field
    )
    with pytest.raises(TypeError, match=f"Spoiled sets {field}, and there is no such field"):
        rules(events=(kind, Spent))


# Who sees what -------------------------------------------------------------------------------------------------------

Card = NewType("Card", str)
Sealed = NewType("Sealed", Annotated[str, NOBODY])  # type: ignore[valid-newtype]


class Hand(Value):
    seat: Public[Seat]
    cards: Annotated[tuple[Card, ...], OWNER.counted]
    last: Secret[Card | None] = None
    bid: Public[Bid | None] = None
    ally: Annotated[str | None, Mark(lambda config, whole, holder, viewer: whole.round > 3 and viewer in config.allies)] = (
        None
    )


class Game(game.State[Hand]):
    own_in = "hands"

    hands: Public[tuple[Hand, ...]]
    deck: Annotated[tuple[Card, ...], NOBODY.shown_as(lambda config, cards: config.many + len(cards))]
    best: Public[Hand | Bid | None] = None
    nested: Public[tuple[tuple[Bid, ...], ...]] = ()
    letter: Sealed = "x"  # type: ignore[assignment]
    round: Public[int] = 1


DEALT = Game(
    *((Hand(RED, (Card("A"), Card("B")), Card("C"), Bid(RED, 7), "x"), Hand(BLUE, (), None, Bid(BLUE, 9))), (Card("D"),)),
    *(Bid(RED, 7), ((Bid(RED, 1), Bid(BLUE, 2)),)),
)
SEEN_BY: Any = SimpleNamespace(**{**vars(CONFIG), "many": 100, "allies": (BLUE,)})


def test_a_view_follows_from_the_marks() -> None:
    some = rules(SEEN_BY, state=Game, events=(CardDrawn, SeatGlad, Spent))
    moderator, red, blue, public = (some.view(DEALT, viewer).state for viewer in (MODERATOR, RED, BLUE, None))
    assert moderator == DEALT
    assert red.hands == (replace(DEALT.hands[0], ally=None), Hand(BLUE, (), None, Bid(BLUE, None)))
    assert [seen.hands[0].cards for seen in (blue, public)] == [(None, None)] * 2
    assert [(seen.hands[0].last, seen.hands[0].bid) for seen in (blue, public)] == [(None, Bid(RED, None))] * 2
    assert [(seen.deck, seen.letter) for seen in (red, blue, public)] == [(101, None)] * 3
    assert (blue.nested, blue.best) == (((Bid(RED, None), Bid(BLUE, 2)),), Bid(RED, None))
    shown = some.view(replace(DEALT, best=DEALT.hands[0], round=4), BLUE).state
    assert (shown.best.cards, shown.best.bid, shown.best.ally) == ((None, None), Bid(RED, None), "x"), (
        "by the whole and the config"
    )
    assert some.view(DEALT, RED).own == red.hands[0]
    assert some.view(DEALT, None).own is None


def test_an_event_is_redacted_by_its_marks() -> None:
    some, drawn, glad = rules(), CardDrawn(seat=RED, card="H3"), SeatGlad(seat=RED)
    readers = (RED, MODERATOR, BLUE, None)
    assert [some.redact(drawn, one) for one in readers] == [drawn, drawn, *[replace(drawn, card=None)] * 2]
    assert [some.redact(glad, one) for one in readers] == [glad, glad, None, None]
    spent = Spent(seat=RED, before=0, after=0, why=())
    assert [some.redact(spent, one) for one in readers] == [spent] * 4, "accounts are open to all"
    assert (some.tell(glad), some.tell(spent)) == ("red is glad (T-2)", "")
    assert rules(tells_rules=False).tell(glad) == "red is glad"
    sealed = rules(spent_seen_by=OWNER)
    assert [sealed.redact(spent, one) for one in readers] == [spent, spent, None, None]


class Forgetful(game.State[Any]):
    seat: Public[Seat]
    card: Secret[str]
    points: int = 0


class Wrapper(Value):
    inside: tuple[Forgetful, ...] = ()


class Outer(game.State[Any]):
    wrapped: Public[Wrapper]
    rule: str = ""


class Homeless(game.State[Any]):
    card: Secret[str]


def holding(hint: Any) -> type:
    """Return a class with a thing of that type."""
    return defstruct("Leaky", [("seat", Public[Seat]), ("thing", hint)], bases=(game.State,))


class Plain(game.State[Any]):
    coins: int = 0


@pytest.mark.parametrize(
    ("state", "words"),
    [
        (Forgetful, r"every field needs a mark .*: Forgetful\.points$"),
        (Outer, r": Outer\.wrapped\.inside\.points, Outer\.rule$"),
        (Plain, r": Plain\.coins$"),  # since an event that not all hear of is a secret, too
        (Homeless, "card is a secret of its seat, and Homeless has no seat"),
        (holding(Secret[int] | None), r"Leaky\.thing: a mark inside a type hides nothing"),
        (holding(Public[tuple[Secret[int], ...]]), r"Leaky\.thing: a mark inside a type hides nothing"),
        (holding(dict[str, Secret[int]]), r"Leaky\.thing: a mark inside a type hides nothing"),
        (holding(tuple[Sealed, ...]), r"Leaky\.thing: a mark inside a type hides nothing"),
        (holding(dict[str, Bid]), "have no effect"),
        (holding(list[Bid]), "have no effect"),
        (holding(tuple[Bid, int]), "have no effect"),
    ],
)
def test_a_game_with_a_forgotten_mark_or_one_that_hides_nothing_is_not_loaded(state: type, words: str) -> None:
    with pytest.raises(Exception, match=words) as caught:
        rules(state=state, events=(SeatGlad, Spent))
    assert type(caught.value).__name__ in ("UnmarkedFieldError", "TypeError")


def test_a_game_without_secrets_marks_nothing() -> None:
    some = rules(state=Plain, events=(RuleNamed, Spent))
    assert some.view(Plain(7), None) == View(CONFIG, Plain(7))


# Facts and pieces ----------------------------------------------------------------------------------------------------

NAMED: Any = SimpleNamespace(seats=(RED, BLUE), agents={"boris": BLUE})
RICH = Table((Purse(RED, 3), Purse(BLUE, 5)))
FACTS: dict[str, tuple[Fact, list[Any]]] = {
    "of the game: not known with an argument": (
        Fact.of_game("the most", lambda at: max(purse.coins for purse in at.state.purses)),
        [5, None, None, 5],
    ),
    "of a seat: the own, or of who is named in any case": (
        Fact.of_seat("coins", lambda at: at.state.of(at.seat).coins),
        [3, 5, None, None],
    ),
    "of what belongs to a seat: a field": (Fact.of_seat("coins", "coins"), [3, 5, None, None]),
    "of what belongs to a seat: worked out": (
        Fact.of_seat("doubled", lambda at: at.own.coins * len(at.config.seats)),
        [6, 10, None, None],
    ),
    "of a place: the own one, or one that is named": (
        Fact.of_place(
            *("tens", lambda _config, at: 10 * at, lambda _config, word: int(word) if word.isdigit() else None),
            lambda at: at.own.coins,
        ),
        [30, None, 70, None],
    ),
    "with an argument as it is written": (Fact("`echo of X`", lambda _at, word: word, "seat"), ["", "Blue", "7", ""]),
}


@pytest.mark.parametrize("what", FACTS)
def test_a_fact(what: str) -> None:
    fact, found = FACTS[what]
    seen = [fact.value(View(NAMED, RICH, RED), word) for word in ("", "Blue", "7")]
    assert [*seen, fact.value(View(NAMED, RICH), "")] == found


def test_seats_may_have_other_names_and_the_help_says_how_another_is_named() -> None:
    of_agent = Fact.of_seat("`coins of AGENT`", "coins", lambda c, name: c.agents.get(name.lower()))
    assert [of_agent.value(View(NAMED, RICH, RED), word) for word in ("Boris", "blue")] == [5, None]
    assert Fact.of_seat("the coins", "coins").explained("coins") == "the coins; `coins of SEAT`"
    assert Fact.of_seat("the coins, or `coins of X`", "coins").explained("coins") == "the coins, or `coins of X`"
    assert Fact.of_game("all coins", lambda _at: 1).explained("coins") == "all coins"


TileId = NewType("TileId", str)
TILES = game.piles.Pieces("tile", "T-1", lambda config: config.tiles, "row", "hands.tiles", named_by=TileId)
CARS = game.piles.Pieces("car", "T-2", lambda config: config.cars)


class Garage(Value):
    seat: Seat
    tiles: tuple[TileId, ...] = ()
    car: Annotated[game.Name, CARS] | None = None
    last_pair: tuple[game.Name, TileId] | None = None


class Row(game.State[Any]):
    row: tuple[TileId | None, ...] = ()
    hands: tuple[Garage, ...] = ()
    next_seat: Seat | None = None
    aim: Garage | TileId | None = None


BOX: Any = SimpleNamespace(
    seats_are_independent=False, seats=(RED, BLUE), position=None, tiles=("H1", "H2", "H2"), cars={"buggy": 1}
)


@pytest.mark.parametrize(
    ("row", "flaws"),
    [
        (Row(("H1", "X9", "X9", None)), ["there is no tile X9 in this game T-1"]),
        (Row(hands=(Garage(RED, ("H3",)),)), ["red: there is no tile H3 in this game T-1 H1 H2"]),
        (Row(hands=(Garage(RED, car="bugy"),)), ["red: there is no car bugy in this game T-2 buggy"]),
        (Row(hands=(Garage(RED, last_pair=("X8", "X9")),)), ["red: there is no tile X9 in this game T-1"]),
        (Row(hands=(Garage("rde"),)), ["there is no seat rde in this game  red"]),
        (Row(next_seat="bleu"), ["there is no seat bleu in this game  blue"]),
        (Row(aim="X9"), ["there is no tile X9 in this game T-1"]),
        (Row(aim=Garage(BLUE, ("X9",))), ["blue: there is no tile X9 in this game T-1"]),
        (Row(("H2", "H1", None, "H1", "H2", "H2")), ["the game has 2 tiles “H2”, not 3 T-1", "tile H1 is in 2 places T-1"]),
        (Row(("H2", None), (Garage(RED, ("H1",), "buggy", ("X8", "H2")), Garage(BLUE)), RED, "H1"), []),
    ],
)
def test_a_piece_that_the_game_does_not_have_or_not_so_often_is_a_flaw_of_a_position(row: Row, flaws: list[str]) -> None:
    at = SimpleNamespace(**{**vars(BOX), "position": row})
    some = rules(at, state=Row, events=(Spent,), pieces=(TILES, CARS), place=lambda _self, position: position)
    told = []
    try:
        assert some.initial() == row
    except Exception as error:
        told = [" ".join((one.message, one.rule, *one.suggestions)) for one in error.problems]  # type: ignore[attr-defined]
    assert told == flaws


def test_what_is_left_of_a_pile_is_in_the_order_of_the_whole() -> None:
    assert (TILES.left(BOX, Row(("H2",))), TILES.many_left(BOX, Row(("H2", None)))) == (("H1", "H2"), 1)
    assert game.piles.left_in(("red", "red", "blue", "red"), ["red", "blue", None]) == ["red", "red"]
    assert game.piles.left_in({"red": 1, "blue": 2, "green": 3}, ["blue", None]) == ["red", "green"]


@pytest.mark.parametrize(
    ("deck", "discards", "many", "drawn", "renewals"),
    [("abb", "", 3, "bab", 0), ("a", "cd", 2, "ad", 1), ("a", "cd", 1, "a", 0), ("a", "", 3, "a", 0), ("", "c", 5, "c", 1)],
)
def test_things_are_drawn_each_once_and_an_empty_pile_is_renewed_from_the_discards(
    deck: str, discards: str, many: int, drawn: str, renewals: int
) -> None:
    luck = iter(drawn)

    def renewal(state: tuple[str, ...]) -> str | None:
        return "renewed" if state == tuple(deck) and discards else None

    chance: Any = SimpleNamespace(pick=lambda _purpose, _among: next(luck))
    drawing = game.piles.draw_from(lambda state: state, renewal, tuple(deck), many, "a card", chance)
    events = []

    def found() -> Any:
        moves, reply = drawing, None
        while True:
            try:
                events.append(moves.send(reply))  # type: ignore[arg-type]
            except StopIteration as done:
                return done.value
            reply = (*deck, *discards)  # type: ignore[assignment]

    assert ("".join(found()[0]), events) == (drawn, ["renewed"] * renewals)


def test_tables_take_values_count_their_rows_and_list_a_component_set() -> None:
    table = game.drawing.table("Tiles", ("tile", "n", "at"), iter([("H3", 2, ("A1", "B2")), ("H4", 0, None)]))
    assert (table.headings, table.rows) == (("tile", "n", "at"), (("H3", "2", "A1 B2"), ("H4", "0", "")))
    assert game.drawing.table("Tiles", ("tile",), [("H3",)], is_counted=True).title == "Tiles (1)"
    records = game.drawing.records("Race", [{"seat": "red", "lap": (1, 2)}, {"seat": "blue", "lap": None}])
    assert (records.headings, records.rows) == (("seat", "lap"), (("red", "1 2"), ("blue", "")))

    class Set(Value):
        id: str
        is_new: bool
        wheels: tuple[int, ...]
        parts: tuple[Pile, ...]

    single, parts = game.drawing.listed_set(Set("mine", True, (1, 2), (Pile(RED, 3),))).shapes
    assert single.rows == (("id", "mine"), ("is new", "yes"), ("wheels", "1, 2"))
    assert (parts.title, parts.headings, parts.rows) == ("Parts (1)", ("seat", "coins"), (("red", "3"),))


def test_the_docstring_of_the_kit_lists_its_names_by_purpose() -> None:
    lists = re.findall(r"^- .+?: (.+)$", game.__doc__ or "", re.MULTILINE)
    assert " ".join(lists).split() == game.__all__
    assert all(getattr(game, name) is not None for name in game.__all__)

"""The order of play as a table of phases, and the hooks that ask it and the orders."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from adjudicator.core.hooks import Hooks
from adjudicator.game import Meta, Order, Part, Problem, Readiness, Unit, order, order_of_play


@order("BID 2")
class Bid(Order):
    """Bid an amount."""

    amount: int

    def validate(self, config):
        return None if self.amount else Problem("test/nothing", "bid something")

    def check(self, config, state, seat):
        return Problem("test/too-much", "you have less") if self.amount > state.cash else None

    @classmethod
    def offers(cls, config, state, seat):
        return map(cls, range(1, state.cash + 1))

    def cost(self, config, state, seat):
        return (Part(-self.amount, "the bid", "T-1"),)

    def decide(self, config, state, seat, chance):
        yield f"{seat} bids {self.amount}"


@order("PASS")
class Pass(Order):
    """Bid nothing."""


BIDDING = order_of_play.Question(
    "bid", "T-1", lambda _c, state, seat: f"{seat}: bid up to {state.cash}", (Bid,), Problem("test/bid", "bid")
)


def deal(_config, _state, _chance):
    yield "cards are dealt"


PLAY = order_of_play.OrderOfPlay(
    order_of_play.Phase("T-0", lambda _c, state: state.stage == "deal", follow=deal),
    order_of_play.Phase(
        "T-1", lambda _c, state: state.stage in ("deal", "bid"), lambda _c, state: dict.fromkeys(state.due, BIDDING), deal
    ),
)


class Game(Hooks):
    order_of_play = PLAY


def at(stage, *due):
    return SimpleNamespace(stage=stage, due=due, cash=2)


GAME, HERE = Game(), at("bid", "blue", "red")


def test_the_first_phase_that_applies_asks_or_goes_on():
    assert (GAME.due(None, at("deal", "red")), list(GAME.proceed(None, at("deal"), None))) == ((), ["cards are dealt"])
    assert (GAME.due(None, HERE), list(GAME.proceed(None, HERE, None))) == (("blue", "red"), [])
    assert list(GAME.proceed(None, at("bid"), None)) == ["cards are dealt"]
    assert (GAME.due(None, at("over")), list(GAME.proceed(None, at("over"), None))) == ((), [])


def test_a_decision_is_the_question_in_its_words():
    decision = GAME.decision(None, HERE, "red")
    assert (decision.kind, decision.ask, decision.rule) == ("bid", "red: bid up to 2", "T-1")
    assert GAME.decision(None, HERE, "green") is None


def test_an_order_must_answer_the_question_and_judges_itself():
    assert GAME.check(None, HERE, "red", Pass()) is BIDDING.refusal
    assert GAME.check(None, HERE, "red", Bid(3)).code == "test/too-much"
    assert GAME.check(None, HERE, "red", Bid(2)) is None
    assert (GAME.validate(None, Bid(0)).code, GAME.validate(None, Pass())) == ("test/nothing", None)


def test_an_order_says_what_it_costs_and_does_and_lists_its_kind():
    assert list(GAME.candidates(None, HERE, "red")) == [Bid(1), Bid(2)]
    assert list(GAME.candidates(None, HERE, "green")) == []
    assert (GAME.cost(None, HERE, "red", Bid(2)), GAME.cost(None, HERE, "red", Pass())) == (
        (Part(-2, "the bid", "T-1"),),
        (),
    )
    assert list(GAME.decide(None, HERE, "red", Bid(2), None)) == ["red bids 2"]
    assert list(Pass.offers(None, HERE, "red")) == [Pass()]


@pytest.mark.parametrize(("interrupts", "expected"), [(False, Readiness.READY), (True, Readiness.WAITS)])
def test_an_order_waits_while_another_question_interrupts_its_seat(interrupts, expected):
    asked = BIDDING._replace(interrupts=interrupts)

    class Asking(Hooks):
        order_of_play = order_of_play.OrderOfPlay(order_of_play.Phase("T-1", lambda *_at: True, lambda *_at: {"red": asked}))

    assert Asking().readiness(None, HERE, "red", Pass()) is expected
    assert Asking().readiness(None, HERE, "red", Bid(1)) is Readiness.READY


def test_a_phase_of_another_stage_is_not_tried():
    tried = []

    def in_order(name, answer):
        return lambda _c, _state: tried.append(name) or answer

    phases = (
        order_of_play.Phase("T-0", in_order("first", False)),
        order_of_play.Phase("T-1", order_of_play.at_stage("bid"), lambda *_at: {"red": BIDDING}),
        order_of_play.Phase("T-2", order_of_play.at_stage("show"), lambda *_at: {"blue": BIDDING}),
        order_of_play.Phase("T-3", in_order("last", True), lambda *_at: {"green": BIDDING}),
    )
    table = order_of_play.OrderOfPlay(*phases)
    found = [[*table.asked(None, state)] for state in (at("bid"), at("show"), at("over"), SimpleNamespace())]
    assert found == [["red"], ["blue"], ["green"], ["green"]]
    assert tried == ["first", "first", "first", "last", "first", "last"]


def test_a_refusal_may_depend_on_the_position_and_a_seat_that_is_not_asked_learns_who_is():
    asked = BIDDING._replace(refusal=lambda _c, state, seat: Problem("test/first", f"{seat} has {state.cash}"))

    class Asking(Hooks):
        meta = Meta(id="test", name="Test", version=1, prefix="T", players=(2, 2), unit=Unit("c", "coins"), ruleset="x:y")
        order_of_play = order_of_play.OrderOfPlay(
            order_of_play.Phase("T-1", lambda *_at: True, lambda *_at: {"red": asked}), not_due=("another", "T-2")
        )

    assert Asking().check(None, HERE, "red", Pass()) == Problem("test/first", "red has 2")
    refused = Asking().check(None, HERE, "blue", Bid(1))
    assert refused is not None and (refused.code, refused.rule) == ("test/another", "T-2")
    assert "red" in refused.message


def test_a_game_without_an_order_of_play_asks_nobody():
    assert (Hooks().due(None, HERE), Hooks().decision(None, HERE, "red")) == ((), None)

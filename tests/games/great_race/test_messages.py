"""What refusals suggest: lines and repairs that can be paid, the assistants that are left, what an order looks like."""

from __future__ import annotations

import pytest

from adjudicator.core.step import validate_expression
from adjudicator.games.great_race.rules import RULESET
from adjudicator.orders.parser import read_expression


@pytest.mark.parametrize(
    ("card", "order", "words"),
    [
        ("tracker", "PLAY Tracker remove", "Tracker: say which tile it removes"),
        ("cheater", "PLAY Cheater swap", "Cheater: say which tiles it swaps"),
        ("saboteur", "PLAY Saboteur on", "Saboteur: say whom it harms"),
        ("driver", "PLAY Driver", "Driver: say where it drives"),
    ],
)
def test_gr_k1_a_card_played_without_its_spaces_says_whether_it_is_held_and_what_to_write(race, card, order, words):
    for written in (order, f"PLAY {card}"):
        problem = race(red={"mechanics": 1, "hand": card}).says_no("red", written)
        assert (problem.code, problem.rule, problem.message) == ("great-race/say-more", "GR-K1", words)
        assert problem.suggestions[0].startswith(order)
        problem = race(red={"mechanics": 1, "hand": "caravan"}).says_no("red", written)
        assert (problem.code, problem.suggestions) == ("great-race/not-in-hand", ("Caravan",))


def test_gr_d5_of_a_line_that_is_too_dear_what_can_be_paid_is_suggested(race):
    poor = race(red={"mechanics": 1, "cash": 30, "hand": "transport transport"})
    problem = poor.refuse("red", poor.order("DRIVE sea Cairo"))
    assert (problem.code, problem.suggestions) == ("great-race/too-dear", ("sea Cairo using transport 1",))
    for words in problem.suggestions:
        assert poor.allows("red", poor.order(f"DRIVE {words}"))
    other = race(red={"mechanics": 1, "cash": 40, "space": "Lagos"})
    assert other.refuse("red", other.order("DRIVE sea Matadi")).suggestions == ("sea Dakar",)
    none = race(red={"mechanics": 1, "cash": 30})
    assert none.refuse("red", none.order("DRIVE sea Cairo")).suggestions == ()


@pytest.mark.parametrize(
    ("order", "code", "fitting"),
    [
        ("REPAIR buy 3", "too-dear", "REPAIR engine 1 buy 1"),
        ("REPAIR engine 1 chassis 2 buy 3", "too-dear", "REPAIR engine 1 buy 1"),
        ("REPAIR engine 1 using parts 1 buy 1", "does-not-add-up", "REPAIR engine 2 using parts 1 buy 1"),
        ("PLAY Mechanic engine 3 using toolbox", "", ""),
        ("PLAY Mechanic engine 2 using toolbox", "does-not-add-up", "PLAY Mechanic engine 2 chassis 1 using toolbox 1"),
        ("PLAY Mechanic using toolbox buy 1", "no-room", "PLAY Mechanic engine 2 chassis 1 using toolbox 1"),
    ],
)
def test_gr_a2_of_a_repair_that_cannot_be_one_that_fits_is_suggested(race, order, code, fitting):
    crew = {"mechanics": 1, "cash": 30, "engine": 4, "chassis": 5, "hand": "mechanic spare-parts toolbox"}
    mending = race(red=crew)
    if not code:
        assert mending.allows("red", mending.order(order))
        return
    problem = mending.says_no("red", order)
    assert (problem.code, problem.suggestions) == (f"great-race/{code}", (fitting,))
    assert mending.allows("red", mending.order(fitting))


def test_gr_k1_of_a_split_that_does_not_add_up_one_that_does_is_suggested(race):
    cards = race(red={"mechanics": 1, "hand": "saboteur"}, blue={"mechanics": 1, "engine": 1, "chassis": 4})
    for order in ("PLAY Saboteur on blue engine 1", "PLAY Saboteur on blue engine 2"):
        problem = cards.refuse("red", cards.order(order))
        assert problem.suggestions == ("PLAY Saboteur on blue engine 1 chassis 1",)
        assert cards.allows("red", cards.order(problem.suggestions[0]))


def test_gr_v1_without_such_an_assistant_those_that_are_left_are_named(race):
    problem = race(red={"scouts": 1, "funding": 2}).says_no("red", "DRIVE E2")
    assert problem.message == "red has no mechanic left; it still has scouts 1, funding 2"
    assert problem.suggestions == ("SCOUT tiles", "FUND", "PASS")
    problem = race(red={"mechanics": 1, "escort": 1}).says_no("red", "SCOUT card")
    assert problem.suggestions == ("DRIVE …", "REPAIR …", "ESCORT remove …", "PASS")


def test_gr_d1_of_a_payment_that_does_not_add_up_one_that_does_is_suggested_with_its_help(race):
    blind = race(red={"mechanics": 1, "hand": "ranger"})
    blind.do("red", "DRIVE D2", "ravine")
    problem = blind.refuse("red", blind.order("PAY engine 2 using ranger"))
    assert (problem.code, problem.suggestions) == ("great-race/does-not-add-up", ("PAY engine 1 using ranger",))
    assert blind.allows("red", blind.order(problem.suggestions[0]))


@pytest.mark.parametrize("written", ["buy 2 parts", "BUY parts 2", "buy 2 spare parts", "Buy 2 mechanical parts"])
def test_gr_h6_who_buys_parts_by_themselves_is_told_to_repair(race, written):
    worn = race(red={"mechanics": 1, "cash": 80, "engine": 3})
    problem = worn.says_no("red", written)
    assert (problem.code, problem.rule, problem.suggestions) == ("great-race/parts-in-a-repair", "GR-H6", ("REPAIR buy 2",))
    assert worn.allows("red", worn.order("REPAIR buy 2"))


def test_gr_h6_parts_by_themselves_have_no_cost_that_a_condition_could_ask_for(race):
    config = race(red={"mechanics": 1}).config
    order, _ = read_expression(RULESET, "BUY fuel 1 IF cost of BUY parts < 30")
    (found,) = validate_expression(RULESET, config, order)
    assert (found[1].code, found[1].suggestions) == ("great-race/parts-in-a-repair", ("REPAIR buy 1",))

"""Parts, set-up, bivouac and planning (GR-C, GR-S, GR-B, GR-L)."""

from __future__ import annotations

from collections import Counter

import pytest

from adjudicator.core.order import Instruction, Sheet
from adjudicator.games.great_race.card_events import CardTaken
from adjudicator.games.great_race.events import PlanMade
from adjudicator.games.great_race.state import BAG, DECK, Assistants, Stage


def test_gr_c1_every_board_has_two_opposite_purple_cities(house):
    for board in house.boards:
        assert len(board.purple) == 2
        assert len(board.spaces) >= 60


def test_gr_c2_there_are_sixty_tiles_in_the_bag(start):
    race = start(2, seed=1)
    assert len(BAG.left(race.config, race.state)) == 60


def test_gr_c3_there_are_forty_five_cards(house, start):
    counts = {card.id: card.count for card in house.cards}
    assert sum(counts.values()) == 45
    assert counts["jerrycan"] == 8
    race = start(3, seed=1)
    assert DECK.many_left(race.config, race.state) == 45 - 4 == len(DECK.left(race.config, race.state))


def test_gr_c4_all_gauges_are_full_at_the_start(start, house):
    full = house.gauges
    assert start(2, seed=1).gauges("red") == (full.fuel, full.engine, full.chassis)


def test_gr_s1_vehicles_stand_in_the_purple_city_of_the_option(start):
    assert start(2, seed=1).crew("red").space == "Algiers"
    race = start(2, seed=1, start="cape-town")
    assert race.crew("blue").space == "Cape-Town"
    assert race.config.roads.finish == "Algiers"
    told = race.rules.tell(race.config, race.game.journal[0].entry.events[0])
    assert told == "the race goes from Cape-Town to Algiers; the turn order is red and blue (GR-S1)"


def test_gr_s2_cash_by_turn_order(start):
    for seats, cash in ((2, [80, 70]), (3, [80, 80, 70]), (4, [80, 80, 80, 70])):
        assert [crew.cash for crew in start(seats, seed=1).state.crews] == cash


def test_gr_s2_what_does_not_fit_is_neither_bought_nor_gained(race):
    full = race(red={"mechanics": 1, "fuel": 9, "hand": "refuelling"})
    assert full.refused("red", "BUY fuel 2") == ("no-room", "GR-S2")
    full.do("red", "PLAY Refuelling")
    assert full.crew("red").fuel == 10


def test_gr_b1_cards_are_taken_in_reverse_turn_order_and_the_last_gets_the_rest(start):
    race = start(2, "jerrycan toolbox ranger")
    assert race.due() == [("blue", "take")]
    assert race.says_no("red", "TAKE Jerrycan").rule == "GR-V1"
    assert race.refused("blue", "TAKE Caravan") == ("not-offered", "GR-B1")
    race.do("blue", "TAKE Toolbox")
    told = race.do("red", "TAKE Ranger")
    assert [(event.seat, event.card) for event in told.of(CardTaken)] == [("red", "ranger"), ("blue", "jerrycan")]
    assert race.crew("blue").hand == ("toolbox", "jerrycan")
    assert race.state.stage is Stage.PLANNING


def test_gr_b1_a_card_that_lies_there_twice_is_named_once(start):
    race = start(2, "jerrycan jerrycan ranger")
    (asked,) = race.rules.awaiting(race.config, race.state)
    assert asked.ask == "take a card of the bivouac, round 1: TAKE Jerrycan or Ranger"


def test_gr_b1_players_can_look_ahead_to_their_own_card(start):
    race = start(2, "jerrycan toolbox ranger")
    then = race.rules.position_if_due(race.config, race.state, "red")
    assert len(list(race.rules.legal(race.config, then, "red"))) == 3
    race.do("blue", "TAKE Toolbox")
    assert race.rules.position_if_due(race.config, race.state, "blue") is None


def test_gr_b1_the_hand_is_cut_to_the_chassis_after_the_bivouac_jerrycans_first(race):
    low = race(stage=Stage.BIVOUAC, red={"chassis": 0, "fuel": 5}, outcomes="jerrycan toolbox ranger")
    low.do("blue", "TAKE Ranger")
    low.do("red", "TAKE Jerrycan")
    assert sorted(low.due()) == [("blue", "plan"), ("red", "cut")]
    low.do("red", "PLAY Jerrycan")
    assert low.crew("red").fuel == 6
    assert ("red", "plan") in low.due()


def test_gr_l1_all_five_assistants_are_planned_and_sealed_until_all_have(race):
    planning = race(stage=Stage.PLANNING)
    assert planning.refused("red", "PLAN mechanics 3 funding 1") == ("does-not-add-up", "GR-L1")
    assert planning.refused("red", "PLAN mechanics 6") == ("does-not-add-up", "GR-L1")
    told = planning.do("red", "PLAN mechanics 3 escort 2")
    assert told.one(PlanMade).plan == Assistants(mechanics=3, escort=2)
    assert planning.view("blue").state.crew("red").plan == "sealed"
    assert planning.view(None).state.crew("red").plan == "sealed"
    assert planning.says_no("red", "PLAN funding 5").code == "great-race/planned-already"
    assert planning.due() == [("blue", "plan")]
    planning.do("blue", "PLAN funding 5")
    assert planning.crew("red").active == Assistants(mechanics=3, escort=2)
    assert planning.view("blue").state.crew("red").active.escort == 2


@pytest.mark.parametrize(
    ("written", "instead"),
    [
        ("PLAN scouts 1 mechanics 2 escort 1", "PLAN scouts 1 mechanics 2 escort 1 funding 1"),
        ("PLAN scouts 3 mechanics 3", "PLAN scouts 2 mechanics 3"),
        ("PLAN mechanics 4 escort 2 funding 2", "PLAN mechanics 4 escort 1"),
        ("PLAN mechanics 9", "PLAN mechanics 5"),
    ],
)
def test_gr_l1_a_plan_that_does_not_add_up_is_mended_as_little_as_it_takes(race, written, instead):
    assert race(stage=Stage.PLANNING).says_no("red", written).suggestions == (instead,)


def test_gr_l1_whoever_planned_ahead_is_taken_in_order(race):
    planning = race(stage=Stage.PLANNING)
    sheets = {"red": ("PLAN mechanics 5", "PASS"), "blue": ("PLAN funding 5", "FUND")}
    lines = {seat: tuple(Instruction(planning.order(words)) for words in orders) for seat, orders in sheets.items()}
    outcome = planning.adjudicate(*(Sheet(seat, orders) for seat, orders in lines.items()))
    assert [link.entry.order for link in outcome.accepted] == ["PLAN (sealed)", "PLAN (sealed)", "PASS"]
    assert [diagnostic.problem.code for diagnostic in outcome.diagnostics] == ["core/impossible-outcome"]


def test_gr_l1_until_all_have_planned_a_plan_can_be_made_anew(race):
    planning = race(stage=Stage.PLANNING, red={"hand": "jerrycan", "fuel": 3})
    planning.do("red", "PLAN mechanics 5")
    outcome = planning.send("red", "PLAN funding 5")
    assert outcome.changed == ("red",)
    assert planning.crew("red").plan == Assistants(funding=5)
    for words in ("PLAY Jerrycan", "REACT danger never", "FUND"):
        assert planning.refused("red", words) == ("planned-already", "GR-L1")
    planning.do("blue", "PLAN funding 5")
    assert planning.crew("red").active == Assistants(funding=5)


def test_gr_h2_hands_and_plans_are_hidden_what_was_taken_is_not(start):
    race = start(2, "jerrycan toolbox ranger")
    race.do("blue", "TAKE Toolbox")
    assert race.view("red").state.crew("blue").hand == (None,)
    assert "Toolbox" in race.rules.tell(race.config, race.game.journal[-1].entry.events[0])
    assert Counter(race.view("blue").state.crew("blue").hand) == {"toolbox": 1}

"""Simulated crews: one that plans its way and gets there, on every board, and a rough guess of what is still to be paid."""

from random import Random

import pytest

from adjudicator.core.ids import Seat
from adjudicator.core.planner import best_order
from adjudicator.games.great_race.bot import advise, average, way
from adjudicator.games.great_race.rules import RULESET
from adjudicator.simulate.plan import Plan
from adjudicator.simulate.play import play_game


def chosen(race, seat="red"):
    """Return the words of the order that a player of the seat takes."""
    return RULESET.language.text(best_order(RULESET, advise, race.config, race.state, Seat(seat), Random(1)))


@pytest.mark.parametrize(("players", "board"), [(2, "africa"), (3, "asia"), (4, "africa")])
def test_crews_that_plan_finish_a_race_on_the_house_boards_in_due_time(players, board):
    """A few games of each: five to ten rounds, in which somebody arrives and is still worth something."""
    plan = Plan(ruleset="great-race", games=2, players=players, seed=5, player="greedy", options={"board": board})
    for number in plan.numbers:
        played = play_game(plan, number)
        assert played.is_finished
        assert 3 <= played.session.game.state.round <= 12
        assert played.session.game.state.arrived


def test_a_seat_that_is_not_asked_and_one_that_does_not_plan_get_no_advice(race):
    waiting = race(red={"mechanics": 1}, blue={"mechanics": 1}, turn="red")
    for seat, plans in (("blue", True), ("red", False)):
        view = RULESET.view(waiting.config, waiting.state, Seat(seat))
        assert advise(waiting.config, view, Random(1), plans=plans) is None


def test_the_way_leads_over_cheap_tiles_to_the_finish(race):
    scene = race(red={"space": "H14", "mechanics": 1}, tiles="H14 sand G15 dunes H15 track")
    assert way(scene.config, scene.state, scene.crew("red").space) == ("H15", "Cape-Town")


def test_no_way_goes_in_circles_for_the_sake_of_cards(race):
    """A city that gives many cards never makes a way longer: every leg costs something."""
    scene = race(red={"space": "Dakar", "mechanics": 1})
    spaces = way(scene.config, scene.state, scene.crew("red").space)
    assert len(set(spaces)) == len(spaces) <= len(scene.config.roads.spaces)
    assert spaces[-1] == scene.config.roads.finish


def test_an_unknown_tile_is_what_the_tiles_cost_on_average(race, house):
    middle = average(race().config)
    assert middle.fuel * 60 == pytest.approx(sum(tile.fuel * tile.count for tile in house.tiles))
    assert 0 < middle.stop < 1 < middle.parts + middle.fuel


def test_a_crew_drives_on_with_all_help_that_it_has(race):
    scene = race(red={"space": "H15", "mechanics": 1, "escort": 1, "hand": "ranger jerrycan"}, tiles="H15 track")
    assert chosen(scene).startswith("DRIVE Cape-Town")


def test_a_crew_with_a_weak_engine_repairs_before_it_drives(race):
    scene = race(red={"space": "H15", "engine": 1, "mechanics": 1, "hand": "toolbox"}, tiles="H15 track")
    assert chosen(scene) == "REPAIR using toolbox 1"


def test_money_is_spent_on_fuel_before_it_drives_and_money_in_a_card_is_taken(race):
    scene = race(red={"space": "Windhoek", "fuel": 1, "cash": 50, "mechanics": 1})
    assert chosen(scene).startswith("BUY fuel ")
    scene = race(red={"space": "Windhoek", "mechanics": 1, "hand": "financial"})
    assert chosen(scene) == "PLAY Financial"


def test_all_assistants_are_planned(race):
    scene = race(stage="planning", red={}, blue={})
    words = chosen(scene).split()
    assert words[0] == "PLAN" and sum(map(int, words[2::2])) == 5


def test_a_worn_out_vehicle_saves_for_parts_if_the_race_drags_on(race):
    """Two crews that each bought fuel, and drove to and fro between two spaces, would never have come to an end."""
    worn = {"space": "H14", "fuel": 3, "engine": 1, "chassis": 0, "cash": 50, "mechanics": 2}
    early, late = (race(red=worn, tiles="H14 sand H15 pass G15 pass", round=number) for number in (3, 20))
    assert chosen(early).startswith("BUY fuel")
    assert chosen(late) == "REPAIR buy 1"
    poor = race(red={**worn, "cash": 10}, tiles="H14 sand H15 pass G15 pass", round=20)
    assert chosen(poor) == "PASS"


def test_a_crew_saves_for_a_line_if_the_race_drags_on(race):
    """Else it drives out of the city and back again, and pays for the repairs, for ever."""
    for number, words in ((3, "DRIVE "), (20, "FUND")):
        scene = race(red={"space": "Khartoum", "cash": 0, "mechanics": 2, "funding": 1}, round=number)
        assert chosen(scene).startswith(words)


def test_gr_d3_a_tile_just_drawn_is_paid_for_with_the_help_it_needs(race):
    guarded = race(red={"mechanics": 1, "engine": 1, "chassis": 1, "hand": "ranger"})
    guarded.do("red", "DRIVE E2", "ravine")
    assert chosen(guarded) == "PAY chassis using ranger"
    dry = race(red={"mechanics": 1, "fuel": 2, "hand": "jerrycan"})
    dry.do("red", "DRIVE E2", "sand")
    assert chosen(dry) == "PAY chassis using jerrycan"


def test_gr_k4_a_crew_cancels_what_harms_it_and_lets_the_rest_happen(race):
    seats = {"red": {"mechanics": 2, "hand": "saboteur cheater"}, "blue": {"mechanics": 2, "hand": "ranger"}}
    for words, answer in (("PLAY Saboteur on blue", "CANCEL with ranger"), ("PLAY Cheater swap D2 with E2", "ACCEPT")):
        asked = race(**seats, tiles="D2 track E2 sand")
        asked.do("red", "DRIVE D2")
        asked.do("blue", "REACT danger ask")
        asked.do("blue", "DRIVE E2")
        asked.do("red", words)
        assert asked.due() == [("blue", "react")], words
        assert chosen(asked, "blue") == answer

"""CF-G: shifting."""

import pytest

from adjudicator.games.checkered_flag.events import GearShifted
from adjudicator.games.checkered_flag.orders import Brake, Go, Shift
from adjudicator.games.checkered_flag.rules import RULESET

STEPS = {0: {0, 1}, 1: {0, 1, 2}, 2: {1, 2, 3}, 3: {2, 3}}


@pytest.mark.parametrize("gear", range(4))
@pytest.mark.parametrize("to", range(4))
def test_cf_g1_one_step_a_turn_or_none(scene, gear, to):
    race = scene(red={"gear": gear})
    if to in STEPS[gear]:
        assert race.allows("red", Shift(to))
        race.do("red", Shift(to), *((1, 1) if to else ()))
        assert race.racer("red").gear == to
    else:
        assert race.wrong("red", Shift(to)) == ("two-steps", "CF-G1")
        assert race.refuse("red", Shift(to)).suggestions == tuple(f"GEAR {'N123'[other]}" for other in sorted(STEPS[gear]))


def test_cf_g1_a_shift_is_told_and_staying_is_not(scene):
    race = scene(red={"gear": 2}, blue={"gear": 2})
    (shifted,) = race.do("red", Shift(3), 1, 1).of(GearShifted)
    assert (shifted.came_from, shifted.gear) == (2, 3)
    assert race.do("blue", Shift(2), 1, 1).of(GearShifted) == []


def test_cf_g1_neutral_neither_spins_nor_moves(scene):
    race = scene(red={"position": 4, "gear": 1})
    told = race.do("red", Shift(0))
    assert told.kinds == ["gear-shifted", "stood-still", "turn-passed"]
    assert race.at("red") == 4
    assert race.due() == [("blue", "gear")]


@pytest.mark.parametrize("plan", [Go(), Brake()])
def test_cf_g1_in_neutral_there_is_nothing_to_brake(scene, plan):
    race = scene()
    assert race.wrong("red", Shift(0, plan)) == ("nothing-moves", "CF-G1")
    assert race.refuse("red", Shift(0, plan)).suggestions == ("GEAR N",)


def test_cf_g1_standing_in_neutral_on_a_narrow_position_is_warned_of(scene):
    race = scene(red={"position": 21, "gear": 1}, blue={"position": 22, "gear": 1})
    assert tuple(RULESET.warnings(race.config, race.state)) == ()
    race.do("red", Shift(0))
    (warning,) = tuple(RULESET.warnings(race.config, race.state))
    assert warning.startswith("red is in neutral on 21, which is narrow")
    wide = scene(red={"position": 5})
    assert tuple(RULESET.warnings(wide.config, wide.state)) == ()


def test_cf_g1_the_question_names_the_gears_in_reach_and_its_rule(scene):
    race = scene(red={"gear": 1})
    (decision,) = RULESET.awaiting(race.config, race.state)
    assert (decision.ask, decision.rule) == ("choose a gear (first gear now): GEAR N, GEAR 1 or GEAR 2", "CF-G1")


@pytest.mark.parametrize("answer", [None, Go()])
def test_cf_c3_there_are_four_gears(scene, answer):
    problem = scene().refuse("red", Shift(5, answer))
    assert (problem.code, problem.rule, problem.part) == ("checkered-flag/no-such-gear", "CF-C3", "box")
    assert problem.message == "there is no gear 5: the gears are N, 1, 2 and 3"
    assert problem.suggestions == ("GEAR N", "GEAR 1", "GEAR 2", "GEAR 3")


@pytest.mark.parametrize(("answer", "part"), [(Brake(30), "spaces"), (Brake(to=30), "place")])
def test_cf_b2_what_is_out_of_reach_is_the_part_to_blame(scene, answer, part):
    assert scene(red={"gear": 1}).refuse("red", Shift(1, answer)).part == part

"""The worked cases of the rules."""

import pytest

from adjudicator.games.checkered_flag.events import BrakesChecked, CarCrashed
from adjudicator.games.checkered_flag.orders import Go, Shift


@pytest.mark.parametrize(("spin", "moves"), [((5, 2), 2), ((4, 4), 4)])
def test_cf_golden_1_first_gear(scene, spin, moves):
    """1st gear: spin (5, 2) moves 2; (4, 4) moves 4."""
    race = scene()
    race.do("red", Shift(1), *spin)
    assert race.at("red") == moves


def test_cf_golden_2_second_gear(scene):
    """2nd gear: (5, 2) moves 5."""
    race = scene(red={"gear": 1})
    race.do("red", Shift(2), 5, 2)
    assert race.at("red") == 5


def test_cf_golden_3_third_gear(scene):
    """3rd gear: (5, 2) moves 7."""
    race = scene(red={"position": 17, "gear": 2})
    race.do("red", Shift(3, Go()), 5, 2, 6)
    assert race.at("red") == 24


@pytest.mark.parametrize(("b", "is_crash"), [(1, True), (2, True), (3, False)])
def test_cf_golden_4_six_given_four_free(scene, b, is_crash):
    """Given a move of 6 with 4 free, 2 are braked: wheel B at 2 or less crashes."""
    race = scene(red={"position": 16, "gear": 2}, blue={"position": 21, "gear": 1})
    told = race.do("red", Shift(2), 6, 1, b, *(() if is_crash else (6,)))
    assert [(event.limit, event.is_crash) for event in told.of(BrakesChecked)] == [(2, is_crash)]
    assert race.at("red") == 20


def test_cf_golden_5_a_crash_in_third(scene):
    """A crash in 3rd gear: two turns are lost."""
    race = scene(red={"position": 5, "gear": 3}, blue={"gear": 1})
    told = race.do("red", Shift(3, Go()), 1, 1, 2)
    assert [event.turns for event in told.of(CarCrashed)] == [2]
    moves = 0
    while race.due() == [("blue", "gear")]:
        race.do("blue", Shift(1), 1, 1)
        moves += 1
    assert moves == 3

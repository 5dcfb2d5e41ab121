"""CF-M: what the gears make of the wheels."""

import pytest

from adjudicator.core.event import Spent
from adjudicator.games.checkered_flag.events import CarDriven, WheelsSpun
from adjudicator.games.checkered_flag.orders import Brake, Go, Shift


@pytest.mark.parametrize(
    ("gear", "a", "b", "spaces"),
    [(1, 5, 2, 2), (1, 2, 5, 2), (1, 4, 4, 4), (2, 5, 2, 5), (2, 2, 5, 5), (2, 3, 3, 3), (3, 5, 2, 7), (3, 6, 6, 12)],
)
def test_cf_m1_lesser_greater_sum(scene, gear, a, b, spaces):
    race = scene("." * 20 + "a.", red={"gear": gear})
    told = race.do("red", Shift(gear), a, b)
    assert race.at("red") == spaces
    assert [(event.gear, event.a, event.b, event.spaces) for event in told.of(WheelsSpun)] == [(gear, a, b, spaces)]
    assert told.why == [(spaces, "CF-M1")]
    assert [(event.came_from, event.position, event.lap) for event in told.of(CarDriven)] == [(0, spaces, 1)]


def test_cf_m1_the_shift_comes_before_the_spin(scene):
    race = scene("." * 20 + "a.", red={"gear": 2})
    race.do("red", Shift(3), 5, 2)
    assert race.at("red") == 7


@pytest.mark.parametrize(
    ("gear", "a", "b", "words"),
    [
        (1, 5, 2, "first gear, the lesser of 5 and 2"),
        (1, 4, 4, "first gear, 4 on both wheels"),
        (2, 5, 2, "second gear, the greater of 5 and 2"),
        (2, 4, 4, "second gear, 4 on both wheels"),
        (3, 4, 4, "third gear, 4 and 4 together"),
    ],
)
def test_cf_m1_the_log_says_how_the_spaces_came_about(scene, gear, a, b, words):
    told = scene("." * 20 + "a.", red={"gear": gear}).do("red", Shift(gear), a, b)
    (spent,) = told.of(Spent)
    assert [part.what for part in spent.why] == [words]


@pytest.mark.parametrize("order", [Go(), Brake(2), Brake()])
def test_cf_m1_there_is_nothing_to_answer_before_the_spin(scene, order):
    race = scene(red={"gear": 2})
    assert race.wrong("red", order) == ("gear-first", "CF-G1")
    assert race.refuse("red", order).suggestions == ("GEAR 2 go", "GEAR 2 brake before danger")
    assert scene().refuse("red", order).suggestions[0] == "GEAR 1 go"


@pytest.mark.parametrize("plan", [None, Go(), Brake()])
def test_cf_m1_where_nothing_can_be_braked_nobody_is_asked(scene, plan):
    race = scene(red={"position": 8, "gear": 2})
    race.do("red", Shift(2, plan), 2, 4)
    assert race.at("red") == 12
    assert race.due() == [("blue", "gear")]


def test_cf_m1_what_a_gear_brings_is_not_known_before_the_spin(scene):
    race = scene(red={"gear": 1})
    assert [race.cost("red", Shift(gear)) for gear in range(4)] == [0, None, None, None]

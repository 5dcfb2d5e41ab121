"""CF-D and CF-X: curves, crashes and the turns they cost."""

from dataclasses import replace

import pytest

from adjudicator.core.event import Spent
from adjudicator.games.checkered_flag.components import Curve
from adjudicator.games.checkered_flag.events import CarCrashed, CurveChecked, TurnLost
from adjudicator.games.checkered_flag.orders import Go, Shift


def checks(told):
    return [(event.zone, event.curve, event.b, event.limit, event.is_crash) for event in told.of(CurveChecked)]


def go(gear):
    return Shift(gear, Go())


@pytest.mark.parametrize(("gear", "b", "is_crash"), [(2, 1, True), (2, 2, False), (3, 1, True), (3, 2, True), (3, 3, False)])
def test_cf_d1_wheel_b_decides_by_gear(scene, gear, b, is_crash):
    race = scene(red={"position": 4, "gear": gear})
    told = race.do("red", go(gear), 1, 3, b)
    assert checks(told) == [("a", 1, b, gear - 1, is_crash)]
    assert bool(told.of(CarCrashed)) is is_crash


def test_cf_d1_first_gear_is_safe(scene):
    race = scene(red={"position": 5, "gear": 1})
    assert checks(race.do("red", go(1), 3, 3)) == []
    assert race.at("red") == 8


def test_cf_d1_one_check_for_all_positions_of_a_zone(scene):
    race = scene(red={"position": 5, "gear": 2})
    assert checks(race.do("red", go(2), 4, 3, 6)) == [("a", 1, 6, 1, False)]
    assert race.at("red") == 9


def test_cf_d1_one_check_for_each_curve(scene):
    race = scene(red={"position": 12, "gear": 2})
    assert checks(race.do("red", go(2), 6, 3, 2, 3)) == [("b", 1, 2, 1, False), ("b", 2, 3, 1, False)]
    assert race.at("red") == 18


def test_cf_d1_a_curve_that_is_not_reached_is_not_checked(scene):
    race = scene(red={"position": 12, "gear": 2})
    assert checks(race.do("red", go(2), 2, 1, 5)) == [("b", 1, 5, 1, False)]


def test_cf_d1_two_zones_in_one_move_are_two_checks(scene):
    race = scene(red={"position": 7, "gear": 3})
    assert checks(race.do("red", go(3), 3, 3, 4, 5)) == [("a", 1, 4, 2, False), ("b", 1, 5, 2, False)]


def test_cf_d1_after_a_crash_nothing_more_is_checked(scene):
    race = scene(red={"position": 12, "gear": 2})
    assert checks(race.do("red", go(2), 6, 3, 1)) == [("b", 1, 1, 1, True)]


@pytest.mark.parametrize(
    ("position", "zones"),
    [(6, [("a", 1)]), (7, [("a", 1)]), (13, [("b", 1), ("b", 2)]), (14, [("b", 2)]), (15, [("b", 2)])],
)
def test_cf_d1_from_inside_a_zone_the_next_danger_position_is_checked(scene, position, zones):
    race = scene(red={"position": position, "gear": 2})
    told = race.do("red", go(2), 3, 3, *(6 for _ in zones))
    assert [(zone, curve) for zone, curve, *_ in checks(told)] == zones


def test_cf_d1_leaving_onto_white_is_not_checked(scene):
    race = scene(red={"position": 8, "gear": 2})
    assert checks(race.do("red", go(2), 4, 4)) == []
    race = scene(red={"position": 8, "gear": 2})
    assert checks(race.do("red", go(2), 6, 4, 2)) == [("b", 1, 2, 1, False)]


def test_cf_d1_the_last_position_of_the_first_curve_does_not_leave_the_zone(scene):
    race = scene(red={"position": 14, "gear": 3})
    assert checks(race.do("red", go(3), 1, 1, 3)) == [("b", 2, 3, 2, False)]


@pytest.mark.parametrize(
    ("position", "a", "crash_at"),
    [(5, 6, 8), (5, 2, 7), (4, 2, 6), (6, 1, 7), (12, 5, 14), (12, 1, 13), (14, 2, 16), (15, 6, 17)],
)
def test_cf_d2_the_car_stands_on_the_last_position_it_could_have_reached(scene, position, a, crash_at):
    race = scene(red={"position": position, "gear": 2})
    told = race.do("red", go(2), a, 1, 1)
    assert race.at("red") == crash_at
    assert [event.position for event in told.of(CarCrashed)] == [crash_at]
    missing = position + a - crash_at
    assert told.why == [(a, "CF-M1")] + ([(-missing, "CF-D2")] if missing else [])


def test_cf_d2_a_crash_in_the_second_curve_stands_there(scene):
    race = scene(red={"position": 12, "gear": 3})
    told = race.do("red", go(3), 6, 1, 3, 2)
    assert race.at("red") == 17
    (spent,) = told.of(Spent)
    assert (spent.before, spent.after) == (12, 17)
    assert [part.what for part in spent.why] == ["third gear, 6 and 1 together", "crashed in the Zone B"]


def test_cf_d2_a_crash_before_the_line_does_not_win(scene):
    race = scene("." * 20 + "aa.", red={"position": 19, "gear": 3})
    race.do("red", go(3), 6, 6, 2)
    assert race.at("red") == 22
    assert not race.is_over()


@pytest.mark.parametrize(("gear", "lost"), [(2, 1), (3, 2)])
def test_cf_x1_turns_are_lost_by_themselves(scene, gear, lost):
    race = scene(red={"position": 5, "gear": gear}, blue={"gear": 1})
    told = race.do("red", go(gear), 1, 1, 1)
    assert [event.turns for event in told.of(CarCrashed)] == [lost]
    for left in range(lost - 1, -1, -1):
        assert race.due() == [("blue", "gear")]
        told = race.do("blue", Shift(1), 1, 1)
        assert [event.left for event in told.of(TurnLost)] == [left]
        assert race.racer("red").gear == (2 if left else 0)
    assert race.due() == [("blue", "gear")]
    race.do("blue", Shift(1), 1, 1)
    assert race.due() == [("red", "gear")]
    assert race.wrong("red", Shift(2)) == ("two-steps", "CF-G1")
    race.do("red", Shift(1), 2, 2)
    assert race.racer("red").gear == 1


def test_cf_x1_the_marker_stays_beside_the_gear_until_a_turn_is_lost(scene):
    race = scene(red={"position": 5, "gear": 3}, blue={"gear": 1})
    race.do("red", go(3), 1, 1, 2)
    assert (race.racer("red").gear, race.racer("red").lost) == (3, 2)


def test_cf_x1_both_may_be_crashed_at_once(scene):
    race = scene(red={"position": 5, "gear": 2}, blue={"position": 8, "lost": 2})
    told = race.do("red", go(2), 1, 1, 1)
    assert [(event.seat, event.left) for event in told.of(TurnLost)] == [("blue", 1), ("red", 0), ("blue", 0)]
    assert race.due() == [("red", "gear")]
    assert [racer.gear for racer in race.state.racers] == [0, 0]


def test_cf_x1_an_order_of_the_crashed_seat_waits_for_its_turn(scene):
    race = scene(red={"position": 5, "gear": 2}, blue={"gear": 1})
    outcome = race.send("red", go(2), Shift(1), draws=("1", "1", "1"))
    assert not outcome.diagnostics
    assert [len(sheet.orders) for sheet in race.game.pending] == [1]
    assert race.wrong("red", Shift(1)) == ("not-your-turn", "CF-S1")


def test_cf_x1_a_crash_after_an_answer_counts_the_same(scene):
    race = scene(red={"position": 5, "gear": 3}, blue={"gear": 1})
    race.do("red", Shift(3), 1, 1)
    assert race.due() == [("red", "brake")]
    told = race.do("red", Go(), 1)
    assert [event.turns for event in told.of(CarCrashed)] == [2]


@pytest.fixture(scope="module")
def gaps(parts):
    """Return a track with one zone, 21–29: the curves 21–22, 25 and 28–29, with danger between them."""
    components = parts("." * 20 + "a" * 9 + "." * 11)
    (zone,) = components.zones
    return replace(components, zones=(replace(zone, curves=(Curve(21, 22), Curve(25, 25), Curve(28, 29))),))


@pytest.mark.parametrize(
    ("position", "spin", "curves"),
    [
        (20, (2, 2), [1, 0]),
        (20, (3, 3), [1, 0, 2]),
        (20, (4, 3), [1, 0, 2]),
        (20, (6, 5), [1, 0, 2, 3]),
        (22, (1, 1), [0]),
        (23, (2, 1), [0, 2]),
        (25, (1, 1), [0]),
        (27, (1, 1), [3]),
        (24, (6, 5), [2, 0, 3]),
    ],
)
def test_cf_d1_what_lies_between_the_curves_asks_one_check_together(scene, gaps, position, spin, curves):
    """Danger of the zone that is in no curve: one check, however much of it a move enters."""
    race = scene(parts=gaps, red={"position": position, "gear": 3})
    told = race.do("red", Shift(3, Go()), *spin, *(["3"] * len(curves)))
    assert [event.curve for event in told.of(CurveChecked)] == curves
    assert race.at("red") == position + sum(spin)


def test_cf_d1_a_crash_between_curves_leaves_the_car_before_the_next(scene, gaps):
    """CF-D2: on the last position of the stretch that the move would have reached."""
    race = scene(parts=gaps, red={"position": 20, "gear": 3}, blue={"gear": 1})
    told = race.do("red", Shift(3, Go()), 5, 3, 6, 2)
    assert race.at("red") == 24
    assert (
        race.told(told)[2]
        == "red spins 2 on wheel B for the Zone A, between the curves: a crash (it crashes at 1 or 2) (CF-D1)"
    )
    race = scene(parts=gaps, red={"position": 20, "gear": 3}, spun=(5, 3))
    assert "GO to 28 (4 checks)" in race.ask()


def test_cf_d1_in_such_a_zone_no_stop_may_be_chosen(scene, gaps):
    """It is one zone: between its curves none is entered (CF-B2)."""
    race = scene(parts=gaps, red={"position": 22, "gear": 2}, blue={"gear": 1})
    race.do("red", Shift(2), 3, 1, 6, 6)
    assert race.due() == [("blue", "gear")]

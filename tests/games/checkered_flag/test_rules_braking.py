"""CF-B: braking, forced and by choice."""

import pytest

from adjudicator.core.event import Spent
from adjudicator.games.checkered_flag.events import BrakesChecked, CarBraked, CarCrashed, CurveChecked, StopMissed
from adjudicator.games.checkered_flag.orders import Brake, Go, Shift


def braked(told):
    return [(event.forced, event.chosen, event.position, event.rule) for event in told.of(CarBraked)]


def checked(told):
    return [(event.b, event.limit, event.is_crash) for event in told.of(BrakesChecked)]


@pytest.mark.parametrize(("a", "stop", "forced"), [(3, 20, 1), (6, 20, 4), (2, 20, 0)])
def test_cf_b1_a_car_stops_before_a_car_on_a_narrow_position(scene, a, stop, forced):
    """Onto it (3 from 18), through it (6), or short of it (2)."""
    race = scene(red={"position": 18, "gear": 2}, blue={"position": 21, "gear": 1})
    told = race.do("red", Shift(2, Go()), a, 1, *((6,) if forced else ()))
    assert race.at("red") == stop
    assert braked(told) == ([(forced, 0, stop, "CF-B1")] if forced else [])


def test_cf_b1_a_car_on_a_wide_position_is_passed(scene):
    race = scene(red={"position": 18, "gear": 2}, blue={"position": 20, "gear": 1})
    told = race.do("red", Shift(2), 3, 1)
    assert (race.at("red"), braked(told)) == (21, [])


def test_cf_b1_a_narrow_position_without_a_car_is_no_obstacle(scene):
    race = scene(red={"position": 18, "gear": 2}, blue={"position": 22, "gear": 1})
    race.do("red", Shift(2), 3, 1)
    assert race.at("red") == 21


def test_cf_b1_a_narrow_danger_position_is_one_too(scene):
    race = scene(red={"position": 23, "gear": 2}, blue={"position": 25, "gear": 1})
    told = race.do("red", Shift(2, Go()), 4, 1, 4, 2)
    assert race.at("red") == 24
    assert braked(told) == [(3, 0, 24, "CF-B1")]
    assert [event.zone for event in told.of(CurveChecked)] == ["d"]


def test_cf_b1_directly_behind_the_whole_move_is_given_up(scene):
    """Given 7, none free: 7 are braked, and every number on wheel B crashes."""
    race = scene(red={"position": 20, "gear": 3}, blue={"position": 21, "gear": 1})
    told = race.do("red", Shift(3), 5, 2, 6)
    assert checked(told) == [(6, 7, True)]
    assert race.at("red") == 20
    (spent,) = told.of(Spent)
    assert (spent.before, spent.after, told.why) == (20, 20, [(7, "CF-M1"), (-7, "CF-B1")])
    assert [event.position for event in told.of(CarCrashed)] == [20]


def test_cf_b1_a_crashed_car_blocks_like_any_other(scene):
    race = scene(red={"position": 18, "gear": 2}, blue={"position": 21, "lost": 2})
    race.do("red", Shift(2), 6, 1, 6)
    assert race.at("red") == 20


def test_cf_b1_laps_do_not_matter_the_place_does(scene):
    """Red is a lap behind, and blue stands in its way all the same."""
    race = scene(red={"position": 18, "gear": 2}, blue={"position": 21, "lap": 2, "gear": 1}, laps=2)
    race.do("red", Shift(2), 6, 1, 6)
    assert race.at("red") == 20


def test_cf_b1_across_the_line_the_next_lap_is_looked_at(scene):
    track = "=" + "." * 20 + "a.."
    race = scene(track, red={"position": 23, "gear": 2}, blue={"position": 1, "lap": 2, "gear": 1}, laps=2)
    told = race.do("red", Shift(2), 4, 1, 4)
    assert braked(told) == [(3, 0, 24, "CF-B1")]


def test_cf_b1_a_car_at_the_line_is_not_behind_the_last_position(scene):
    """The line is no position: a car on the last one, narrow, is a whole lap ahead."""
    race = scene("a" + "." * 18 + "=", red={"gear": 2}, blue={"position": 20, "gear": 1})
    told = race.do("red", Shift(2, Go()), 4, 1, 6)
    assert (race.at("red"), braked(told)) == (4, [])


def test_cf_b1_behind_the_finish_there_is_no_obstacle(scene):
    track = "=" + "." * 20 + "a.."
    race = scene(track, red={"position": 23, "lap": 2, "gear": 2}, blue={"position": 1, "lap": 2, "gear": 1}, laps=2)
    race.do("red", Shift(2), 4, 1)
    assert race.is_over()


def test_cf_b1_forced_braking_is_not_asked_about(scene):
    race = scene(red={"position": 18, "gear": 2}, blue={"position": 21, "gear": 1})
    race.do("red", Shift(2), 5, 1, 6)
    assert race.due() == [("blue", "gear")]


@pytest.mark.parametrize(("b", "is_crash"), [(1, True), (3, True), (4, False), (6, False)])
def test_cf_b2_wheel_b_up_to_the_spaces_braked_crashes(scene, b, is_crash):
    """Given 6 from 2, three are free before the danger on 6: three are braked."""
    race = scene(red={"position": 2, "gear": 2}, blue={"gear": 1})
    told = race.do("red", Shift(2, Brake()), 6, 1, b)
    assert checked(told) == [(b, 3, is_crash)]
    assert told.why == [(6, "CF-M1"), (-3, "CF-B2")]
    assert race.at("red") == 5
    assert bool(told.of(CarCrashed)) is is_crash


def test_cf_b2_in_third_a_brake_crash_costs_two_turns(scene):
    race = scene(red={"position": 2, "gear": 3}, blue={"gear": 1})
    told = race.do("red", Shift(3, Brake()), 3, 1, 1)
    assert [(event.position, event.turns) for event in told.of(CarCrashed)] == [(5, 2)]


def test_cf_b2_first_gear_brakes_safely(scene):
    race = scene(red={"position": 3, "gear": 1}, blue={"gear": 1})
    told = race.do("red", Shift(1, Brake()), 6, 5)
    assert (race.at("red"), checked(told), braked(told)) == (5, [], [(0, 3, 5, "CF-B2")])
    race = scene(red={"position": 18, "gear": 1}, blue={"position": 21, "gear": 1})
    told = race.do("red", Shift(1), 6, 5)
    assert (race.at("red"), checked(told)) == (20, [])


def test_cf_b2_forced_and_chosen_are_one_check(scene):
    """Given 12 from 10: blue on 21 leaves 10, and stopping on 12 gives up 8 more."""
    race = scene(red={"position": 10, "gear": 3}, blue={"position": 21, "gear": 1})
    told = race.do("red", Shift(3, Brake()), 6, 6, 6)
    assert braked(told) == [(2, 8, 12, "CF-B2")]
    assert checked(told) == [(6, 10, True)]
    assert told.why == [(12, "CF-M1"), (-2, "CF-B1"), (-8, "CF-B2")]


def test_cf_b2_the_braking_is_checked_before_the_curves(scene):
    """A crash by braking leaves the curves of the shortened move unchecked; the car stands where braking put it."""
    blue = {"position": 21, "gear": 1}
    race = scene(red={"position": 14, "gear": 3}, blue=blue)
    told = race.do("red", Shift(3), 5, 3, 2)
    assert (checked(told), told.of(CurveChecked), race.at("red")) == ([(2, 2, True)], [], 20)
    race = scene(red={"position": 14, "gear": 3}, blue=blue)
    told = race.do("red", Shift(3), 5, 3, 3, 1)
    assert [event.kind for event in told if "checked" in event.kind] == ["brakes-checked", "curve-checked"]
    assert race.at("red") == 17


def test_cf_b2_curves_before_the_stop_are_checked(scene):
    """From inside zone A to before zone B: A is entered again, B is not."""
    race = scene(red={"position": 6, "gear": 3}, blue={"gear": 1})
    told = race.do("red", Shift(3, Brake()), 6, 4, 5, 6)
    assert [event.zone for event in told.of(CurveChecked)] == ["a"]
    assert race.at("red") == 12


def test_cf_b2_the_game_asks_where_the_order_did_not_say(scene):
    race = scene(red={"position": 4, "gear": 3}, blue={"gear": 1})
    told = race.do("red", Shift(3), 6, 5)
    assert told.kinds == ["wheels-spun"]
    assert race.due() == [("red", "brake")]
    assert race.ask() == (
        "brake or not (6 and 5 in third gear): GO to 15 (3 curves); "
        "BRAKE 10 to 5, before the Zone A (a sure crash); "
        "BRAKE 3 to 12, before the Zone B (a crash at 1 to 3 on wheel B, then 1 curve); "
        "BRAKE 3–11 stops anywhere from 4 to 12 (a crash up to as many on wheel B)"
    )
    spaces, places = [Brake(number) for number in range(11, 2, -1)], [Brake(to=place) for place in range(4, 13)]
    assert race.legal("red") == [Go(), *spaces, *places, Brake()]
    assert [race.cost("red", order) for order in race.legal("red")] == [11, *range(9), *range(9), 1]


def test_cf_b2_by_the_option_last_only_the_last_position_before_danger_is_asked_for(scene):
    race = scene(red={"position": 4, "gear": 3}, blue={"gear": 1}, spun=(6, 5), braking="last")
    assert [choice.partition(",")[0] for choice in race.ask().split("; ")][1:] == ["BRAKE 10 to 5", "BRAKE 3 to 12"]
    assert race.legal("red") == [Go(), Brake(10), Brake(3), Brake(to=5), Brake(to=12), Brake()]
    assert [race.cost("red", order) for order in race.legal("red")] == [11, 1, 8, 1, 8, 1]


def test_cf_b2_the_question_says_what_forced_braking_leaves(scene):
    race = scene(red={"position": 12, "gear": 3}, blue={"position": 21, "gear": 1}, spun=(6, 6))
    assert race.ask().endswith(
        "GO to 20 (a crash at 1 to 4 on wheel B, then 2 curves); BRAKE 12 to stay, before the Zone B (a sure crash)"
    )


def test_cf_b2_the_question_says_how_little_one_space_risks(scene):
    ask = scene(red={"position": 5, "gear": 2}, spun=(1, 1)).ask()
    assert ask.endswith("GO to 6 (1 curve); BRAKE 1 to stay, before the Zone A (a crash at 1 on wheel B)")


def test_cf_b2_the_question_says_what_goes_over_the_line(scene):
    track = "." * 20 + "a."
    ask = scene(track, red={"position": 19, "gear": 1}, spun=(6, 6)).ask()
    stops = "BRAKE 5 to 20, before the Zone A; BRAKE 3–6 stops anywhere from 19 to 22; BRAKE 1–2 drives over the finish line"
    assert ask.endswith(f"GO over the finish line; {stops}")


@pytest.mark.parametrize(("order", "stop", "given_up"), [(Brake(10), 5, 10), (Brake(3), 12, 3), (Brake(), 5, 10)])
def test_cf_b2_the_answer_says_where_to_stop(scene, order, stop, given_up):
    race = scene(red={"position": 4, "gear": 1}, blue={"gear": 1}, spun=(6, 5))
    # First gear goes 5: only before zone A; third gear 11.
    race = scene(red={"position": 4, "gear": 3}, blue={"gear": 1}, spun=(6, 5))
    told = race.do("red", order, 6, *((3,) if stop == 12 else ()))
    assert race.at("red") == stop
    assert told.why == [(11, "CF-M1"), (-given_up, "CF-B2")]


@pytest.mark.parametrize(
    "order", [*map(Brake, (1, 2, 4, 9, 11, 12)), *(Brake(to=place) for place in (4, 6, 11, 13, 15, 30))]
)
def test_cf_b2_by_the_option_last_nowhere_else(scene, order):
    race = scene(red={"position": 4, "gear": 3}, spun=(6, 5), braking="last")
    assert race.wrong("red", order) == ("no-stop-there", "CF-B2")
    problem = race.refuse("red", order)
    assert problem.suggestions == ("GO", "BRAKE 10", "BRAKE 3")
    assert problem.message.endswith("does not stop on the last position before a danger zone")


@pytest.mark.parametrize("order", [*map(Brake, (1, 2, 12)), *(Brake(to=place) for place in (3, 13, 15, 16, 99))])
def test_cf_b2_not_beyond_the_last_zone_that_the_move_enters(scene, order):
    """Not inside it, and not behind where the car stands."""
    race = scene(red={"position": 4, "gear": 3}, spun=(6, 5))
    assert race.wrong("red", order) == ("no-stop-there", "CF-B2")
    problem = race.refuse("red", order)
    assert problem.suggestions == ("GO", "BRAKE 10", "BRAKE 3")
    assert problem.message == (f"{order.text()} is not possible here: BRAKE 3–11 stops anywhere from 4 to 12")


@pytest.mark.parametrize("braked", range(3, 12))
@pytest.mark.parametrize("is_said_ahead", [True, False])
def test_cf_b2_anywhere_before_danger(scene, braked, is_said_ahead):
    """Also inside a zone on the way to the last one, whose curve is checked then."""
    race = scene(red={"position": 4, "gear": 3}, blue={"gear": 1}, spun=None if is_said_ahead else (6, 5))
    stop = 15 - braked
    draws = ["6"] if braked >= 6 else [str(braked + 1), "3"]
    told = race.do(
        "red", Shift(3, Brake(braked)) if is_said_ahead else Brake(to=stop), *(("6", "5") if is_said_ahead else ()), *draws
    )
    assert race.at("red") == stop
    assert told.why == [(11, "CF-M1"), (-braked, "CF-B2")]
    assert len(told.of(CurveChecked)) == (1 if braked < 6 else 0)
    assert [part.what for part in told.parts][1] == {10: "braked before the Zone A", 3: "braked before the Zone B"}.get(
        braked, "braked by choice"
    )


def test_cf_b2_golden_a_car_in_first_gear_stops_on_a_narrow_position_and_blocks(scene):
    """No danger is near: by `last` it may not."""
    race = scene(red={"position": 18, "gear": 1}, blue={"position": 19, "gear": 1})
    told = race.do("red", Shift(1, Brake(to=21)), 5, 6)
    assert (race.at("red"), braked(told), checked(told)) == (21, [(0, 2, 21, "CF-B2")], [])
    assert braked(race.do("blue", Shift(2, Go()), 6, 4, 6)) == [(5, 0, 20, "CF-B1")]
    race = scene(red={"position": 18, "gear": 1}, blue={"position": 17, "gear": 1}, braking="last")
    told = race.do("red", Shift(1, Brake(to=21)), 5, 6)
    assert (race.at("red"), braked(told)) == (23, [])
    assert [(event.spaces, event.position) for event in told.of(StopMissed)] == [(None, 21)]


@pytest.mark.parametrize("braked", range(1, 6))
@pytest.mark.parametrize(("position", "end"), [(9, 14), (18, 23), (27, 32)])
def test_cf_b2_in_first_gear_any_move_may_be_braked_by_any_number(scene, braked, position, end):
    """Before danger, far from it, before the finish line; down to none at all."""
    race = scene(red={"position": position, "gear": 1}, blue={"gear": 1})
    race.do("red", Shift(1, Brake(braked)), 5, 6)
    if end - braked > 30:
        assert race.is_over()
    else:
        assert race.at("red") == end - braked


TO_THE_FINISH = "..aa" + "." * 14 + "bb.."
"""22 positions, danger on 3–4 and 19–20: the track of the golden cases about braking over the finish line."""


@pytest.mark.parametrize(("order", "end"), [(Brake(1), 23), (Brake(2), 22), (Brake(to=22), 22), (Brake(6), 18)])
def test_cf_b2_golden_in_first_gear_a_braked_move_may_still_cross_the_finish_line(scene, order, end):
    """From 18 with 6 and 6: to give up 1 space drives over the line all the same, and wins."""
    race = scene(TO_THE_FINISH, red={"position": 18, "gear": 1}, blue={"gear": 1})
    race.do("red", Shift(1), 6, 6)
    assert Brake(1) in race.legal("red")
    assert Brake(to=1) not in race.legal("red")
    told = race.do("red", order)
    assert race.is_over() is (end > 22)
    assert (told.why[0], sum(amount for amount, _ in told.why)) == ((6, "CF-M1"), end - 18)


def test_cf_b2_golden_in_first_gear_braking_over_the_finish_line_can_be_said_ahead(scene):
    race = scene(TO_THE_FINISH, red={"position": 21, "gear": 1}, blue={"gear": 1})
    told = race.do("red", Shift(1, Brake(2)), 5, 5)
    assert (race.is_over(), told.why) == (True, [(5, "CF-M1"), (-2, "CF-B2")])
    assert not told.of(StopMissed)
    assert race.told(told.of(CarBraked)) == ["red brakes 2 spaces: 2 by choice (CF-B2)"]


def test_cf_b2_up_to_version_2_a_braked_move_ended_on_the_track(scene):
    race = scene(TO_THE_FINISH, red={"position": 18, "gear": 1}, spun=(6, 6), version=2)
    assert race.wrong("red", Brake(1)) == ("no-stop-there", "CF-B2")
    assert race.ask().endswith("BRAKE 2–6 stops anywhere from 18 to 22")
    race = scene(TO_THE_FINISH, red={"position": 21, "gear": 1}, blue={"gear": 1}, version=2)
    told = race.do("red", Shift(1, Brake(2)), 5, 5)
    assert (race.is_over(), told.why, len(told.of(StopMissed))) == (True, [(5, "CF-M1")], 1)


@pytest.mark.parametrize("braking", ["free", "last"])
@pytest.mark.parametrize(("position", "asks"), [(4, True), (9, False), (18, False), (21, True), (27, False)])
def test_cf_b2_in_first_gear_the_game_asks_only_before_danger(scene, braking, position, asks):
    """Wherever it lies, and whatever may be chosen: so it always did."""
    race = scene(red={"position": position, "gear": 1}, blue={"gear": 1}, braking=braking)
    race.do("red", Shift(1), 3, 3)
    assert race.due() == [("red", "brake") if asks else ("blue", "gear")]


@pytest.mark.parametrize(
    ("gear", "answer", "missed"),
    [
        (2, Brake(2), "red cannot brake 2 spaces with this spin: it goes on (CF-B2)"),
        (2, Brake(to=10), "red cannot stop on 10 with this spin: it goes on (CF-B2)"),
        (2, Brake(to=12), ""),
        (2, Brake(), ""),
        (1, Brake(6), "red cannot brake 6 spaces with this spin: it goes on (CF-B2)"),
        (1, Brake(to=13), "red cannot stop on 13 with this spin: it goes on (CF-B2)"),
    ],
)
def test_cf_b2_what_was_said_ahead_and_cannot_be_goes_on(scene, gear, answer, missed):
    """From 9, or 8 in first gear, with 3 and 3: no danger is entered. No second mail, and the log says so."""
    race = scene(red={"position": 9, "gear": gear}, blue={"gear": 1})
    told = race.do("red", Shift(gear, answer), 3, 3)
    assert race.at("red") == 12
    assert race.due() == [("blue", "gear")]
    assert [words for words in race.told(told) if "cannot" in words] == ([missed] if missed else [])


@pytest.mark.parametrize(
    ("answer", "is_missed"), [(Brake(1), True), (Brake(2), False), (Brake(to=20), False), (Brake(3), True)]
)
def test_cf_b2_said_ahead_forced_braking_counts(scene, answer, is_missed):
    """Given 4 from 18, two free: to brake 2, or to 20, is what happens anyhow; no other number can be."""
    race = scene(red={"position": 18, "gear": 2}, blue={"position": 21, "gear": 1})
    told = race.do("red", Shift(2, answer), 4, 1, 6)
    assert (race.at("red"), bool(told.of(StopMissed))) == (20, is_missed)


def test_cf_b2_said_ahead_forced_and_chosen_add_up(scene):
    race = scene(red={"position": 10, "gear": 3}, blue={"position": 21, "gear": 1})
    told = race.do("red", Shift(3, Brake(11)), 6, 6, 6)
    assert braked(told) == [(2, 9, 11, "CF-B2")]


@pytest.mark.parametrize(
    "order", [Shift(2, Brake(7)), Shift(2, Brake(to=24)), Shift(2, Brake(to=17)), Shift(2, Brake(to=31))]
)
def test_cf_b2_what_no_spin_can_do_is_refused_ahead(scene, order):
    race = scene(red={"position": 18, "gear": 2})
    assert race.wrong("red", order) == ("out-of-reach", "CF-B2")
    problem = race.refuse("red", order)
    assert problem.message == f"in second gear a car goes 6 spaces at most: it cannot {order.answer.text().lower()} from 18"
    assert problem.suggestions == ("GEAR 2 brake before danger", "GEAR 2 go")


def test_cf_b2_to_brake_nothing_ahead_is_to_go(scene):
    race = scene(red={"position": 4, "gear": 2})
    assert race.wrong("red", Shift(2, Brake(0))) == ("nothing-braked", "CF-B2")
    assert race.refuse("red", Shift(2, Brake(0))).suggestions == ("GEAR 2 go",)


def test_cf_b2_wheels_of_first_gear_may_be_asked_about_in_a_position_of_ones_own(scene):
    """Without danger ahead there is nothing to brake before, and a number to choose all the same."""
    race = scene(red={"position": 18, "gear": 1}, spun=(3, 4))
    assert race.ask() == "brake or not (3 and 4 in first gear): GO to 21; BRAKE 1–3 stops anywhere from 18 to 20"
    assert race.wrong("red", Brake()) == ("no-stop-there", "CF-B2")
    assert race.fact("red", "braking") is None
    race.do("red", Brake(1))
    assert race.at("red") == 20


def test_cf_b2_braking_nothing_is_going_on(scene):
    race = scene(red={"position": 4, "gear": 3}, spun=(6, 5))
    assert race.wrong("red", Brake(0)) == ("nothing-braked", "CF-B2")
    assert race.refuse("red", Brake(0)).suggestions == ("GO",)


def test_cf_b2_no_new_gear_once_the_wheels_are_spun(scene):
    race = scene(red={"position": 4, "gear": 3}, spun=(6, 5))
    assert race.wrong("red", Shift(2)) == ("brake-first", "CF-B2")
    assert race.refuse("red", Shift(2)).suggestions == ("GO", "BRAKE 10", "BRAKE 3")


@pytest.mark.parametrize("plan", [Go(), Brake()])
def test_cf_b2_an_answer_beforehand_needs_no_second_mail(scene, plan):
    race = scene(red={"position": 4, "gear": 2}, blue={"gear": 1})
    told = race.do("red", Shift(2, plan), 4, 1, 6)
    assert race.due() == [("blue", "gear")]
    assert race.at("red") == (8 if plan == Go() else 5)
    assert bool(braked(told)) is (plan == Brake())


def test_cf_b2_before_danger_means_the_first_zone(scene):
    race = scene(red={"position": 4, "gear": 3}, blue={"gear": 1})
    race.do("red", Shift(3, Brake()), 6, 5, 6)
    assert race.at("red") == 5


def test_cf_b2_on_the_last_position_before_danger_a_car_may_stay(scene):
    race = scene(red={"position": 5, "gear": 2}, blue={"gear": 1})
    told = race.do("red", Shift(2, Brake()), 3, 1, 4)
    assert (race.at("red"), checked(told)) == (5, [(4, 3, False)])
    assert "car-driven" not in told.kinds


@pytest.mark.parametrize("position", [6, 7, 13, 14, 16])
def test_cf_b2_inside_a_zone_it_is_not_entered(scene, position):
    """Not before the next curve of the same zone either."""
    race = scene(red={"position": position, "gear": 2}, blue={"gear": 1})
    race.do("red", Shift(2), 2, 1, 6, *((6,) if position == 13 else ()))
    assert race.due() == [("blue", "gear")]


def test_cf_b2_in_first_gear_it_may_be_chosen_too(scene):
    race = scene(red={"position": 4, "gear": 1}, blue={"gear": 1})
    race.do("red", Shift(1), 3, 3)
    assert race.due() == [("red", "brake")]
    race.do("red", Brake(2))
    assert race.at("red") == 5


def test_cf_b2_across_the_line_the_next_lap_has_zones(scene):
    track = "..aa" + "." * 20
    race = scene(track, red={"position": 23, "gear": 2}, blue={"gear": 1}, laps=2)
    race.do("red", Shift(2, Brake()), 5, 1, 6)
    assert race.at("red") == 2
    race = scene(track, red={"position": 23, "lap": 2, "gear": 2}, blue={"gear": 1}, laps=2)
    race.do("red", Shift(2, Brake()), 5, 1)
    assert race.is_over()

"""Speeds and ways (RR-M), the kit (RR-K), by the numbers of the rules."""

from dataclasses import replace

import pytest

from adjudicator.core.ids import Seat
from adjudicator.games.rally_round.components import Feature
from adjudicator.games.rally_round.kits import Pick
from adjudicator.games.rally_round.moving import legal_speeds
from adjudicator.present import legal_of
from adjudicator.reports.data.legal import legal_groups

KIT = ("D1", "N1", "E1", "S1", "A1", "B1")


def speeds(drive, using=None):
    crew, config = drive.crew(), drive.session.config
    return list(legal_speeds(config, crew.car(config), crew.rights(config, using), None))


def blamed(found):
    return found.text[found.column - 1 :][: found.width]


def test_rr_k1_a_kit_has_one_card_of_each_kind(world, road):
    drive = world.Drive(world.parts("." * 13), world.rally("A1", "M1 W road"))
    assert drive.give("SPEED 10") == ["kit-first"]
    assert drive.give("KIT D1 D1") == ["one-of-a-kind"]
    assert drive.give("KIT D1 Z9") == ["no-such-card"]
    assert blamed(drive.diagnostics[0]) == "Z9"
    drive.take("PICK driver D1")
    assert drive.give("PICK D1") == ["one-of-a-kind"]
    drive.take("KIT navigator N1 equipment E1 start S1 accel A1 decel B1")
    assert drive.crew().kit == KIT
    assert drive.give("PICK D1") == ["kit-complete"]


def test_rr_k1_cards_without_effect_leave_the_standard_10_mph(road):
    drive = road("." * 13)
    assert speeds(drive) == [10]
    drive.take("SPEED 10\nSPEED 20")
    assert speeds(drive) == [10, 20, 30]


def test_rr_m1_a_turn_is_a_minute_and_a_square_for_each_10_mph(road):
    drive = road("." * 13).take("SPEED 10")
    assert drive.at == "B1"
    drive.take("SPEED 20")
    assert drive.at == "D1"
    assert drive.told == ["red drives 20 mph: over C1 to D1 (RR-M1)"]
    assert drive.crew().speeds == (10, 20)


@pytest.mark.parametrize(
    ("line", "code"), [("SPEED 0", "no-speed"), ("SPEED 25", "no-such-speed"), ("SPEED 210", "no-such-speed")]
)
def test_rr_m1_speeds_are_multiples_of_10_and_0_is_none(road, line, code):
    assert road("." * 13).give(line) == [code]


def test_rr_m1_a_line_says_which_of_its_speeds_is_wrong(road):
    drive = road("." * 13)
    assert drive.give("TC2: 10 20 35 30") == ["no-such-speed"]
    found = drive.diagnostics[0]
    assert found.problem.message == "no car can drive 35 mph: use multiples of 10, up to 200"
    assert blamed(found) == "35"


def test_rr_m2_starting_speed_goes_by_the_colour_of_the_square(road, with_card, world):
    kit = with_card(world.effect("start", 40, 30, 20))
    for colours, most in (("r", 40), ("o", 40), ("y", 30), ("w", 20)):
        assert speeds(road("." * 13, colours * 13, kit=kit)) == list(range(10, most + 1, 10))


def test_rr_m2_uphill_ahead_20_is_always_allowed(road):
    drive = road(".<" + "." * 11).take("SPEED 20")
    assert drive.at == "C1"
    drive = road(".>" + "." * 11).take("SPEED 20")
    assert "misses 1 turn" in drive.told[1]


def test_rr_m2_a_retained_card_gives_a_starting_speed(road, world):
    card = world.hazard("H1", world.effect("start", 50, 50, 50))
    drive = road(".!" + "." * 18, hazards=[card], controls=("A1", "T1 W stage"))
    drive.take("SPEED 10")
    assert drive.crew().held == ("H1",)
    drive.take("TURN ROUND")
    assert drive.give("SPEED 50 using H2") == ["no-such-card"]
    drive.take("SPEED 50 via T1 using H1")
    assert drive.at == "G1"
    assert drive.crew().held == ()
    assert drive.crew().returned == ("H1",)


def test_rr_m3_the_speed_changes_by_the_colour_of_the_square_occupied(road, with_card, world):
    kit = with_card(world.effect("accelerate", 10, 30, 10), world.effect("decelerate", 10, 20, 10))
    drive = road("." * 20, "r" * 3 + "y" * 17, kit=kit, controls=("A1", "T1 W stage")).take("SPEED 10")
    assert speeds(drive) == [10, 20]
    drive.take("SPEED 20")
    assert drive.at == "D1"
    assert speeds(drive) == [10, 20, 30, 40, 50]
    drive.take("SPEED 50")
    assert speeds(drive) == [30, 40, 50, 60, 70, 80]


def test_rr_m3_a_speed_may_be_kept(road):
    drive = road("." * 13).take("TC2: 10 20 20 20")
    assert drive.at == "H1"


def test_rr_m4_an_illegal_speed_is_a_missed_turn_and_a_new_start(road):
    drive = road("." * 13).take("TC2: 10 40 10 20")
    assert drive.told == [
        "red drives 10 mph: to B1 (RR-M1)",
        "40 mph is illegal for red, who may go 10 to 20 mph here (RR-M4)",
        "red misses 1 turn (RR-M4)",
        "red drives 10 mph: to C1 (RR-M1)",
        "red drives 20 mph: over D1 to E1 (RR-M1)",
    ]
    assert drive.crew().speeds == (10, 0, 10, 20)


def test_rr_m4_a_line_that_no_longer_fits_stops_there(road):
    drive = road("." * 13).take("TC2: 10 40 30 30")
    assert drive.told[-1] == "red does not drive 30 30: it goes on with no legal Starting Speed (RR-M4)"
    assert drive.crew().speeds == (10, 0)


def test_rr_m4_after_a_new_start_an_illegal_speed_is_a_missed_turn_again(road):
    drive = road("." * 13).take("TC2: 10 40 10 40 10")
    assert drive.crew().speeds == (10, 0, 10, 0, 10)


def test_rr_m4_the_option_refuses_instead(road):
    drive = road("." * 13, options={"illegal_speed": "reject"})
    assert drive.give("TC2: 10 20 40 30") == ["illegal-speed"]
    assert drive.diagnostics[0].problem.message == "40 mph is illegal there: 10 to 30 mph"
    assert drive.crew().speeds == ()
    drive.take("TC2: 10 20 30 30 30")


def test_rr_m6_the_car_follows_the_correct_route_unless_the_order_names_another_way(road):
    drive = road("." * 13, lanes=["C1 C2 C3 D3 E3 F3 G3 G2 G1"]).take("SPEED 10\nSPEED 20 via Lane 1")
    assert drive.at == "C2"
    drive.take("SPEED 30")
    assert drive.at == "E3"
    drive.take("SPEED 40")
    assert drive.at == "G1"


def test_rr_m6_off_the_route_the_car_takes_the_shortest_way_to_the_next_control(road):
    """At F3 the lane goes straight on to a dead end: the car leaves it, into PC2 by its side or to TC3."""
    lanes = ["C1 C2 C3 D3 E3 F3 G3 H3 I3 J3", "F3 F2 F1"]
    crew = {"kit": KIT, "trail": ("A1", "B1", "C1", "C2", "C3", "D3", "E3", "F3"), "speed": 30, "speeds": (30,)}
    for controls in (("A1", "M1 W road"), ("A1", "G1 W", "M1 W road")):
        drive = road("." * 13, controls=controls, lanes=lanes, crew=crew).take("SPEED 30")
        assert drive.crew().trail[-3:] == ("F2", "F1", "G1")


def test_rr_m6_where_no_way_leads_to_the_next_control_the_car_drives_straight_on(road):
    lanes = ["C1 C2 C3 D3 E3 F3 G3", "E3 E4 E5"]
    crew = {"kit": KIT, "trail": ("A1", "B1", "C1", "C2", "C3", "D3"), "speed": 20, "speeds": (20,)}
    drive = road("." * 13, lanes=lanes, crew=crew).take("SPEED 30")
    assert drive.at == "G3"


def test_rr_m6_a_way_must_be_there(road):
    drive = road("." * 13).take("SPEED 10")
    assert drive.give("SPEED 20 via nowhere") == ["no-such-place"]
    assert drive.give("SPEED 20 via A1") == ["no-way"]
    assert drive.give("SPEED 10 20 via M1") == ["one-at-a-time"]


def test_rr_m6_turning_round_is_a_missed_turn_and_a_new_start(road):
    drive = road("." * 13).take("SPEED 10\nSPEED 20\nTURN ROUND")
    assert drive.told[-1] == "red turns round (RR-M6)"
    assert speeds(drive) == [10]
    drive.take("SPEED 10 via A1")
    assert drive.at == "C1"
    assert drive.crew().speeds == (10, 20, 0, 10)


def test_rr_m6_after_turning_back_without_a_way_the_route_is_taken_again(road):
    drive = road("." * 13).take("SPEED 10\nTURN ROUND\nSPEED 10")
    assert drive.at == "C1"


def test_rr_h2_a_line_is_for_the_section_where_the_crew_is(road):
    drive = road("." * 26, controls=("A1", "F1 W", "M1 W road", "Z1 W road"))
    assert drive.give("TC4: 10 20 30") == ["wrong-control"]
    assert drive.diagnostics[0].problem.suggestions == ("TC3: 10 20 30",)
    drive.take("PC2: 10 20")
    drive.take("TC3: 20 / 10")


def test_rr_h6_what_is_announced_is_driven_as_far_as_the_section_goes(road):
    drive = road("." * 13).take("TC2: 10 20 30 30 30 30 40")
    assert drive.told[-1] == "red does not drive 30 40: the section is over (RR-H6)"


def test_rr_m4_the_option_refuses_a_line_that_goes_on_too_fast_after_a_stop(road):
    drive = road("...f" + "." * 9, options={"illegal_speed": "reject"})
    assert drive.give("TC2: 10 20 30 30") == ["illegal-speed"]
    drive.take("TC2: 10 20 0 0 10")


def test_rr_m6_a_line_that_comes_to_a_dead_end_moves_no_farther_and_meets_nothing_again(world):
    made = world.parts("." * 20, lanes=["D1 D2 D3 D4"], hazards=[world.hazard("H1", world.effect("waterproof"))])
    squares = tuple(replace(square, feature=Feature.HAZARD) if square.id == "D4" else square for square in made.squares)
    drive = world.Drive(replace(made, squares=squares), world.rally("A1", "T1 W stage")).kit()
    drive.take("SPEED 10\nSPEED 20\nSPEED 30 via D4")
    assert (drive.at, drive.crew().drawn) == ("D4", 1)
    assert drive.give("SPEED 20 20") == ["dead-end"]


def test_rr_m4_legal_speeds_and_those_that_miss_a_turn_are_a_line_each(road):
    def legal(drive):
        rows = legal_of(drive.session, Seat("red"))
        return [(group.order, [part.what for part in group.row.why]) for group in legal_groups(rows)]

    missed = "a missed turn: {} legal here"
    assert legal(road("." * 40))[:2] == [
        ("SPEED 10", []),
        ("SPEED 20 | 30 | … | 200", [missed.format("only 10 mph is")]),
    ]
    assert legal(road("." * 40).take("SPEED 10\nSPEED 20"))[:2] == [
        ("SPEED 10 | 20 | 30", []),
        ("SPEED 40 | 50 | … | 200", [missed.format("10 to 30 mph are")]),
    ]


def test_rr_c3_a_card_may_be_found_by_its_name(world):
    """Who writes what stands on a card is told its number."""
    config = world.Drive(world.parts("." * 13), world.rally("A1", "M1 W road")).session.config
    known = next(iter(config.kit.values()))
    problem = Pick(known.name[:4].upper()).validate(config)
    assert (problem.code, problem.rule) == ("rally-round/no-such-card", "RR-C3")
    assert known.id in problem.suggestions
    assert Pick(known.id).validate(config) is None

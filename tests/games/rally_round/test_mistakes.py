"""Mistakes in orders: each has its code, its rule, the wrong words of the line, and what could stand there."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from tables import due, laid, on


def mistake(drive, line, seat=None):
    """Return the code and the rule of the mistake in ``line``, the part of the order and its words, and suggestions."""
    drive.give(line, seat or due(drive))
    (found,) = drive.diagnostics
    problem, words = found.problem, found.text[found.column - 1 :][: found.width]
    return problem.code.removeprefix("rally-round/"), problem.rule, problem.part, words, problem.suggestions[:3]


@pytest.fixture
def hazards(world):
    return [world.hazard("H1", world.effect("waterproof")), world.hazard("H2", world.effect("stop"))]


# Kits --------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("chosen", "line", "expected"),
    [
        ("", "SPEED 10", ("kit-first", "RR-K1", "", "SPEED 10", ("KIT D1 N1 E1 S1 A1 B1",))),
        ("", "TURN ROUND", ("kit-first", "RR-K1", "", "TURN ROUND", ("KIT D1 N1 E1 S1 A1 B1",))),
        ("", "PICK Z9", ("no-such-card", "RR-C3", "card", "Z9", ())),
        ("", "PICK plain", ("no-such-card", "RR-C3", "card", "plain", ("D1", "N1", "E1"))),
        ("", "KIT N1 D1 D1 Z9", ("no-such-card", "RR-C3", "card:3", "Z9", ())),
        ("", "KIT D1 D1", ("one-of-a-kind", "RR-K1", "card:1", "D1", ())),
        ("", "CHOOSE red", ("not-at-a-table", "RR-L1", "", "CHOOSE red", ())),
        ("", "START at A1", ("not-at-a-table", "RR-L1", "", "START at A1", ())),
        ("", "PASS", ("not-at-a-table", "RR-L1", "", "PASS", ())),
        ("D1 N1 E1", "SPEED 10", ("kit-first", "RR-K1", "", "SPEED 10", ("KIT S1 A1 B1",))),
        ("D1 N1 E1", "PICK D1", ("one-of-a-kind", "RR-K1", "card", "D1", ("S1", "A1", "B1"))),
        ("D1 N1 E1", "KIT D1 S1 A1 B1", ("one-of-a-kind", "RR-K1", "card", "D1", ("S1", "A1", "B1"))),
        ("D1 N1 E1", "KIT S1 D1", ("one-of-a-kind", "RR-K1", "card:1", "D1", ("S1", "A1", "B1"))),
        ("D1 N1 E1 S1 A1 B1", "PICK D1", ("kit-complete", "RR-K1", "card", "D1", ())),
    ],
)
def test_a_wrong_kit_by_internet(world, chosen, line, expected):
    drive = world.Drive(world.parts("." * 13), world.rally("A1", "M1 W road"))
    drive = drive.kit(*chosen.split()) if chosen else drive
    assert mistake(drive, line) == expected


def test_rr_k1_a_card_that_another_crew_has_is_refused_with_what_is_left(at_table):
    drive = laid(at_table(), "START at A1", "FINISH at Z1", "PLACE TC2 at Z1 from W", "PICK D1")
    assert mistake(drive, "PICK D1") == ("card-taken", "RR-K1", "card", "D1", ("D2", "D3"))
    assert mistake(drive, "PLACE PC at D1 from W") == ("other-stage", "RR-L1", "", "PLACE PC at D1 from W", ())


def test_rr_v1_only_a_crew_of_the_rally_is_a_player_s_own(at_table):
    drive = laid(at_table(solo="competitive"), "START at A1", "FINISH at Z1", "PLACE TC2 at Z1 from W")
    assert mistake(drive, "CHOOSE bleu") == ("no-such-crew", "RR-V1", "crew", "bleu", ("blue",))
    assert mistake(drive, "SPEED 10") == ("other-stage", "RR-L1", "", "SPEED 10", ())


# Speeds and ways ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("SPEED 0", ("no-speed", "RR-M1", "miles", "0", ("10",))),
        ("TC3: / 10", ("no-speed", "RR-M1", "passage", "/", ("10",))),
        ("SPEED 25", ("no-such-speed", "RR-M1", "miles", "25", ("20",))),
        ("SPEED 210", ("no-such-speed", "RR-M1", "miles", "210", ("200",))),
        ("TC3: 10 20 / 0 35", ("no-such-speed", "RR-M1", "miles:3", "35", ("40",))),
        ("SPEED 10 behind", ("alone", "RR-H4", "lands", "behind", ())),
        ("SPEED 10 20 via M1", ("one-at-a-time", "RR-M6", "via", "via M1", ())),
        ("SPEED 10 20 using H1", ("one-at-a-time", "RR-M6", "hazard_card", "H1", ())),
        ("SPEED 10 via nowhere", ("no-such-place", "RR-M6", "via", "via nowhere", ())),
        ("SPEED 10 via C1 via Q99", ("no-such-place", "RR-M6", "via:1", "via Q99", ("Q1",))),
        ("SPEED 10 via ht9", ("no-such-place", "RR-M6", "via", "via ht9", ("HT1",))),
        ("SPEED 10 via lane", ("no-such-place", "RR-M6", "via", "via lane", ("lane 1",))),
        ("SPEED 10 using H9", ("no-such-card", "RR-C3", "hazard_card", "H9", ("H1", "H2"))),
        ("SPEED 10 using H1", ("card-not-held", "RR-F8", "hazard_card", "H1", ())),
        ("TC4: 10 via B1", ("wrong-control", "RR-H2", "section", "TC4:", ("TC3: 10 via B1",))),
        ("SPEED 10 via C1", ("no-way", "RR-M6", "via", "via C1", ("TURN ROUND",))),
        ("SPEED 10 via D1", ("no-way", "RR-M6", "via", "via D1", ("TURN ROUND",))),
        ("SPEED 10 via E1 via C1", ("no-way", "RR-M6", "via:1", "via C1", ("TURN ROUND",))),
        ("BLOCK never", ("not-at-a-table", "RR-L1", "", "BLOCK never", ())),
    ],
)
def test_a_wrong_line_of_speeds(road, hazards, line, expected):
    """The car stands on D1, on the way from A1."""
    controls = ("A1", "F1 W", "M1 W road", "Z1 W road")
    drive = road("." * 26, controls=controls, lanes=["D1 D2 D3"], hazards=hazards, tracks=["F1 P1"]).take("SPEED 10 20")
    assert mistake(drive, line) == expected


def test_rr_m6_at_the_end_of_a_road_a_car_turns_round(road):
    drive = road("." * 26, lanes=["D1 D2 D3"]).take("SPEED 10 20").take("SPEED 20 via D3")
    assert mistake(drive, "SPEED 20") == ("dead-end", "RR-M6", "", "SPEED 20", ("TURN ROUND",))


@pytest.mark.parametrize(
    ("main", "line", "part", "words", "suggestions"),
    [
        ("." * 26, "SPEED 20", "miles", "20", ("10",)),
        ("." * 26, "TC2: 10 20 40", "miles:2", "40", ("30",)),
        ("." * 26, "TC2: 10 20 30 10 20", "miles:3", "10", ("20",)),
        ("." * 26, "TC2: 10 10 10 30 10", "miles:3", "30", ("20",)),
        ("...f" + "." * 22, "TC2: 10 20 30 30", "miles:2", "30", ()),
        ("...f" + "." * 22, "TC2: 10 20 0 0 30", "miles:4", "30", ()),
        ("...f" + "." * 22, "TC2: 10 20 0 0 10 30", "miles:5", "30", ("20",)),
    ],
)
def test_rr_m4_where_illegal_speeds_are_refused_a_line_says_which_is_illegal(road, main, line, part, words, suggestions):
    drive = road(main, options={"illegal_speed": "reject"})
    assert mistake(drive, line) == ("illegal-speed", "RR-M4", part, words, suggestions)


def test_rr_m4_speeds_on_both_sides_of_a_passage_control_are_counted_together(road):
    drive = road("." * 13, controls=("A1", "F1 W", "M1 W road"), options={"illegal_speed": "reject"})
    assert mistake(drive, "TC3: 10 20 20 / 20") == ("illegal-speed", "RR-M4", "miles:3", "20", ("10",))


def test_rr_r1_a_crew_that_has_finished_has_no_more_orders(world):
    components = world.parts("." * 13)
    drive = world.Drive(components, world.rally("A1", "M1 W road"), seats=("red", "blue")).kit()
    drive.take("TC2: 10 20 30 30 30")
    assert mistake(drive, "SPEED 10", "red") == ("rally-over", "RR-R1", "", "SPEED 10", ())
    assert drive.diagnostics[0].problem.message == "red has finished the rally and has no more orders to give"


# At a table --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("begun", "line", "expected"),
    [
        ((), "START at B1", ("not-chequered", "RR-L1", "square", "B1", ("A1", "Z1"))),
        ((), "START at Q9", ("no-such-square", "RR-C1", "square", "Q9", ("Q1",))),
        ((), "FINISH at Z1", ("other-stage", "RR-L1", "", "FINISH at Z1", ())),
        ((), "SPEED 10", ("other-stage", "RR-L1", "", "SPEED 10", ())),
        (("START at A1",), "FINISH at A1", ("not-chequered", "RR-L1", "square", "A1", ("Z1",))),
        (("START at A1",), "FINISH at A9", ("no-such-square", "RR-C1", "square", "A9", ("A1",))),
        (("START at A1",), "START at Z1", ("other-stage", "RR-L1", "", "START at Z1", ())),
    ],
)
def test_a_wrong_end_of_the_route(at_table, begun, line, expected):
    assert mistake(laid(at_table(), *begun), line) == expected


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("PLACE TC at Q9 from W", ("no-such-square", "RR-C1", "square", "Q9", ("Q1",))),
        ("PLACE PC at M1 from W road", ("no-section", "RR-L2", "", "PLACE PC at M1 from W road", ())),
        ("PLACE BLACKSPOT at M1 from W", ("no-section", "RR-L2", "", "PLACE BLACKSPOT at M1 from W", ())),
        ("PLACE BLACKSPOT at M1 stage", ("no-section", "RR-L2", "", "PLACE BLACKSPOT at M1 stage", ())),
        ("PLACE TC at M1 from W stage", ("other-rally", "RR-T6", "kind", "stage", ())),
        ("PLACE TC at M1 from W regularity", ("no-such-speed", "RR-T4", "kind", "regularity", ("regularity 24",))),
        ("PLACE TC at M1 from W regularity 31", ("no-such-speed", "RR-T4", "kind", "regularity 31", ("regularity 24",))),
        ("PLACE TC at M1 from W road 24", ("no-such-speed", "RR-T4", "kind", "road 24", ("regularity 24",))),
        ("PLACE STC at M1 from W road", ("two-kinds", "RR-C4", "kind", "road", ("selective",))),
        ("PLACE RTC2 at M1 from W selective", ("two-kinds", "RR-C4", "kind", "selective", ("regularity 24",))),
        ("PLACE RTC2 at M1 from W", ("no-such-speed", "RR-T4", "kind", "PLACE RTC2 at M1 from W", ("regularity 24",))),
        ("PLACE RTC2 at M1 from W 31", ("no-such-speed", "RR-T4", "kind", "31", ("regularity 24",))),
        ("PLACE STC2 at M1 from W 24", ("no-such-speed", "RR-T4", "kind", "24", ("regularity 24",))),
        ("PLACE SSF2 at M1 from W", ("other-rally", "RR-T6", "kind", "PLACE SSF2 at M1 from W", ())),
        ("PLACE TC at M1 from N", ("wrong-side", "RR-L3", "side", "from N", ("from E", "from W"))),
        ("PLACE PC at M1", ("wrong-side", "RR-L3", "", "PLACE PC at M1", ("from E", "from W"))),
        ("PLACE TC7 at M1 from W", ("wrong-number", "RR-L1", "marker", "TC7", ())),
        ("PLACE TC at K1 from W", ("wrong-marker", "RR-L3", "square", "K1", ())),
        ("PLACE PC at C1 from W", ("wrong-marker", "RR-L3", "square", "C1", ())),
        ("PLACE TC at A1 from E", ("wrong-marker", "RR-L3", "square", "A1", ())),
        ("PLACE TC at Y1 from E", ("wrong-marker", "RR-L2", "square", "Y1", ())),
        ("PLACE PC at Z1 from W", ("wrong-marker", "RR-L4", "square", "Z1", ())),
        ("PLACE BLACKSPOT at Z1", ("wrong-marker", "RR-L2", "square", "Z1", ())),
        ("PLACE BLACKSPOT at K1", ("wrong-marker", "RR-L4", "square", "K1", ())),
        ("PICK D1", ("other-stage", "RR-L1", "", "PICK D1", ())),
    ],
)
def test_a_marker_that_is_refused(at_table, line, expected):
    drive = laid(at_table(wrong_marker="reject"), "START at A1", "FINISH at Z1")
    assert mistake(drive, line) == expected


def test_rr_l2_no_control_may_stand_on_the_route_so_far(at_table):
    drive = laid(at_table(wrong_marker="reject"), "START at A1", "FINISH at Z1", "PLACE TC2 at M1 from W")
    assert mistake(drive, "PLACE PC at F1 from W") == ("wrong-marker", "RR-L2", "square", "F1", ())


def test_rr_l3_a_control_without_a_side_is_refused_with_the_sides_that_it_can_have(at_table):
    drive = laid(at_table(), "START at A1", "FINISH at Z1")
    for line, told in (("PLACE PC at M1", ": say from which side"), ("PLACE PC at M1 from N", ", not from N")):
        mistake(drive, line)
        assert drive.diagnostics[0].problem.message == f"cars can enter M1 from E or W{told}"
    mistake(drive, "SPEED 10")
    words = "the rally is at another stage: give an order such as PLACE BLACKSPOT at D6 or PASS"
    assert drive.diagnostics[0].problem.message == words


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("PASS", ("other-stage", "RR-L1", "", "PASS", ())),
        ("KIT D1 N1", ("other-stage", "RR-L1", "", "KIT D1 N1", ())),
        ("BLOCK yes", ("nothing-asked", "RR-O1", "blocking", "yes", ("always",))),
        ("BLOCK no", ("nothing-asked", "RR-O1", "blocking", "no", ("never",))),
        ("BLOCK always", ("nothing-to-block", "RR-O1", "", "BLOCK always", ())),
        ("BLOCK never", ("nothing-to-block", "RR-O1", "", "BLOCK never", ())),
        ("TC3: 10", ("wrong-control", "RR-H2", "section", "TC3:", ("TC2: 10",))),
        ("SPEED 60", ("illegal-speed", "RR-M4", "miles", "60", ("30",))),
        ("SPEED 20 via A1", ("no-way", "RR-M6", "via", "via A1", ("TURN ROUND",))),
    ],
)
def test_a_wrong_order_in_a_minute(at_table, line, expected):
    crews = {"red": on("A1 B1 C1", 20), "blue": on("A1 B1 C1 D1 E1", 20)}
    assert mistake(at_table(crews=crews, illegal_speed="reject"), line) == expected


def test_rr_o1_a_crew_that_is_asked_answers_yes_or_no(at_table, world):
    crews = {"red": on("A1 B1 C1", 50), "blue": on("A1 B1 C1 D1 E1", 20, is_asking=True)}
    drive = at_table(crews=crews, queue=("blue", "red"), effects=(world.effect("unovertaken"),))
    assert mistake(drive, "BLOCK ask") == ("nothing-to-block", "RR-O1", "", "BLOCK ask", ())
    drive = at_table(crews=crews, queue=("red",), effects=(world.effect("unovertaken"),)).take("SPEED 50")
    assert mistake(drive, "BLOCK ask") == ("answer-first", "RR-O1", "blocking", "ask", ("yes", "no"))
    for line in ("SPEED 20", "PASS"):
        assert mistake(drive, line) == ("answer-first", "RR-O1", "", line, ("BLOCK yes", "BLOCK no"))

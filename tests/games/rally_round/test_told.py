"""The questions and sentences of a rally, from the draw of the cars to the end of a part, each with its rule."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from tables import laid, on


def asked(drive):
    """Return whom the rally asks next, the kind of its question, the question and its rule."""
    rules, config = drive.session.rules, drive.session.config
    return [(one.seat, one.kind, one.ask, one.rule) for one in rules.awaiting(config, drive.session.game.state)]


MARKER = "place a marker, control {} or a Black Spot: PLACE TC at Z1 from W ends the route"
ILLEGAL = "90 mph is illegal for red, who may go only 10 mph here (RR-M4)"
CARD = "choose a kit card ({}): PICK D1"


@pytest.fixture
def table(at_table):
    """A table at which red starts before blue."""

    def sit(**options):
        drive = at_table(**options)
        assert drive.session.game.state.order == ("red", "blue")
        return drive

    return sit


def test_each_turn_of_laying_the_route_is_asked_for_and_told(table):
    drive = table(solo="competitive")
    assert asked(drive) == [("red", "start", "choose the start: START at A1 or Z1", "RR-L1")]
    for line, told, seat, kind, question, rule in (
        ("START at A1", "red puts the start on A1 (RR-L1)", "blue", "finish", "choose the finish: FINISH at Z1", "RR-L1"),
        ("FINISH at Z1", "blue puts the finish on Z1 (RR-L1)", "red", "place", MARKER.format(2), "RR-L3"),
        (
            "PLACE TC2 at M1 from W selective",
            "red places STC2 on M1 from W, 12 squares on, a selective section (RR-L3)",
            "blue",
            "place",
            MARKER.format(3),
            "RR-L3",
        ),
        (
            "PLACE PC at Q1 from W",
            "blue places PC3 on Q1 from W, 4 squares on (RR-L3)",
            "red",
            "place",
            MARKER.format(4),
            "RR-L3",
        ),
        ("PASS", "red places no marker (RR-L3)", "blue", "place", MARKER.format(4), "RR-L3"),
        (
            "PLACE BLACKSPOT at A1",
            "blue loses the turn because the marker on A1 is wrong: there is a marker on A1 already (RR-L3)",
            "red",
            "place",
            MARKER.format(4),
            "RR-L3",
        ),
    ):
        laid(drive, line)
        assert (drive.told, asked(drive)) == ([told], [(seat, kind, question, rule)])
    laid(drive, "PLACE TC at Z1 from W regularity 24")
    assert drive.told[0] == "red places RTC4 on Z1 from W, 9 squares on, a regularity section at 24 mph (RR-L3)"
    assert asked(drive) == [("red", "choose", "choose a crew for yourself: CHOOSE red or blue", "RR-V1")]
    laid(drive, "CHOOSE blue")
    own = "blue is the player's own crew: the others win against it (RR-V1)"
    assert drive.told == [own, "minute 1: red (RR-M5)"]
    assert asked(drive) == [("red", "drive", "choose the speed in minute 1, on the way to STC2: SPEED 10", "RR-M1")]


def test_rr_l2_an_ambiguity_is_in_the_question_until_a_black_spot_settles_it(table):
    drive = laid(table(lanes=["H1 H3 K3 K1"]), "START at A1", "FINISH at Z1", "PLACE TC2 at N1 from W")
    told = "place a marker; from TC1 to TC2 there are 2 ways of 13 squares: a Black Spot on I1 for the way over H3"
    assert asked(drive) == [("blue", "place", f"{told} or on H3 for the way over I1 would settle it", "RR-L3")]
    assert laid(drive, "PLACE BLACKSPOT at H3").told == ["blue places a Black Spot on H3 (RR-L2)"]
    assert asked(drive) == [("red", "place", MARKER.format(3), "RR-L3")]


def test_rr_k1_the_kinds_that_a_kit_still_needs_are_in_the_question(table):
    drive = laid(table(), "START at A1", "FINISH at Z1", "PLACE TC2 at Z1 from W")
    whole, rest = "driver, navigator, equipment, start, accel or decel", "driver, equipment, start, accel or decel"
    assert asked(drive) == [("blue", "kit", CARD.format(whole), "RR-K1")]
    assert laid(drive, "PICK N1").told == ["blue takes N1, navigator: navigator 1 (RR-K1)"]
    assert asked(drive) == [("red", "kit", CARD.format(whole), "RR-K1")]
    laid(drive, "PICK N2")
    assert asked(drive) == [("blue", "kit", CARD.format(rest), "RR-K1")]


def test_each_turn_of_a_minute_is_asked_for_and_told(at_table, world):
    crews = {"red": on("W1 X1", 10), "blue": on("W1 X1 Y1", 10)}
    drive = at_table(crews=crews, queue=("blue", "red"), effects=(world.effect("unovertaken"),), parts="2")
    question = "choose the speed in minute {}, on the way to TC2: SPEED 10"
    for line, told, seat, minute in (
        ("BLOCK ask", ["blue will answer each time another crew would overtake (RR-O1)"], "blue", 9),
        ("BLOCK never", ["blue lets others overtake (RR-O1)"], "blue", 9),
        ("BLOCK always", ["blue lets no one overtake (RR-O1)"], "blue", 9),
        ("SPEED 10", ["blue drives 10 mph: to Z1 (RR-M1)", "blue reaches TC2 in 2:00, target 9:00 (RR-T1)"], "red", 9),
        ("TURN ROUND", ["red turns round (RR-M6)", "minute 10: red (RR-M5)"], "red", 10),
        ("SPEED 90", [ILLEGAL, "red misses 1 turn (RR-M4)", "minute 11: red (RR-M5)"], "red", 11),
        ("SPEED 10", ["red drives 10 mph: to Y1 (RR-M1)", "minute 12: red (RR-M5)"], "red", 12),
    ):  # fmt: skip
        laid(drive, line)
        assert (drive.told, asked(drive)) == (told, [(seat, "drive", question.format(minute), "RR-M1")])
    end = laid(drive, "SPEED 10").told[-1]
    assert end == "part 1 is over; part 2 starts on Z1, all markers are removed (RR-V1)"


def test_rr_p5_the_turns_that_a_crew_still_misses_are_told(at_table):
    crews = {"red": on("A1 B1", 50), "blue": on("A1 B1 C1 D1 E1 F1 G1", 20)}
    drive = at_table("#..b" + "." * 21 + "#", crews=crews).take("SPEED 60")
    assert drive.told == [
        "red drives 60 mph: over C1 to D1 (RR-M1)",
        "red goes off the road at D1: 60 mph, the limit is 40 (RR-F11)",
        "red must miss 2 turns (RR-F11)",
    ]
    drive.take("SPEED 20", "blue")
    assert drive.told[1:] == [
        "minute 10: blue, then red (RR-M5)",
    ]
    drive.take("SPEED 20", "blue")
    assert drive.told[1:] == ["red misses the turn; it must miss 1 more turn (RR-P5)", "minute 11: blue, then red (RR-M5)"]
    drive.take("SPEED 20", "blue")
    assert drive.told[1:] == ["red misses the turn (RR-P5)", "minute 12: blue, then red (RR-M5)"]


def test_a_crew_by_internet_is_asked_for_its_kit_and_for_each_section(world):
    controls = ("A1", "F1 W regularity 24", "M1 W road")
    drive = world.Drive(world.parts("." * 13), world.rally(*controls))
    kit = "choose a kit, one card of each of the six kinds{}: KIT D1 N1 E1 S1 A1 B1"
    assert asked(drive) == [("red", "kit", kit.format(""), "RR-K1")]
    drive.kit("D1", "N1")
    assert drive.told == ["red takes D1, driver: Plain driver (RR-K1)", "red takes N1, navigator: Plain navigator (RR-K1)"]
    assert asked(drive) == [("red", "kit", kit.format(" (2 cards chosen)"), "RR-K1")]
    drive.kit("E1", "S1", "A1", "B1")
    regularity = "choose the speeds to RTC2 (regularity at 24 mph, 5 squares, target 2:05): TC2: 10 20 …"
    assert asked(drive) == [("red", "drive", regularity, "RR-M1")]
    drive.take("RTC2: 10 20 20")
    assert asked(drive) == [
        ("red", "drive", "choose the speeds to TC3 (road, 7 squares, target 3:00): TC3: 10 20 …", "RR-M1")
    ]
    assert drive.take("TC3: 10 20 20 20").told[-1] == "red reaches TC3 in 4:00, target 3:00 (RR-T1)"
    assert asked(drive) == []


def test_rr_r1_at_the_end_each_sheet_is_opened_with_its_penalties(world):
    components = world.parts("." * 13)
    drive = world.Drive(components, world.rally("A1", "F1 W road", "M1 W road"), seats=("red", "blue")).kit()
    drive.take("TC2: 10 20 20\nTC3: 10 20 20 20").kit(seat="blue").take("TC2: 10 20 30\nTC3: 10 20 20 20", "blue")
    rules, config = drive.session.rules, drive.session.config
    told = [words for event in drive.events if (words := rules.tell(config, event))]
    assert told[-2:] == [
        "the sheet of red is opened: 1:00 at TC2 and 2:00 at TC3 (RR-R1)",
        "the sheet of blue is opened: 31:00 at TC2 and 32:00 at TC3 (RR-R1)",
    ]

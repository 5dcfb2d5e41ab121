"""A time sheet scored without a map: both printed sheets to the second, and what an audit of old sheets finds."""

from dataclasses import replace

import pytest
from typed_sheets import read_sheets

from adjudicator.games.rally_round.office.outputs import SheetKit
from adjudicator.games.rally_round.office.scoring import scored
from adjudicator.games.rally_round.office.sheet import CARD, FALSE, NOTE
from adjudicator.games.rally_round.timing import clock

ROAD_RALLY = """\
TC2    12       4    5    1:00 | 10 20 30 30 30
PC3    (5)                     | 10 30 30
TC4    13       5    6    1:00 | 30 20 10
RTC5   16 25mph 6:24 6:20 0.04 | 10 20 30 30 30 30 30
PC6    (7)                     | 30 40
TC7    13       5    5    -    | 10 20 30
TC8    17       6    5    2:00 | 10 20 50 50 40
STC9   20       6:40 7:15 0:35 | 10 20 30 40 30 30 30 40
TC10   13       5    8    3:00 | 10 20 0 0 10 20 30 40
PC11   (7)                     | 10 20 30 10
TC12   24       8    8    -    | 20 30 40 40
TC13   15       5    8    3:00 | 10 20 30 30 0 10 20 30
TC14   17       6    6    -    | 10 20 30 40 40 30
+30 Give Way on the way to TC7
+30 TC12 entered the wrong way
+30 Quiet Zone on the way to TC14
other 120:00
total 130:39
"""
STAGE_RALLY = """\
stages
TC2  19  3:10  4:10  1:00 | 30 40 50 60 60
TC3  23  3:50  5:00  1:10 | 30 40 50 50 60
TC4  34  5:40  7:24  1:44 | 20 40 60 50 60 40 50 50
TC5  25  4:10  5:15  1:05 | 20 30 50 70 70 40
TC6  18  3:00  5:20  2:20 | 30 40 50 50 0 30
TC7  29  4:50  4:45  -    | 40 60 60 70 80
total 7:19
"""


def score(text, kit=None):
    found = read_sheets(text)
    assert not found.wrong
    (written,) = found.sheets
    return scored(replace(written, sheet=replace(written.sheet, kit=kit)))


def told(found, *verdicts):
    return [f"{one.control}: {one.message}" for one in found.findings if not verdicts or one.verdict in verdicts]


def marked(found, *verdicts):
    """Return control, marked entry and rule of each finding."""
    return [
        f"{one.control}: {one.text[one.column - 1 :][: one.width]} ({one.rule})"
        for one in found.findings
        if not verdicts or one.verdict in verdicts
    ]


def test_rr_golden_3_road_rally():
    found = score(ROAD_RALLY)
    assert [(one.control, clock(one.target), clock(one.time), clock(one.penalty)) for one in found.sections] == [
        ("TC2", "4:00", "5:00", "1:00"),
        ("TC4", "5:00", "6:00", "1:00"),
        ("RTC5", "6:24", "6:20", "0:04"),
        ("TC7", "5:00", "5:00", "0:00"),
        ("TC8", "6:00", "5:00", "2:00"),
        ("STC9", "6:40", "7:15", "0:35"),
        ("TC10", "5:00", "8:00", "3:00"),
        ("TC12", "8:00", "8:00", "0:00"),
        ("TC13", "5:00", "8:00", "3:00"),
        ("TC14", "6:00", "6:00", "0:00"),
    ]
    assert clock(found.fault_penalty) == "120:00"
    assert clock(found.total) == "130:39"
    assert told(found, FALSE) == []


def test_rr_h9_what_the_road_rally_needs_cards_and_notes_for():
    assert marked(score(ROAD_RALLY)) == [
        "PC3: 30 (RR-M3)",
        "PC3: 30 (RR-F1)",
        "PC6: 30 (RR-M2)",
        "TC8: 50 (RR-M3)",
        "PC11: 10 (RR-M3)",
        "TC12: 20 (RR-M2)",
        "TC12: 40 (RR-P7)",
    ]


def test_rr_golden_3_stage_rally():
    found = score(STAGE_RALLY)
    assert [(clock(one.time), clock(one.penalty)) for one in found.sections] == [
        ("4:10", "1:00"),
        ("5:00", "1:10"),
        ("7:24", "1:44"),
        ("5:15", "1:05"),
        ("5:20", "2:20"),
        ("4:45", "0:00"),
    ]
    assert clock(found.total) == "7:19"
    assert told(found, FALSE) == []
    assert all(one.verdict == CARD for one in found.findings)


def test_rr_golden_4_21_squares_in_7_minutes():
    found = score("TC2 21 7 7 - | 10 20 30 40 40 40 30")
    assert clock(found.total) == "0:00"
    assert found.findings == ()


def test_rr_p7_false_entries_are_listed():
    found = score(ROAD_RALLY.replace("7:15 0:35", "7:05 0:25").replace("total 130:39", "total 130:29"))
    assert told(found, FALSE) == [
        "STC9: the sheet says time taken 7:05, the entries give 7:15",
        "STC9: the sheet says penalty 0:25, the entries give 0:35",
        "total: the sheet says 130:29, the entries give 130:39",
    ]


@pytest.mark.parametrize(
    ("row", "entry"),
    [
        ("TC2 12 5 | 10 20 30 30 30", "TC2: 5 (RR-T1)"),
        ("TC2 12 | 10 (1) 20 (2) 30 (3) 30 (3) 30 (3) 30", "TC2: 30 (RR-P7)"),
        ("TC2 12 | 10 25 30 30 30", "TC2: 25 (RR-M1)"),
        ("TC2 12 |", "TC2: TC2 (RR-P7)"),
    ],
)
def test_rr_p7_each_kind_of_false_entry(row, entry):
    assert entry in marked(score(row), FALSE)


def test_rr_h9_with_the_kit_known_what_it_does_not_allow_is_false():
    line = "TC8 17 6 5 2:00 | 10 20 50 50 40"
    assert told(score(line, SheetKit(faster=30))) == []
    assert marked(score(line, SheetKit(faster=20)), FALSE) == ["TC8: 50 (RR-M3)"]
    assert marked(score("TC8 3 | 30", SheetKit(start=20)), FALSE) == ["TC8: 30 (RR-M2)"]


@pytest.mark.parametrize(
    ("row", "time", "open_questions"),
    [
        # Over 100 mph the car goes off at the square where the turn began.
        ("SSF2 24 4:00 5:45 1:45 | 40 70 100 110 0 40", "5:45", []),
        # It went off on the second square of the third turn: 2 squares are left of 14.
        ("SSF2 14 2:20 7:40 5:20 | 30 40 50 0 0 0 30 30", "7:40", ["SSF2: the sheet says 7:40, the speeds give 8:00"]),
        ("SSF2 14 2:20 7:40 5:20 | 30 40 50 (2) 0 0 0 30 30", "7:40", []),
        ("SSF2 14 2:20 7:40 5:20 | 30 40 50 0 0 0 30 30 (2)", "7:40", []),
        # It rolled back a square on the way, or ahead: 3 squares are left of 10, or 1.
        ("SSF2 10 1:40 2:45 1:05 | 30 50 40", "2:45", ["SSF2: the sheet says 2:45, the speeds give 2:30"]),
        ("SSF2 10 1:40 2:45 1:05 | 30 50 (4) 40", "2:45", []),
        ("SSF2 10 1:40 2:15 0:35 | 30 (4) 50 40", "2:15", []),
        # Only the penalty is written.
        ("SSF2 10 1:40 | 30 50 40", "2:30", []),
        ("STC2 9 3:00 - 0:45 | 40 40 40 40", "3:45", ["STC2: the sheet says 3:45, the speeds give 4:00"]),
    ],
)
def test_rr_p7_a_time_that_the_way_explains_is_not_false(row, time, open_questions):
    found = score(row)
    assert told(found, FALSE) == []
    assert clock(found.sections[0].time) == time
    asked = [one for one in told(found, NOTE) if "the entries give" in one or "the speeds give" in one]
    assert [one.partition(": a gradient")[0] for one in asked] == open_questions


@pytest.mark.parametrize(
    "row",
    [
        "SSF2 14 2:20 7:30 5:10 | 30 40 50 0 0 0 30 30",  # the last move has three squares: 7:20, 7:40 or 8:00
        "SSF2 14 2:20 7:40 5:20 | 30 (3) 40 (4) 50 (5) 0 0 0 30 (3) 30",
        "SSF2 24 4:00 6:00 2:00 | 40 (4) 70 (7) 100 (10) 110 0 40",
        "TC2 12 4 4 - | 10 20 30 30 30",
    ],
)
def test_rr_p7_a_time_that_nothing_explains_is_false(row):
    assert any("time taken" in one for one in told(score(row), FALSE))


def test_rr_p7_a_control_reached_before_the_last_turn_is_open_where_no_squares_are_noted():
    found = score("TC2 12 | 10 20 30 30 30 30")
    assert marked(found, NOTE) == ["TC2: 30 (RR-P7)"]


def test_rr_p7_faults_that_are_only_in_the_sums_need_a_note():
    found = score("TC2 12 4 5 1:00 | 10 20 30 30 30\nother 60:00\ntotal 61:00")
    assert marked(found) == ["other penalties: 60:00 (RR-P7)"]
    found = score("TC2 12 4 5 1:00 | 10 20 30 30 30\ntotal 61:00")
    assert marked(found, NOTE) == ["total: 61:00 (RR-P7)"]


@pytest.mark.parametrize("sums", ["other 20:00", "+30 Give Way\nother 0:00", "total 20:00", "+30 Give Way\ntotal 1:00"])
def test_rr_p7_sums_that_no_faults_explain_are_false(sums):
    assert len(told(score(f"TC2 12 4 5 1:00 | 10 20 30 30 30\n{sums}"), FALSE)) == 1


def test_rr_p7_a_starting_speed_after_a_stop_is_not_false():
    kit = SheetKit(start=30, slower=20)
    assert told(score("TC2 12 | 20 30 40 10 20", kit), FALSE) == []
    assert "TC2: turn 4: from 40 to 10 mph" in told(score("TC2 12 | 20 30 40 10 20", kit), NOTE)
    assert told(score("TC2 15 | 20 30 40 10 60", kit), FALSE) == ["TC2: turn 5: from 10 to 60 mph"]


def test_rr_p7_what_a_card_for_passage_controls_or_a_noted_hazard_card_explains_is_not_false():
    kit = SheetKit(start=10)
    rows = "PC2 (5) | 10 20 20\nTC3 12 | 30 40"
    assert told(score(rows, kit), FALSE) == []
    assert marked(score(rows, kit), CARD) == ["TC3: 30 (RR-M2)"]
    assert marked(score(rows.replace("| 30", "| 50"), kit), FALSE) == ["TC3: 50 (RR-M2)"]
    assert marked(score("TC2 8 | 10 20 50 using H2", kit)) == ["TC2: 50 (RR-M3)"]
    assert told(score("TC2 8 | 10 20 50 using H2", kit), FALSE) == []


CARRIED = "TC2: 30 (RR-F2)"


def test_rr_f2_one_noted_fault_hides_no_other_question():
    row = "TC2 12 | 10 20 30 40 30"
    for note in ("+30 Give Way on the way to TC2", "+30 Quiet Zone before TC2", "+30 rolled back into TC1 before TC2"):
        assert CARRIED in marked(score(f"{row}\n{note}"))
    for note in ("+30 carried past TC2", "+30 TC2 not hit", "+30 TC2 entered the wrong way"):
        assert CARRIED not in marked(score(f"{row}\n{note}"))


def test_rr_f1_a_fault_on_the_way_to_a_missed_passage_control_counts_besides():
    rows = "PC2 (2) | 10 20\n{}\nTC3 5 | 20"
    assert clock(score(rows.format("+30 Give Way on the way to PC2")).fault_penalty) == "60:00"
    assert clock(score(rows.format("+30 PC2 missed")).fault_penalty) == "30:00"


def test_rr_f2_carried_past_is_for_the_organiser_to_note():
    found = score("TC2 12 | 10 20 30 40 30")
    assert marked(found) == [CARRIED]
    assert found.fault_penalty == 0


def test_a_sheet_tells_every_line_that_cannot_be_read():
    reader = read_sheets(
        "TC2 12 4 | 10 x\nhello\nRTC3 16 6:40 | 10\nTC4 0 | 10\nTC5 12 1 2 3 4 | 10\nTC6 12 4:0 | 10\ntotal x"
    )
    begun = [
        (1, "“x” is not a speed"),
        (2, "a row is a"),
        (3, "a regularity section"),
        (4, "a control is at least one square away"),
        (5, "after the distance come only target, time taken and penalty"),
        (6, "“4"),
        (7, "“x” is not a time such as 5 or 6"),
    ]
    assert [one.line for one in reader.wrong] == [line for line, _ in begun]
    for one, (_, words) in zip(reader.wrong, begun, strict=True):
        assert one.problem.message.startswith(words)

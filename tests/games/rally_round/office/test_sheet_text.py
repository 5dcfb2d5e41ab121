"""Time sheets as text: what an organiser types from paper, and what is told of slips."""

import pytest
from typed_sheets import codes, read_sheets

from adjudicator.games.rally_round.office.outputs import NotedFault, SheetKit, SheetStep
from adjudicator.games.rally_round.office.scoring import scored
from adjudicator.games.rally_round.office.sheet import gains
from adjudicator.games.rally_round.rules import RULESET
from adjudicator.games.rally_round.timing import clock
from adjudicator.store.components import shipped

HOUSE, _ = shipped(RULESET)
ROUTE = "route\nTC2 12\nPC3 (5)\nPC4 (9)\nTC5 13\nRTC6 16 25mph\n"


def sheets(text):
    return tuple(one.sheet for one in written(text))


def written(text):
    found = read_sheets(text)
    assert found.wrong == []
    return found.sheets


def test_a_text_holds_many_sheets_each_with_what_is_told_of_its_crew():
    ann, bob = sheets(
        "rally Club\ncrew Ann  Lee\nclass Expert\nkit start 30 decel 20\nTC2 3 | 30\n\ncrew Bob\nTC2 3 | 10 10 10\nout tired"
    )
    assert (ann.crew, ann.entry_class, ann.kit, ann.out) == ("Ann Lee", "Expert", SheetKit(start=30, slower=20), "")
    assert (bob.crew, bob.entry_class, bob.kit, bob.out) == ("Bob", "", None, "tired")


def test_a_sheet_without_a_crew_is_called_by_its_file():
    assert read_sheets("TC2 3 | 30", crew="ann").sheets[0].sheet.crew == "ann"


def test_with_a_route_a_row_needs_no_distance_and_no_target():
    (ann,) = sheets(f"{ROUTE}crew Ann\nTC2 5 1:00 | 10 20 30 30 30\nRTC6 6:20 0:04 | 10 20 30 30 30 30 30")
    assert [(row.control, row.distance, row.taken, row.penalty) for row in ann.rows] == [
        ("TC2", 12, 300, 60),
        ("RTC6", 16, 380, 4),
    ]
    assert ann.rows[1].speed == 25


def test_with_a_route_the_speeds_of_a_section_stand_in_one_line_and_are_told_apart_by_the_distances_of_pcs():
    (ann,) = written(f"{ROUTE}crew Ann\nTC5: 10 20 20 / 10 30 / 20 20")
    assert [(row.control, row.speeds) for row in ann.sheet.rows] == [
        ("PC3", (10, 20, 20)),
        ("PC4", (10, 30)),
        ("TC5", (20, 20)),
    ]
    assert [one.message for one in scored(ann).findings if one.rule == "RR-F1"] == []


def test_rr_h9_pcs_are_so_far_from_the_last_time_control():
    (ann,) = written("PC3 (5) | 10 20 30\nPC4 (9) | 10 20\nTC5 13 | 20 20")
    score = scored(ann)
    assert clock(score.fault_penalty) == "30:00"
    assert [one.control for one in score.findings if one.rule == "RR-F1"] == ["PC3"]


def test_stages_above_all_sheets_hold_for_all_of_them_else_for_one():
    both = sheets("stages\ncrew Ann\nTC2 6 | 60\ncrew Bob\nTC2 6 | 60")
    assert [sheet.rows[0].timing for sheet in both] == ["stage", "stage"]
    ann, bob = sheets("crew Ann\nstages\nTC2 6 | 60\ncrew Bob\nTC2 6 | 60")
    assert (ann.rows[0].timing, bob.rows[0].timing) == ("stage", "road")


def test_a_fault_belongs_to_the_control_that_it_names_else_to_the_row_above():
    (ann,) = written("TC2 3 | 30\n+30 too loud\nTC3 3 | 30\n+30 Give Way before TC2\n+ 30 off at TC3")
    assert ann.sheet.faults == (
        NotedFault(words="too loud", control="TC2"),
        NotedFault(words="Give Way before TC2", control="TC2"),
        NotedFault(words="off at TC3", control="TC3"),
    )
    assert [section.fault_penalty for section in scored(ann).sections] == [3600, 1800]


def test_a_pc_that_the_speeds_drive_past_is_one_fault_also_if_it_was_noted():
    (ann,) = written("PC2 (2) | 10 20\nTC3 5 | 20\n+30 PC2 missed\nother 30:00")
    assert clock(scored(ann).fault_penalty) == "30:00"


def test_odd_spaces_dashes_cases_and_line_ends_are_taken():
    (ann,) = sheets("tc2\u00a012\t4 5 \u2013|10,20, 30 / 30 30 # late\r\nTOTAL 1.00")
    assert ann.rows[0].speeds == (10, 20, 30, 30, 30)
    assert (ann.rows[0].penalty, ann.total) == (0, 60)


RULES = {"speed": "RR-M1", "kit": "RR-K1", "control": "RR-C4", "regularity": "RR-T4", "fault": "RR-P4"}
"""The rule of each slip that breaks one."""
CARDS = "D1 N3 E5 S2 A3 B2"


def with_cards(line):
    return read_sheets(f"crew Ann\n{line}\nTC2 3 | 30", cards=HOUSE.kit)


@pytest.mark.parametrize(
    "line",
    [
        f"kit {CARDS}",
        "kit driver d1 navigator n3 equipment e5 start s2 accel a3 decel b2",
        "KIT Smooth through bends, Stamps cards on the move, Quiet exhaust, S2, Pulls from low down, all-round brakes",
    ],
)
def test_rr_k1_a_kit_is_told_by_its_cards_or_by_their_names(line):
    found = with_cards(line)
    (written,) = found.sheets
    assert (found.wrong, " ".join(written.sheet.cards)) == ([], CARDS)
    assert written.sheet.kit == SheetKit(start=60, faster=20, slower=30)


@pytest.mark.parametrize(
    ("line", "marked", "suggestion"),
    [
        ("kit D1 N3 E5 S2 A2 B9", "B9", "B1"),
        ("kit D1 N3 E5 S2 A2 A3", "A3", None),
        ("kit D1 N3 E5 S2 A2", "A2", "D1 N3 E5 S2 A2 B1"),
        ("kit Quite exhaust, D1", "Quite exhaust", "Quiet exhaust"),
    ],
)
def test_rr_k1_a_wrong_kit_is_told_with_its_card(line, marked, suggestion):
    ((code, wrong),) = codes(with_cards(line))
    assert (code, line[wrong.column - 1 :][: wrong.width]) == ("kit", marked)
    assert wrong.problem.suggestions[:1] == (() if suggestion is None else (suggestion,))


def test_ways_cards_and_turns_round_are_noted_behind_a_speed():
    (ann,) = sheets("TC2 9 | 10 20 via Mill Lane via HT4 30 using h7 turn round 10 turn")
    assert ann.rows[0].speeds == (10, 20, 30, 0, 10, 0)
    assert ann.rows[0].steps == (
        SheetStep(turn=2, via=("mill lane", "ht4")),
        SheetStep(turn=3, using="H7"),
        SheetStep(turn=4, is_round=True),
        SheetStep(turn=6, is_round=True),
    )


def test_squares_are_noted_behind_a_speed():
    (ann,) = sheets("SSF2 9 | 30 (2) via mill lane 40(-1) 20 ( 3 ) using H7 10")
    assert [row.speeds for row in ann.rows] == [(30, 40, 20, 10)]
    assert [(step.turn, step.squares, step.via, step.using) for step in ann.rows[0].steps] == [
        (1, 2, ("mill lane",), None),
        (2, -1, (), None),
        (3, 3, (), "H7"),
    ]
    assert gains(ann.rows[0]) == (2, -1, 3, 1)


def test_with_a_route_noted_squares_tell_where_a_passage_control_is():
    (ann,) = sheets(f"{ROUTE}crew Ann\nTC5: 10 20 (1) 30 / 10 30 / 20 20")
    assert [row.speeds for row in ann.rows] == [(10, 20, 30), (10, 30), (20, 20)]


def test_with_a_route_a_row_may_still_have_all_that_stands_on_paper():
    (ann,) = sheets(f"{ROUTE}crew Ann\nTC2 11 4 5 1:00 | 10 20 30\nPC3 (6) | 10 20\nTC5 | 10 20")
    assert [(row.control, row.distance) for row in ann.rows] == [("TC2", 11), ("PC3", 6), ("TC5", 13)]


@pytest.mark.parametrize(
    ("text", "code", "line", "marked", "suggestions"),
    [
        ("CT2 12 | 10", "row", 1, "CT2", ("TC2",)),
        ("TC2 12 | 10 2O", "speed", 1, "2O", ("20",)),
        ("TC2 12 | l0 20", "speed", 1, "l0", ("10",)),
        ("TC2 12 | 10 -", "speed", 1, "-", ("0",)),
        ("TC2 12 4:75 | 10", "time", 1, "4:75", ()),
        ("\nTC2 x | 10", "distance", 2, "x", ()),
        ("TC2 | 10", "distance", 1, "TC2", ()),
        ("RTC2 16 31mph | 10", "regularity", 1, "16", ("RTC2 16 25mph",)),
        ("TC2 12 4 5 1:00 30 40 20", "bar", 1, "TC2 12 4 5 1:00 30 40 20", ("TC2 12 4 5 1:00 | 30 40 20",)),
        ("TC2 12 4 5 10 20 30", "bar", 1, "TC2 12 4 5 10 20 30", ("TC2 12 4 5 | 10 20 30",)),
        ("TC2: 10 20", "bar", 1, "TC2:", ()),
        ("TC2 3 | 30\nTC2 3 | 30", "twice", 2, "TC2", ()),
        ("TC2 3 | 30\nPC3 3 | 30", "unfinished", 2, "P", ()),
        ("crew Ann", "unfinished", 1, "c", ()),
        ("crew", "name", 1, "crew", ()),
        ("TC2 3 | 30\ntotal", "time", 2, "total", ()),
        ("klass A", "row", 1, "klass", ("class",)),
        ("TC2 3 | via HT1 30", "speed", 1, "via", ("10",)),
        ("TC2 3 | 30 via", "note", 1, "via", ()),
        ("TC2 3 | 30 using", "note", 1, "using", ()),
        ("TC2 3 | 30 (x)", "note", 1, "(x)", ("(2)",)),
        ("TC2 3 | (2) 30", "speed", 1, "(2)", ("10",)),
        ("TC2 3 | 30 (2", "note", 1, "(2", ("(2)",)),
        ("kit stat 30", "kit", 1, "stat", ("start",)),
        ("kit start", "kit", 1, "kit start", ("kit start 30",)),
        ("+60 flew", "fault", 1, "+60", ("+30",)),
        ("stages please", "more", 1, "please", ()),
        ("TC2 12 1 2 3 4 | 10", "times", 1, "4", ()),
        (f"{ROUTE}crew Ann\nTC2 12 4 5 | 10", "times", 8, "5", ()),
        (f"{ROUTE}crew Ann\nTC8: 10", "control", 8, "TC8:", ("TC2",)),
        (f"{ROUTE}crew Ann\nPC3 | 10 20 20\nTC5: 10 20 20 10", "twice", 9, "TC5:", ()),
        (f"crew Ann\nTC2 3 | 30\n{ROUTE}", "order", 3, "route", ()),
        ("TC2 3 |" + " 10" * 201, "many", 1, "10", ()),
        ("TC2 3 | 30" + " via a" * 21, "many", 1, "30", ()),
        ("TC2 3 | 30 via a using H1 H2", "note", 1, "using", ()),
        ("".join(f"TC{row} 3 | 30\n" for row in range(1, 202)), "many", 201, "TC201", ()),
        (f"{ROUTE}TC2 12", "twice", 7, "TC2", ()),
        (f"{ROUTE}crew Ann\nTC2 12 | 10\nclass", "name", 9, "class", ()),
        ("TC2 3 | 30\nother 1:00 2:00", "more", 2, "2:00", ()),
        ("route TC2 12", "more", 1, "TC2", ()),
        ("rally", "name", 1, "rally", ()),
    ],
)
def test_each_slip_is_told_with_its_place_and_what_might_stand_there(text, code, line, marked, suggestions):
    found, wrong = codes(read_sheets(text))[0]
    lines = text.split("\n")
    assert (found, wrong.line) == (code, line)
    assert lines[wrong.line - 1][wrong.column - 1 :][: wrong.width] == marked
    assert wrong.problem.suggestions[:1] == suggestions[:1]
    assert wrong.problem.rule == RULES.get(code, "")


def test_all_slips_are_told_at_once_in_the_order_of_the_lines():
    reader = read_sheets("CT2 12 | 10\nTC3 3 | x\nTC4 3 | 30\nhello there")
    assert [one.line for one in reader.wrong] == [1, 2, 4]

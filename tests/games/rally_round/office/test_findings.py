"""The findings of an audit (RR-P7): each with its verdict, its rule, its place and what could stand there."""

from __future__ import annotations

from dataclasses import replace

import pytest
from typed_sheets import read_sheets

from adjudicator.games.rally_round.office.drive_check import driven
from adjudicator.games.rally_round.office.outputs import SheetKit
from adjudicator.games.rally_round.office.routes import rows_of
from adjudicator.games.rally_round.office.scoring import scored

NO_SPEED = "the sheet has no speed"
CARDS = "kit D1 N1 E1 S1 A1 B1\n"


def found(score):
    """Return verdict, message and rule of each finding, the entry that it marks with its line, and the suggestions."""
    return [
        (one.verdict, one.message, one.rule, f"{one.line}: {one.text[one.column - 1 :][: one.width]}", one.suggestions)
        for one in score.findings
    ]


@pytest.mark.parametrize(
    ("text", "kit", "findings"),
    [
        (
            "TC2 12 5 6 2:00 | 10 20 30 30 30",
            None,
            [
                ("false", "the sheet says target 5:00, the entries give 4:00", "RR-T1", "1: 5", ("4:00",)),
                ("false", "the sheet says time taken 6:00, the entries give 5:00", "RR-P5", "1: 6", ("5:00",)),
                ("false", "the sheet says penalty 2:00, the entries give 1:00", "RR-P1", "1: 2:00", ("1:00",)),
            ],
        ),
        (
            "SSF2 12 3 4 1:00 | 10 20 30 40 50",
            None,
            [
                ("false", "the sheet says target 3:00, the entries give 2:00", "RR-T3", "1: 3", ("2:00",)),
                ("false", "the sheet says time taken 4:00, the entries give 4:24", "RR-P5", "1: 4", ("4:24",)),
                ("false", "the sheet says penalty 1:00, the entries give 2:24", "RR-P2", "1: 1:00", ("2:24",)),
            ],
        ),
        (
            "STC2 12 3 4 1:00 | 10 20 30 30 30",
            None,
            [
                ("false", "the sheet says target 3:00, the entries give 4:00", "RR-T2", "1: 3", ("4:00",)),
                ("false", "the sheet says time taken 4:00, the entries give 5:00", "RR-P5", "1: 4", ("5:00",)),
            ],
        ),
        (
            "RTC2 12 24mph 3 4 2:00 | 10 20 30 30 30",
            None,
            [
                ("false", "the sheet says target 3:00, the entries give 5:00", "RR-T4", "1: 3", ("5:00",)),
                ("false", "the sheet says time taken 4:00, the entries give 5:00", "RR-P5", "1: 4", ("5:00",)),
                ("false", "the sheet says penalty 2:00, the entries give 0:00", "RR-P3", "1: 2:00", ("0:00",)),
            ],
        ),
        ("TC2 12 | 10 25 30 30 30", None, [("false", "turn 2: 25 mph is not a speed", "RR-M1", "1: 25", ("20",))]),
        ("TC2 12 |", None, [("false", NO_SPEED, "RR-P7", "1: TC2", ())]),
        (
            "TC2 11 | 10 20 50 30",
            None,
            [
                ("card", "turn 3: from 20 to 50 mph", "RR-M3", "1: 50", ("30",)),
                ("card", "turn 4: from 50 to 30 mph", "RR-M3", "1: 30", ("40",)),
            ],
        ),
        (
            "TC2 11 | 10 20 50 30",
            SheetKit(faster=20, slower=20),
            [("false", "turn 3: from 20 to 50 mph", "RR-M3", "1: 50", ("40",))],
        ),
        ("TC2 3 | 30", SheetKit(), [("false", "turn 1: a start at 30 mph", "RR-M2", "1: 30", ("10",))]),
        ("TC2 2 | 20", SheetKit(), [("note", "turn 1: a start at 20 mph; 20 is allowed uphill", "RR-M2", "1: 20", ("10",))]),
        ("TC2 2 | 20", None, [("card", "turn 1: a start at 20 mph; 20 is allowed uphill", "RR-M2", "1: 20", ("10",))]),
        ("TC2 9 | 10 20 30 10 20", SheetKit(), [("note", "turn 4: from 30 to 10 mph", "RR-M3", "1: 10", ("20",))]),
        ("TC2 15 | 10 20 30 30 60", SheetKit(), [("false", "turn 5: from 30 to 60 mph", "RR-M3", "1: 60", ("40",))]),
        ("PC2 (4) | 10 20 30\nTC3 12 | 20 20 20", None, [("note", "not stopped at the PC: 30 marks", "RR-F1", "1: 30", ())]),
        (
            "PC2 (7) | 10 20 30\nTC3 12 | 20 20 20",
            None,
            [
                ("card", "turn 1: a start at 20 mph; 20 is allowed uphill", "RR-M2", "2: 20", ("10",)),
                ("note", "the PC is 7 squares on: a short cut?", "RR-F1", "1: 30", ()),
            ],
        ),
        (
            "TC2 12 | 10 20 30",
            None,
            [("note", "the speeds cover 6 of 12 squares: a hidden track, a Black Spot, a gradient?", "RR-P7", "1: 30", ())],
        ),
        (
            "TC2 12 | 10 20 30 30 30 30",
            None,
            [("note", "the car reaches the control before the last turn", "RR-P7", "1: 30", ())],
        ),
        (
            "TC2 12 | 10 (1) 20 (2) 30 (3) 30 (3) 30 (3) 30",
            None,
            [("false", "the car reaches the control before the last turn", "RR-P7", "1: 30", ())],
        ),
        ("TC2 12 | 10 20 30 40 30", None, [("note", "carried 1 past the control: 30 marks?", "RR-F2", "1: 30", ())]),
        (
            "SSF2 10 1:40 2:45 1:05 | 30 50 40",
            SheetKit(start=30, faster=20),
            [
                (
                    "note",
                    "the sheet says 2:45, the speeds give 2:30: a gradient, off the road, another way?",
                    "RR-F3",
                    "1: 2:45",
                    (),
                )
            ],
        ),
        (
            "TC2 12 4 5 1:00 | 10 20 30 30 30\nother 60:00\ntotal 61:00",
            None,
            [
                (
                    "note",
                    "the sheet says 60:00, the entries give 0:00: is a fault missing on the sheet?",
                    "RR-P7",
                    "2: 60:00",
                    ("0:00",),
                )
            ],
        ),
        (
            "TC2 12 4 5 1:00 | 10 20 30 30 30\nother 20:00\ntotal 62:00",
            None,
            [
                ("false", "the sheet says 20:00, the entries give 0:00", "RR-P7", "2: 20:00", ("0:00",)),
                ("false", "the sheet says 62:00, the entries give 1:00", "RR-P7", "3: 62:00", ("1:00",)),
            ],
        ),
        (
            "TC2 12 4 5 1:00 | 10 20 30 30 30\ntotal 61:00",
            None,
            [
                (
                    "note",
                    "the sheet says 61:00, the entries give 1:00: is a fault missing on the sheet?",
                    "RR-P7",
                    "2: 61:00",
                    ("1:00",),
                )
            ],
        ),
        ("TC2 8 | 10 20 50 using H2", SheetKit(), [("card", "turn 3: from 20 to 50 mph", "RR-M3", "1: 50", ("30",))]),
        (
            "PC2 (5) | 10 20 20\nTC3 12 | 30 40",
            SheetKit(),
            [("card", "turn 1: a start at 30 mph", "RR-M2", "2: 30", ("10",))],
        ),
    ],
)
def test_a_sheet_without_a_map_has_each_finding_with_its_rule_and_place(text, kit, findings):
    reader = read_sheets(text)
    assert not reader.wrong
    (written,) = reader.sheets
    assert found(scored(replace(written, sheet=replace(written.sheet, kit=kit)))) == findings


@pytest.fixture(scope="module")
def drive(world):
    """Drive a sheet over the ``main`` road, from A1 to its last square or to the ``controls``."""

    def score(text, main, colours="", controls=None, timing="road", **more):
        pack = (
            world.hazard("H1", world.effect("miss", turns=2)),
            world.hazard("H2", world.effect("accelerate", 30, 30, 30)),
        )
        components = world.parts(main, colours, hazards=pack, **more)
        controls = controls or ("A1", f"{chr(64 + len(main))}1 W {timing}")
        config = world.Drive(components, world.rally(*controls)).session.config
        reader = read_sheets(text, "ann", rows_of(config), components.kit)
        assert not reader.wrong, reader.wrong
        return driven(config, reader.sheets[0])

    return score


BEND = {"main": "." * 9 + "b..", "colours": "r" * 9 + "wrr"}
PASSAGE = {"main": "." * 7, "controls": ("A1", "D1 W", "G1 W road")}
LANE = {"main": "." * 9, "lanes": ["C1 C2 C3"]}


@pytest.mark.parametrize(
    ("text", "way", "findings"),
    [
        (
            CARDS + "TC2: 10 30 20",
            {"main": "......."},
            [("false", "turn 2: from 10 to 30 mph, where 10 to 20 is legal on red", "RR-M3", "2: 30", ("20",))],
        ),
        (
            CARDS + "TC2: 20 10",
            {"main": "...."},
            [("false", "turn 1: a start at 20 mph, where only 10 is legal on red", "RR-M2", "2: 20", ("10",))],
        ),
        (
            "TC2: 20 10",
            {"main": "...."},
            [("card", "turn 1: a start at 20 mph, where only 10 is legal on red", "RR-M2", "1: 20", ("10",))],
        ),
        (
            CARDS + "TC2: 10 20",
            {"main": "..."},
            [
                (
                    "note",
                    "turn 2: carried past TC2: 30 marks, missing on the sheet",
                    "RR-F2",
                    "2: 20",
                    ("+30 carried past TC2",),
                )
            ],
        ),
        (
            CARDS + "TC2: 10 20 20",
            {"main": "..g..."},
            [
                (
                    "note",
                    "turn 2: not stopped at the Give Way on C1: 30 marks, missing on the sheet",
                    "RR-F5",
                    "2: 20",
                    ("+30 not stopped at the Give Way on C1 on the way to TC2",),
                )
            ],
        ),
        (
            CARDS + "TC2: 10 20\n+30 Quiet Zone",
            {"main": "...."},
            [("note", "the sheet notes “Quiet Zone”, but the speeds cause no such fault: 30 marks", "RR-P4", "3: +30", ())],
        ),
        (
            CARDS + "TC2: 10 20 30 40 30",
            BEND,
            [
                (
                    "note",
                    "turn 5: carried past TC2: 30 marks, missing on the sheet",
                    "RR-F2",
                    "2: 30",
                    ("+30 carried past TC2",),
                ),
                (
                    "false",
                    "turn 4: off the road at J1: 40 mph, the limit is 20: 2 turns missed, the sheet has none: they count",
                    "RR-F11",
                    "2: 40",
                    ("40 0 0",),
                ),
            ],
        ),
        (
            "TC2: 10 20 30 40 30",
            BEND,
            [
                (
                    "note",
                    "turn 5: carried past TC2: 30 marks, missing on the sheet",
                    "RR-F2",
                    "1: 30",
                    ("+30 carried past TC2",),
                ),
                (
                    "card",
                    "turn 4: off the road at J1: 40 mph, the limit is 20: 2 turns missed, the sheet has none",
                    "RR-F11",
                    "1: 40",
                    (),
                ),
            ],
        ),
        (
            CARDS + "TC2: 10 20 30 40 0 10 10",
            BEND,
            [
                (
                    "false",
                    "turn 4: off the road at J1: 40 mph, the limit is 20: 2 turns missed, the sheet has 1: they count",
                    "RR-F11",
                    "2: 40",
                    ("40 0 0",),
                )
            ],
        ),
        (
            CARDS + "TC2: 10 20 10",
            {"main": "...f."},
            [
                (
                    "false",
                    "turn 2: flooded in the ford on D1: 2 turns missed, the sheet has none: they count",
                    "RR-F7",
                    "2: 20",
                    ("20 0 0",),
                )
            ],
        ),
        (
            "kit start 120\nTC2: 120 10",
            {"main": ".."},
            [("card", "turn 1: faster than 100 mph: 2 turns missed, the sheet has none", "RR-F12", "2: 120", ())],
        ),
        (
            CARDS + "TC2: 10 10 10 30",
            {"main": ".!!...."},
            [
                (
                    "note",
                    "turn 1: H1, Card H1: 2 turns missed, the sheet has none: they count",
                    "RR-F8",
                    "2: 10",
                    ("10 0 0",),
                ),
                ("false", "turn 4: from 10 to 30 mph, where 10 to 20 is legal on red", "RR-M3", "2: 30", ("20",)),
            ],
        ),
        (
            CARDS + "TC2: 10 using H2 10",
            {"main": "..."},
            [("false", "turn 1: the crew does not keep H2", "RR-F8", "2: H2", ())],
        ),
        ("TC2: 10 using H2 10", {"main": "..."}, [("note", "turn 1: the crew does not keep H2", "RR-F8", "1: H2", ())]),
        (
            CARDS + "TC2: 10 using H9 10",
            {"main": "..."},
            [("false", "turn 1: the game has no hazard card H9", "RR-C3", "2: H9", ("H1", "H2"))],
        ),
        (CARDS + "TC2: 10 0 0 10 10 30 using H2", {"main": ".!!...."}, []),
        (
            CARDS + "TC2: 10 0 0 10 10",
            {"main": "...."},
            [("note", "turn 2: the sheet misses a turn, but the map gives no reason", "RR-M4", "2: 0", ())],
        ),
        (
            CARDS + "TC2: 10 20 via HT1 10 10",
            {"main": "........", "tracks": ("B1 F1",)},
            [("false", "turn 2: the hidden track HT1 without a card: disqualified", "RR-F6", "2: 20", ())],
        ),
        (
            "TC2: 10 20 via HT1 10 10",
            {"main": "........", "tracks": ("B1 F1",)},
            [("card", "turn 2: the hidden track HT1 without a card: disqualified", "RR-F6", "1: 20", ())],
        ),
        (
            CARDS + "TC2: 10 20 via Nowhere 20 20",
            {"main": "........"},
            [("false", "turn 2: the map has no square, place or road “nowhere”", "RR-M6", "2: Nowhere", ())],
        ),
        (
            CARDS + "TC2: 10 20 via C1 via B1 20 20",
            {"main": "........"},
            [("false", "turn 2: no way leads from C1 to B1 without turning round", "RR-M6", "2: B1", ())],
        ),
        (
            CARDS + "TC2: 10 20 20",
            {"main": "........", "tracks": ("B1 F1",)},
            [
                (
                    "note",
                    "turn 3: the speeds lead to F1, 2 squares before TC2: another way, a hazard? A hidden track would do it",
                    "RR-P7",
                    "2: 20",
                    ("via HT1",),
                )
            ],
        ),
        (
            CARDS + "TC2: 10 10 10",
            {"main": "..."},
            [("false", "turn 3: the car reaches TC2 before this turn", "RR-P7", "2: 10", ())],
        ),
        (
            CARDS + "TC2 9 2 4 1:00 | 10 20\ntotal 1:00",
            {"main": "...."},
            [
                ("false", "the sheet says distance 9, the map gives 3", "RR-H1", "2: 9", ("3",)),
                ("false", "the sheet says target 2:00, the entries give 1:00", "RR-T1", "2: 2", ("1:00",)),
                ("false", "the sheet says time taken 4:00, the entries give 2:00", "RR-P5", "2: 4", ("2:00",)),
            ],
        ),
        (
            CARDS + "stages\nTC2 3 1 2 1:00 | 10 20",
            {"main": "...."},
            [("false", "the sheet says section stage, the map gives road", "RR-C4", "3: TC2", ("road",))],
        ),
        (
            CARDS + "RTC2 3 24mph 2 4 1:00 | 10 20",
            {"main": "....", "controls": ("A1", "D1 W regularity 25")},
            [
                ("false", "the sheet says regularity speed 24, the map gives 25", "RR-T4", "2: RTC2", ("25",)),
                ("false", "the sheet says target 2:00, the entries give 1:12", "RR-T4", "2: 2", ("1:12",)),
                ("false", "the sheet says time taken 4:00, the entries give 2:00", "RR-P5", "2: 4", ("2:00",)),
                ("false", "the sheet says penalty 1:00, the entries give 0:48", "RR-P3", "2: 1:00", ("0:48",)),
            ],
        ),
        (
            CARDS + "PC2 (3) | 10\nTC3 6 | 20 10 20",
            PASSAGE,
            [
                ("note", "PC2 is met 1 turn later", "RR-F1", "2: 10", ()),
                ("false", "the sheet says time taken 6:00, the entries give 4:00", "RR-P5", "3: 6", ("4:00",)),
            ],
        ),
        (
            CARDS + "PC2 (3) | 10 10 20\nTC3 | 10 10",
            PASSAGE,
            [
                (
                    "note",
                    "turn 3: not stopped at PC2: 30 marks, missing on the sheet",
                    "RR-F1",
                    "2: 20",
                    ("+30 not stopped at PC2 on the way to TC3",),
                )
            ],
        ),
        (CARDS + "TC2: 25 10 20", {"main": "...."}, [("false", "turn 1: 25 mph is not a speed", "RR-M1", "2: 25", ("20",))]),
        (CARDS + "TC2 |", {"main": "...."}, [("false", NO_SPEED, "RR-P7", "2: TC2", ())]),
        (
            CARDS + "TC2: 10 20 (3) 20",
            {"main": "......"},
            [("note", "turn 2: the sheet notes 3 squares, the map gives 2", "RR-M1", "2: 20", ("(2)",))],
        ),
        (
            CARDS + "TC2: 10 20 20 20",
            LANE,
            [("note", "turn 4: the speeds lead to H1, 1 square before TC2: another way, a hazard?", "RR-P7", "2: 20", ())],
        ),
        (
            CARDS + "TC2: 10 20 via C3 20 20",
            LANE,
            [
                ("false", "turn 4: the road ends at C3", "RR-M6", "2: 20", ("turn",)),
                (
                    "note",
                    "turn 4: the speeds lead to C3, off the route to TC2: another way, a hazard?",
                    "RR-P7",
                    "2: 20",
                    (),
                ),
            ],
        ),
        (
            CARDS + "TC2: 10 20 via C3 turn round 10 20 30 20",
            LANE,
            [
                (
                    "note",
                    "turn 7: carried past TC2: 30 marks, missing on the sheet",
                    "RR-F2",
                    "2: 20",
                    ("+30 carried past TC2",),
                )
            ],
        ),
    ],
)
def test_a_sheet_on_the_map_has_each_finding_with_its_rule_and_place(drive, text, way, findings):
    assert found(drive(text, **way)) == findings

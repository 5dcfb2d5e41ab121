"""A marked map as text: what an organiser types, and what is told of slips."""

import pytest

from adjudicator.games.rally_round.components import Control, Side, Timing
from adjudicator.games.rally_round.network import Network
from adjudicator.games.rally_round.office.route_text import OldRouteReader, RallyReader

NETWORK = Network({}, dict.fromkeys(("A4", "E3", "K5", "P4", "T9", "O6", "U25"), ()), {}, {})


RULES = {"control": "RR-C4", "side": "RR-C4", "square": "RR-C1", "regularity": "RR-T4", "start": "RR-L1"}
"""The rule of each slip that breaks one."""


def read_rally(text):
    reader = RallyReader("a text", NETWORK)
    reader.read(text.encode())
    return reader.rally, reader.wrong


def read_transcription(text):
    reader = OldRouteReader("a text", NETWORK)
    reader.read(text.encode())
    return reader.ways, reader.wrong


def test_every_kind_of_control_and_black_spots_are_read():
    rally, wrong = read_rally(
        "rally Evening  Run\nTC1 a4  # the start\nPC2 E3 from N\nTC K5 from south\nRTC4: at P4 from N 24mph\nSSF T9 S\n"
        "Black spots: O6, u25\nblack spot O6",
    )
    assert wrong == []
    assert (rally.id, rally.name, rally.black_spots) == ("evening-run", "Evening Run", ("O6", "U25"))
    assert rally.controls == (
        Control(square="A4"),
        Control(square="E3", side=Side.NORTH),
        Control(square="K5", side=Side.SOUTH, section=Timing.ROAD),
        Control(square="P4", side=Side.NORTH, section=Timing.REGULARITY, speed=24),
        Control(square="T9", side=Side.SOUTH, section=Timing.STAGE),
    )


@pytest.mark.parametrize(
    ("line", "code", "marked", "suggestion"),
    [
        ("CT2 K5 from S", "control", "CT2", "TC2"),
        ("TC3 K5 from S", "number", "TC3", "TC2"),
        ("TC2 K55 from S", "square", "K55", "K5"),
        ("TC2", "control", "TC2", ""),
        ("TC2 K5", "side", "K5", ""),
        ("TC2 K5 from Sowth", "control", "Sowth", "south"),
        ("RTC2 K5 from S", "regularity", "S", "24mph"),
        ("TC2 K5 from S 24mph", "regularity", "24mph", ""),
        ("RTC2 K5 from S 31mph", "control", "31mph", ""),
        ("black spot", "spot", "black", ""),
        ("black spot Q9", "square", "Q9", "T9"),
    ],
)
def test_each_slip_is_told_with_its_place_and_what_might_stand_there(line, code, marked, suggestion):
    rally, (wrong,) = read_rally(f"TC1 A4\n{line}")
    assert rally is None
    assert (wrong.problem.code, wrong.line) == (f"route/{code}", 2)
    assert line[wrong.column - 1 :][: wrong.width] == marked
    assert (*wrong.problem.suggestions, "")[0] == suggestion
    assert wrong.problem.rule == RULES.get(code, "")


def test_the_start_is_no_section_and_is_entered_from_no_side():
    _, wrong = read_rally("SSF1 A4\nTC2 K5 from S")
    assert [(one.problem.code, one.problem.rule, one.problem.suggestions) for one in wrong] == [
        ("route/start", "RR-L1", ("TC1",))
    ]
    _, wrong = read_rally("TC1 A4 from N\nTC2 K5 from S")
    assert [one.problem.code for one in wrong] == ["route/side"]


def test_all_slips_are_told_at_once():
    _, wrong = read_rally("TC1 A4\nTC2 Q1 from S\nTC3 K5\nwhat is this\nTC4 T9 from S")
    assert [one.line for one in wrong] == [2, 3, 4]


def test_a_route_has_99_controls_at_most():
    lines = "".join(f"TC{number} K5 from S\n" for number in range(2, 101))
    rally, (wrong,) = read_rally(f"TC1 A4\n{lines}")
    assert (rally, wrong.problem.code, wrong.line) == (None, "route/many", 100)
    rally, wrong = read_rally("TC1 A4\n" + lines[: lines.index("TC100")])
    assert (len(rally.controls), wrong) == (99, [])


@pytest.mark.parametrize("text", ["", "# nothing", "TC1 A4"])
def test_a_route_has_two_controls_at_least(text):
    rally, wrong = read_rally(text)
    assert rally is None
    assert len(wrong) == 1


def test_a_transcription_is_read_by_control_over_several_lines():
    found, wrong = read_transcription("TC2: A4, e3 K5\nTC2: P4\nPC3: T9")
    assert wrong == []
    assert found == {"TC2": ("A4", "E3", "K5", "P4"), "PC3": ("T9",)}
    _, wrong = read_transcription("to K5: A4\nTC2: A4 X1")
    assert [(one.line, one.problem.code) for one in wrong] == [(1, "route/control"), (2, "route/square")]

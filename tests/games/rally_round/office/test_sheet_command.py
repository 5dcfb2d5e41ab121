"""The command `rally-round sheet`: texts and JSON in, scores and a classification out; nothing that crews write harms it."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from typer.testing import Result

Run = Callable[..., Result]
ANN = "crew Ann\nclass Pro\nTC2 12 4 4 - | 20 30 30 40\n"
BOB = "crew Bob\nclass New\nTC2 12 4 5 1:00 | 10 20 30 30 30\n"


@pytest.fixture
def score(run: Run) -> Run:
    """Return the command `sheet score`."""
    return partial(run, "rally-round", "sheet", "score")


@pytest.fixture
def sheets(tmp_path: Path) -> Path:
    (tmp_path / "ann.txt").write_text(ANN)
    (tmp_path / "bob.txt").write_text(BOB)
    return tmp_path


def test_one_sheet_is_told_section_by_section(score: Run, sheets: Path) -> None:
    text = score("bob.txt", code=0).stdout
    assert text == (
        "Bob, class New: 1:00\n"
        "route to  squares  target  taken  penalty  faults  total\n"
        "TC2            12    4:00   5:00     1:00           1:00\n"
        "  every entry follows from the speeds\n"
    )


def test_several_sheets_are_put_in_order_and_what_is_found_is_told_by_crew(score: Run, sheets: Path) -> None:
    text = score("bob.txt", "ann.txt", code=0).stdout
    assert text.index("    1  Ann") < text.index("    2  Bob")
    assert "needs a card: TC2: turn 1: a start at 20 mph" in text
    assert "route to" not in text
    assert score("bob.txt", "ann.txt", "--full", code=0).stdout.count("route to") == 2


CLUB = """\
rally Club run
crew Ann Lee
class Pro
kit start 30
TC2 12 4 5 1:00 | 10 20 30 30 30
+30 Give Way
PC3 (5) | 10 20 20
SSF4 14 | 10 20 50 50 60
out
total 32:00
crew Cy
TC2 12 | 10 20 30 30 30
"""
LEE = """\
Ann Lee, class Pro: 36:40
{}  false: SSF4: turn 3: from 20 to 50 mph (RR-M3)
  false: total: the sheet says 32:00, the entries give 36:40 (RR-P7)
  needs a note: SSF4: the car reaches the control before the last turn (RR-P7)
"""
SECTIONS = """\
route to  squares  target  taken  penalty  faults  total
TC2            12    4:00   5:00     1:00   30:00  31:00
SSF4           14    2:20   8:00     5:40          36:40
out: out
"""


def test_a_sheet_and_a_classification_read_as_a_whole(score: Run, sheets: Path) -> None:
    club = CLUB.partition("crew Cy")[0]
    (sheets / "club.txt").write_text(club)
    assert score("club.txt", code=1).stdout == LEE.format(SECTIONS)
    (sheets / "club.txt").write_text(CLUB)
    (sheets / "dan.txt").write_text("crew Dan\nTC2 12 | 10 20 30 30 30\nSSF4 14 | 10 20 30 40 40\n")
    text = score("club.txt", "dan.txt", code=1).stdout
    assert text == (
        "Classification: Club run\n\n"
        "place  crew     class  in class  penalty  of which faults  to look at\n"
        "    1  Dan                    1     3:40             0:00\n"
        "       Cy                           1:00             0:00  not finished, 1 to explain\n"
        "       Ann Lee  Pro                36:40            30:00  out\n\n"
        "Cy: 1:00\n  needs a note: SSF4: not on this sheet (RR-R1)\n\n"
    ) + LEE.format("")
    assert SECTIONS in score("club.txt", "dan.txt", "--full", code=1).stdout
    table = score("club.txt", "dan.txt", "--csv", "-", code=1).stdout.splitlines()
    assert table[0] == "place,crew,class,in class,penalty,of which faults,to look at"
    assert table[3] == ",Ann Lee,Pro,,36:40,30:00,out"


def test_sheets_come_from_standard_input_too(score: Run) -> None:
    assert score("-", stdin=ANN, code=0).stdout.startswith("Ann, class Pro: 0:00\n")


def test_a_false_entry_is_a_problem(score: Run, sheets: Path) -> None:
    (sheets / "ann.txt").write_text(ANN.replace("4 4 -", "4 3 -"))
    assert "false: TC2: the sheet says time taken 3:00, the entries give 4:00 (RR-P5)" in score("ann.txt", code=1).stdout


def test_slips_are_told_with_carets_and_other_texts_are_scored(score: Run, sheets: Path) -> None:
    (sheets / "cy.txt").write_text("crew Cy\nTC2 12 | 10 2O\nCT3 12 | 10\n")
    result = score("cy.txt", "ann.txt", code=1)
    assert "Ann, class Pro: 0:00" in result.stdout
    assert result.stderr == (
        "cy.txt:2:13: sheet/speed (RR-M1)\n  TC2 12 | 10 2O\n              ^^\n  “2O” is not a speed\n  try: 20\n\n"
        "cy.txt:3:1: sheet/row\n  CT3 12 | 10\n  ^^^\n"
        "  a row is a control, its distance, and after a bar the speeds: TC2 12 4 5 1:00 | 10 20 30\n  try: TC3\n"
    )


def test_the_classification_is_written_as_html_and_csv(score: Run, sheets: Path) -> None:
    score("bob.txt", "ann.txt", "--html", "r.html", "--csv", "r.csv", code=0)
    assert "<tr><td>1</td><td>Ann</td><td>Pro</td><td>1</td><td>0:00</td>" in (sheets / "r.html").read_text()
    with (sheets / "r.csv").open(newline="") as stream:
        rows = list(csv.reader(stream))
    assert rows[1][:5] == ["1", "Ann", "Pro", "1", "0:00"]
    score("bob.txt", "ann.txt", "--html", "r.html", "--csv", "r.csv", code=0)  # its own may be replaced
    assert score("ann.txt", "--csv", "-", code=0).stdout.startswith("place,crew,class,")


DRIVEN = """crew Ann
kit D1 N3 E5 S3 A3 B2
TC3 22 8 8 - | 30 30 20 20 20 40 20 30
"""


def test_on_a_map_a_sheet_is_driven_and_what_was_met_is_told(score: Run, sheets: Path) -> None:
    (sheets / "ann.txt").write_text(DRIVEN)
    text = score("ann.txt", "--map", "house", code=0).stdout
    assert "turn 4 rolls down to E5 (RR-F9); turn 7 draws H1, Sheep on the road (RR-F8)" in text
    assert "needs a note (RR-R1)" in text  # the other sections
    assert "on the way" not in score("ann.txt", code=0).stdout


def test_on_a_map_every_entry_that_does_not_follow_is_told_with_its_place(score: Run, sheets: Path) -> None:
    (sheets / "ann.txt").write_text(DRIVEN.replace("22 8 8", "21 8 9").replace("40 20 30", "50 20 30"))
    text = score("ann.txt", "--map", "house", code=1).stdout
    assert (
        "ann.txt:3:5: false (RR-H1)\n  TC3 21 8 9 - | 30 30 20 20 20 50 20 30\n      ^^\n"
        "  TC3: the sheet says distance 21, the map gives 22\n  try: 22\n"
    ) in text
    assert "false (RR-M3)" in text
    sheet = json.loads(score("ann.txt", "--map", "house", "--json", code=1).stdout)["sheets"][0]
    assert sheet["driven"]
    assert [(one["rule"], one["line"], one["column"]) for one in sheet["findings"]][:1] == [("RR-H1", 3, 5)]


def test_sheets_of_other_programs_are_driven_too(score: Run, sheets: Path) -> None:
    rows = [{"control": "TC3", "distance": 22, "speeds": [30, 30, 20, 20, 20, 40, 20, 30]}]
    written = {"sheets": [{"crew": "Ann", "cards": ["D1", "N3", "E5", "S2", "A6", "B2"], "rows": rows}]}
    (sheets / "ann.json").write_text(json.dumps(written))
    found = json.loads(score("ann.json", "--map", "house", "--json", code=0).stdout)["sheets"][0]
    assert (found["total"], [one["message"] for one in found["incidents"]][-1]) == (0, "draws H1, Sheep on the road")
    written["sheets"][0]["cards"] = ["D1", "D2"]
    (sheets / "ann.json").write_text(json.dumps(written))
    assert "one card of each" in score("ann.json", "--map", "house", code=3).stderr


@pytest.mark.parametrize("option", ["--html", "--csv"])
def test_a_file_of_somebody_s_is_spared(score: Run, sheets: Path, option: str) -> None:
    (sheets / "note.txt").write_text("dear diary")
    assert "already exists" in score("ann.txt", option, "note.txt", code=2).stderr
    assert (sheets / "note.txt").read_text() == "dear diary"
    score("ann.txt", option, "note.txt", "--force", code=0)
    assert "the table would" in score("ann.txt", option, "ann.txt", "--force", code=2).stderr
    assert (sheets / "ann.txt").read_text() == ANN


def test_a_crew_s_name_can_neither_script_a_page_nor_calculate_in_a_spreadsheet(score: Run, sheets: Path) -> None:
    (sheets / "ann.txt").write_text(ANN.replace("crew Ann", "crew =1+1<script>\x1b[31m"))
    page = score("ann.txt", "--html", "-", code=0).stdout
    assert "&lt;script&gt;" in page
    assert "\x1b" not in page
    table = score("ann.txt", "--csv", "-", code=0).stdout
    assert "'=1+1" in table
    assert "\x1b" not in table
    assert "\x1b" not in score("ann.txt", code=0).stdout


def test_sheets_as_json_score_like_those_as_text(score: Run, sheets: Path) -> None:
    rows = [{"control": "TC2", "distance": 12, "speeds": [10, 20, 30, 30, 30], "target": 240, "taken": 300, "penalty": 60}]
    sheet = {"crew": "Bob", "entry_class": "New", "rows": rows}
    (sheets / "bob.json").write_text(json.dumps({"sheets": [sheet]}))
    text = score("bob.txt", code=0).stdout
    assert score("bob.json", code=0).stdout == text
    noted = {**sheet, "faults": [{"words": "Give Way", "control": "tc2"}]}
    (sheets / "bob.json").write_text(json.dumps({"sheets": [noted]}))
    section = json.loads(score("bob.json", "--json", code=0).stdout)["sheets"][0]["sections"][0]
    assert (section["control"], section["fault_penalty"], section["total"]) == ("TC2", 1800, 1860)


@pytest.mark.parametrize(
    ("row", "words"),
    [
        ({"control": "TC2", "distance": 0, "speeds": []}, "sheets[0].rows[0].distance"),
        ({"control": "XX2", "distance": 1, "speeds": []}, "a control is called TC2"),
        ({"control": "RTC2", "distance": 1, "speeds": []}, "a regularity section has a speed"),
        ({"control": "PC2", "distance": 1, "speeds": []}, "no time control ends the last section"),
    ],
)
def test_json_that_is_no_sheet_is_not_trusted(score: Run, tmp_path: Path, row: object, words: str) -> None:
    (tmp_path / "x.json").write_text(json.dumps({"sheets": [{"rows": [row]}]}))
    assert words in score("x.json", code=3).stderr


@pytest.mark.parametrize("data", [b"", b"\xff\xfe", b"\0\1\2", b"# nothing\n"])
def test_a_text_without_a_sheet_is_told(score: Run, tmp_path: Path, data: bytes) -> None:
    (tmp_path / "x.txt").write_bytes(data)
    assert "x.txt: " in score("x.txt", code=1).stderr


def test_three_hundred_sheets_are_one_classification(score: Run, tmp_path: Path) -> None:
    (tmp_path / "all.txt").write_text("".join(BOB.replace("Bob", f"Crew {number}") for number in range(300)))
    found = json.loads(score("all.txt", "--json", code=0).stdout)
    assert [sheet["place"] for sheet in found["sheets"]] == [1] * 300


def test_the_route_may_come_from_a_map(score: Run, tmp_path: Path) -> None:
    (tmp_path / "route.txt").write_text("TC1 A4\nPC2 E3 from N\nTC3 K5 from S\nRTC4 P4 from N 24mph\n")
    (tmp_path / "ann.txt").write_text("crew Ann\nTC3: 10 20 30 30 / 10 20 30 40\nRTC4 5:00 - | 10 20 30 40 20\n")
    sheet = json.loads(score("ann.txt", "--route", "route.txt", "--json", code=0).stdout)["sheets"][0]
    assert [(one["control"], one["distance"], one["target"], one["time"]) for one in sheet["sections"]] == [
        ("TC3", 19, 420, 480),
        ("RTC4", 12, 300, 300),
    ]
    assert "the route has no RTC4" in score("ann.txt", "--map", "house", code=1).stderr
    (tmp_path / "route.txt").write_text("TC1 A4\nTC2 K21 from N\n")
    assert "the route cannot be driven" in score("ann.txt", "--route", "route.txt", code=2).stderr
    (tmp_path / "route.txt").write_text("TC1 A4\nTC2 Q99 from N\n")
    assert "the map has no square Q99" in score("ann.txt", "--route", "route.txt", code=2).stderr

"""The command `rally-round route`: a marked map laid, checked, compared, drawn, and begun with."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from typer.testing import Result

from adjudicator import resources
from adjudicator.rulesets import ruleset

Run = Callable[..., Result]
EVENING = """\
rally Evening run
TC1  A4
PC2  E3 from N
TC3  K5 from S
SSF4 P4 from N
RTC5 P10 from N 30mph
STC6 T9 from S
black spot O6
"""


@pytest.fixture
def lay(run: Run) -> Run:
    """Return the command `route`."""
    return partial(run, "rally-round", "route")


@pytest.fixture
def evening(tmp_path: Path) -> Path:
    (tmp_path / "evening.txt").write_text(EVENING)
    return tmp_path


def test_a_section_is_drawn_at_a_phone_s_width(lay: Run, tmp_path: Path) -> None:
    lay("--svg", "tc3.svg", "--section", "TC3", code=0)
    drawn = (tmp_path / "tc3.svg").read_text()
    assert 'width="400"' in drawn
    assert "To TC3, part 3 of 3" in drawn
    lay("--svg", "all.svg", "--section", "all", code=0)
    assert (tmp_path / "all.svg").read_text().count("To ") >= 9
    assert "the section “TC99” is unknown; choose from: TC3, TC5" in lay("--svg", "-", "--section", "TC99", code=2).stderr
    assert "use --section only with --svg" in lay("--section", "TC3", code=2).stderr


def test_sections_target_times_warnings_and_the_road_book_are_told(lay: Run, evening: Path) -> None:
    text = lay("evening.txt", code=0).stdout
    assert "TC3      K5      S     19       road                    7:00\n" in text
    assert "RTC5     P10     N     6        regularity at 30 mph    2:00\n" in text
    assert "the rally finishes at T9, which is not chequered (RR-L1)" in text
    assert "after 1 square: E1 (Harrow Top): right onto Otter Drove\n" in text


def test_a_route_reads_as_a_whole(lay: Run, evening: Path) -> None:
    (evening / "short.txt").write_text("rally Évening\nTC1 A4\nPC2 E3 from N\nRTC3 H6 from W 30mph\n")
    (evening / "old.txt").write_text("RTC3: A4 A3\n")
    assert lay("short.txt", "--compare", "old.txt", code=1).stdout == (
        "Évening: a route on House map\n\n"
        "Please check:\n"
        "  the rally finishes at H6, which is not chequered (RR-L1)\n"
        "  the rally has 2 time controls: 5 at least for all that the game has (RR-L4)\n\n"
        "control  square  from  squares  section               target\n"
        "PC2      E3      N     (9)\n"
        "RTC3     H6      W     15       regularity at 30 mph    5:00\n"
        "1 section, 15 squares, 5:00 in all\n\n"
        "Compared with the transcription:\n"
        "  RTC3: first difference at step 2: here A2, there nothing more\n\n"
        "Road book\n"
        "TC1 A4: leave to the north on Skeet Road\n"
        "after 2 squares: A2, hazard\n"
        "after 2 squares: B1, hazard\n"
        "after 2 squares: D1, humpbacked bridge 50 mph\n"
        "after 1 square: E1 (Harrow Top): right onto Otter Drove\n"
        "after 1 square: E2, rough road 20 mph\n"
        "after 1 square: E3, PC2\n"
        "after 1 square: E4, gradient down to the south\n"
        "after 2 squares: E6 (Otterby): left onto Dray Lane\n"
        "after 2 squares: G6, hazard\n"
        "after 1 square: RTC3 H6, entered from the west\n"
    )
    lay("short.txt", "-o", "short.json", code=0)
    assert "Évening" in (evening / "short.json").read_text("utf-8")
    assert "already exists" in lay("short.txt", "-o", "short.json", code=2).stderr
    lay("evening.txt", "-o", "short.json", "--force", code=0)
    assert "Evening run" in (evening / "short.json").read_text("utf-8")


def test_a_route_that_cannot_be_driven_has_no_sections(lay: Run, tmp_path: Path) -> None:
    """A wrong speed of a regularity, and a control behind the finish: nothing is laid, and all of it is told."""
    ends = [{"square": "A4"}, {"square": "K5", "side": "S", "section": "road"}]
    late = [*ends, {"square": "E3", "side": "N", "section": "regularity"}]
    for controls, flaws in (
        (late, ["RTC3: a regularity section needs a speed from 20 to 30 mph, and no other section has one (RR-T4)"]),
        ([*ends, {"square": "A2", "side": "N", "section": "road"}], ["no way leads from TC2 to TC3 at A2 from N (RR-L2)"]),
    ):
        setup = {"rally": {"id": "odd", "name": "Odd", "black_spots": [], "controls": controls}}
        (tmp_path / "odd.json").write_text(json.dumps(setup))
        found = json.loads(lay("odd.json", "--json", code=1).stdout)
        assert (found["laid"], found["warnings"]) == ([], [])
        assert set(flaws) <= set(found["flaws"])


def test_without_a_file_the_rally_of_the_map_is_told(lay: Run) -> None:
    assert "9 sections, 164 squares" in lay(code=0).stdout


def test_an_ambiguity_is_told_with_black_spots_that_settle_it(lay: Run, tmp_path: Path) -> None:
    (tmp_path / "which.txt").write_text("TC1 A4\nTC2 K21 from N\n")
    assert lay("which.txt", "-o", "which.json", code=1).stdout == (
        "Rally: a route on House map\n\nThis route cannot be driven:\n"
        "  from TC1 to TC2 there are 2 ways of 27 squares (RR-L2)\n"
        "    a Black Spot on A11 would leave only the way over B10\n"
        "    a Black Spot on B10 would leave only the way over A11\n"
        "  with Black Spots on A11 there is only one way everywhere\n"
    )
    assert not (tmp_path / "which.json").exists()
    (tmp_path / "which.txt").write_text("TC1 A4\nTC2 K21 from N\nblack spot A11\n")
    assert "27" in lay("which.txt", code=0).stdout


def test_what_cannot_be_driven_is_told_all_at_once(lay: Run, tmp_path: Path) -> None:
    setup = {"rally": {"id": "odd", "name": "Odd", "black_spots": [], "controls": [
        {"square": "A4"}, {"square": "K5", "side": "E", "section": "road"}, {"square": "A4", "side": "N"},
    ]}}  # fmt: skip
    (tmp_path / "odd.json").write_text(json.dumps(setup))
    text = lay("odd.json", code=1).stdout
    assert "cars can enter TC2 at K5 from" in text
    assert "PC3 is the last control" in text
    assert "two controls are on A4" in text


def test_a_control_that_is_entered_from_a_wrong_side_is_told_with_its_place(lay: Run, tmp_path: Path) -> None:
    (tmp_path / "odd.txt").write_text("TC1 A4\nTC2 K5 from E\nPC3 E3 from W\n")
    assert lay("odd.txt", code=1).stderr == (
        "odd.txt:2:13: route/side (RR-C4)\n  TC2 K5 from E\n              ^\n"
        "  cars can enter K5 from N or S, not from E\n  try: N, S\n\n"
        "odd.txt:3:13: route/side (RR-C4)\n  PC3 E3 from W\n              ^\n"
        "  cars can enter E3 from N or S, not from W\n  try: N, S\n"
    )


def test_slips_of_the_typist_are_told_with_carets(lay: Run, tmp_path: Path) -> None:
    (tmp_path / "odd.txt").write_text("TC1 A4\nCT2 K5 from S\n")
    assert lay("odd.txt", code=1).stderr == (
        "odd.txt:2:1: route/control (RR-C4)\n  CT2 K5 from S\n  ^^^\n"
        "  a control is its name, its square and the side it is entered from: TC3 K5 from S\n  try: TC2\n"
    )


def test_a_game_begins_with_the_route_that_was_written(run: Run, lay: Run, evening: Path) -> None:
    lay("evening.txt", "-o", "evening.json", code=0)
    run("new", "rally-round", "--seat", "red", "--setup", "evening.json", "-o", "game.json", code=0)
    assert "Evening run" in run("show", "game.json", code=0).stdout
    assert lay("evening.json", code=0).stdout == lay("evening.txt", code=0).stdout
    assert "already exists" in lay("evening.txt", "-o", "evening.json", code=2).stderr
    assert "this command reads" in lay("evening.txt", "-o", "evening.txt", "--force", code=2).stderr
    assert (evening / "evening.txt").read_text() == EVENING


def test_an_old_route_is_compared_and_the_first_square_that_differs_is_told(lay: Run, evening: Path) -> None:
    squares = json.loads(lay("evening.txt", "--json", code=0).stdout)["laid"]
    old = {section["control"]: section["squares"] for section in squares}
    (evening / "old.txt").write_text("".join(f"{control}: {' '.join(way)}\n" for control, way in old.items()))
    assert "  STC6: the same\n" in lay("evening.txt", "--compare", "old.txt", code=0).stdout
    old["SSF4"][2] = "K9"
    (evening / "old.txt").write_text("".join(f"{control}: {' '.join(way)}\n" for control, way in old.items()))
    text = lay("evening.txt", "--compare", "old.txt", code=1).stdout
    assert "  TC3: the same\n  SSF4: first difference at step 2: here K3, there K9\n" in text


def test_the_map_is_drawn_with_the_route(lay: Run, evening: Path) -> None:
    lay("evening.txt", "--svg", "map.svg", code=0)
    drawn = (evening / "map.svg").read_text()
    assert drawn.startswith("<svg ")
    assert "RTC5" in drawn
    assert lay("evening.txt", "--svg", "-", code=0).stdout == drawn


def test_what_is_wrong_with_a_map_of_one_s_own_is_told_by_square(lay: Run, evening: Path) -> None:
    house = json.loads(resources.component_set(ruleset("rally-round").meta, "house"))
    house["id"] = "mine"
    house["squares"][0]["limit"] = 30
    house["squares"][3]["toward"] = "N"
    (evening / "mine.json").write_text(json.dumps(house))
    result = lay("evening.txt", "--map", "mine.json", code=2)
    assert "A1: only a bend has a sign with a limit (RR-C2)" in result.stderr
    assert "A4: the chequered points nowhere (toward) (RR-C2)" in result.stderr


@pytest.mark.parametrize("data", ["{", '{"seats": []}', '{"rally": 1}'])
def test_json_that_is_no_rally_is_not_trusted(lay: Run, tmp_path: Path, data: str) -> None:
    (tmp_path / "x.json").write_text(data)
    assert lay("x.json", code=3).stderr.startswith("adjudicator: x.json: ")

"""Problems under their lines: carets where the fault is, whatever the player typed around it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import get_character_cell_size

from adjudicator.core.canonical import json_value
from adjudicator.core.problem import Diagnostic, Problem
from adjudicator.reports.data.diagnostics import diagnostic_text, diagnostics_text, mistakes_text, order_problem

OCCUPIED = Problem(
    "checkpoint-rally/cell-occupied",
    "C2 carries red's car: a tile under a car cannot be replaced",
    "CR-P1",
    "cell",
    ("PLACE H3 at C3 rot 90",),
)


def at(text: str, part: str, width: int | None = None, seat: str = "red") -> Diagnostic:
    """Return a diagnostic about the first ``part`` of the line ``text``."""
    place = Diagnostic(OCCUPIED, seat, 12, source="turn-7.txt")
    return place.at(text.index(part) + 1, len(part) if width is None else width, text)


def marked(diagnostic: Diagnostic) -> str:
    """Return the characters of the shown line that stand above carets, measured by another library than ours."""
    _, line, carets, *_ = diagnostic_text(diagnostic).splitlines()
    assert set(carets) == {" ", "^"}
    column, above = 0, ""
    for character in line:
        width = get_character_cell_size(character)
        covered = carets[column : column + max(width, 1)]
        if width == 0:
            above += character if above and carets[column - 1 : column] == "^" else ""
        elif covered.strip():
            assert covered == "^" * width
            above += character
        column += width
    return above


def test_a_diagnostic_looks_as_the_design_says() -> None:
    assert diagnostic_text(at("  PLACE H3 at C2 rot 90", "C2")) == (
        "turn-7.txt:12:15: checkpoint-rally/cell-occupied (CR-P1)\n"
        "  red: PLACE H3 at C2 rot 90\n"
        "                   ^^\n"
        "  C2 carries red's car: a tile under a car cannot be replaced\n"
        "  try: PLACE H3 at C3 rot 90"
    )


@pytest.mark.parametrize(
    ("line", "source", "place"), [(12, "", "Line 12: "), (12, "a.eml", "Line 12 of a.eml: "), (0, "", "")]
)
def test_a_player_reads_the_line_and_the_message_first(line: int, source: str, place: str) -> None:
    mistake = replace(at("  PLACE H3 at C2 rot 90", "C2"), line=line, source=source)
    assert mistakes_text([mistake]) == (
        f"{place}{OCCUPIED.message}\n"
        "  PLACE H3 at C2 rot 90\n"
        "              ^^\n"
        "  try: PLACE H3 at C3 rot 90\n"
        "  rule CR-P1 [checkpoint-rally/cell-occupied]"
    )


@pytest.mark.parametrize(
    "line",
    [
        "PLACE H3 at C2 rot 90",
        "\tPLACE\tH3\tat\tC2\trot\t90",
        "red: PLACE H3 at C2",
        "RED : PLACE H3 at C2",
        "> 李明 schrieb: PLACE H3 at C2 rot 90",
        "🚗🏁 PLACE H3 at C2 🚗",
        "PLÁC\u0301E\u0301 H3 at C2",
        "PLACE\u00a0H3\u00a0at\u00a0C2",
        "\x1b[31mPLACE H3\x07 at C2",
        "\u202ePLACE H3 at C2",
        "x" * 500 + " C2",
        "C2 " + "x" * 500,
        "x" * 300 + " C2 " + "y" * 300,
        "車" * 200 + "C2" + "車" * 200,
        "車" * 200 + "bC2" + "車" * 200,
        "車" * 200 + "bC2b" + "車" * 200,
        "\t" * 60 + "x\t" * 60 + "C2",
    ],
)
def test_carets_stand_under_the_right_characters(line: str) -> None:
    assert marked(at(line, "C2")) == "C2"


@pytest.mark.parametrize(
    ("line", "part", "shown"),
    [("MOVE Ç\u0301\u0301 D3", "Ç\u0301\u0301", "Ç\u0301\u0301"), ("TAKE 李明 now", "李明", "李明"), ("a\tb", "\t", "   ")],
)
def test_carets_are_as_wide_as_what_they_mark(line: str, part: str, shown: str) -> None:
    assert marked(at(line, part)) == shown


def test_a_caret_under_a_combining_mark_stands_under_its_letter() -> None:
    assert marked(at("MOVE E\u0301 D3", "\u0301")) == "E\u0301"


def test_something_missing_is_marked_behind_the_end() -> None:
    diagnostic = Diagnostic(OCCUPIED, "red", 3).at(9, 0, "PLACE H3")
    _, line, carets, *_ = diagnostic_text(diagnostic).splitlines()
    assert line == "  red: PLACE H3"
    assert carets == " " * len(line) + "^"


@given(st.text(st.sampled_from("aC2 \t李車e\u0301\x1b\u202e🚗"), max_size=260), st.text("b\t車", max_size=260))
def test_the_line_never_gets_long_and_the_caret_never_gets_lost(before: str, after: str) -> None:
    diagnostic = at(f"{before}|Q7|{after}", "Q7", seat="")
    _, line, carets, *_ = diagnostic_text(diagnostic).splitlines()
    assert sum(map(get_character_cell_size, line)) <= 102
    assert marked(diagnostic) == "Q7"
    assert len(carets) <= 102


@pytest.mark.parametrize(("before", "after"), [("", ""), ("b", ""), ("", "b"), ("b", "b")])
def test_a_cut_never_halves_a_wide_character(before: str, after: str) -> None:
    _, line, *_ = diagnostic_text(at(f"{'車' * 200}{before}C2{after}{'車' * 200}", "C2", seat="")).splitlines()
    assert sum(map(get_character_cell_size, line)) == 102
    assert line.strip()[0] == line[-1] == "…"


def test_a_very_wide_mark_stays_in_the_window() -> None:
    _, line, carets, *_ = diagnostic_text(at("PLACE " + "x" * 900, "x" * 900)).splitlines()
    assert len(carets) <= len(line) <= 107
    assert line.endswith("…")


@pytest.mark.parametrize(
    ("diagnostic", "head"),
    [
        (Diagnostic(OCCUPIED, "red", 12, source="t.txt"), "t.txt:12: "),
        (Diagnostic(OCCUPIED, source="t.txt"), "t.txt: "),
        (Diagnostic(OCCUPIED, "red", 12), "line 12: "),
        (Diagnostic(OCCUPIED, "red", 12, column=3), "line 12:3: "),
        (Diagnostic(OCCUPIED), ""),
    ],
)
def test_the_place_tells_what_is_known(diagnostic: Diagnostic, head: str) -> None:
    assert diagnostic_text(diagnostic).splitlines()[0] == f"{head}checkpoint-rally/cell-occupied (CR-P1)"


def test_without_a_column_there_are_no_carets() -> None:
    diagnostic = Diagnostic(OCCUPIED, "red", 12, text="PLACE H3 at C2")
    assert diagnostic_text(diagnostic).splitlines()[1:3] == ["  red: PLACE H3 at C2", f"  {OCCUPIED.message}"]


def test_without_a_line_the_seat_is_still_named() -> None:
    assert diagnostic_text(Diagnostic(OCCUPIED, "red")).splitlines()[1] == "  red:"


def test_single_words_are_suggested_side_by_side_and_orders_one_a_line() -> None:
    words = Diagnostic(Problem("x/y", "no", suggestions=("H5", "G2")))
    orders = Diagnostic(Problem("x/y", "no", suggestions=("MOVE C3", "DRAW")))
    assert diagnostic_text(words).splitlines()[-1] == "  try: H5, G2"
    assert diagnostic_text(orders).splitlines()[-2:] == ["  try: MOVE C3", "       DRAW"]


def test_all_findings_are_told_in_their_order() -> None:
    text = diagnostics_text([at("A C2", "C2"), at("B C2", "C2")])
    assert text.count("\n\n") == 1
    assert text.index("A C2") < text.index("B C2")
    assert diagnostics_text([]) == ""


def test_hostile_texts_are_harmless(hostile: str, assert_harmless: Any) -> None:
    problem = Problem(hostile, hostile, hostile, suggestions=(hostile, hostile + " x"))
    diagnostic = Diagnostic(problem, hostile, 1, source=hostile).at(2, 3, f"a {hostile} b")
    assert_harmless(diagnostic_text(diagnostic), 6)


def test_the_data_hold_every_field() -> None:
    assert json_value(order_problem(at("PLACE H3 at C2", "C2"))) == {
        "code": "checkpoint-rally/cell-occupied",
        "message": OCCUPIED.message,
        "rule": "CR-P1",
        "seat": "red",
        "source": "turn-7.txt",
        "line": 12,
        "column": 13,
        "width": 2,
        "suggestions": ["PLACE H3 at C3 rot 90"],
        "text": "PLACE H3 at C2",
    }

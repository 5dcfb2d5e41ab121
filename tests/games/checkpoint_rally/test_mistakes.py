"""Every mistake that a driver can make: its code, the rule, the words of the order at fault, and what would be right."""

from __future__ import annotations

import re
from importlib.resources import files
from typing import Any

import pytest
import scenes

from adjudicator.core.problem import Problem
from adjudicator.games.checkpoint_rally.rules import RULESET
from adjudicator.orders.parser import read_expression

BOARD = {"A1": "HC1", "B1": "HC2", "A2": "UC1", "B2": "UC2", "E5": "GC1"}
ROW = "UM1 UM2 UM3"
BLUE = {"cell": "E5", "minutes": 9}
POSITIONS: dict[str, dict[str, Any]] = {
    "on the road": {"red": {"cell": "A1", "hand": "HC3 GM1"}, "blue": BLUE},
    "without tiles": {"red": {"cell": "A1"}, "blue": BLUE},
    "without GPS": {"red": {"cell": "A1", "hand": "HC3", "gps": 0}, "blue": BLUE},
    "too many tiles": {"red": {"cell": "A1", "hand": "HC3 HC4 HC5 GM1 GM2"}, "blue": BLUE},
    "at the start": {"red": {"hand": "HC3 HC4 HC5 GM1"}, "blue": {"hand": "GM2 GM3 GM4 GM5"}},
}
MISTAKES = """
on the road
    red PLACE HD9 at C3 rot 0 | unknown-tile CR-C2 | HD9 | HD1 / HD2 / HD3
    red PLACE HC3 at C9 rot 0 | unknown-cell CR-C1 | C9 | C1 / C2 / C3
    red PLACE HC3 at C3 rot 27 | bad-rotation CR-C2 | rot 27 | rot 270
    red PLACE HC4 at C3 rot 0 | not-in-hand CR-P1 | HC4 | HC3
    red PLACE HC3 at E5 rot 0 | car-on-cell CR-P1 | E5 |
    red PLACE HC3 at C3 rot 0 gps | nothing-to-keep CR-P5 | gps |
    red MOVE B1 B9 | unknown-cell CR-C1 | B9 | B1 / B2 / B3
    red MOVE B1 B2 A2 | three-steps CR-M1 | A2 | MOVE B1 B2
    red MOVE C1 | not-adjacent CR-M1 | C1 | B1 / A2
    red MOVE B1 C1 | no-tile CR-M1 | C1 | B2 / A1
    red TAKE HD9 | unknown-tile CR-C2 | HD9 | HD1 / HD2 / HD3
    red TAKE HC3 | not-in-row CR-G1 | HC3 | UM1 / UM2 / UM3
    red KEEP HC3 | no-discard-due CR-T2 | |
without tiles
    red PLACE HC4 at C3 rot 0 | not-in-hand CR-P1 | HC4 |
without GPS
    red PLACE HC3 at B1 rot 0 gps | gps-spent CR-C6 | gps |
    red TAKE UM1 | gps-spent CR-C6 | UM1 |
too many tiles
    red DISCARD GM1 GM1 | tile-twice CR-T2 | GM1 |
    red DISCARD HD9 | unknown-tile CR-C2 | HD9 | HD1 / HD2 / HD3
    red DISCARD GM3 | not-in-hand CR-T2 | GM3 | GM1 / GM2
    red DISCARD GM1 | wrong-count CR-T2 | |
    red KEEP GM1 GM2 | wrong-count CR-T2 | |
    red DRAW | discard-first CR-T2 | | KEEP HC3 HC4 HC5
at the start
    red DRAW | start-first CR-S6 | | PLACE HC3 at A1 rot 0
    red PLACE HC3 at C3 rot 0 | not-your-corner CR-S6 | C3 | A1
    red PLACE HC3 at A1 rot 0 gps | nothing-to-keep CR-P5 | gps |
    red PLACE GM2 at A1 rot 0 | not-in-hand CR-P1 | GM2 | GM1
"""


def problem_of(rally: Any, seat: str, order: str) -> Problem:
    written, _ = read_expression(RULESET, order)
    problem = RULESET.validate(rally.config, written) or RULESET.refusal(rally.config, rally.state, seat, written)
    assert problem is not None, order
    return problem


@pytest.mark.parametrize(("where", "seat", "order", "code", "rule", "fault", "instead"), scenes.mistakes(MISTAKES))
def test_a_mistake_is_told_with_its_rule_at_its_place_and_with_what_would_be_right(
    scene, where, seat, order, code, rule, fault, instead
):
    board = {} if where == "at the start" else BOARD
    problem = problem_of(scene(board, row=ROW, **POSITIONS[where]), seat, order)
    assert (problem.code, problem.rule) == (f"checkpoint-rally/{code}", rule)
    assert scenes.at_fault(RULESET, order, problem) == fault
    assert " / ".join(problem.suggestions) == instead


@pytest.mark.parametrize(("order", "words"), [("DISCARD GM1", "discard 2 tiles"), ("KEEP GM1", "keep exactly 3 tiles")])
def test_cr_t2_a_wrong_number_of_tiles_is_told_with_the_right_one(scene, order, words):
    """Red has five tiles: two must go."""
    rally = scene(BOARD, row=ROW, **POSITIONS["too many tiles"])
    assert problem_of(rally, "red", order).message.startswith(words)


def test_no_mistake_is_left_out():
    """A road that is missing depends on the tiles: test_rules_move.py has it. The last two end a driver's race."""
    texts = [
        path.read_text("utf-8") for path in files("adjudicator.games.checkpoint_rally").iterdir() if path.suffix == ".py"
    ]
    pattern = r"""(?:META\.problem\(|code, message =)\s*"([a-z-]+)\""""
    codes = {code for text in texts for code in re.findall(pattern, text)} | {"unknown-tile"}
    assert codes - {row.values[3] for row in scenes.mistakes(MISTAKES)} == {"no-road", "finished", "chance-over"}

"""Every mistake that a driver can make: its code, the rule, the words of the order at fault, and what would be right."""

from __future__ import annotations

import re
from importlib.resources import files
from typing import Any

import pytest

from adjudicator.core.problem import Diagnostic, Problem
from adjudicator.games.checkpoint_rally.rules import RULESET
from adjudicator.orders.locate import locate
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
    PLACE HD9 at C3 rot 0 | unknown-tile CR-C2 | HD9 | HD1 / HD2 / HD3
    PLACE HC3 at C9 rot 0 | unknown-cell CR-C1 | C9 | C1 / C2 / C3
    PLACE HC3 at C3 rot 27 | bad-rotation CR-C2 | rot 27 | rot 270
    PLACE HC4 at C3 rot 0 | not-in-hand CR-P1 | HC4 | HC3
    PLACE HC3 at E5 rot 0 | car-on-cell CR-P1 | E5 |
    PLACE HC3 at C3 rot 0 gps | nothing-to-keep CR-P5 | gps |
    MOVE B1 B9 | unknown-cell CR-C1 | B9 | B1 / B2 / B3
    MOVE B1 B2 A2 | three-steps CR-M1 | A2 | MOVE B1 B2
    MOVE C1 | not-adjacent CR-M1 | C1 | B1 / A2
    MOVE B1 C1 | no-tile CR-M1 | C1 | B2 / A1
    TAKE HD9 | unknown-tile CR-C2 | HD9 | HD1 / HD2 / HD3
    TAKE HC3 | not-in-row CR-G1 | HC3 | UM1 / UM2 / UM3
    KEEP HC3 | no-discard-due CR-T2 | |
without tiles
    PLACE HC4 at C3 rot 0 | not-in-hand CR-P1 | HC4 |
without GPS
    PLACE HC3 at B1 rot 0 gps | gps-spent CR-C6 | gps |
    TAKE UM1 | gps-spent CR-C6 | UM1 |
too many tiles
    DISCARD GM1 GM1 | tile-twice CR-T2 | GM1 |
    DISCARD HD9 | unknown-tile CR-C2 | HD9 | HD1 / HD2 / HD3
    DISCARD GM3 | not-in-hand CR-T2 | GM3 | GM1 / GM2
    DISCARD GM1 | wrong-count CR-T2 | |
    KEEP GM1 GM2 | wrong-count CR-T2 | |
    DRAW | discard-first CR-T2 | | KEEP HC3 HC4 HC5
at the start
    DRAW | start-first CR-S6 | | PLACE HC3 at A1 rot 0
    PLACE HC3 at C3 rot 0 | not-your-corner CR-S6 | C3 | A1
    PLACE HC3 at A1 rot 0 gps | nothing-to-keep CR-P5 | gps |
    PLACE GM2 at A1 rot 0 | not-in-hand CR-P1 | GM2 | GM1
"""
"""Under each position, a mistake of red on each line: the order, code and rule, the words at fault (none: the whole order),
and the suggestions."""


def rows() -> list[Any]:
    """Return the mistakes as (where, order, code, rule, words at fault, suggestions)."""
    found, position = [], ""
    for line in MISTAKES.strip().splitlines():
        if not line.startswith(" "):
            position = line
            continue
        order, why, fault, instead = [column.strip() for column in line.split("|")]
        code, rule = why.split()
        found.append(pytest.param(position, order, code, rule, fault or order, instead, id=f"{position}: {order}"))
    return found


def problem_of(rally: Any, order: str) -> Problem:
    written, _ = read_expression(RULESET, order)
    problem = RULESET.validate(rally.config, written) or RULESET.refusal(rally.config, rally.state, "red", written)
    assert problem is not None, order
    return problem


@pytest.mark.parametrize(("where", "order", "code", "rule", "fault", "instead"), rows())
def test_a_mistake_is_told_with_its_rule_at_its_place_and_with_what_would_be_right(
    scene, where, order, code, rule, fault, instead
):
    board = {} if where == "at the start" else BOARD
    problem = problem_of(scene(board, row=ROW, **POSITIONS[where]), order)
    found = locate(RULESET, Diagnostic(problem, text=order))
    assert (problem.code, problem.rule) == (f"checkpoint-rally/{code}", rule)
    assert order[found.column - 1 : found.column - 1 + found.width] == fault
    assert " / ".join(problem.suggestions) == instead


@pytest.mark.parametrize(("order", "words"), [("DISCARD GM1", "discard 2 tiles"), ("KEEP GM1", "keep exactly 3 tiles")])
def test_cr_t2_a_wrong_number_of_tiles_is_told_with_the_right_one(scene, order, words):
    """Red has five tiles: two must go."""
    rally = scene(BOARD, row=ROW, **POSITIONS["too many tiles"])
    assert problem_of(rally, order).message.startswith(words)


def test_no_mistake_is_left_out():
    """A road that is missing depends on the tiles: test_rules_move.py has it. The last two end a driver's race."""
    texts = [
        path.read_text("utf-8") for path in files("adjudicator.games.checkpoint_rally").iterdir() if path.suffix == ".py"
    ]
    pattern = r"""(?:META\.problem\(|code, message =)\s*"([a-z-]+)\""""
    codes = {code for text in texts for code in re.findall(pattern, text)} | {"unknown-tile"}
    assert codes - {row.values[2] for row in rows()} == {"no-road", "finished", "chance-over"}

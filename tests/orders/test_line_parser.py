"""The parts of a line and their places are those of Lark's trees."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lark import Token, Tree
from lark.exceptions import LarkError
from lark_oracle import position_parser, stop

from adjudicator.core.rules import AnyRuleset
from adjudicator.orders.clean import clean
from adjudicator.orders.languages import rules_with_languages
from adjudicator.orders.line_parser import Part, part_parser, stepper
from adjudicator.rulesets import ruleset

GAMES = ("checkpoint-rally", "checkpoint-charlie", "checkered-flag", "rally-round", "great-race")
PIECES = ["IF", "THEN", "OR", "AND", "NOT", "(", ")", "[", "]", ":", "rot", "90", "9O", "C3", "of", "has", "é", "please"]
CHANGE = st.tuples(st.sampled_from(["put", "drop", "cut"]), st.integers(0, 99), st.sampled_from(PIECES))


def lines_of(game: str) -> list[str]:
    one, *_, other = ruleset(game).language.examples
    return [
        *ruleset(game).language.examples,
        "game rally-042 turn 7",
        f"red: {one}",
        "red:",
        "WITHDRAW from 2",
        f"{one} OR ({other} OR {one})",
        f"(IF (minutes of blue > 5) AND NOT (minutes = 0 OR (minutes > 4)) THEN (({one}) OR {other}) ELSE ({other}))",
        f"{one} IF cost of {other} < 3 [H5 G2]",
        "",
    ]


def changed(line: str, changes: list[tuple[str, int, str]]) -> str:
    words = line.split(" ")
    for how, where, piece in changes:
        at = where % len(words) if words else 0
        if how == "put" or not words:
            words.insert(at, piece)
        elif how == "drop":
            del words[at]
        else:
            words[at] = words[at][1:]
    return clean(" ".join(words))


def places(part: Part) -> Any:
    """Return the rules that made the parts, with their places."""
    return part.name, part.span, [places(child) for child in part.children if isinstance(child, Part)]


def lark_places(tree: Any) -> Any:
    """Return the same of a tree of Lark."""
    children = [lark_places(child) for child in tree.children if isinstance(child, Tree)]
    return str(tree.data), (0, 0) if tree.meta.empty else (tree.meta.start_pos, tree.meta.end_pos), children


def lark_tree(rules: AnyRuleset, line: str) -> Any:
    try:
        return position_parser(rules).parse(line)
    except LarkError:
        return None


@pytest.mark.parametrize("languages", [(), ("de",)])
@pytest.mark.parametrize("game", GAMES)
@given(st.integers(0, 99), st.lists(CHANGE, max_size=3))
@settings(max_examples=30, deadline=None)
def test_parts_and_stops_are_those_of_lark(game: str, languages: tuple[str, ...], which: int, changes: list[Any]) -> None:
    rules, lines = rules_with_languages(ruleset(game), languages), lines_of(game)
    line = changed(lines[which % len(lines)], changes)
    start, state = stop(position_parser(rules), line)
    reached, states, _ = stepper(rules).walk(line)
    assert reached == start
    assert len(states) == len(state.parser_state.state_stack)
    lark, parts = lark_tree(rules, line), part_parser(rules)(line)
    assert (None if parts is None else places(parts)) == (None if lark is None else lark_places(lark))
    if parts is not None:
        tokens = [(token.type, str(token), (token.start_pos, token.end_pos)) for token in lark.scan_values(is_token)]
        assert [tuple(word) for word in parts.words()] == tokens


def is_token(value: object) -> bool:
    return isinstance(value, Token)


def test_where_tables_are_stored_parts_are_found_without_lark(tmp_path: Path) -> None:
    """Loading Lark takes longer than all other work for a mail with one unknown tile and one unreadable line."""
    words = (
        "import sys; from adjudicator.orders.locate import locate; from adjudicator.core.problem import Diagnostic, Problem;"
        "from adjudicator.rulesets import ruleset; rules = ruleset('checkpoint-rally');"
        "found = locate(rules, Diagnostic(Problem('x/y', '', part='tile'), text='DISCARD Z1'));"
        "from adjudicator.orders.parser import reader; assert reader(rules).read('DRAW U7 OR').problem.suggestions == ();"
        "print(found.column, found.width, 'lark' in sys.modules)"
    )
    for is_lark_needed in (True, False):  # the first time the tables are made
        done = subprocess.run(
            [sys.executable, "-c", words],
            capture_output=True,
            text=True,
            check=True,
            env={**os.environ, "ADJUDICATOR_CACHE": str(tmp_path / "tables")},
        )
        assert done.stdout.split() == ["9", "2", str(is_lark_needed)]

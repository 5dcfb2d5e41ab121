"""What the tables of a parser tell of a line is what Lark tells: where reading stops, and where each part stands."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from adjudicator.orders.lalr_loop import UnusualError
from adjudicator.orders.line_tables import LineTables, parts_of, tables_of
from hypothesis import given, settings
from hypothesis import strategies as st

from adjudicator.orders import line_tables, parse_failure
from adjudicator.orders.clean import clean
from adjudicator.orders.languages import speaking
from adjudicator.orders.locate import _parts_of, tree_of
from adjudicator.orders.parser import position_parser
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


def shape(part: Any) -> Any:
    """Return what the locator may ask of a tree: the rules that made its parts, with their places."""
    children = [shape(child) for child in part.children if getattr(child, "data", "")]
    return str(part.data), None if part.meta.empty else (part.meta.start_pos, part.meta.end_pos), children


@pytest.mark.parametrize("game", GAMES)
def test_the_tables_of_each_game_can_be_run(game: str) -> None:
    assert tables_of(position_parser(ruleset(game))) is not None


@pytest.mark.parametrize("game", GAMES)
@given(st.integers(0, 99), st.lists(CHANGE, max_size=3))
@settings(max_examples=60, deadline=None)
def test_they_tell_what_lark_tells(game: str, which: int, changes: list[tuple[str, int, str]]) -> None:
    rules, lines = ruleset(game), lines_of(game)
    line = changed(lines[which % len(lines)], changes)
    tables = tables_of(position_parser(rules))
    assert tables is not None
    start, state = parse_failure._reach(position_parser(rules), line)
    assert tables.stop(line) == (start, tuple(state.parser_state.state_stack))
    lark, parts = tree_of(rules, line), tables.tree(line)
    assert (None if parts is None else shape(parts)) == (None if lark is None else shape(lark))


@pytest.mark.parametrize("line", ["PLACE H3 at C2 rto 90", "IF row has U7 TEHN DRAW", "DRAW OR", "MVOE C3"])
def test_where_only_lark_can_tell_it_does(line: str, monkeypatch: pytest.MonkeyPatch) -> None:
    rules = ruleset("checkpoint-rally")
    expected = parse_failure.parse_failure(rules, line)

    def only_lark(_tables: LineTables, _line: str) -> None:
        raise UnusualError

    monkeypatch.setattr(LineTables, "stop", only_lark)
    monkeypatch.setattr(LineTables, "tree", only_lark)
    assert parse_failure.parse_failure(rules, line) == expected
    whole = _parts_of(rules, "MOVE C3 D3")
    assert shape(whole) == shape(tree_of(rules, "MOVE C3 D3"))


def test_other_languages_are_lark_s_affair() -> None:
    spoken = speaking(ruleset("checkpoint-rally"), ("de",))
    assert tables_of(position_parser(spoken)) is None
    with pytest.raises(UnusualError):
        parts_of(spoken, "MOVE C3")
    assert parse_failure.parse_failure(spoken, "MOVE C3 or").before == "MOVE C3 or"
    assert shape(_parts_of(spoken, "MOVE C3")) == shape(tree_of(spoken, "MOVE C3"))


def test_lark_that_looks_different_inside_is_used_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    class Strange:
        def __init__(self, _tables: object) -> None:
            raise AttributeError

    monkeypatch.setattr(line_tables, "LineTables", Strange)
    assert tables_of.__wrapped__(position_parser(ruleset("checkpoint-rally"))) is None


def test_where_tables_are_stored_parts_are_found_without_lark(tmp_path: Path) -> None:
    """To load Lark takes longer than all that is done with it for a mail with one unknown tile."""
    words = (
        "import sys; from adjudicator.orders.locate import locate; from adjudicator.core.problem import Diagnostic, Problem;"
        "from adjudicator.rulesets import ruleset; rules = ruleset('checkpoint-rally');"
        "found = locate(rules, Diagnostic(Problem('x/y', '', part='tile'), text='DISCARD Z1'));"
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

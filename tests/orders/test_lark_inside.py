"""The private parts of Lark that the program uses look as it expects them.

Where they change, the program falls back on Lark's own loops and still reads every order, only slowly. These tests fail
then: adapt `orders/loop_tables.py`, `orders/conflicts.py` and `orders/grammar.py`, then raise the bound in `pyproject.toml`.
"""

from __future__ import annotations

import ast
import logging
import re
from pathlib import Path
from typing import Any, cast

import pytest
from lark import Lark
from lark.grammar import Rule
from lark.parsers.lalr_analysis import Reduce, Shift

import adjudicator
from adjudicator.orders import grammar, parser_cache
from adjudicator.orders.conflicts import _scanners
from adjudicator.orders.parser import _fast, position_parser
from adjudicator.rulesets import metas, ruleset

PRIVATE = {"_load_from_dict", "_mres", "_parse_table"}
RULESETS = sorted(name for name, _ in metas())


def inside(parser: Lark) -> Any:
    return parser.parser


def test_no_other_private_part_is_used() -> None:
    found = set()
    for path in Path(adjudicator.__file__).parent.joinpath("orders").glob("*.py"):
        tree = ast.parse(path.read_text("utf-8"))
        own = {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.ClassDef)}
        for node in ast.walk(tree):
            match node:
                case ast.Attribute(value=ast.Name(id="self")):
                    continue
                case ast.Attribute(attr=name) if re.match("_[a-z]", name) and name not in own:
                    found.add(name)
    assert found == PRIVATE


@pytest.mark.parametrize("name", RULESETS)
def test_the_table_of_the_parser(name: str) -> None:
    table = inside(position_parser(ruleset(name))).parser._parse_table
    assert table.start_states.keys() == table.end_states.keys() == {"line"}
    assert {*table.start_states.values(), *table.end_states.values()} <= table.states.keys()
    rows = [action for row in table.states.values() for action in row.items()]
    assert {type(symbol) for symbol, _ in rows} == {str}
    for _, (action, argument) in rows:
        assert action in (Shift, Reduce)
        assert isinstance(argument, int) if action is Shift else isinstance(argument, Rule)


@pytest.mark.parametrize("name", RULESETS)
def test_the_scanners_of_the_lexer(name: str) -> None:
    parser = position_parser(ruleset(name))
    states = inside(parser).parser._parse_table.states
    lexers = inside(parser).lexer.lexers
    assert lexers.keys() == states.keys()
    for lexer in lexers.values():
        (pattern,) = lexer.scanner._mres
        assert isinstance(pattern, re.Pattern)
        assert pattern.groupindex.keys() <= {terminal.name for terminal in lexer.terminals}
    assert all(callable(match) for _, match in _scanners(parser).values())


@pytest.mark.parametrize("name", RULESETS)
def test_a_parser_made_of_stored_tables_reads_as_the_one_that_was_stored(name: str) -> None:
    parser = position_parser(ruleset(name))
    stored = parser_cache.tables(parser)
    again: Lark = cast(Any, Lark)._load_from_dict(stored["data"], stored["memo"], propagate_positions=True)
    for line in ("red:", "turn 7", "WITHDRAW"):
        assert again.parse(line) == parser.parse(line)


@pytest.mark.parametrize("name", RULESETS)
def test_the_quick_loop_runs_all_of_it(name: str) -> None:
    """Nothing is left to Lark in silence."""
    tables = parser_cache._loop(_fast(ruleset(name)))
    assert tables is not None
    assert None not in tables["scanners"].values()
    assert len(tables["scanners"]) == len(tables["states"])


def test_stored_tables_are_used_when_a_parser_is_built_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(parser_cache, "cache_folder", lambda: tmp_path)
    rules = ruleset("checkpoint-rally")
    built = grammar.build_parser(rules)
    assert list(tmp_path.glob("*.tables"))

    def built_anew(*_given: Any, **_named: Any) -> Any:
        raise AssertionError("the grammar is compiled again")

    monkeypatch.setattr(grammar, "_put_together", built_anew)
    with caplog.at_level(logging.DEBUG):
        assert grammar.build_parser(rules).parse("red: DRAW") == built.parse("red: DRAW")
    assert not caplog.records

"""The private parts of Lark that the program uses look as it expects them.

If a test fails with a new Lark, adapt `orders/lark_tables.py` and `orders/grammar.py`, then raise the bound in
`pyproject.toml`.
"""

from __future__ import annotations

import ast
import marshal
import re
from pathlib import Path
from typing import Any, cast

import pytest
from lark import Lark
from lark.grammar import Rule
from lark.parsers.lalr_analysis import Reduce, Shift
from lark_oracle import position_parser

import adjudicator
from adjudicator.orders import grammar, line_parser
from adjudicator.orders.lark_tables import tables_of
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
        assert [len(callback.scanner._mres) for callback in lexer.callback.values()] == [1] * len(lexer.callback)


@pytest.mark.parametrize("name", RULESETS)
def test_the_tables_of_a_loaded_parser_are_those_of_the_compiled_one(name: str) -> None:
    lark, tables = grammar.compile_grammar(ruleset(name))
    loaded: Lark = cast(Any, Lark)._load_from_dict(**marshal.loads(lark))
    assert tables_of(loaded) == tables


def test_to_take_the_tables_compiles_no_pattern_of_a_state() -> None:
    lark, _ = grammar.compile_grammar(ruleset("checkpoint-rally"))
    loaded: Lark = cast(Any, Lark)._load_from_dict(**marshal.loads(lark))
    tables_of(loaded)
    assert {lexer._scanner for lexer in inside(loaded).lexer.lexers.values()} == {None}


def test_stored_tables_are_used_again(no_parsers: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rules = ruleset("checkpoint-rally")
    lark, tables = line_parser.load_grammar(rules)
    assert list(no_parsers.glob("*.tables"))

    def compile_again(*_: Any) -> Any:
        raise AssertionError("the grammar is compiled again")

    monkeypatch.setattr(grammar, "compile_grammar", compile_again)
    assert line_parser.load_grammar(rules) == (lark, tables)

"""Take the tables from a parser of Lark, as plain data."""

from __future__ import annotations

import re
from collections.abc import Mapping
from copy import copy
from typing import Any, Final, NamedTuple

from lark import Lark
from lark.lexer import PatternStr
from lark.parse_tree_builder import ChildFilterLALR, ChildFilterLALR_NoPlaceholders, ExpandSingleChild
from lark.parsers.lalr_analysis import Shift

from adjudicator.orders.stepper import Rule, Tables, Terminal


class _Pattern(NamedTuple):
    """A regular expression that is not compiled."""

    pattern: str
    flags: int


class _Patterns:
    """Stands for the module ``re`` in a lexer of Lark, which would compile the pattern of every state. It takes long."""

    compile: Final = _Pattern
    match: Final = staticmethod(re.match)


def tables_of(parser: Lark) -> Tables:
    """Return the tables of ``parser``: strings, numbers, lists, tuples and dicts, which can be stored."""
    inside: Any = parser.parser
    table, callbacks = inside.parser._parse_table, inside.parser.parser.callbacks
    (start,) = parser.options.start
    reduced = (argument for row in table.states.values() for action, argument in row.values() if action is not Shift)
    numbers = {rule: number for number, rule in enumerate(dict.fromkeys(reduced))}
    return Tables(
        first=table.start_states[start],
        last=table.end_states[start],
        actions={state: _actions(row, numbers) for state, row in table.states.items()},
        gotos={state: _gotos(row) for state, row in table.states.items()},
        rules=[tuple(_rule(rule, callbacks[rule])) for rule in numbers],
        terminals={str(terminal.name): tuple(_terminal(terminal.pattern)) for terminal in parser.terminals},
        openings={name: tuple(found) for name, found in _openings(parser).items()},
        scanners={state: _scanner(lexer) for state, lexer in inside.lexer.lexers.items()},
        ignored=tuple(map(str, parser.lexer_conf.ignore)),
    )


def _actions(row: Mapping[str, Any], numbers: Mapping[Any, int]) -> dict[str, tuple[int, Any, int]]:
    """Return the action of one state at each terminal, in the form of `Tables`."""
    return {
        str(symbol): (-1, argument, 0)
        if action is Shift
        else (len(argument.expansion), str(argument.origin.name), numbers[argument])
        for symbol, (action, argument) in row.items()
    }


def _gotos(row: Mapping[str, Any]) -> dict[str, int]:
    return {str(symbol): argument for symbol, (action, argument) in row.items() if action is Shift}


def _rule(rule: Any, build: Any) -> Rule:
    """Return ``rule`` with the children that Lark's function ``build`` would keep, which wraps others."""
    name, is_transparent, kept, gaps = str(rule.alias or rule.options.template_source or rule.origin.name), False, None, 0
    while hasattr(build, "node_builder"):
        match build:
            case ExpandSingleChild():
                is_transparent = True
            case ChildFilterLALR():
                kept = [(at, bool(is_inlined), before or 0) for at, is_inlined, before in build.to_include]
                gaps = build.append_none or 0
            case ChildFilterLALR_NoPlaceholders():
                kept = [(at, bool(is_inlined), 0) for at, is_inlined in build.to_include]
            case _:
                raise TypeError(f"Lark builds {name} in an unknown way: {build}")
        build = build.node_builder
    return Rule(name, is_transparent, kept, gaps)


def _terminal(pattern: Any) -> Terminal:
    is_text = isinstance(pattern, PatternStr)
    return Terminal(is_text, str(pattern.value), str(pattern.to_regexp()), not is_text and "i" in pattern.flags)


def _openings(parser: Lark) -> dict[str, set[str]]:
    """Return for each rule the terminals with which it may begin."""
    firsts: dict[str, set[str]] = {str(rule.origin.name): set() for rule in parser.rules}
    grown = True
    while grown:
        grown = False
        for rule in parser.rules:
            for symbol in rule.expansion[:1]:
                found = {str(symbol.name)} if symbol.is_term else firsts[symbol.name]
                grown = grown or not found <= firsts[rule.origin.name]
                firsts[rule.origin.name] |= found
    return firsts


def _scanner(lexer: Any) -> tuple[str, int, dict[str, tuple[str, int]]]:
    """Return the pattern of a state's ``lexer``, and for each terminal that also matches keywords the pattern of these."""
    own = copy(lexer)  # the parser keeps what it compiles itself
    own.re = _Patterns
    (pattern,) = own.scanner._mres  # makes the callbacks, too
    others = {str(kind): callback.scanner._mres for kind, callback in own.callback.items()}
    return (*_plain(pattern), {kind: _plain(other) for kind, (other,) in others.items()})


def _plain(pattern: _Pattern | re.Pattern[str]) -> tuple[str, int]:
    return str(pattern.pattern), int(pattern.flags & ~re.UNICODE)  # which every compiled pattern has

"""The tables of a Lark parser as plain data, for the loop that runs them without Lark."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from lark import Lark
from lark.lexer import ContextualLexer
from lark.parse_tree_builder import ChildFilterLALR, ChildFilterLALR_NoPlaceholders, ExpandSingleChild, PropagatePositions
from lark.parsers.lalr_analysis import Shift

from adjudicator.orders.first_signs import first_signs
from adjudicator.orders.lalr_loop import Tables, UnusualError


def taken_from(parser: Lark) -> Tables:
    """Return the tables of ``parser``: strings, numbers, lists, tuples and dicts.

    Raises ``UnusualError`` if only Lark can run them, and ``AttributeError`` and the like if Lark looks different inside.
    """
    frontend = parser.parser
    if not isinstance(frontend.lexer, ContextualLexer) or parser.lexer_conf.callbacks or parser.options.use_bytes:
        raise UnusualError
    callbacks, table = _callbacks(parser), frontend.parser._parse_table
    if any(terminal.name in callbacks for terminal in parser.terminals):
        raise UnusualError
    (start,) = parser.options.start
    numbers = {rule: number for number, rule in enumerate(_reduced(parser))}
    terminals = {str(terminal.name): str(terminal.pattern.to_regexp()) for terminal in parser.terminals}
    signs = {name: first_signs(pattern) for name, pattern in terminals.items()}
    return {
        "first": table.start_states[start],
        "last": table.end_states[start],
        "states": {state: _row(actions, numbers) for state, actions in table.states.items()},
        "gotos": {state: _gotos(actions) for state, actions in table.states.items()},
        "rules": [(_name(rule), tuple(_wrappers(callbacks[rule]))) for rule in numbers],
        "scanners": _Scanners(frontend.lexer.lexers),
        "ignored": tuple(map(str, parser.lexer_conf.ignore)),
        "terminals": terminals,
        "signs": signs,
        "spaced": _spaced(frontend.lexer.lexers, signs),
    }


def to_store(parser: Lark) -> Tables:
    """Return the tables of ``parser`` with the patterns of all states, which a parser makes one by one."""
    tables = taken_from(parser)
    return {**tables, "scanners": {state: tables["scanners"][state] for state in parser.parser.lexer.lexers}}


def builders_of(parser: Lark) -> list[Callable[[list[Any]], Any]]:
    """Return what ``parser`` calls for each of its rules, in the order in which its tables count them."""
    callbacks = _callbacks(parser)
    return [callbacks[rule] for rule in _reduced(parser)]


def _callbacks(parser: Lark) -> Any:
    return parser.parser.parser.parser.callbacks


def _reduced(parser: Lark) -> list[Any]:
    """Return the rules that the tables name, each once."""
    actions = (action for row in parser.parser.parser._parse_table.states.values() for action in row.values())
    return list(dict.fromkeys(argument for action, argument in actions if action is not Shift))


def _row(actions: Mapping[str, Any], numbers: Mapping[Any, int]) -> dict[str, tuple[int, Any, int | None]]:
    """Return what one state does at each terminal, as the loop has it, with the number of a rule for its builder."""
    row: dict[str, tuple[int, Any, int | None]] = {}
    for symbol, (action, argument) in actions.items():
        if action is Shift:
            row[str(symbol)] = (-1, argument, None)
        else:
            row[str(symbol)] = (len(argument.expansion), str(argument.origin.name), numbers[argument])
    return row


def _gotos(actions: Mapping[str, Any]) -> dict[str, int]:
    return {str(symbol): argument for symbol, (action, argument) in actions.items() if action is Shift}


def _name(rule: Any) -> str:
    return str(rule.alias or rule.options.template_source or rule.origin.name)


def _wrappers(build: Any) -> Iterator[tuple[Any, ...]]:
    """Yield what stands around the builder itself, from the inside out; positions are not asked for."""
    found: list[tuple[Any, ...]] = []
    while hasattr(build, "node_builder"):
        match build:
            case ExpandSingleChild():
                found.append(("only",))
            case ChildFilterLALR():
                kept = [(at, bool(is_inlined), gaps or 0) for at, is_inlined, gaps in build.to_include]
                found.append(("filter", kept, build.append_none or 0))
            case ChildFilterLALR_NoPlaceholders():
                found.append(("filter", [(at, bool(is_inlined), 0) for at, is_inlined in build.to_include], 0))
            case PropagatePositions():
                pass
            case _:
                raise UnusualError
        build = build.node_builder
    yield from reversed(found)


def _spaced(lexers: Mapping[int, Any], signs: Mapping[str, str | None]) -> list[int]:
    """Return the states in which a space is ignored, and can be the beginning of nothing else."""
    begins = {name for name, first in signs.items() if first is None or " " in first}
    spaced = []
    for state, lexer in lexers.items():
        begun = {terminal.name for terminal in lexer.terminals} & begins
        if begun and begun <= set(lexer.ignore_types):
            spaced.append(state)
    return spaced


class _Scanners(dict[int, tuple[str, int] | None]):
    """For each state the pattern that matches any terminal there, and its flags; ``None`` if only Lark can do that."""

    def __init__(self, lexers: Mapping[int, Any]) -> None:
        super().__init__()
        self._lexers = lexers

    def __missing__(self, state: int) -> tuple[str, int] | None:
        lexer = self._lexers[state]
        patterns = lexer.scanner._mres
        is_usual = not lexer.callback and len(patterns) == 1
        self[state] = (str(patterns[0].pattern), int(patterns[0].flags)) if is_usual else None
        return self[state]

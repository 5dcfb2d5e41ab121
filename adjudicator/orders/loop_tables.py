"""Convert the tables of a Lark parser to plain data, for the loop that runs them without Lark."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from importlib import import_module
from typing import Any

from lark import Lark
from lark.lexer import ContextualLexer
from lark.parse_tree_builder import ChildFilterLALR, ChildFilterLALR_NoPlaceholders, ExpandSingleChild, PropagatePositions
from lark.parsers.lalr_analysis import Shift

from adjudicator.orders.lalr_loop import Tables, UnusualError


def taken_from(parser: Lark) -> Tables:
    """Return the tables of ``parser``: strings, numbers, lists, tuples and dicts.

    Raises ``UnusualError`` if only Lark can run them, and errors such as ``AttributeError`` if Lark is different inside.
    """
    frontend = parser.parser
    if not isinstance(frontend.lexer, ContextualLexer) or parser.lexer_conf.callbacks or parser.options.use_bytes:
        raise UnusualError
    callbacks, table = _callbacks(parser), frontend.parser._parse_table
    if any(terminal.name in callbacks for terminal in parser.terminals):
        raise UnusualError
    (start,) = parser.options.start
    numbers = {rule: number for number, rule in enumerate(_reduced(parser))}
    return {
        "first": table.start_states[start],
        "last": table.end_states[start],
        "states": {state: _row(actions, numbers) for state, actions in table.states.items()},
        "gotos": {state: _gotos(actions) for state, actions in table.states.items()},
        "rules": [(_name(rule), tuple(_wrappers(callbacks[rule]))) for rule in numbers],
        "scanners": _Scanners(frontend.lexer.lexers),
        "ignored": tuple(map(str, parser.lexer_conf.ignore)),
        "spaced": _spaced(frontend.lexer.lexers),
    }


def to_store(parser: Lark) -> Tables:
    """Return the tables of ``parser`` with the patterns of all states, which a parser builds one by one."""
    tables = taken_from(parser)
    return {**tables, "scanners": {state: tables["scanners"][state] for state in parser.parser.lexer.lexers}}


def builders_of(parser: Lark) -> list[Callable[[list[Any]], Any]]:
    """Return the function that ``parser`` calls for each of its rules, in the order of its tables."""
    callbacks = _callbacks(parser)
    return [callbacks[rule] for rule in _reduced(parser)]


def _callbacks(parser: Lark) -> Any:
    return parser.parser.parser.parser.callbacks


def _reduced(parser: Lark) -> list[Any]:
    """Return the rules in the tables, each once."""
    actions = (action for row in parser.parser.parser._parse_table.states.values() for action in row.values())
    return list(dict.fromkeys(argument for action, argument in actions if action is not Shift))


def _row(actions: Mapping[str, Any], numbers: Mapping[Any, int]) -> dict[str, tuple[int, Any, int | None]]:
    """Return the actions of one state at each terminal for the loop, with the number of a rule for its builder."""
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
    """Yield the wrappers of a builder from the inside out; positions are left out."""
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


def _spaced(lexers: Mapping[int, Any]) -> list[int]:
    """Return the states that ignore a space and have no terminal that begins with one."""
    begins = {}
    for lexer in lexers.values():
        for terminal in lexer.terminals:
            if terminal.name not in begins:
                begins[terminal.name] = _may_begin_with_space(terminal.pattern.to_regexp())
    ignored = {name for lexer in lexers.values() for name in lexer.ignore_types if begins.get(name)}
    return [state for state, lexer in lexers.items() if _begun(lexer, begins) and _begun(lexer, begins) <= ignored]


def _begun(lexer: Any, begins: Mapping[str, bool]) -> set[str]:
    """Return the terminals of the ``lexer`` that may begin with a space."""
    return {terminal.name for terminal in lexer.terminals if begins[terminal.name]}


def _may_begin_with_space(pattern: str) -> bool:
    """Return whether a match of ``pattern`` may begin with a space or be empty; ``True`` if in doubt.

    This uses Python's own parser of patterns. If a later Python moves it, every pattern is in doubt.
    """
    try:
        may, is_empty = _beginning(import_module("re._parser").parse(pattern))
    except (ImportError, AttributeError):
        return True
    return may or is_empty


def _beginning(parts: Iterable[tuple[Any, Any]]) -> tuple[bool, bool]:
    """Return whether parts of a pattern may begin with a space, and whether they may be empty."""
    for kind, value in parts:
        may, is_empty = _beginning_of(kind, value)
        if may or not is_empty:
            return may, is_empty
    return False, True


def _beginning_of(kind: Any, value: Any) -> tuple[bool, bool]:
    match str(kind):
        case "LITERAL":
            return value == ord(" "), False
        case "IN":
            return any(_may_be_space(*one) for one in value), False
        case "BRANCH":
            found = [_beginning(branch) for branch in value[1]]
            return any(may for may, _ in found), any(is_empty for _, is_empty in found)
        case "SUBPATTERN":
            return _beginning(value[-1])
        case "MAX_REPEAT" | "MIN_REPEAT" | "POSSESSIVE_REPEAT":
            may, is_empty = _beginning(value[2])
            return may, is_empty or value[0] == 0
        case "ASSERT" | "ASSERT_NOT" | "AT":
            return False, True
        case _:
            return True, True


def _may_be_space(kind: Any, value: Any) -> bool:
    match str(kind):
        case "LITERAL":
            return bool(value == ord(" "))
        case "RANGE":
            return bool(value[0] <= ord(" ") <= value[1])
        case _:
            return True


class _Scanners(dict[int, tuple[str, int] | None]):
    """The pattern of each state that matches any terminal there, and its flags; ``None`` if only Lark can match them."""

    def __init__(self, lexers: Mapping[int, Any]) -> None:
        super().__init__()
        self._lexers = lexers

    def __missing__(self, state: int) -> tuple[str, int] | None:
        lexer = self._lexers[state]
        patterns = lexer.scanner._mres
        is_usual = not lexer.callback and len(patterns) == 1
        self[state] = (str(patterns[0].pattern), int(patterns[0].flags)) if is_usual else None
        return self[state]

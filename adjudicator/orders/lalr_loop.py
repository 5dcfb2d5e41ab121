"""Runs Lark's parsing tables in one loop: the same terminals, the same tables, the same builders, and nothing else.

Lark's own loop counts lines and columns for every token; orders are read without positions (a line that has a problem is
read again with them), so that work is left out. Where Lark's insides are not as expected, Lark's own parser is used.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from lark import Lark
from lark.exceptions import LarkError
from lark.lexer import ContextualLexer
from lark.parsers.lalr_analysis import Shift

_END: Final = "$END"
_Match = Callable[[str, int], Any]
_Row = dict[str, tuple[int, Any, Any]]
"""For each terminal what to do, as (size, where to, builder); a size of −1 means: take the terminal, go on to (where to)."""


class UnreadableError(LarkError):
    """The line is not in the language; which part of it is to blame is not known here."""


def accelerated(parser: Lark) -> Callable[[str], Any]:
    """Return a function that parses as ``parser.parse`` does, but raises ``UnreadableError`` without a place."""
    try:
        run = _Tables(parser).run
    except (AttributeError, KeyError, TypeError, ValueError, _UnusualError):
        return parser.parse

    def parse(text: str) -> Any:
        try:
            return run(text)
        except _UnusualError:
            return parser.parse(text)

    return parse


class _UnusualError(Exception):
    """The grammar asks for something that only Lark's own loop can do."""


class _Tables:
    """The tables of ``parser``, laid out for one loop."""

    __slots__ = ("_first", "_gotos", "_ignored", "_last", "_matches", "_rows")

    def __init__(self, parser: Lark) -> None:
        table, callbacks = parser.parser.parser._parse_table, parser.parser.parser.parser.callbacks
        (start,) = parser.options.start
        self._first, self._last = table.start_states[start], table.end_states[start]
        self._rows = {state: _row(actions, callbacks) for state, actions in table.states.items()}
        self._gotos = {state: _gotos(actions) for state, actions in table.states.items()}
        self._matches = _Matches(parser)
        self._ignored = frozenset(parser.lexer_conf.ignore)

    def run(self, text: str) -> Any:
        """Shift and reduce as the tables say until ``text`` is one whole; return what its builder made of it."""
        rows, gotos, matches, ignored, last = self._rows, self._gotos, self._matches, self._ignored, self._last
        states: list[int] = [self._first]
        values: list[Any] = []
        at = 0
        while True:
            found = matches[states[-1]](text, at)
            if found is not None:
                at, kind = found.end(), found.lastgroup
                if kind in ignored:
                    continue
            elif at == len(text):
                kind = _END
            else:
                raise UnreadableError(text)
            size, target, build = rows[states[-1]].get(kind, _REFUSED)
            while size >= 0:
                taken = values[len(values) - size :]
                del states[len(states) - size :], values[len(values) - size :]
                states.append(gotos[states[-1]][target])
                values.append(build(taken))
                if kind is _END and states[-1] == last:
                    return values[-1]
                size, target, build = rows[states[-1]].get(kind, _REFUSED)
            if target is None:
                raise UnreadableError(text)
            states.append(target)
            values.append(found.group())


_REFUSED: Final = (-1, None, None)


def _row(actions: dict[str, Any], callbacks: Any) -> _Row:
    """Return what one state does at each terminal."""
    row: _Row = {}
    for symbol, (action, argument) in actions.items():
        if action is Shift:
            row[symbol] = (-1, argument, None)
        else:
            row[symbol] = (len(argument.expansion), argument.origin.name, callbacks[argument])
    return row


def _gotos(actions: dict[str, Any]) -> dict[str, int]:
    return {symbol: argument for symbol, (action, argument) in actions.items() if action is Shift}


class _Matches(dict[int, _Match]):
    """For each state what finds the next terminal, in Lark's own order of preference; compiled when first needed."""

    def __init__(self, parser: Lark) -> None:
        frontend = parser.parser
        if not isinstance(frontend.lexer, ContextualLexer) or parser.lexer_conf.callbacks or parser.options.use_bytes:
            raise _UnusualError
        if any(terminal.name in frontend.parser.parser.callbacks for terminal in parser.terminals):
            raise _UnusualError
        super().__init__((state, self._waiting(state, lexer)) for state, lexer in frontend.lexer.lexers.items())

    def _waiting(self, state: int, lexer: Any) -> _Match:
        """Return what compiles the terminals of ``state`` at its first call and leaves its place to the result."""

        def match(text: str, at: int) -> Any:
            self[state] = compiled = _compiled(lexer)
            return compiled(text, at)

        return match


def _compiled(lexer: Any) -> _Match:
    """Return what matches any terminal of ``lexer``, as its own scanner does."""
    patterns = lexer.scanner._mres
    if lexer.callback or len(patterns) != 1:
        raise _UnusualError
    match: _Match = patterns[0].match
    return match

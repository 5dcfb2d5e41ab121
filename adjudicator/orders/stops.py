"""Where reading a line comes to a stop: found with the tables of a parser, quickly, since nothing is built.

Lark's own interactive parser does the same where its tables are not as expected; it costs ten times as much, and a hundred
mails may have ten thousand wrong lines.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, Final

from lark import Lark

from adjudicator.orders.lalr_loop import Tables, UnusualError
from adjudicator.orders.loop_tables import taken_from

END: Final = "$END"
"""What stands after the last word of a line."""
States = tuple[int, ...]
"""The states of a parser that lie upon each other, the latest last: what may follow depends on nothing else."""
Stop = tuple[int, States]
"""How far a line can be read, as an index, and the states of the parser there."""


def stops(parser: Lark, otherwise: Callable[[str], Stop]) -> Callable[[str], Stop]:
    """Return what finds where ``parser`` comes to a stop in a line; ``otherwise`` does so where only Lark can tell."""
    try:
        quick = _Tables(taken_from(parser)).stop
    except (AttributeError, KeyError, TypeError, ValueError, UnusualError):
        return otherwise

    def stop(line: str) -> Stop:
        try:
            return quick(line)
        except UnusualError:
            return otherwise(line)

    return stop


class _Tables:
    """The tables of a parser, run without building anything."""

    def __init__(self, tables: Tables) -> None:
        self._first, self._last = tables["first"], tables["last"]
        self._rows, self._gotos = tables["states"], tables["gotos"]
        self._scanners, self._ignored = tables["scanners"], frozenset(tables["ignored"])
        self._matches: dict[int, Callable[[str, int], Any]] = {}

    def stop(self, line: str) -> Stop:
        """Return how far ``line`` can be read, and the states there. Raises ``UnusualError`` if only Lark can tell."""
        states = [self._first]
        at = 0
        while True:
            found = self._match(states[-1])(line, at)
            if found is None and at < len(line):
                return at, (*states,)
            kind = END if found is None else found.lastgroup
            if kind in self._ignored:
                at = found.end()
                continue
            before = (*states,)
            if not self._take(states, kind) or kind == END:
                return at, before
            at = found.end()

    def _take(self, states: list[int], kind: str) -> bool:
        """Go on with ``states`` over a terminal of this ``kind``, if it can stand there."""
        while True:
            size, target, _ = self._rows[states[-1]].get(kind, (-1, None, None))
            if size < 0:
                states.append(target)
                return target is not None
            del states[len(states) - size :]
            states.append(self._gotos[states[-1]][target])
            if kind == END and states[-1] == self._last:
                return True

    def _match(self, state: int) -> Callable[[str, int], Any]:
        match = self._matches.get(state)
        if match is None:
            scanner = self._scanners[state]
            if scanner is None:
                raise UnusualError
            match = self._matches[state] = re.compile(*scanner).match
        return match

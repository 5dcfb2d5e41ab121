"""Run the tables of a parser without its builders: find where reading stops, and the places of the parts.

Lark's own loops do the same and are used if its tables are not as expected. They take several times as long, and a hundred
mails may have ten thousand wrong lines.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

from adjudicator.core.ruleset import AnyRuleset
from adjudicator.orders import parser_cache
from adjudicator.orders.grammar_source import key_of
from adjudicator.orders.lalr_loop import Tables, UnusualError
from adjudicator.orders.once import once_for_each
from adjudicator.orders.parser import position_parser

if TYPE_CHECKING:
    from lark import Lark

END: Final = "$END"
"""The terminal after the last word of a line."""
_PARSERS: Final = 32
"""The most parsers whose tables are cached: one for each game and its languages."""
States = tuple[int, ...]
"""The stack of a parser's states, the latest last. It alone decides what may follow."""
Stop = tuple[int, States]
"""The index to which a line can be read, and the states of the parser there."""


class Part:
    """A part of a line: the result of the rule ``data``, or a word if that is empty; with the names of Lark's trees.

    It has a place if ``empty`` is false. ``around`` is its place with the brackets that a rule removed.
    """

    __slots__ = ("around", "children", "data", "empty", "end_pos", "start_pos")

    def __init__(self, data: str, children: list[Any], start: int = 0, end: int = 0, *, empty: bool = True) -> None:
        """Take the place from ``start`` to ``end``, unless ``empty``."""
        self.data, self.children, self.empty = data, children, empty
        self.start_pos, self.end_pos, self.around = start, end, (start, end)

    @property
    def meta(self) -> Part:
        """The object with the place: the part itself."""
        return self

    def spread_over(self, children: Sequence[Part | None]) -> None:
        """Take the place of ``children``, as Lark does: they include the words that the result leaves out."""
        placed = [child for child in children if child is not None and not child.empty]
        if placed:
            start, end = self.around = placed[0].around[0], placed[-1].around[1]
            if self.empty:
                self.start_pos, self.end_pos, self.empty = start, end, False


class LineTables:
    """Runs the ``tables`` of a parser. Methods raise ``UnusualError`` if only Lark can read the line."""

    def __init__(self, tables: Tables) -> None:
        """Take the tables. Raises ``KeyError``, ``TypeError`` or ``ValueError`` if they cannot be used."""
        self._first, self._last = tables["first"], tables["last"]
        self._rows, self._gotos = tables["states"], tables["gotos"]
        self._scanners, self._ignored = tables["scanners"], frozenset(tables["ignored"])
        self._makers = [_maker(name, wrappers) for name, wrappers in tables["rules"]]
        self._matches: dict[int, Callable[[str, int], Any]] = {}

    def stop(self, line: str) -> Stop:
        """Return the index to which ``line`` can be read, and the states there."""
        states, at = [self._first], 0
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

    def tree(self, line: str) -> Part | None:
        """Return the parts of ``line``, ``None`` if it cannot be read."""
        states, parts, at = [self._first], list[Part | None](), 0
        while True:
            found = self._match(states[-1])(line, at)
            if found is None and at < len(line):
                return None
            kind = END if found is None else found.lastgroup
            if kind in self._ignored:
                at = found.end()
                continue
            if not self._take(states, kind, parts):
                return None
            if found is None:
                return parts[-1]
            parts.append(Part("", [], *found.span(), empty=False))
            at = found.end()

    def _take(self, states: list[int], kind: str, parts: list[Part | None] | None = None) -> bool:
        """Advance ``states`` over a terminal of this ``kind``, if it fits there, and combine ``parts`` by the rules."""
        while True:
            size, target, rule = self._rows[states[-1]].get(kind, (-1, None, None))
            if size < 0:
                states.append(target)
                return target is not None
            del states[len(states) - size :]
            states.append(self._gotos[states[-1]][target])
            if parts is not None:
                children = parts[len(parts) - size :]
                del parts[len(parts) - size :]
                parts.append(self._makers[rule](children))
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


_UNUSABLE: Final = (AttributeError, KeyError, TypeError, ValueError, UnusualError)


@lru_cache(_PARSERS)
def tables_of(parser: Lark) -> LineTables | None:
    """Return the tables of ``parser``, with its numbers of states; ``None`` if only Lark can run them."""
    from adjudicator.orders.loop_tables import taken_from

    with suppress(*_UNUSABLE):
        return LineTables(taken_from(parser))
    return None


def parts_of(rules: AnyRuleset, line: str) -> Part | None:
    """Return the parts of ``line`` in the language of ``rules``, ``None`` if it cannot be read.

    Raises ``UnusualError`` if only Lark can read the line.
    """
    tables = _stored(rules) or tables_of(position_parser(rules))
    if tables is None:
        raise UnusualError
    return tables.tree(line)


@once_for_each
def _stored(rules: AnyRuleset) -> LineTables | None:
    """Return stored tables, which do not need Lark; their numbers of states may differ from Lark's."""
    if rules.language.spoken is None:
        with suppress(*_UNUSABLE):
            return LineTables(parser_cache.load(rules.meta.id, key_of(rules))["loop"])  # type: ignore[index]  # or no tables
    return None


def _maker(name: str, wrappers: Sequence[tuple[Any, ...]]) -> Callable[[list[Part | None]], Part | None]:
    """Return a function that makes a part from its children like Lark, with the ``wrappers`` of the rule's builder."""
    settings = {kind: rest for kind, *rest in wrappers}
    is_only = "only" in settings
    kept, last = settings.get("filter", (None, 0))

    def make(children: list[Part | None]) -> Part | None:
        found = children if kept is None else _kept(children, kept, last)
        made = found[0] if is_only and len(found) == 1 else Part(name, found)
        if made is not None and made.data:
            made.spread_over(children)
        return made

    return make


def _kept(children: Sequence[Part | None], kept: Sequence[tuple[int, bool, int]], last: int) -> list[Part | None]:
    """Return the ``children`` that are ``kept`` (index, inlined or not, gaps before), with ``last`` gaps after them."""
    found: list[Part | None] = []
    for at, is_inlined, gaps in kept:
        found += [None] * gaps
        child = children[at]
        if is_inlined and child is not None:
            found += child.children
        else:
            found.append(child)
    return found + [None] * last

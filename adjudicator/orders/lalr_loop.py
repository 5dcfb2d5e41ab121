"""Runs Lark's parsing tables in one loop: the same terminals, the same tables, the same builders, and nothing else.

Lark's own loop counts lines and columns for every token; orders are read without positions (a line that has a problem is
read again with them), so that work is left out. Where Lark's insides are not as expected, Lark's own parser is used. Tables
that were stored are run without Lark: to load it takes longer than to read a turn.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final

from adjudicator.orders.shapes import Shapes, UnknownShapeError

if TYPE_CHECKING:
    from lark import Lark

_END: Final = "$END"
_FEW: Final = 64
"""Lines read before shapes are learned."""
_Match = Callable[[str, int], Any]
_Build = Callable[[list[Any]], Any]
_Row = dict[str, tuple[int, Any, Any]]
"""For each terminal what to do, as (size, where to, builder); a size of −1 means: take the terminal, go on to (where to)."""
Tables = Mapping[str, Any]
"""What ``loop_tables.taken_from`` gives: plain data."""


class UnreadableError(ValueError):
    """The line is not in the language; which part of it is to blame is not known here."""


class UnusualError(Exception):
    """The grammar asks for something that only Lark's own loop can do."""


def accelerated(parser: Lark, builder: Any = None) -> Callable[[str], Any]:
    """Return a function that parses as ``parser.parse`` does, but raises ``UnreadableError`` without a place.

    ``builder`` is what the parser transforms with, if it does.
    """
    from adjudicator.orders.loop_tables import builders_of, taken_from

    slow = _without_a_place(parser.parse)
    try:
        tables = taken_from(parser)
        return _looping(_Loop(tables, builders_of(parser)), slow, builder)
    except (AttributeError, KeyError, TypeError, ValueError, UnusualError):
        return slow


def stored_loop(tables: Tables, builder: Any, parser: Callable[[], Lark]) -> Callable[[str], Any]:
    """Return the same for stored ``tables``, where ``builder`` has a function for each rule, and ``parser`` gives Lark's.

    Raises ``AttributeError``, ``KeyError``, ``TypeError``, ``ValueError`` or ``UnusualError`` if the tables are no good.
    """
    builders = [_wrapped(wrappers, _named(builder, name)) for name, wrappers in tables["rules"]]
    return _looping(_Loop(tables, builders), _without_a_place(lambda text: parser().parse(text)), builder)


def _looping(loop: _Loop, slow: Callable[[str], Any], builder: Any) -> Callable[[str], Any]:
    """Return what reads by the shapes that are known, else by the ``loop``, else as ``slow`` does."""
    run, left, read = loop.run, _FEW, None

    def parse(text: str) -> Any:
        nonlocal left, read
        if left:  # of so few lines no shape is worth what it takes to follow it
            left -= 1
            if not left:
                with suppress(UnusualError):
                    read = loop.shapes(builder).read
        if read is not None:
            with suppress(UnknownShapeError, UnusualError):
                return read(text)
        try:
            return run(text)
        except UnusualError:
            return slow(text)

    return parse


def _without_a_place(slow: Callable[[str], Any]) -> Callable[[str], Any]:
    """Return what reads as ``slow`` does, and raises ``UnreadableError`` where that raises an error of Lark's."""

    def parse(text: str) -> Any:
        try:
            return slow(text)
        except Exception as error:
            from lark.exceptions import LarkError

            if isinstance(error, LarkError):
                raise UnreadableError(text) from error
            raise

    return parse


class _Loop:
    """The tables of a parser, laid out for one loop; each state when it is first come to."""

    __slots__ = ("_first", "_gotos", "_ignored", "_last", "_matches", "_rows", "_tables")

    def __init__(self, tables: Tables, builders: Sequence[_Build]) -> None:
        self._tables, self._first, self._last = tables, tables["first"], tables["last"]
        self._rows = _Rows(tables["states"], builders)
        self._gotos: Mapping[int, Mapping[str, int]] = tables["gotos"]
        self._matches = _Matches(tables["scanners"])
        self._ignored = frozenset(tables["ignored"])

    def shapes(self, builder: Any) -> Shapes:
        """Return what learns the shapes of lines, and has the functions of ``builder`` called."""
        return Shapes(self._tables, [getattr(builder, name, None) for name, _ in self._tables["rules"]], self._matches)

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


class _Rows(dict[int, _Row]):
    """What each state does at each terminal."""

    def __init__(self, states: Mapping[int, Mapping[str, Any]], builders: Sequence[_Build]) -> None:
        super().__init__()
        self._states, self._builders = states, builders

    def __missing__(self, state: int) -> _Row:
        self[state] = {
            symbol: (size, target, None if rule is None else self._builders[rule])
            for symbol, (size, target, rule) in self._states[state].items()
        }
        return self[state]


class _Matches(dict[int, _Match]):
    """For each state what finds the next terminal, in Lark's own order of preference; compiled when first needed."""

    def __init__(self, scanners: Mapping[int, tuple[str, int] | None]) -> None:
        super().__init__()
        self._scanners = scanners

    def __missing__(self, state: int) -> _Match:
        scanner = self._scanners[state]
        if scanner is None:
            raise UnusualError
        self[state] = match = re.compile(*scanner).match
        return match


# What Lark does with the children of a rule before it calls its builder ---------------------------------------------


class _Inlined:
    """The children of a rule that goes straight into the one that asked for it."""

    __slots__ = ("children",)

    def __init__(self, children: list[Any]) -> None:
        self.children = children


def _named(builder: Any, name: str) -> _Build:
    made: _Build = getattr(builder, name, _Inlined if name.startswith("_") else _built_by_nobody)
    return made


def _built_by_nobody(_children: list[Any]) -> Any:
    """Stand for a rule that hands on its only child, and is built where it has others: that is Lark's affair."""
    raise UnusualError


def _wrapped(wrappers: Sequence[tuple[Any, ...]], build: _Build) -> _Build:
    """Return ``build`` in its ``wrappers``, the innermost of which comes first."""
    for kind, *settings in wrappers:
        build = _WRAPPERS[kind](build, *settings)
    return build


def _unless_alone(build: _Build) -> _Build:
    return lambda children: children[0] if len(children) == 1 else build(children)


def _of_some(build: _Build, kept: Sequence[tuple[int, bool, int]], last: int) -> _Build:
    """Build of the ``kept`` children (where, inlined or not, how many gaps before), with ``last`` gaps behind them."""
    if not last and not any(is_inlined or gaps for _, is_inlined, gaps in kept):
        places = [at for at, _, _ in kept]
        return lambda children: build([children[at] for at in places])

    def filtered(children: list[Any]) -> Any:
        found: list[Any] = []
        for at, is_inlined, gaps in kept:
            if gaps:
                found += [None] * gaps
            if is_inlined:
                found += children[at].children
            else:
                found.append(children[at])
        if last:
            found += [None] * last
        return build(found)

    return filtered


_WRAPPERS: Final[Mapping[str, Callable[..., _Build]]] = {"only": _unless_alone, "filter": _of_some}

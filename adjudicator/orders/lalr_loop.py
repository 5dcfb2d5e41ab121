"""Run Lark's parsing tables in one fast loop, with the same terminals, tables and builders.

Lark's own loop counts lines and columns for every token. Orders are read without positions, and only a line with a problem
is read again with them, so this loop skips that work. If Lark's insides are not as expected, Lark's own parser is used.
Stored tables need no Lark at all: loading it takes longer than reading a turn.
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
"""The number of lines to read before the loop learns shapes."""
_Match = Callable[[str, int], Any]
_Build = Callable[[list[Any]], Any]
_Row = dict[str, tuple[int, Any, Any]]
"""For each terminal an action (size, target, builder); a size of −1 means: take the terminal and go to the target."""
Tables = Mapping[str, Any]
"""The plain data that ``loop_tables.taken_from`` returns."""


class UnreadableError(ValueError):
    """The line is not in the language. The exception does not know which part is wrong."""


class UnusualError(Exception):
    """The grammar needs a feature of Lark's own loop."""


def accelerated(parser: Lark, builder: Any = None) -> Callable[[str], Any]:
    """Return a function that parses like ``parser.parse``, but raises ``UnreadableError`` without a place.

    ``builder`` is the transformer of the parser, if it has one.
    """
    from adjudicator.orders.loop_tables import builders_of, taken_from

    slow = _without_a_place(parser.parse)
    try:
        tables = taken_from(parser)
        return _looping(_Loop(tables, builders_of(parser)), slow, builder)
    except (AttributeError, KeyError, TypeError, ValueError, UnusualError):
        return slow


def stored_loop(tables: Tables, builder: Any, parser: Callable[[], Lark]) -> Callable[[str], Any]:
    """Return the same for stored ``tables``; ``builder`` has a function for each rule, ``parser`` returns Lark's parser.

    Raises ``AttributeError``, ``KeyError``, ``TypeError``, ``ValueError`` or ``UnusualError`` if the tables cannot be used.
    """
    builders = [_wrapped(wrappers, _named(builder, name)) for name, wrappers in tables["rules"]]
    return _looping(_Loop(tables, builders), _without_a_place(lambda text: parser().parse(text)), builder)


def _looping(loop: _Loop, slow: Callable[[str], Any], builder: Any) -> Callable[[str], Any]:
    """Return a function that reads by known shapes, else with the ``loop``, else with ``slow``."""
    run, left, read = loop.run, _FEW, None

    def parse(text: str) -> Any:
        nonlocal left, read
        if left:  # for so few lines it is not worth learning a shape
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
    """Return a function that reads like ``slow``, but raises ``UnreadableError`` instead of an error of Lark."""

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
    """The tables of a parser in the layout of the loop; each state is prepared when it is first used."""

    __slots__ = ("_first", "_gotos", "_ignored", "_last", "_matches", "_rows", "_tables")

    def __init__(self, tables: Tables, builders: Sequence[_Build]) -> None:
        self._tables, self._first, self._last = tables, tables["first"], tables["last"]
        self._rows = _Rows(tables["states"], builders)
        self._gotos: Mapping[int, Mapping[str, int]] = tables["gotos"]
        self._matches = _Matches(tables["scanners"])
        self._ignored = frozenset(tables["ignored"])

    def shapes(self, builder: Any) -> Shapes:
        """Return the shapes of lines, still empty, which call the functions of ``builder``."""
        return Shapes(self._tables, [getattr(builder, name, None) for name, _ in self._tables["rules"]], self._matches)

    def run(self, text: str) -> Any:
        """Shift and reduce by the tables to the end of ``text``; return the value that its builder made."""
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
    """The action of each state at each terminal."""

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
    """The function of each state that finds the next terminal, in Lark's order of preference; compiled when first needed."""

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
    """The children of a rule that goes directly into the rule that uses it."""

    __slots__ = ("children",)

    def __init__(self, children: list[Any]) -> None:
        self.children = children


def _named(builder: Any, name: str) -> _Build:
    made: _Build = getattr(builder, name, _Inlined if name.startswith("_") else _built_by_nobody)
    return made


def _built_by_nobody(_children: list[Any]) -> Any:
    """Return an only child; a rule with more children needs Lark."""
    raise UnusualError


def _wrapped(wrappers: Sequence[tuple[Any, ...]], build: _Build) -> _Build:
    """Return ``build`` inside its ``wrappers``, of which the innermost comes first."""
    for kind, *settings in wrappers:
        build = _WRAPPERS[kind](build, *settings)
    return build


def _unless_alone(build: _Build) -> _Build:
    return lambda children: children[0] if len(children) == 1 else build(children)


def _of_some(build: _Build, kept: Sequence[tuple[int, bool, int]], last: int) -> _Build:
    """Build from the ``kept`` children (index, inlined or not, gaps before), with ``last`` gaps after them."""
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

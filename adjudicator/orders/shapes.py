"""Lines of a shape that was read before, read again without the parser: only words are looked for, and values are built.

What a parser does depends on the kinds of the terminals alone, never on their words. So it is followed once for each row
of kinds, and kept as a tree: which pattern finds the next terminal, where that kind leads to, and at the end one function
that calls the builders of the grammar as the parser would. Whatever is not as expected is left to the parser.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from adjudicator.core.codegen import generate_function
from adjudicator.orders.build import HANDED_ON

_MOST_SHAPES: Final = 5_000
"""Places kept of one grammar. Nobody's lines fill memory; those of further shapes take longer to read."""
_LONGEST: Final = 60
"""Terminals of a line whose shape is kept."""
OFTEN: Final = 2
"""Lines of a shape before a function is made for it, which takes as long as to parse some ten."""
_END: Final = "$END"
_Build = Callable[[list[Any]], Any]
_Row = Mapping[str, tuple[int, Any, int | None]]


class UnknownShapeError(Exception):
    """The parser itself must read the line."""


class _Inlined:
    """The words for the children of a rule that goes straight into the one that asked for it."""

    __slots__ = ("children",)

    def __init__(self, children: list[Any]) -> None:
        self.children = children


class _Place:
    """Where a line has been read up to: ``states`` of the parser and, for each, ``words`` for what it has built.

    ``match`` finds the next terminal, ``following`` has the place behind each kind of it; one that is ignored leads back to
    the same place, and where ``is_spaced`` a space can be nothing else. ``size`` counts the terminals up to here. ``finish``
    makes of those of a line that ends here what it says, once it was ``met`` often enough.
    """

    __slots__ = ("finish", "following", "is_spaced", "match", "met", "size", "states", "words")

    def __init__(self, match: Any, states: tuple[int, ...], words: tuple[Any, ...], *, is_spaced: bool) -> None:
        self.match, self.states, self.words, self.is_spaced = match, states, words, is_spaced
        self.size = 0
        self.following: dict[str, _Place] = {}
        self.finish: Callable[[list[str]], Any] | None = None
        self.met = 0


class Shapes:
    """The shapes of lines that were read by the tables of one parser."""

    __slots__ = ("_builders", "_count", "_first", "_ignored", "_matches", "_names", "_spaced", "_tables")

    def __init__(self, tables: Mapping[str, Any], builders: Sequence[_Build | None], matches: Mapping[int, Any]) -> None:
        """Follow ``tables`` with the innermost builder of each of its rules (``None`` for those that have none).

        ``matches`` has for each state what finds the next terminal.
        """
        self._tables, self._builders, self._matches = tables, builders, matches
        self._ignored = frozenset(tables["ignored"])
        self._names: dict[str, Any] = {f"build_{rule}": build for rule, build in enumerate(builders)}
        self._spaced = frozenset(tables.get("spaced", ()))
        self._first, self._count = self._place((tables["first"],), ()), 1

    def read(self, text: str) -> Any:
        """Return what the builders make of ``text``. Raises ``UnknownShapeError`` if the parser must read it."""
        values: list[str] = []
        place, at = self._first, 0
        while True:
            while place.is_spaced and text[at : at + 1] == " ":
                at += 1
            found = place.match(text, at)
            if found is None:
                if at != len(text):
                    raise UnknownShapeError
                return (place.finish or self._finish(place))(values)
            at = found.end()
            kind = found.lastgroup
            following = place.following.get(kind) or self._follow(place, kind)
            if following is not place:
                place = following
                values.append(found[0])

    def _place(self, states: tuple[int, ...], words: tuple[Any, ...]) -> _Place:
        return _Place(self._matches[states[-1]], states, words, is_spaced=states[-1] in self._spaced)

    def _follow(self, place: _Place, kind: str) -> _Place:
        """Return the place behind a terminal of ``kind``, and keep it."""
        if kind in self._ignored:
            place.following[kind] = place
            return place
        if self._count >= _MOST_SHAPES or place.size >= _LONGEST:
            raise UnknownShapeError
        states, words = [*place.states], [*place.words]
        target = self._reduce(states, words, kind)
        self._count += 1
        place.following[kind] = made = self._place((*states, target), (*words, f"values[{place.size}]"))
        made.size = place.size + 1
        return made

    def _finish(self, place: _Place) -> Callable[[list[str]], Any]:
        """Return the function for lines that end at ``place``; it is made when as many do as it is worth."""
        place.met += 1
        if place.met < OFTEN:
            raise UnknownShapeError
        states, words = [*place.states], [*place.words]
        self._reduce(states, words, _END)
        if type(words[-1]) is not str:
            raise UnknownShapeError
        try:
            place.finish = generate_function("values", (f"return {words[-1]}",), self._names)
        except (SyntaxError, RecursionError, MemoryError):  # Python has limits of nesting of its own
            place.finish = _refuse
        return place.finish

    def _reduce(self, states: list[int], words: list[Any], kind: str) -> Any:
        """Do what the tables say before a terminal of ``kind``; return the state behind it, at the end ``None``."""
        rows: Mapping[int, _Row] = self._tables["states"]
        gotos, last = self._tables["gotos"], self._tables["last"]
        while True:
            size, target, rule = rows[states[-1]].get(kind, _REFUSED)
            if size < 0:
                if target is None:
                    raise UnknownShapeError
                return target
            taken = words[len(words) - size :]
            del states[len(states) - size :], words[len(words) - size :]
            states.append(gotos[states[-1]][target])
            words.append(self._built(rule or 0, taken))
            if kind is _END and states[-1] == last:
                return None

    def _built(self, rule: int, children: list[Any]) -> Any:
        """Return the words for what ``rule`` builds of ``children``."""
        name, wrappers = self._tables["rules"][rule]
        for wrapper, *settings in reversed(wrappers):  # the outermost first
            if wrapper != "only":
                children = _kept(children, *settings)
            elif len(children) == 1:
                return children[0]
        build = self._builders[rule]
        if build is None and name.startswith("_"):
            return _Inlined(children)
        if build is None or not all(type(child) is str for child in children):
            raise UnknownShapeError
        if len(children) == 1 and build in HANDED_ON:
            return children[0]
        return f"build_{rule}([{', '.join(children)}])"


_REFUSED: Final = (-1, None, None)


def _refuse(_values: list[str]) -> Any:
    raise UnknownShapeError


def _kept(children: list[Any], kept: Sequence[tuple[int, bool, int]], last: int) -> list[Any]:
    """Return the words for those of ``children`` that a builder is given: see ``_of_some`` in ``lalr_loop.py``."""
    found: list[Any] = []
    for at, is_inlined, gaps in kept:
        found += ["None"] * gaps
        child = children[at]
        if not is_inlined:
            found.append(child)
        elif isinstance(child, _Inlined):
            found += child.children
        else:
            raise UnknownShapeError
    return found + ["None"] * last

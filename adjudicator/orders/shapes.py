"""Read lines of a known shape without the parser: only find the words and build the values.

The actions of a parser depend only on the kinds of the terminals, never on their words. So its path is recorded once for
each sequence of kinds, in a tree: the pattern for the next terminal, the next place for its kind, and at the end one
function that calls the builders of the grammar like the parser. The parser itself reads all other lines.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from adjudicator.core.codegen import generate_function
from adjudicator.orders.build import HANDED_ON

_MOST_SHAPES: Final = 5_000
"""The most places of one grammar, which limits memory; lines of further shapes take longer to read."""
_LONGEST: Final = 60
"""The most terminals of a line whose shape is kept."""
OFTEN: Final = 2
"""The number of lines of a shape before it gets a function, which costs as much as parsing about ten lines."""
_END: Final = "$END"
_Build = Callable[[list[Any]], Any]
_Row = Mapping[str, tuple[int, Any, int | None]]


class UnknownShapeError(Exception):
    """The parser itself must read the line."""


class _Inlined:
    """The code for the children of a rule that goes directly into the rule that uses it."""

    __slots__ = ("children",)

    def __init__(self, children: list[Any]) -> None:
        self.children = children


class _Place:
    """A place in a line: the ``states`` of the parser and, for each, ``words``, the code for its value.

    ``match`` finds the next terminal, ``following`` has the place after each kind of terminal. An ignored terminal leads
    back to the same place, and if ``is_spaced``, a space is always ignored. ``size`` counts the terminals up to here.
    ``finish`` builds the value of a line that ends here, after enough lines have ended here (``met``).
    """

    __slots__ = ("finish", "following", "is_spaced", "match", "met", "size", "states", "words")

    def __init__(self, match: Any, states: tuple[int, ...], words: tuple[Any, ...], *, is_spaced: bool) -> None:
        self.match, self.states, self.words, self.is_spaced = match, states, words, is_spaced
        self.size = 0
        self.following: dict[str, _Place] = {}
        self.finish: Callable[[list[str]], Any] | None = None
        self.met = 0


class Shapes:
    """The shapes of the lines that the tables of one parser have read."""

    __slots__ = ("_builders", "_count", "_first", "_ignored", "_matches", "_names", "_spaced", "_tables")

    def __init__(self, tables: Mapping[str, Any], builders: Sequence[_Build | None], matches: Mapping[int, Any]) -> None:
        """Follow ``tables`` with the innermost builder of each rule (``None`` for a rule without one).

        ``matches`` has for each state the function that finds the next terminal.
        """
        self._tables, self._builders, self._matches = tables, builders, matches
        self._ignored = frozenset(tables["ignored"])
        self._names: dict[str, Any] = {f"build_{rule}": build for rule, build in enumerate(builders)}
        self._spaced = frozenset(tables.get("spaced", ()))
        self._first, self._count = self._place((tables["first"],), ()), 1

    def read(self, text: str) -> Any:
        """Return the value that the builders make from ``text``. Raises ``UnknownShapeError`` if the parser must read it."""
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
        """Return the place after a terminal of ``kind``, and keep it."""
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
        """Return the function for lines that end at ``place``; it is made when enough lines do."""
        place.met += 1
        if place.met < OFTEN:
            raise UnknownShapeError
        states, words = [*place.states], [*place.words]
        self._reduce(states, words, _END)
        if type(words[-1]) is not str:
            raise UnknownShapeError
        try:
            place.finish = generate_function("values", (f"return {words[-1]}",), self._names)
        except (SyntaxError, RecursionError, MemoryError):  # Python limits nesting
            place.finish = _refuse
        return place.finish

    def _reduce(self, states: list[int], words: list[Any], kind: str) -> Any:
        """Reduce by the tables before a terminal of ``kind``; return the state after it, or ``None`` at the end."""
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
        """Return the code for the value that ``rule`` builds from ``children``."""
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
    """Return the code for the ``children`` that a builder gets: see ``_of_some`` in ``lalr_loop.py``."""
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

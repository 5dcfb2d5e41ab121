"""Find the part of a line that a problem is about, by reading the line again with positions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final

from adjudicator.core.problem import Diagnostic
from adjudicator.core.ruleset import AnyRuleset
from adjudicator.orders.clean import clean
from adjudicator.orders.lalr_loop import UnreadableError, UnusualError
from adjudicator.orders.line_tables import parts_of
from adjudicator.orders.parser import line_parser, position_parser

if TYPE_CHECKING:
    from lark import Tree

_Tree = Any
"""A tree of Lark's or of ``line_tables``: both have ``data``, ``children`` and a place."""
_Span = tuple[int, int]
"""The index of the first character, and the index after the last."""
_BESIDE: Final = ("fact", "draw", "argument=", "name=", "word=")
"""Parts that are beside an order on its line, not in it."""


def locate(rules: AnyRuleset, diagnostic: Diagnostic) -> Diagnostic:
    """Return ``diagnostic`` with the column and width of the wrong part of the order."""
    return Locator(rules).locate(diagnostic)


class Locator:
    """Finds the places of many diagnostics; it reads a line with several problems only once."""

    def __init__(self, rules: AnyRuleset) -> None:
        """Read lines in the language of ``rules``."""
        self._rules = rules
        self._text: str | None = None
        self._line = ""
        self._tree: _Tree | None = None
        self._singles: list[tuple[Any, _Tree]] = []
        self._unbuilt: Iterator[_Tree] | None = None

    def locate(self, diagnostic: Diagnostic) -> Diagnostic:
        """Return ``diagnostic`` with the column and width of the wrong part of the order."""
        if diagnostic.column or not diagnostic.text:
            return diagnostic
        with suppress(Exception):  # even without a place, the problem itself is known
            if diagnostic.written != self._text:
                self._read(diagnostic.written)
            if self._tree is not None:
                start, end = self._blamed(self._tree, diagnostic)
                return diagnostic.at(start + 1, max(1, end - start), diagnostic.text)
        return diagnostic

    def located(self, diagnostics: Iterable[Diagnostic]) -> list[Diagnostic]:
        """Return ``diagnostics`` with their places; a line that is in many texts is read only once."""
        found = list(diagnostics)
        for number in sorted(range(len(found)), key=lambda number: found[number].written):
            found[number] = self.locate(found[number])
        return found

    def _read(self, text: str) -> None:
        self._text, self._line, self._tree, self._singles, self._unbuilt = text, clean(text), None, [], None
        self._tree = _parts_of(self._rules, self._line)

    def _blamed(self, tree: _Tree, diagnostic: Diagnostic) -> _Span:
        """Return the place of the part in the problem, else that of its order, else that of the whole instruction."""
        whole = [*named(tree, "instruction"), tree][0]
        order = whole if diagnostic.order is None else self._order(tree, diagnostic.order, whole)
        part = diagnostic.problem.part
        found = _part(whole if part.startswith(_BESIDE) else order, part, self._line) if part else None
        return span_of(order if found is None else found)

    def _order(self, tree: _Tree, order: Any, whole: _Tree) -> _Tree:
        """Return the subtree of ``order``: one that the line may carry out, else one whose cost a condition asks for."""
        if not self._singles and self._unbuilt is None:
            singles = _singles(tree)
            if len(singles) == 1 and span_of(singles[0]) == span_of(whole):
                return whole  # the line is a single order: it need not be built
        return next((single for built, single in self._each_single(tree) if built == order), whole)

    def _each_single(self, tree: _Tree) -> Iterator[tuple[Any, _Tree]]:
        """Yield each single order of ``tree`` with its subtree; each is built once for all problems of the line."""
        if self._unbuilt is None:
            self._unbuilt = iter(_singles(tree))
        yield from self._singles
        for single in self._unbuilt:
            self._singles.append((_built(self._rules, self._line[slice(*span_of(single))]), single))
            yield self._singles[-1]


def words_at(rules: AnyRuleset, line: str) -> list[_Span]:
    """Return the places of names and numbers on the cleaned ``line``, in reading order; none if it cannot be read."""
    from lark import Token

    tree = tree_of(rules, line)
    if tree is None:
        return []
    return [(token.start_pos, token.end_pos) for token in tree.scan_values(lambda value: isinstance(value, Token))]


def free_names(rules: AnyRuleset, line: str) -> Iterator[str]:
    """Yield the words of the cleaned ``line`` that are names and not keywords of the grammar, in reading order."""
    from lark import Token

    from adjudicator.orders.expected import spellings

    tree = tree_of(rules, line)
    tokens = tree.scan_values(lambda value: isinstance(value, Token)) if tree is not None else ()
    yield from (str(token) for token in tokens if not spellings(position_parser(rules), token.type))


def tree_of(rules: AnyRuleset, line: str) -> Tree[Any] | None:
    """Return the cleaned ``line`` as a tree with positions, ``None`` if it cannot be read."""
    from lark import Tree as Parsed
    from lark.exceptions import LarkError

    try:
        tree: Any = position_parser(rules).parse(line)
    except LarkError:
        return None
    return tree if isinstance(tree, Parsed) else None


def _parts_of(rules: AnyRuleset, line: str) -> _Tree | None:
    """Return the cleaned ``line`` as a tree with positions like ``tree_of``, but faster."""
    try:
        return parts_of(rules, line)
    except UnusualError:
        return tree_of(rules, line)


def _singles(tree: _Tree) -> list[_Tree]:
    """Return the subtrees of orders, first those that may be carried out, then those in conditions."""
    singles = named(tree, "order")
    if len(singles) > 1:
        singles = named(tree, "order", but_not_in="condition") + singles
    return list({id(single): single for single in singles}.values())


def _built(rules: AnyRuleset, text: str) -> Any:
    """Return the order in ``text``; ``None`` if the text alone is not an order."""
    with suppress(UnreadableError):
        return getattr(line_parser(rules)(text), "expression", None)
    return None


def _part(tree: _Tree, part: str, line: str) -> _Tree | None:
    """Return the subtree for ``part``: ``cell`` is the first cell, ``cell:1`` the second, ``tile=H3`` the last tile H3."""
    if "=" in part:
        name, _, value = part.partition("=")
        spelled = [(found, line[slice(*span_of(found))].casefold()) for found in named(tree, name)]
        matching = [found for found, text in spelled if value.casefold() in (text, text.split(" ")[0])]
        return matching[-1] if matching else None
    name, _, index = part.partition(":")
    found = named(tree, name)
    number = int(index or 0)
    return found[number] if number < len(found) else None


def named(tree: _Tree, name: str, but_not_in: str = "") -> list[_Tree]:
    """Return the subtrees of ``tree`` that the rule ``name`` made, in reading order."""
    found = []
    left = [tree]
    while left:
        subtree = left.pop()
        if subtree.data == name:
            found.append(subtree)
        if subtree.data != but_not_in:
            left.extend(child for child in reversed(subtree.children) if isinstance(child, type(tree)))
    return found


def span_of(tree: _Tree) -> _Span:
    """Return the start and end of ``tree``; a rule without words is at (0, 0)."""
    meta = tree.meta
    return (0, 0) if meta.empty else (meta.start_pos, meta.end_pos)

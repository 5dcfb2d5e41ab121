"""Find the part of a line that a problem is about, in Lark's tree of the line."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final, NamedTuple, cast

from adjudicator.core.problem import Diagnostic
from adjudicator.core.rules import AnyRules
from adjudicator.orders.clean import clean
from adjudicator.orders.grammar import Grammar, grammar_of

if TYPE_CHECKING:
    from lark import Token, Tree

Span = tuple[int, int]
"""The index of the first character, and the index after the last."""
_BESIDE: Final = ("fact", "draw", "argument=", "name=", "word=")
"""Parts that are beside an order on its line, not in it."""


def locate(rules: AnyRules, diagnostics: Iterable[Diagnostic]) -> list[Diagnostic]:
    """Return ``diagnostics`` with the column and width of the wrong part of each order, where they have none."""
    grammar, lines = grammar_of(rules), dict[str, _Line | None]()
    return [_located(grammar, one, lines) if one.text and not one.column else one for one in diagnostics]


def words_at(grammar: Grammar, line: str) -> list[Span]:
    """Return the places of names and numbers on the cleaned ``line``, in reading order; none if it cannot be read."""
    tree = grammar.tree(line)
    return [] if tree is None else [_span(word) for word in tree.scan_values(bool)]


class _Line(NamedTuple):
    """A line as it is read: the ``whole`` instruction, and its ``orders`` with their values, if it is more than one order.

    Each is the list of its parts, itself first.
    """

    text: str
    whole: list[Tree[Token]]
    orders: list[tuple[list[Tree[Token]], Any]]


def _located(grammar: Grammar, diagnostic: Diagnostic, lines: dict[str, _Line | None]) -> Diagnostic:
    """Return ``diagnostic`` with its place. Many problems may be about one of the ``lines``, which is read once."""
    text = clean(diagnostic.written)
    with suppress(Exception):  # even without a place, the problem itself is known
        if text not in lines:
            lines[text] = None
            lines[text] = _read(grammar, text)
        if (line := lines[text]) is not None:
            start, end = _blamed(line, diagnostic)
            return diagnostic.at(start + 1, max(1, end - start), diagnostic.text)
    return diagnostic


def _read(grammar: Grammar, text: str) -> _Line | None:
    tree = grammar.tree(text)
    if tree is None:
        return None
    whole: Any = next((one for one in tree.children if getattr(one, "data", "") == "instruction"), tree)
    parts = _parts(whole)
    # First the orders that the line may carry out, then those whose cost a condition asks for.
    asked = {id(one) for condition in _named(parts, "condition") for one in _named(_parts(condition), "order")}
    singles = sorted(_named(parts, "order"), key=lambda one: id(one) in asked)
    if [_span(single) for single in singles] == [_span(whole)]:
        return _Line(text, parts, [])
    built = ((single, grammar.parse(text[slice(*_span(single))])) for single in singles)
    return _Line(text, parts, [(_parts(single), getattr(one, "expression", None)) for single, one in built])


def _blamed(line: _Line, diagnostic: Diagnostic) -> Span:
    """Return the place of the part in the problem, else that of its order, else that of the whole instruction."""
    order, wanted = line.whole, diagnostic.order
    if wanted is not None:
        order = next((parts for parts, expression in line.orders if expression == wanted), line.whole)
    name, written = diagnostic.problem.part, diagnostic.problem.written
    found = _part(line.whole if name.startswith(_BESIDE) else order, name, line.text, written) if name else None
    return _span(order[0] if found is None else found)


def _part(parts: list[Tree[Token]], name: str, line: str, written: str | None) -> Tree[Token] | None:
    """Return the part ``name``: ``cell`` is the first cell, ``cell:1`` the second, ``tile=H3`` the last tile H3.

    An order may have its parts in another order than its line: the name that was ``written`` is looked for first.
    """
    rule, is_named, value = name.partition("=")
    rule, _, index = rule.partition(":")
    spelled = [(found, line[slice(*_span(found))].casefold()) for found in _named(parts, rule)]
    wanted = value if is_named else written
    matching = [found for found, text in spelled if wanted and wanted.casefold() in (text, text.split(" ")[0])]
    at = dict(enumerate(found for found, _ in spelled)).get(int(index or 0))
    if is_named:
        return matching[-1] if matching else None
    return at if at in matching or not matching else matching[-1]


def _parts(tree: Tree[Token]) -> list[Tree[Token]]:
    """Return ``tree`` and its parts, in reading order."""
    return list(cast("Any", tree).iter_subtrees_topdown())


def _named(parts: list[Tree[Token]], rule: str) -> list[Tree[Token]]:
    """Return those of ``parts`` that ``rule`` matches."""
    return [one for one in parts if one.data == rule]


def _span(part: Any) -> Span:
    """Return the place of a part or a word, without the brackets around it."""
    place = getattr(part, "meta", part)
    return getattr(place, "start_pos", 0), getattr(place, "end_pos", 0)

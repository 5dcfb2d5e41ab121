"""Parse single lines with the grammar of a ruleset: to orders, or to the parts of a line with their places."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, NamedTuple

from adjudicator.core.rules import AnyRules
from adjudicator.orders import parser_cache
from adjudicator.orders.build import COMMON_BUILDERS
from adjudicator.orders.grammar_source import key_of
from adjudicator.orders.per_ruleset import per_ruleset
from adjudicator.orders.stepper import Maker, Match, Stepper, Tables, UnreadableError

Span = tuple[int, int]
"""The index of the first character, and the index after the last."""


class Word(NamedTuple):
    """A word, number or sign on a line: the ``kind`` of its terminal, its ``text`` in English, and its ``span``."""

    kind: str
    text: str
    span: Span


class Part:
    """The part of a line that the rule ``name`` matches, with the words and parts in it; ``None`` for each one left out.

    ``span`` is its place, (0, 0) if it has no words. ``around`` is its place with the brackets that a rule removed.
    """

    __slots__ = ("around", "children", "name", "span")

    def __init__(self, name: str, children: list[Any]) -> None:
        """Make a part that has no place yet."""
        self.name, self.children = name, children
        self.span = 0, 0
        self.around: Span | None = None

    def words(self) -> list[Word]:
        """Return the words in the part, in reading order, without keywords and signs."""
        return [one for one in self._inside() if isinstance(one, Word)]

    def named(self, name: str, but_not_in: str = "") -> list[Part]:
        """Return the parts in this one, and itself, that the rule ``name`` matches, in reading order."""
        return [one for one in self._inside(but_not_in) if isinstance(one, Part) and one.name == name]

    def _inside(self, but_not_in: str = "") -> Iterator[Part | Word | None]:
        left: list[Part | Word | None] = [self]
        while left:
            one = left.pop()
            yield one
            if isinstance(one, Part) and one.name != but_not_in:
                left += reversed(one.children)


@per_ruleset
def stepper(rules: AnyRules) -> Stepper:
    """Return what steps through lines in the language of ``rules``; cached."""
    lark, tables = load_grammar(rules)
    if rules.language.spoken is None:
        return Stepper(tables)
    from adjudicator.orders.old_grammar import tables_with_words

    return Stepper(*tables_with_words(lark, rules.language.spoken))


def load_grammar(rules: AnyRules) -> tuple[bytes, Tables]:
    """Return the English grammar of ``rules``: the bytes from which Lark makes its parser, and the tables.

    They are loaded from the user's cache, which needs no Lark, or compiled.
    """
    stored = parser_cache.load(rules.meta.id, key_of(rules))
    if stored is not None:
        try:
            return stored["lark"], Tables(*stored["tables"])
        except (KeyError, TypeError):  # the file is not one of this program
            pass
    from adjudicator.orders.old_grammar import compile_grammar

    lark, tables = compile_grammar(rules)
    parser_cache.save(rules.meta.id, key_of(rules), {"lark": lark, "tables": tuple(tables)})
    return lark, tables


@per_ruleset
def line_parser(rules: AnyRules) -> Callable[[str], Any]:
    """Return a function that parses a line and builds its order, or raises ``UnreadableError``; cached."""
    steps = stepper(rules)
    return partial(steps.read, makers=steps.makers(partial(_builder, rules)), word=steps.text)


def _builder(rules: AnyRules, name: str) -> Maker:
    """Return the function of the ruleset or of the common grammar that builds the value of the rule ``name``."""
    build: Maker = rules.language.builders.get(name) or COMMON_BUILDERS.get(name) or partial(Part, name)
    if rules.language.spoken is None or name not in rules.language.spoken.names:
        return build
    from adjudicator.orders.synonyms import name_in_english

    english = name_in_english(rules.language.spoken.names[name])
    return lambda children: build([english(child) for child in children])


@per_ruleset
def part_parser(rules: AnyRules) -> Callable[[str], Part | None]:
    """Return a function that parses a line to its parts with their places, or to ``None``; cached."""
    steps = stepper(rules)
    makers = [_with_place(make) for make in steps.makers(lambda name: partial(Part, name))]

    def word(kind: str, found: Match) -> Word:
        return Word(kind, steps.text(kind, found), found.span())

    def parts(line: str) -> Part | None:
        try:
            found = steps.read(line, makers, word)
        except UnreadableError:
            return None
        return found if isinstance(found, Part) else None

    return parts


def _with_place(make: Maker) -> Maker:
    """Return ``make`` so that a part gets the place of all its words, also of those that it leaves out."""

    def make_with_place(children: list[Any]) -> Any:
        made = make(children)
        placed = [span for child in children if child is not None and (span := _around(child)) is not None]
        if isinstance(made, Part) and placed:
            around = placed[0][0], placed[-1][1]
            made.span = around if made.around is None else made.span
            made.around = around
        return made

    return make_with_place


def _around(child: Part | Word) -> Span | None:
    return child.span if isinstance(child, Word) else child.around

"""Load or compile the grammar of a ruleset, and parse single lines with it."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from adjudicator.core.ruleset import AnyRuleset
from adjudicator.orders import parser_cache
from adjudicator.orders.build import COMMON_BUILDERS
from adjudicator.orders.grammar_source import key_of
from adjudicator.orders.once import once_for_each
from adjudicator.orders.parts import Part, part_reader
from adjudicator.orders.stepper import Maker, Stepper, Tables


@once_for_each
def stepper(rules: AnyRuleset) -> Stepper:
    """Return what steps through lines in the language of ``rules``; cached."""
    lark, tables = compiled(rules)
    if rules.language.spoken is None:
        return Stepper(tables)
    from adjudicator.orders.grammar import teach

    return Stepper(*teach(lark, rules.language.spoken))


def compiled(rules: AnyRuleset) -> tuple[dict[str, Any], Tables]:
    """Return the English grammar of ``rules``: the data from which Lark makes its parser, and the tables.

    They are loaded from the user's cache, which needs no Lark, or compiled.
    """
    stored = parser_cache.load(rules.meta.id, key_of(rules))
    if stored is not None:
        try:
            return stored["lark"], Tables(*stored["tables"])
        except (KeyError, TypeError):  # the file is not one of this program
            pass
    from adjudicator.orders.grammar import compile_grammar

    lark, tables = compile_grammar(rules)
    parser_cache.save(rules.meta.id, key_of(rules), {"lark": lark, "tables": tuple(tables)})
    return lark, tables


@once_for_each
def line_parser(rules: AnyRuleset) -> Callable[[str], Any]:
    """Return a function that parses a line and builds its order, or raises ``UnreadableError``; cached."""
    steps = stepper(rules)
    return partial(steps.read, makers=steps.makers(partial(_builder, rules)), word=steps.text)


def _builder(rules: AnyRuleset, name: str) -> Maker:
    """Return the function of the ruleset or of the common grammar that builds the value of the rule ``name``."""
    build: Maker = rules.language.builders.get(name) or COMMON_BUILDERS.get(name) or partial(Part, name)
    if rules.language.spoken is None or name not in rules.language.spoken.names:
        return build
    from adjudicator.orders.synonyms import name_in_english

    english = name_in_english(rules.language.spoken.names[name])
    return lambda children: build([english(child) for child in children])


@once_for_each
def part_parser(rules: AnyRuleset) -> Callable[[str], Part | None]:
    """Return a function that parses a line to its parts with their places, or to ``None``; cached."""
    return part_reader(stepper(rules))

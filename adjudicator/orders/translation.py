"""Translate orders from English into another language, word by word, for examples and pages, never for the journal."""

from __future__ import annotations

import re

from adjudicator.core.rules import AnyRules, changed
from adjudicator.core.values import replace
from adjudicator.orders.grammar_source import shared_terminals
from adjudicator.orders.languages import Spoken, Synonyms
from adjudicator.orders.line_parser import Word, part_parser, stepper
from adjudicator.orders.per_ruleset import per_ruleset
from adjudicator.orders.synonyms import takes_names, terminals_of


@per_ruleset
def in_english(rules: AnyRules) -> AnyRules:
    """Return ``rules`` that understand only English; cached."""
    return rules if rules.language.spoken is None else changed(rules, language=replace(rules.language, spoken=None))


def translate(rules: AnyRules, spoken: Spoken, text: str) -> str:
    """Return the English line ``text`` in the usual words of ``spoken``; other words remain English.

    Raises ``ValueError`` if ``text`` is not in the language of ``rules``.
    """
    english, shared = in_english(rules), shared_terminals()
    parts = part_parser(english)(text)
    if parts is None:
        raise ValueError(f"not an order: {text[:80]}")
    names = {
        child.span: table
        for rule, table in spoken.names.items()
        for part in parts.named(rule)
        for child in part.children
        if isinstance(child, Word)
    }
    any_name = {name for name, regexp in terminals_of(stepper(english)) if takes_names(name, regexp)}
    line, end = "", 0
    for _, kind, word in stepper(english).walk(text)[2]:
        table = spoken.words if kind in shared else spoken.own
        if kind in any_name:
            table = names.get(word.span(), {})
        changed = _changed(word[0], table)
        line += text[end : word.start()] + (changed.upper() if word[0].isupper() else changed)
        end = word.end()
    return line + text[end:]


def _changed(words: str, table: Synonyms) -> str:
    """Return the usual translation of ``words`` by ``table``: of the whole phrase, else of each word that has one."""
    whole = " ".join(words.casefold().split())
    if table.get(whole):
        return words.replace(words.strip(), table[whole][0])

    def change(match: re.Match[str]) -> str:
        other = table.get(match.group().casefold())
        return other[0] if other else match.group()

    return re.sub("[A-Za-z]+", change, words)

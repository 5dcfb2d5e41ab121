"""Translate orders from English into another language, word by word, for examples and pages, never for the journal."""

from __future__ import annotations

import re
from dataclasses import replace

from adjudicator.core.languages import Spoken, Synonyms
from adjudicator.core.ruleset import AnyRuleset
from adjudicator.orders.grammar_source import shared_terminals
from adjudicator.orders.line_parser import stepper
from adjudicator.orders.once import once_for_each
from adjudicator.orders.parts import Word, part_reader
from adjudicator.orders.synonyms import takes_names, terminals_of


@once_for_each
def in_english(rules: AnyRuleset) -> AnyRuleset:
    """Return ``rules`` that understand only English; cached."""
    return rules if rules.language.spoken is None else replace(rules, language=replace(rules.language, spoken=None))


def translated(rules: AnyRuleset, spoken: Spoken, text: str) -> str:
    """Return the English line ``text`` in the usual words of ``spoken``; other words remain English.

    Raises ``ValueError`` if ``text`` is not in the language of ``rules``.
    """
    steps, words = stepper(in_english(rules)), list[Word]()
    shared = shared_terminals()
    line_parts = part_reader(steps, words.append)(text)
    if line_parts is None:
        raise ValueError(f"not an order: {text[:80]}")
    names = {
        child.span: table
        for rule, table in spoken.names.items()
        for part in line_parts.named(rule)
        for child in part.children
        if isinstance(child, Word)
    }
    any_name = {name for name, regexp in terminals_of(steps) if takes_names(name, regexp)}
    line, end = "", 0
    for word in words:
        table = spoken.words if word.kind in shared else spoken.own
        if word.kind in any_name:
            table = names.get(word.span, {})
        changed = _changed(word.text, table)
        line += text[end : word.span[0]] + (changed.upper() if word.text.isupper() else changed)
        end = word.span[1]
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

"""Translate orders from English into another language, word by word, for examples and pages, never for the journal."""

from __future__ import annotations

import re
from typing import Any

from adjudicator.core.rules import AnyRules, changed
from adjudicator.core.values import replace
from adjudicator.orders.grammar import COMMON, grammar_of
from adjudicator.orders.languages import Spoken, Synonyms
from adjudicator.resources import folder

_english: dict[int, tuple[Any, AnyRules]] = {}


def in_english(rules: AnyRules) -> AnyRules:
    """Return ``rules`` that understand only English; cached."""
    if rules.language.spoken is None:
        return rules
    known = _english.get(id(rules.language))
    if known is None or known[0] is not rules.language:
        english = changed(rules, language=replace(rules.language, spoken=None))
        known = _english[id(rules.language)] = rules.language, english
    return known[1]


def translate(rules: AnyRules, spoken: Spoken, text: str) -> str:
    """Return the English line ``text`` in the usual words of ``spoken``; other words remain English.

    Raises ``ValueError`` if ``text`` is not in the language of ``rules``.
    """
    grammar = grammar_of(in_english(rules))
    tree = grammar.tree(text)
    if tree is None:
        raise ValueError(f"not an order: {text[:80]}")
    names = {
        child.start_pos: spoken.names[part.data]
        for part in tree.iter_subtrees()
        if part.data in spoken.names
        for child in part.children
        if isinstance(child, str)
    }
    shared = re.findall(r"(?m)^([A-Z_]+)(?:\.[0-9]+)?:", (folder("grammar") / COMMON).read_text("utf-8"))
    line, end = "", 0
    for token in grammar.tokens(text):
        table = spoken.words if token.type in shared else spoken.own
        if not grammar.spellings[token.type]:
            table = names.get(token.start_pos, {})
        changed = _changed(str(token), table)
        line += text[end : token.start_pos] + (changed.upper() if token[0].isupper() else changed)
        end = token.end_pos
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

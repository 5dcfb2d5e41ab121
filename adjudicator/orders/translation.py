"""Translate orders from English into another language, word by word, for examples and pages, never for the journal."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from lark import Lark, Token, Tree
from lark.exceptions import LarkError

from adjudicator.core.languages import Spoken, Synonyms
from adjudicator.core.ruleset import AnyRuleset
from adjudicator.orders.grammar import shared_terminals
from adjudicator.orders.once import once_for_each
from adjudicator.orders.parser import position_parser
from adjudicator.orders.synonyms import takes_names, terminals_of


@once_for_each
def in_english(rules: AnyRuleset) -> AnyRuleset:
    """Return ``rules`` that understand only English; cached."""
    return rules if rules.language.spoken is None else replace(rules, language=replace(rules.language, spoken=None))


def translated(rules: AnyRuleset, spoken: Spoken, text: str) -> str:
    """Return the English line ``text`` in the usual words of ``spoken``; other words remain English.

    Raises ``ValueError`` if ``text`` is not in the language of ``rules``.
    """
    parser, shared = position_parser(in_english(rules)), shared_terminals()
    try:
        tree: Any = parser.parse(text)
        tokens = list(_tokens(parser, text))
    except LarkError:
        raise ValueError(f"not an order: {text[:80]}") from None
    names = {token.start_pos or 0: table for token, table in _named(tree, spoken)}
    any_name = {name for name, regexp in terminals_of(parser) if takes_names(name, regexp)}
    line, end = "", 0
    for token in tokens:
        table = spoken.words if token.type in shared else spoken.own
        if token.type in any_name:
            table = names.get(token.start_pos or 0, {})
        word = _changed(str(token), table)
        line += text[end : token.start_pos] + (word.upper() if token.isupper() else word)
        end = token.end_pos or 0
    return line + text[end:]


def _tokens(parser: Lark, text: str) -> Iterator[Token]:
    """Yield all tokens of ``text``, also the fixed signs and keywords. Raises ``LarkError``."""
    state: Any = parser.parse_interactive(text)
    for token in state.lexer_thread.lex(state.parser_state):
        state.feed_token(token)
        yield token


def _named(tree: Tree[Any], spoken: Spoken) -> Iterator[tuple[Token, Synonyms]]:
    """Yield the names in ``tree`` that have translations, each with its table."""
    for subtree in tree.iter_subtrees():
        if subtree.data in spoken.names:
            yield from ((child, spoken.names[subtree.data]) for child in subtree.children if isinstance(child, Token))


def _changed(words: str, table: Synonyms) -> str:
    """Return the usual translation of ``words`` by ``table``: of the whole phrase, else of each word that has one."""
    whole = " ".join(words.casefold().split())
    if table.get(whole):
        return words.replace(words.strip(), table[whole][0])

    def change(match: re.Match[str]) -> str:
        other = table.get(match.group().casefold())
        return other[0] if other else match.group()

    return re.sub("[A-Za-z]+", change, words)

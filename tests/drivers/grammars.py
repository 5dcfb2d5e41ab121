"""Grammars as with a version of Lark whose tables are unknown, lines made by a grammar, and the folder of the tables."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from adjudicator.core.rules import changed
from adjudicator.core.values import replace
from adjudicator.orders import fast
from adjudicator.orders.grammar import Grammar, grammar_of
from adjudicator.orders.submission import clean
from tests.drivers.mails import EXAMPLES, new_game


def forget_folder() -> None:
    """Look for the folder of the tables again."""
    fast.cache_folder.cache_clear()


def by_lark(rules: Any, monkeypatch: pytest.MonkeyPatch) -> Grammar:
    """Return the grammar of ``rules`` as with a version of Lark whose tables are unknown: Lark reads all lines."""
    with monkeypatch.context() as patch:
        patch.setattr("adjudicator.orders.grammar.stored", lambda *made: {**fast.stored(*made), "tables": None})
        return Grammar(rules)


def line_of(grammar: Grammar, begun: str, names: list[str], luck: Random) -> str:
    """Return the line ``begun``, perhaps continued by words that fit, often to its end, and perhaps damaged."""
    line = begun
    for _ in range(16):
        fits = grammar.failure(line)
        if not fits.is_at_end or (fits.may_end and luck.random() < 0.4):
            break
        words = [*fits.spellings, *luck.choices(names, k=3), str(luck.choice((0, 1, 2, 30, 90)))]
        line += luck.choice(("", " ", " ", " ", ", ")) + luck.choice(words)
    for _ in range(luck.choice((0, 0, 1, 2))):
        at, more = luck.randint(0, len(line)), luck.choice(("", "", luck.choice(" ,.:()[]→°ıſK1aX"), luck.choice(names)))
        line = line[:at] + more + line[at + luck.choice((0, 1, 1, 4)) :]
    return clean(line)


def what_is_read(grammar: Grammar, line: str) -> Any:
    """Return the value of ``line`` and its names, or the kind of the bug of a builder."""
    try:
        return grammar.parse(line), grammar.free_names(line)
    except Exception as bug:
        return type(bug)


def assert_read_alike(game: str, language: str, monkeypatch: pytest.MonkeyPatch, lines: int) -> None:
    """Assert that Lark reads the examples of ``game`` and as many ``lines`` as the program does."""
    rules = new_game(game, language).spoken_rules
    quick, slow, luck, read = grammar_of(rules), by_lark(rules, monkeypatch), Random(f"{game} {language}"), 0
    names = [*map(str, rules.names()), *new_game(game).seats]
    begun = (*EXAMPLES[game], "", "IF ", "red: ", *[""] * len(EXAMPLES[game]))
    for line in (*EXAMPLES[game], *(line_of(quick, luck.choice(begun), names, luck) for _ in range(lines))):
        found = what_is_read(quick, line)
        assert found == what_is_read(slow, line), line
        assert quick.failure(line).is_at_end or found == (None, []), line
        read += found != (None, [])
    assert read > len(EXAMPLES[game]) + lines // 10


def grammars_in(game: str, language: str) -> list[Grammar]:
    """Return the grammars of a ``game`` with a ``language``, without it, and of one that never had it."""
    spoken = new_game(game, language).spoken_rules
    english = changed(spoken, language=replace(spoken.language, spoken=None))
    return [grammar_of(rules) for _ in range(2) for rules in (spoken, english, new_game(game).rules)]

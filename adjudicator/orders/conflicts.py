"""Find words of other languages that have a second meaning, before a game is played in these languages."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator
from typing import Any

from adjudicator.core.rules import AnyRules
from adjudicator.orders.expected import spellings
from adjudicator.orders.old_grammar import tables_with_words
from adjudicator.orders.grammar_source import shared_terminals
from adjudicator.orders.languages import Spoken, Synonyms
from adjudicator.orders.line_parser import load_grammar
from adjudicator.orders.spelling import plain, plain_ways, ways
from adjudicator.orders.stepper import Stepper
from adjudicator.orders.synonyms import extend, terminals_of
from adjudicator.orders.translation import in_english

_Match = Callable[[str], Any]
_TAIL = " A1"
"""The text after a word that is tested: a link between cells counts only before a cell."""


def conflicts(rules: AnyRules, names: Collection[str] = ()) -> tuple[str, ...]:
    """Return a sentence for each ambiguous word of the languages that ``rules`` understand.

    ``names`` are the names of a game's things and seats, in lower case. Two words conflict if both may be used at the same
    place in an order, in one language or in two; other words may have several meanings.
    """
    spoken = rules.language.spoken
    if spoken is None:
        return ()
    found = [*_of_names(spoken, names), *_of_tables(spoken), *sorted(_of_terminals(rules, spoken))]
    return tuple(dict.fromkeys(found))


def _of_names(spoken: Spoken, names: Collection[str]) -> Iterator[str]:
    """Yield the words that are also the name of a thing or a seat of the game."""
    called = {plain(name) for name in names}
    for table in (spoken.words, spoken.own, *spoken.names.values()):
        for english, words in table.items():
            for word in words:
                if plain(word) != plain(english) and not called.isdisjoint(plain_ways(word)):
                    yield f"“{word}” means “{english}”, but something in this game has that name"


def _of_tables(spoken: Spoken) -> Iterator[str]:
    """Yield the names that mean two things."""
    for table in spoken.names.values():
        yield from _ambiguous(table)


def _ambiguous(table: Synonyms) -> Iterator[str]:
    meant: dict[str, str] = {}
    for english, words in table.items():
        for word in words:
            for way in plain_ways(word):
                if meant.setdefault(way, english) != english:
                    yield f"“{word}” means both “{meant[way]}” and “{english}”"


def _of_terminals(rules: AnyRules, spoken: Spoken) -> Iterator[str]:
    """Yield the words that are read in some place as another terminal than their English word."""
    lark, tables = load_grammar(rules)
    english, foreign = Stepper(tables), tables_with_words(lark, spoken)[0]  # both number their states alike
    used, shared = dict[str, Synonyms](), shared_terminals()
    for name, regexp in terminals_of(english):
        used[name] = extend(name, regexp, spoken.words if name in shared else spoken.own, spoken)[1]
        if not name.startswith("_"):
            yield from _ambiguous(used[name])
    spelled, looked = spellings(in_english(rules)), set[str]()
    for state, (pattern, flags, _) in tables.scanners.items():
        if pattern in looked:
            continue
        looked.add(pattern)
        before, there = re.compile(pattern, flags), re.compile(*foreign.scanners[state][:2]).match
        match = before.match
        for name in sorted(before.groupindex.keys() & used.keys()):
            for word in spelled[name]:
                yield from _changed(name, word, word, match, there)
            for meaning, words in used[name].items():
                for way in (way for word in words for way in ways(word)):
                    yield from _changed(name, meaning, way, match, there)


def _changed(name: str, english: str, word: str, match: _Match, there: _Match) -> Iterator[str]:
    """Yield the problem if ``there`` does not read ``word`` as the terminal ``name``, as ``match`` reads ``english``."""
    was, now = match(english + _TAIL), there(word + _TAIL)
    if was is None or was.lastgroup != name or was.end() < len(english):
        return  # the grammar does not accept it here, or only before something else
    if now is None or now.lastgroup != name or now.end() < len(word):
        meant = "" if word == english else f" as “{english}”"
        yield f"“{word}” cannot be read{meant}: “{(now.group().strip() if now else '') or word}” means something else there"

"""Find words of other languages that have a second meaning, before a game is played in these languages."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from typing import Any

from lark import Lark

from adjudicator.core.languages import Spoken, Synonyms
from adjudicator.core.ruleset import AnyRuleset
from adjudicator.orders.expected import spellings
from adjudicator.orders.grammar import shared_terminals, taught
from adjudicator.orders.parser import position_parser
from adjudicator.orders.spelling import plain, plain_ways, ways
from adjudicator.orders.synonyms import extended, terminals_of
from adjudicator.orders.translation import in_english

_Match = Callable[[str], Any]
_TAIL = " A1"
"""The text after a word that is tested: a link between cells counts only before a cell."""


def conflicts(rules: AnyRuleset, names: Collection[str] = ()) -> tuple[str, ...]:
    """Return a sentence for each ambiguous word of the languages that ``rules`` understand.

    ``names`` are the names of a game's things and seats, in lower case. Two words conflict if both may be used at the same
    place in an order, in one language or in two; other words may have several meanings.
    """
    spoken = rules.language.spoken
    if spoken is None:
        return ()
    found = [*_of_names(spoken, names), *_of_tables(spoken), *_of_terminals(rules, spoken)]
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


def _of_terminals(rules: AnyRuleset, spoken: Spoken) -> Iterator[str]:
    """Yield the words that are read in some place as another terminal than their English word."""
    english = position_parser(in_english(rules))
    foreign = taught(english, spoken)  # derived from it, so that both number their states alike
    used, shared = dict[str, Synonyms](), shared_terminals()
    for name, regexp in terminals_of(english):
        used[name] = extended(name, regexp, spoken.words if name in shared else spoken.own, spoken)[1]
        if not name.startswith("_"):
            yield from _ambiguous(used[name])
    before, after = _scanners(english), _scanners(foreign)
    for state, (accepted, match) in before.items():
        there = after[state][1]
        for name in sorted(accepted & used.keys()):
            for word in spellings(english, name):
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


def _scanners(parser: Lark) -> dict[int, tuple[frozenset[str], _Match]]:
    """Return for each state its terminals and the function that finds the next one, each kind of state once."""
    found: dict[int, tuple[frozenset[str], _Match]] = {}
    seen: set[int] = set()
    of_parser: Any = parser.parser
    for state, lexer in of_parser.lexer.lexers.items():
        if id(lexer) not in seen:
            seen.add(id(lexer))
            found[state] = frozenset(terminal.name for terminal in lexer.terminals), lexer.scanner._mres[0].match
    return found

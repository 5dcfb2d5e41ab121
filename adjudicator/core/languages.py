"""Tables from the English words of orders to those of other languages."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Annotated, NewType

from adjudicator.core.values import Meta, Value, field

LanguageCode = NewType("LanguageCode", str)
"""A language by its ISO 639 code: ``de``."""
Synonyms = Mapping[str, tuple[str, ...]]
"""For an English word or phrase, the words that may replace it; the usual one first."""


class GameWords(Value):
    """The words of one game in a language.

    ``words`` are those of its grammar. ``names`` are translations of the game's names, by the rule of the grammar that reads
    them (``colour``: ``white``: ``weiß``).
    """

    words: Synonyms = field(default_factory=dict)
    names: Mapping[str, Synonyms] = field(default_factory=dict)


class LanguageWords(Value):
    """A language: its ``code``, its English ``name``, the ``words`` that all games share, and those of each of ``games``."""

    code: Annotated[LanguageCode, Meta(min_length=2, max_length=12)]
    name: str
    words: Synonyms = field(default_factory=dict)
    games: Mapping[str, GameWords] = field(default_factory=dict)


class Spoken(Value):
    """The languages that one game understands in addition to English, with their words in common tables.

    ``words`` are for the grammar that all games share, ``own`` for that of the game, ``names`` as in ``GameWords``.
    """

    codes: tuple[LanguageCode, ...]
    words: Synonyms
    own: Synonyms
    names: Mapping[str, Synonyms]


def spoken(game: str, languages: Iterable[LanguageWords]) -> Spoken:
    """Return the words of ``languages`` for the ``game`` of that id; its own words replace shared ones."""
    several = tuple(languages)
    games = [(one, one.games.get(game, GameWords())) for one in several]
    rules = {rule for _, words in games for rule in words.names}
    return Spoken(
        tuple(one.code for one in several),
        _together(one.words for one in several),
        _together({**one.words, **words.words} for one, words in games),
        {rule: _together(words.names.get(rule, {}) for _, words in games) for rule in sorted(rules)},
    )


def _together(tables: Iterable[Synonyms]) -> Synonyms:
    found: dict[str, tuple[str, ...]] = {}
    for table in tables:
        for english, words in table.items():
            found[english] = tuple(dict.fromkeys((*found.get(english, ()), *words)))
    return found

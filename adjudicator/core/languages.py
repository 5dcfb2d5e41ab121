"""Words of other languages in which orders may be written too, as tables from the English ones."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import field
from typing import Annotated, NewType

from adjudicator.core.bounds import Len
from adjudicator.core.frozen import frozen

LanguageCode = NewType("LanguageCode", str)
"""A language as ISO 639 writes it: ``de``."""
Synonyms = Mapping[str, tuple[str, ...]]
"""For an English word, or several, what may stand in its place; the usual one first."""


@frozen
class GameWords:
    """The words of one game in a language.

    ``words`` are those of its grammar. ``names`` are what players may write for names of the game, by the rule of the
    grammar in which they stand (``colour``: ``white``: ``weiß``).
    """

    words: Synonyms = field(default_factory=dict)
    names: Mapping[str, Synonyms] = field(default_factory=dict)


@frozen
class LanguageWords:
    """A language: its ``code``, its English ``name``, the ``words`` that all games share, and those of each of ``games``."""

    code: Annotated[LanguageCode, Len(2, 12)]
    name: str
    words: Synonyms = field(default_factory=dict)
    games: Mapping[str, GameWords] = field(default_factory=dict)


@frozen
class Spoken:
    """Languages that are understood beside English, their words put together for one game.

    ``words`` are for the grammar that all games share, ``own`` for that of the game, ``names`` as in ``GameWords``.
    """

    codes: tuple[LanguageCode, ...]
    words: Synonyms
    own: Synonyms
    names: Mapping[str, Synonyms]


def spoken(game: str, languages: Iterable[LanguageWords]) -> Spoken:
    """Return what ``languages`` say together in the ``game`` of that id: its own words take the place of shared ones."""
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

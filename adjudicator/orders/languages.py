"""Find the languages of orders, and teach a game's rules to understand some of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from typing import Annotated, Final, NewType, TypeVar

from adjudicator.core.problem import AdjudicatorError, did_you_mean, in_any_case
from adjudicator.core.rules import AnyRules, changed
from adjudicator.core.ruleset import GameMeta, Language
from adjudicator.core.values import MODERATOR, Meta, Value, field, replace
from adjudicator.files import typed
from adjudicator.files.errors import Untrusted
from adjudicator.files.reading import parse
from adjudicator.resources import language_files

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


class LanguageWords(Value, forbid_unknown_fields=False):  # its files name their schema
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


ENGLISH: Final = "en"
"""The language that every game understands."""
LINE_WORDS: Final = frozenset(
    f"""{MODERATOR} bystander all game turn if then else otherwise or and not withdraw from end order orders word token
    message preview status resend help resign rule rules holiday vote wait nowait games join leave who register new standin
    set""".split()
)
"""The English words that have a meaning on lines of turn files and mails, or that name a reader who is no player."""
_speaking: dict[tuple[str, tuple[str, ...]], tuple[Language, Language]] = {}

R = TypeVar("R", bound=AnyRules)


class LanguageError(AdjudicatorError):
    """Report that a language cannot be used: it is not installed, or its file is bad; the message says why."""


def languages(meta: GameMeta) -> dict[LanguageCode, LanguageWords]:
    """Return the languages with words for the game of ``meta``, by code, including those of the game's package.

    Raises ``LanguageError`` for a file that cannot be used.
    """
    found = dict(_shipped())
    for name, text in language_files(meta):
        one = read_words(name, text)
        found[one.code] = _joined(found[one.code], one) if one.code in found else one
    return {code: one for code, one in sorted(found.items()) if meta.id in one.games}


def program_languages() -> dict[str, str]:
    """Return the English names of the languages that come with the program, by code."""
    return {code: one.name for code, one in _shipped().items()}


def choose_languages(meta: GameMeta, wanted: Iterable[str]) -> tuple[LanguageCode, ...]:
    """Return the codes of the languages ``wanted``, each a code or an English name in any case; English is left out.

    Raises ``LanguageError`` for one that is not installed.
    """
    known = languages(meta)
    called: dict[str, LanguageCode] = {**{one.name: code for code, one in known.items()}, **{code: code for code in known}}
    codes = []
    for word in wanted:
        name = in_any_case(word, called)
        if name is not None:
            codes.append(called[name])
        elif word.casefold() not in (ENGLISH, "english"):
            suggestion = did_you_mean(word, called)
            there = ", ".join(f"{code} ({one.name})" for code, one in known.items()) or "only English"
            raise LanguageError(f"no words are installed for the language “{word}”{suggestion}; installed: {there}")
    return tuple(dict.fromkeys(codes))


def line_words(meta: GameMeta) -> set[str]:
    """Return the words, in lower case, that mean something where a seat may stand, in every language of ``meta``.

    Words of one letter in other languages are left out, since many seats may be called a, b, c. Raises ``LanguageError``.
    """
    others = (one.words.get(english, ()) for one in languages(meta).values() for english in LINE_WORDS)
    return {*LINE_WORDS, *(word.casefold() for words in others for word in words if len(word) > 1)}


def rules_with_languages(rules: R, codes: Iterable[str]) -> R:
    """Return ``rules`` that also understand orders in the languages ``codes``; cached. Without codes, return ``rules``.

    Raises ``LanguageError``.
    """
    wanted = tuple(codes)
    if not wanted:
        return rules
    meta, language = rules.meta, rules.language
    known = _speaking.get((meta.id, wanted))
    if known is None or known[0] is not language:
        there = languages(meta)
        words = spoken(meta.id, (there[code] for code in choose_languages(meta, wanted)))
        known = _speaking[meta.id, wanted] = language, replace(language, spoken=words)
    return changed(rules, language=known[1])


def read_words(name: str, text: str) -> LanguageWords:
    """Return the language in the JSON ``text`` of the file ``name``. Raises ``LanguageError`` with all mistakes."""
    from adjudicator.files.documents import build  # no turn in a language of the program needs these checks
    from adjudicator.orders.language_file import LanguageFile

    try:
        build(name, parse(name, text.encode())[1], LanguageFile, "these words cannot be used")
    except Untrusted as error:
        raise LanguageError(str(error)) from None
    return _words_in(text)


@cache
def _shipped() -> dict[LanguageCode, LanguageWords]:
    return {one.code: one for one in (_words_in(text) for _, text in language_files())}


def _words_in(text: str) -> LanguageWords:
    words: LanguageWords = typed.read(LanguageWords, text)
    return words


def _joined(one: LanguageWords, other: LanguageWords) -> LanguageWords:
    words: Mapping[str, tuple[str, ...]] = {**other.words, **one.words}
    return replace(one, words=words, games={**other.games, **one.games})


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

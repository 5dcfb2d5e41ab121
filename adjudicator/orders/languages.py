"""Find the languages of orders, and teach a game's rules to understand some of them."""

from __future__ import annotations

import re
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
from adjudicator.orders.spelling import pattern, plain, plain_ways
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
_LITERALS: Final = re.compile(
    r'"(?:\\.|[^"\\])*"i?|//.*|/(?P<regexp>(?:\\.|[^/\\])+)/(?P<flags>[imslux]*)',
    re.DOTALL,  # as in Lark
)
"""The texts, comments and regular expressions on a line of a grammar."""
_PARTS: Final = re.compile(r"\\.|\[(?:\\.|[^\]\\])*\]|\(\?<?[:=!]|[A-Za-z]+\??|.", re.DOTALL)
"""The parts of a regular expression: escapes, sets, openings of groups, words (the last letter optional), the rest."""
_ANY_NAME: Final = "qzxqzx"
"""A word without a meaning: a terminal that accepts it accepts every word."""
_WORDS: Final = re.compile("[\\w\u0300-\u036f]+")
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


def with_words(text: str, table: Synonyms, names: Mapping[str, Synonyms]) -> tuple[str, dict[str, dict[str, str]]]:
    """Return the Lark grammar ``text`` with the words of ``table`` in its terminals, and these words by terminal.

    They are regular expressions for any case (``/…/i``). Words stand beside the English word that they replace, or beside
    the whole expression. A terminal for all names also accepts ``names`` in other alphabets. For each terminal with words,
    ``in_english`` needs the English word for all plain spellings of the others.
    """
    added: dict[str, dict[str, str]] = {}
    foreign = [word for one in names.values() for words in one.values() for word in words if not word.isascii()]

    def extended(literal: re.Match[str]) -> str:
        regexp = literal["regexp"]
        if regexp is None or "i" not in literal["flags"]:
            return literal[0]
        if re.fullmatch(regexp, _ANY_NAME, re.IGNORECASE):
            is_for_names = foreign and terminal != "ID"
            return f"/(?:{pattern(foreign)}(?![0-9_])|{regexp})/{literal['flags']}" if is_for_names else literal[0]
        parts, used = [], dict[str, tuple[str, ...]]()
        for part in _PARTS.findall(regexp):
            word = part.casefold().rstrip("?")
            found = [way for way in ((word, word[:-1]) if part[-1:] == "?" else (word,)) if way in table]
            used.update((way, table[way]) for way in found)
            parts.append(_beside(part, [other for way in found for other in table[way]]) if found else part)
        whole = {
            english: words
            for english, words in table.items()
            if english not in used and re.fullmatch(regexp, english, re.IGNORECASE)
        }
        regexp = "".join(parts)
        if whole:
            regexp = f"(?:{pattern(word for words in whole.values() for word in words)}(?![0-9_])|{regexp})"
        if used or whole:
            added.setdefault(terminal, {}).update(meanings({**used, **whole}))
        return f"/{regexp}/{literal['flags']}"

    lines, terminal = [], ""
    for line in text.split("\n"):
        head = re.match(r"[ \t]*(?:%(?:override|extend)[ \t]+)?(?:(_?[A-Z][A-Z0-9_]*)(?:\.[0-9]+)?[ \t]*:|\|)?", line)
        assert head is not None
        if not head[0].endswith("|"):  # which goes on with the terminal above
            terminal = head[1] or ""
        lines.append(_LITERALS.sub(extended, line) if terminal else line)
    return "\n".join(lines), added


def _beside(part: str, others: list[str]) -> str:
    """Return an expression for ``part``, an English word, or any of ``others``.

    The English word comes first, because messages name the first one, unless another begins with it.
    """
    is_begun = any(other.casefold().startswith(part.rstrip("?").casefold()) for other in others)
    return f"(?:{pattern(others)}|{part})" if is_begun else f"(?:{part}|{pattern(others)})"


def meanings(table: Synonyms) -> dict[str, str]:
    """Return the English words of ``table`` by all plain spellings of their translations."""
    return {way: english for english, words in table.items() for word in words for way in plain_ways(word)}


def in_english(meant: Mapping[str, str], text: str) -> str:
    """Return the ``text`` of a terminal or a name with the words that ``meant`` has in English, the longest first."""
    found, words, at = "", list(_WORDS.finditer(text)), 0
    first = 0
    while first < len(words):
        for last in range(len(words), first, -1):
            begin, end = words[first].start(), words[last - 1].end()
            english = meant.get(plain(text[begin:end]))
            if english is not None:
                found, at = found + text[at:begin] + english, end
                break
        else:
            last = first + 1
        first = last
    return found + text[at:]

"""Find the languages of orders, and teach a game's rules to understand some of them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any, Final, TypeVar

from adjudicator.core.languages import GameWords, LanguageCode, LanguageWords, Synonyms, spoken
from adjudicator.core.problem import AdjudicatorError, did_you_mean, in_any_case
from adjudicator.core.rules import AnyRules, changed
from adjudicator.core.ruleset import GameMeta, Language
from adjudicator.core.values import MODERATOR, replace
from adjudicator.resources import language_files

ENGLISH: Final = "en"
"""The language that every game understands."""
LINE_WORDS: Final = frozenset(
    f"""{MODERATOR} bystander all game turn if then else otherwise or and not withdraw from end order orders word token
    message preview status resend help resign rule rules holiday vote wait nowait games join leave who register new standin
    set""".split()
)
"""The English words that have a meaning on lines of turn files and mails, or that name a reader who is no player."""
_CODE: Final = re.compile(r"[a-z]{2,3}(?:-[a-z0-9]{2,8})?")
_MEMBERS: Final = frozenset({"$schema", "code", "name", "words", "games"})
_speaking: dict[tuple[str, tuple[str, ...]], tuple[Language, Language]] = {}


R = TypeVar("R", bound=AnyRules)


class LanguageError(AdjudicatorError):
    """Report that a language cannot be used: it is not installed, or its file is bad; the message says why."""


def languages(meta: GameMeta) -> dict[LanguageCode, LanguageWords]:
    """Return the languages with words for the game of ``meta``, by code, including those of the game's package.

    Raises ``LanguageError`` for a file that cannot be used.
    """
    found: dict[LanguageCode, LanguageWords] = {}
    for name, text in language_files(meta):
        one = read_words(name, text)
        found[one.code] = _joined(found[one.code], one) if one.code in found else one
    return {code: one for code, one in sorted(found.items()) if meta.id in one.games}


def program_languages() -> dict[str, str]:
    """Return the English names of the languages that come with the program, by code. Raises ``LanguageError``."""
    return {one.code: one.name for one in (read_words(name, text) for name, text in language_files())}


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


@lru_cache(64)
def read_words(name: str, text: str) -> LanguageWords:
    """Return the language in the JSON ``text`` of the file ``name``. Raises ``LanguageError`` with the reason."""
    try:
        return _built(json.loads(text))
    except RecursionError:
        raise LanguageError(f"{name}: the JSON is nested too deeply") from None
    except (ValueError, TypeError, KeyError) as error:
        raise LanguageError(f"{name}: {error}") from None


def _built(document: Any) -> LanguageWords:
    if not isinstance(document, dict) or not {"code", "name"} <= document.keys() <= _MEMBERS:
        raise ValueError("the file must be an object with `code`, `name`, `words` and `games`")
    code, name = document["code"], document["name"]
    if not isinstance(code, str) or not _CODE.fullmatch(code) or code == ENGLISH:
        raise ValueError("`code` must be the code of a language other than English, such as de")
    if not isinstance(name, str) or not name:
        raise ValueError("`name` must be the English name of the language")
    games = {game: _game(game, words) for game, words in _object("games", document.get("games", {})).items()}
    return LanguageWords(LanguageCode(code), name, _table("words", document.get("words", {})), games)


def _game(game: str, document: Any) -> GameWords:
    if not _object(game, document).keys() <= {"words", "names"}:
        raise ValueError(f"games.{game} may have only `words` and `names`")
    names = _object(f"games.{game}.names", document.get("names", {}))
    return GameWords(
        _table(f"games.{game}.words", document.get("words", {})),
        {rule: _table(f"games.{game}.names.{rule}", table) for rule, table in names.items()},
    )


def _object(where: str, value: Any) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise ValueError(f"{where} is not an object")
    return value


def _table(where: str, value: Any) -> Synonyms:
    return {english: _words(f"{where}.{english}", words) for english, words in _object(where, value).items()}


def _words(where: str, words: Any) -> tuple[str, ...]:
    if not isinstance(words, list) or not all(isinstance(word, str) and _is_word(word) for word in words):
        raise ValueError(f"{where} is not a list of words: letters, with single blanks or apostrophes between them")
    return tuple(words)


def _is_word(word: str) -> bool:
    return 0 < len(word) <= 40 and all(part.isalpha() for part in re.split("[ '’]", word))


def _joined(one: LanguageWords, other: LanguageWords) -> LanguageWords:
    words: Mapping[str, tuple[str, ...]] = {**other.words, **one.words}
    return replace(one, words=words, games={**other.games, **one.games})

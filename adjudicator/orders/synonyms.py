"""Add the words of other languages to the terminals of a grammar. Places on the line remain.

Grammars are compiled for English. The tables of a parser do not depend on the spelling of a terminal, so other words are
added to its regular expression later: beside each English word, or beside the whole expression.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Final

from adjudicator.orders.clean import Nesting, plain
from adjudicator.orders.languages import LETTER, Spoken, Synonyms, pattern, plain_ways
from adjudicator.orders.stepper import Stepper

_PARTS: Final = re.compile(r"\\.|\[(?:\\.|[^\]\\])*\]|\(\?<?[:=!]|[A-Za-z]+\??|.", re.DOTALL)
"""The parts of a regular expression: escapes, sets, openings of groups, words (the last letter optional), the rest."""
_ANY_NAME: Final = "qzxqzx"
"""A word without a meaning: a terminal that accepts it accepts every word."""


def add_words(lark: Mapping[str, Any], spoken: Spoken, shared: frozenset[str]) -> dict[str, Callable[[str], str]]:
    """Add the words of ``spoken`` to ``lark``, a parser as plain data; ``shared`` are the terminals of all games.

    Return for each terminal whose words matter a function that translates its text into English.
    """
    translations: dict[str, Callable[[str], str]] = {}
    for name, regexp in _terminals(lark):
        table = spoken.words if name in shared else spoken.own
        low, high = _width(regexp["value"])
        regexp["value"], used = extend(name, regexp["value"], table, spoken)
        # If several terminals match, Lark tries the widest first: that must be the one with the longest word.
        regexp["_width"] = [low, max((high, *(len(word) for words in used.values() for word in words)))]
        if used and not name.startswith("_"):
            translations[name] = _in_english(used)
    return translations


def _terminals(lark: Mapping[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the terminals of ``lark`` that are regular expressions for any case: (name, expression)."""
    for part in lark["memo"].values():
        regexp = part.get("pattern") if part.get("__type__") == "TerminalDef" else None
        if regexp is not None and regexp["__type__"] == "PatternRE" and "i" in regexp["flags"]:
            yield part["name"], regexp


def terminals_of(stepper: Stepper) -> Iterator[tuple[str, str]]:
    """Yield the terminals of ``stepper`` that are regular expressions for any case: (name, expression)."""
    for name, terminal in stepper.terminals.items():
        if terminal.is_any_case:
            yield name, terminal.pattern


def takes_names(name: str, regexp: str) -> bool:
    """Return whether the terminal ``name`` with this ``regexp`` accepts all names of a game's things; ids do not count."""
    return name != "ID" and _takes_any(regexp)


def _takes_any(regexp: str) -> bool:
    return re.fullmatch(regexp, _ANY_NAME, re.IGNORECASE) is not None


def extend(name: str, regexp: str, table: Synonyms, spoken: Spoken) -> tuple[str, Synonyms]:
    """Return ``regexp`` of the terminal ``name`` with the words of ``table`` that belong in it, and these words."""
    if _takes_any(regexp):
        return (_with_names(regexp, spoken), {}) if takes_names(name, regexp) else (regexp, {})
    parts, used = [], dict[str, tuple[str, ...]]()
    for part in _PARTS.findall(regexp):
        found = [word for word in _words(part) if word in table]
        used.update((word, table[word]) for word in found)
        parts.append(_with_others(part, [other for word in found for other in table[word]]) if found else part)
    whole = {
        english: words
        for english, words in table.items()
        if english not in used and re.fullmatch(regexp, english, re.IGNORECASE)
    }
    joined = "".join(parts)
    if whole:
        beside = pattern(word for words in whole.values() for word in words)
        joined = f"(?:{beside}(?![0-9_])|{joined})"
    return joined, {**used, **whole}


def _with_others(part: str, others: list[str]) -> str:
    """Return an expression for ``part``, an English word, or any of ``others``.

    The English word comes first, because messages name the first one, unless another begins with it.
    """
    is_begun = any(other.casefold().startswith(part.rstrip("?").casefold()) for other in others)
    return f"(?:{pattern(others)}|{part})" if is_begun else f"(?:{part}|{pattern(others)})"


def _words(part: str) -> tuple[str, ...]:
    """Return the words that a part of an expression matches: none, one, or one with and without its last letter."""
    if not part[0].isalpha():
        return ()
    return (part[:-1].lower(), part[:-2].lower()) if part.endswith("?") else (part.lower(),)


def _with_names(regexp: str, spoken: Spoken) -> str:
    """Return the expression for names, extended by names in other alphabets."""
    foreign = [word for names in spoken.names.values() for words in names.values() for word in words if not word.isascii()]
    return f"(?:{pattern(foreign)}(?![0-9_])|{regexp})" if foreign else regexp


def _in_english(used: Synonyms) -> Callable[[str], str]:
    """Return a function that translates text into the English words of ``used``."""
    meant = meanings(used, used)
    others = pattern(word for words in used.values() for word in words)
    found = re.compile(rf"(?<!{LETTER})(?<![0-9_]){others}(?![0-9_])", re.IGNORECASE)  # `o` is a word, and O10 a name

    return lambda text: found.sub(lambda match: meant[plain(match.group())], text)


def meanings(table: Synonyms, wanted: Iterable[str]) -> dict[str, str]:
    """Return the English words ``wanted`` by all plain spellings of their translations in ``table``."""
    return {way: english for english in wanted for word in table.get(english, ()) for way in plain_ways(word)}


def nesting(table: Synonyms) -> Nesting:
    """Return the signs and words that nest, in English and in the language of ``table``."""
    words, english = ("if", "not", "and", "or", "then", "else"), Nesting()
    others = [other for word in words for other in table.get(word, ())]
    if not others:
        return english
    both = re.compile(rf"{english.pattern.pattern}|\b{pattern(others)}", re.IGNORECASE)
    return Nesting(both, meanings(table, words))


def name_in_english(names: Synonyms) -> Callable[[Any], Any]:
    """Return a function that translates ``names`` into English and returns all other values unchanged."""
    meant = meanings(names, names)

    def put(value: Any) -> Any:
        return meant.get(plain(value), value) if isinstance(value, str) else value

    return put


def _width(regexp: str) -> tuple[int, int]:
    from lark.utils import get_regexp_width

    low, high = get_regexp_width(regexp)
    return low, int(high)

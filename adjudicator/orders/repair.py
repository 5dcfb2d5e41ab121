"""Suggest a readable line: find small changes that give the probable meaning."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import chain, islice
from typing import Final

from adjudicator.core.phrases import PLEASE
from adjudicator.core.rules import AnyRules
from adjudicator.orders.clean import TOKEN
from adjudicator.orders.courtesy_words import COURTEOUS
from adjudicator.orders.fast import END
from adjudicator.orders.grammar import grammar_of
from adjudicator.orders.parse_failure import ParseFailure, parse_failure, verbs
from adjudicator.orders.similar_words import Replacement, failure_before, similar_phrases, similar_verbs, similar_words
from adjudicator.orders.vocabulary import is_misspelled, misspellings

_NUMBER: Final = re.compile(r"(?<!\w)[OolI]*[0-9][0-9OolI]*(?!\w)", re.ASCII)
_LOOKS_LIKE: Final = str.maketrans("OolI", "0011")
_LONG: Final = 6
"""The fewest letters of a misspelled courtesy that is recognized: “tack” may mean “back”."""
_MISSPELLED: Final = misspellings(word for word in COURTEOUS if len(word) >= _LONG)


def repairs(failure: ParseFailure) -> tuple[str, ...]:
    """Return the probable line: with a corrected word, a keyword or brackets added, or a courtesy removed.

    If one change is not enough, also correct the next misspelled word of the line.
    """
    replaced = list(_replaced(failure))
    added = chain((_with(failure, word, 0) for word in failure.expected.keywords), _bracketed(failure))
    repaired = _readable(failure.rules, chain(replaced, added))
    others = _readable(failure.rules, _begun_before(failure))
    return _first(chain(repaired, _repaired_twice(failure, replaced), others))


def respell(failure: ParseFailure) -> tuple[str, ...]:
    """Return the line with its verb corrected, perhaps with a second correction; else an example for that verb."""
    similar, examples = similar_verbs(failure), verbs(failure.rules)
    lines = _with_verbs(failure, similar)
    whole = tuple(_readable(failure.rules, lines)) or _first(_repaired_twice(failure, lines))
    if whole or failure.word.casefold() in PLEASE:
        return whole
    return tuple(dict.fromkeys(examples[verb] for verb, _ in similar))


def _first(lines: Iterable[str]) -> tuple[str, ...]:
    return tuple(islice(lines, 1))


def _begun_before(failure: ParseFailure) -> Iterator[str]:
    """Yield the line with a corrected phrase whose first word was read as a name, as in ``take spare prats``."""
    first = failure_before(failure) if END in failure.expected.accepted else None
    if first is not None:
        yield from (_with(first, words, width) for words, width in similar_phrases(first))


def _replaced(failure: ParseFailure) -> Iterator[str]:
    """Yield the line with the unreadable part replaced: courtesy removed, digits or words corrected."""
    rest = TOKEN.findall(failure.line[failure.start :].casefold())
    if all(map(_is_courtesy, rest)):
        yield failure.before.strip()
    yield from _digits(failure)
    yield from (_with(failure, words, width) for words, width in (*similar_words(failure), *similar_phrases(failure)))


def _with_verbs(failure: ParseFailure, similar: Iterable[Replacement]) -> list[str]:
    """Return the line with each probable verb for the failed word; first without that word if it is “please”."""
    examples = verbs(failure.rules)
    spelled = [_with(failure, examples[verb].split()[0], width) for verb, width in similar]
    if failure.word.casefold() not in PLEASE:
        return spelled
    return [failure.line[: failure.start] + failure.line[failure.start + len(failure.word) :].lstrip(" ,"), *spelled]


def _repaired_twice(failure: ParseFailure, lines: Iterable[str]) -> Iterator[str]:
    """Yield ``lines``, in which the failed word is replaced, with a second correction if they need one."""
    left = len(failure.line) - failure.start - len(failure.word)
    for line in dict.fromkeys(lines):
        second = parse_failure(failure.rules, line)
        if second.is_at_end or len(line) - second.start > left:
            continue  # no second word is wrong, or the replacement itself is
        if second.is_unknown_order:
            yield from _readable(failure.rules, _with_verbs(second, similar_verbs(second)))
        elif second.second_order() is None:
            yield from _readable(failure.rules, _replaced(second))


def _is_courtesy(word: str) -> bool:
    """Return whether ``word`` is a courtesy like “please” or “thanks”, perhaps with one wrong letter."""
    return word in COURTEOUS or is_misspelled(word, _MISSPELLED)


def _with(failure: ParseFailure, word: str, width: int) -> str:
    """Return the line with ``word`` instead of ``width`` characters where reading failed."""
    before, after = failure.line[: failure.start], failure.line[failure.start + width :]
    if not width and not word[0].isalnum():
        before = before.rstrip()
    gap = " " if after[:1].isalnum() else ""
    return f"{before}{word}{gap}{after}".strip()


def _digits(failure: ParseFailure) -> list[str]:
    """Return the line with digits for letters that look like digits, in the number where reading failed."""
    for match in _NUMBER.finditer(failure.line):
        if match.start() <= failure.start < match.end():
            number = match.group().translate(_LOOKS_LIKE)
            return [f"{failure.line[: match.start()]}{number}{failure.line[match.end() :]}"] if number.isdecimal() else []
    return []


_BORDER: Final = re.compile(r"[()]|\b(?:if|then)\b", re.IGNORECASE | re.ASCII)


def _bracketed(failure: ParseFailure) -> list[str]:
    """Return the line with brackets around the condition that has an OR without brackets."""
    if failure.word.casefold() != "or":
        return []
    return [
        f"{failure.line[:start]}({failure.line[start:end]}){failure.line[end:]}".strip()
        for start, end in _conditions(failure.line)
        if start <= failure.start < end
    ][:1]


def _conditions(line: str) -> Iterator[tuple[int, int]]:
    """Yield the start and end of each condition between IF and THEN, without blanks; skip conditions with brackets."""
    begun = None
    for match in _BORDER.finditer(line):
        word = match.group().lower()
        if word == "if" and begun is None:
            begun = match.end()
        elif word != "if":
            if word == "then" and begun is not None and line[begun : match.start()].strip(" "):
                between = line[begun : match.start()]
                yield match.start() - len(between.lstrip(" ")), begun + len(between.rstrip(" "))
            begun = None


def _readable(rules: AnyRules, lines: Iterable[str]) -> Iterator[str]:
    """Yield those of ``lines`` that can be read, each once."""
    return (line for line in dict.fromkeys(lines) if is_readable(rules, line))


def is_readable(rules: AnyRules, line: str) -> bool:
    """Return whether the cleaned ``line`` is in the language of ``rules``."""
    return grammar_of(rules).parse(line) is not None

"""Find the words that a player probably meant by a misspelled one, also if a blank is missing."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from difflib import get_close_matches
from functools import lru_cache
from typing import Final

from adjudicator.core.rules import AnyRules
from adjudicator.core.values import replace
from adjudicator.orders.expected import Expected
from adjudicator.orders.parse_failure import ParseFailure, parse_failure, verbs
from adjudicator.orders.per_ruleset import per_ruleset

_ALIKE: Final = 0.61
"""The least similarity of two words, from 0 to 1: “please” is not like “pass”."""
_SHORTEST: Final = 4
"""The fewest letters of a word that is recognized after an extra letter: “ddraw”, but not “ccw”."""
_MOST: Final = 2
_DIGIT: Final = re.compile("[0-9]")
_REMEMBERED: Final = 1_024

Replacement = tuple[str, int]
"""A probable word, and how many characters it replaces."""


def similar_words(failure: ParseFailure) -> list[Replacement]:
    """Return the probable words where reading failed, of those that fit there."""
    words = failure.expected.spellings
    return _glued(failure, words) or _alone(failure, words)[:1]


def similar_verbs(failure: ParseFailure) -> list[Replacement]:
    """Return the probable verbs where an order should begin, the most probable first."""
    written, known = failure.word.casefold(), tuple(verbs(failure.rules))
    # Of two equally similar verbs, the one with swapped letters is more probable.
    return _glued(failure, known) or sorted(_alone(failure, known), key=lambda verb: sorted(verb[0]) != sorted(written))


def similar_phrases(failure: ParseFailure) -> Iterator[Replacement]:
    """Yield probable phrases of several words, for as many words of the line."""
    rest, spelled = failure.line[failure.start :], failure.expected.spellings
    for blanks in sorted({phrase.count(" ") for phrase in spelled} - {0}):
        written = re.match(r"[^ ]+" + r" +[^ ]+" * blanks, rest)
        if written:
            phrases = tuple(phrase for phrase in spelled if phrase.count(" ") == blanks)
            yield from ((phrase, written.end()) for phrase in most_similar(written.group().casefold(), phrases)[:1])


def failure_before(failure: ParseFailure) -> ParseFailure | None:
    """Return the failure at the word before, with the words that fit there; ``None`` if there is no word before."""
    before = failure.line[: failure.start].rstrip(" ")
    begin = len(before)
    while begin and (before[begin - 1].isalnum() or before[begin - 1] == "_"):
        begin -= 1
    if begin == len(before) or len(before) == failure.start:
        return None
    return replace(failure, start=begin, word=before[begin:], expected=_behind(failure.rules)(before[:begin]))


def _alone(failure: ParseFailure, words: tuple[str, ...]) -> list[Replacement]:
    """Return the ``words`` that are like the failed word, each with its number of characters to replace."""
    return [(word, len(failure.word)) for word in most_similar(failure.word.casefold(), words)]


def _glued(failure: ParseFailure, words: tuple[str, ...]) -> list[Replacement]:
    """Return the ``words`` with which the failed word begins if a blank is missing after them, and their length.

    The rest must have a digit, as in ``gear1`` and ``placeH3``, or be a word that fits there, as in ``braketo``; otherwise
    it may be an ending.
    """
    written = failure.word.casefold()
    digit = _DIGIT.search(written)
    if digit is None:
        heads = (word for word in words if written.startswith(word.casefold()) and _leads_on(failure, len(word)))
        return [(word, len(word)) for word in heads][:1]
    ends = range(digit.start(), max(1, digit.start() - 2), -1)
    return [(word, end) for end in ends for word in most_similar(written[:end], words)]


def _leads_on(failure: ParseFailure, end: int) -> bool:
    """Return whether the rest of the failed word, from ``end``, fits after its beginning."""
    rest, begun = failure.word[end:].casefold(), failure.line[: failure.start + end]
    return any(rest == word.casefold() for word in _behind(failure.rules)(begun).spellings)


@per_ruleset
def _behind(rules: AnyRules) -> Callable[[str], Expected]:
    """Return a function for the words that fit after the beginning of a line, with a cache: many wrong lines share it."""
    return lru_cache(_REMEMBERED)(lambda begun: parse_failure(rules, begun).expected)


@lru_cache(_REMEMBERED)
def most_similar(written: str, words: tuple[str, ...]) -> tuple[str, ...]:
    """Return the few ``words`` that are most similar to ``written``, a word in lower case.

    A word with a syllable before it does not count, since that may reverse its meaning: “counterclockwise”.
    """
    spelled = {word.casefold(): word for word in reversed(words)}
    similar = get_close_matches(written, spelled, _MOST, _ALIKE)
    return tuple(spelled[word] for word in similar if not _has_prefix(written, word))


def _has_prefix(written: str, word: str) -> bool:
    added = len(written) - len(word)
    return added > 0 and written.endswith(word) and (added > 1 or len(word) < _SHORTEST)

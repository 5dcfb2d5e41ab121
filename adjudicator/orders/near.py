"""Which words were probably meant: those spelled much like what was written, also where a blank is missing."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from difflib import get_close_matches
from functools import lru_cache
from typing import Final

from adjudicator.core.ruleset import AnyRuleset
from adjudicator.orders.expected import Expected
from adjudicator.orders.once import once_for_each
from adjudicator.orders.parse_failure import ParseFailure, parse_failure, verbs

_ALIKE: Final = 0.61
"""How similar two words are at least, from 0 to 1: “please” is not like “pass”."""
_SHORTEST: Final = 4
"""Letters of a word that is still recognised with another letter before it: “ddraw”, but not “ccw”."""
_MOST: Final = 2
_DIGIT: Final = re.compile("[0-9]")
_LAST_WORD: Final = re.compile(r"(?P<word>\w+) +\Z")
_REMEMBERED: Final = 1_024

Near = tuple[str, int]
"""What may be meant, and how many characters from the failure on say it."""


def near_words(failure: ParseFailure) -> list[Near]:
    """Return the words that may be meant where reading failed, of those that could stand there."""
    words = failure.expected.spellings
    return _glued(failure, words) or _alone(failure, words)[:1]


def near_verbs(failure: ParseFailure) -> list[Near]:
    """Return the verbs that may be meant where an order should begin, the likelier one first."""
    written, known = failure.word.casefold(), tuple(verbs(failure.rules))
    # Of two that are as near, letters in another order are the likelier slip.
    return _glued(failure, known) or sorted(_alone(failure, known), key=lambda near: sorted(near[0]) != sorted(written))


def near_phrases(failure: ParseFailure) -> Iterator[Near]:
    """Yield what is spelled in several words, if as many words much like it are there."""
    rest, spelled = failure.line[failure.start :], failure.expected.spellings
    for blanks in sorted({phrase.count(" ") for phrase in spelled} - {0}):
        written = re.match(r"[^ ]+" + r" +[^ ]+" * blanks, rest)
        if written:
            phrases = tuple(phrase for phrase in spelled if phrase.count(" ") == blanks)
            yield from ((phrase, written.end()) for phrase in alike(written.group().casefold(), phrases)[:1])


def word_before(failure: ParseFailure) -> ParseFailure | None:
    """Return the same at the word before, with what could have stood there; ``None`` if it is no word."""
    before = _LAST_WORD.search(failure.line, 0, failure.start)
    if before is None:
        return None
    expected = _behind(failure.rules)(failure.line[: before.start()])
    return replace(failure, start=before.start(), word=before["word"], expected=expected)


def _alone(failure: ParseFailure, words: tuple[str, ...]) -> list[Near]:
    """Return which of ``words`` may be meant by what failed, and how many characters that has."""
    return [(word, len(failure.word)) for word in alike(failure.word.casefold(), words)]


def _glued(failure: ParseFailure, words: tuple[str, ...]) -> list[Near]:
    """Return which of ``words`` what failed begins with if the next follows without a blank, and its characters.

    What follows has a digit, as in ``gear1`` and ``placeH3``, or is a word that may stand there, as in ``braketo``: else it
    could be an ending.
    """
    written = failure.word.casefold()
    digit = _DIGIT.search(written)
    if digit is None:
        heads = (word for word in words if written.startswith(word.casefold()) and _leads_on(failure, len(word)))
        return [(word, len(word)) for word in heads][:1]
    ends = range(digit.start(), max(1, digit.start() - 2), -1)
    return [(word, end) for end in ends for word in alike(written[:end], words)]


def _leads_on(failure: ParseFailure, end: int) -> bool:
    """Return whether the rest of the word that failed, from ``end``, may stand behind its beginning."""
    rest, begun = failure.word[end:].casefold(), failure.line[: failure.start + end]
    return any(rest == word.casefold() for word in _behind(failure.rules)(begun).spellings)


@once_for_each
def _behind(rules: AnyRuleset) -> Callable[[str], Expected]:
    """Return what tells what may stand behind the beginning of a line; many wrong lines have the same one."""
    return lru_cache(_REMEMBERED)(lambda begun: parse_failure(rules, begun).expected)


@lru_cache(_REMEMBERED)
def alike(written: str, words: tuple[str, ...]) -> tuple[str, ...]:
    """Return the few of ``words`` that look most like the word ``written``, which is in lower case.

    A word with a syllable before it is not like it, since that may turn its meaning round: “counterclockwise”.
    """
    spelled = {word.casefold(): word for word in reversed(words)}
    near = get_close_matches(written, spelled, _MOST, _ALIKE)
    return tuple(spelled[word] for word in near if not _has_prefix(written, word))


def _has_prefix(written: str, word: str) -> bool:
    added = len(written) - len(word)
    return added > 0 and written.endswith(word) and (added > 1 or len(word) < _SHORTEST)

"""Know the words of a game's orders, to recognize lines that may be orders."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from enum import Enum, auto
from functools import lru_cache
from typing import Final

from adjudicator.core.rules import AnyRules
from adjudicator.core.values import Value
from adjudicator.orders.clean import TOKEN
from adjudicator.orders.expected import spellings
from adjudicator.orders.parse_failure import parse_failure, verbs
from adjudicator.orders.per_ruleset import per_ruleset
from adjudicator.orders.similar_words import most_similar

_HEADERS: Final = frozenset({"game", "turn"})
_TIMES: Final = re.compile(r"\d+(?:st|nd|rd|th|am|pm|h|min|x|er|e|o)")
"""Numbers with letters that are not names: 2nd, 10pm."""
_DETERMINERS: Final = frozenset(
    {"the", "a", "an", "my", "your", "his", "her", "our", "their", "this", "that", "next", "last", "each", "every", "any"}
    | {"good", "great", "nice", "long", "first", "final"}
)
"""Words after which the verb of an order is a noun: "your move"."""
_CONDITIONALS: Final = frozenset(
    {"if", "unless", "otherwise", "else", "instead", "only", "except", "cancel", "ignore", "disregard", "scratch", "forget"}
    | {"wenn", "falls", "sonst", "stattdessen", "sinon", "jeśli", "jeżeli", "hvis", "pokud", "если"}
)
"""Words that may make orders depend on a remark."""


class Likeness(Enum):
    """The similarity of a word to a verb: a ``SLIP`` is a verb with two letters swapped or one doubled."""

    EXACT = auto()
    SLIP = auto()
    NEAR = auto()
    NONE = auto()


class Vocabulary(Value):
    """The words of a game's orders, in lower case: the verbs, misspelled verbs, names of its things.

    ``slips`` are misspelled verbs of four letters and more, ``short_slips`` those of shorter ones, which may be other words.
    ``keywords`` are all words of the grammar of its orders.
    """

    verbs: frozenset[str]
    misspelled: frozenset[str]
    slips: frozenset[str]
    short_slips: frozenset[str]
    keywords: frozenset[str]
    names: frozenset[str]

    def is_verb(self, word: str) -> bool:
        """Return whether ``word`` is a verb, perhaps with one wrong letter."""
        return word in self.verbs or is_misspelled(word, self.misspelled)

    def is_order_word(self, word: str) -> bool:
        """Return whether ``word`` begins orders, also with two letters swapped, one doubled, or a number after it."""
        letters = word.casefold().rstrip("0123456789")
        return letters in self.verbs or letters in self.slips

    def likeness(self, word: str) -> Likeness:
        """Return the similarity of ``word`` to a verb."""
        written = word.casefold()
        if written in self.verbs:
            return Likeness.EXACT
        if written in self.slips:
            return Likeness.SLIP
        return Likeness.NEAR if self.verbs_like(written) else Likeness.NONE

    def verbs_like(self, word: str) -> tuple[str, ...]:
        """Return the verbs that ``word`` may mean."""
        written = word.casefold()
        if written in self.verbs:
            return (written,)
        if written in self.slips or written in self.short_slips:
            return tuple(verb for verb in self.verbs if written in slips_of(verb))
        return most_similar(written, tuple(sorted(self.verbs))) if is_misspelled(written, self.misspelled) else ()

    def is_name(self, word: str) -> bool:
        """Return whether ``word`` is the name of a thing, perhaps with one wrong letter, or looks like a code."""
        return word in self.names or is_code(word) or is_misspelled(word, _misspelled_names(self.names))

    def may_be_order(self, tokens: Sequence[str]) -> bool:
        """Return whether ``tokens``, in lower case, include a word of an order."""
        return any(self._is_of_order(token, tokens[index - 1] if index else "") for index, token in enumerate(tokens))

    def is_like_order(self, tokens: Sequence[str]) -> bool:
        """Return whether ``tokens`` begin like an order, or include a word of one."""
        return bool(tokens) and (self.is_verb(tokens[0]) or self.may_be_order(tokens))

    def _is_of_order(self, token: str, before: str) -> bool:
        if token in self.verbs:
            return before not in _DETERMINERS
        return token in self.names or token in _CONDITIONALS or is_code(token)


_SHORTEST: Final = 4
"""The fewest letters of a word that may have one letter more or less: "any" is not "lay"."""
_LONGEST: Final = 20
_LONG_NAME: Final = 5
"""The fewest letters of a name that may be misspelled by one letter."""


def is_code(token: str) -> bool:
    """Return whether ``token`` has letters and digits, like the names of cells and tiles: C3."""
    return not token.isalpha() and not token.isdigit() and _TIMES.fullmatch(token) is None


def vocabulary(rules: AnyRules, names: Collection[str]) -> Vocabulary:
    """Return the vocabulary of ``rules``; ``names`` are the names of the game's things, in lower case."""
    verbs_, misspelled, slips, short_slips, keywords = _spellings(rules)
    return Vocabulary(verbs_, misspelled, slips, short_slips, keywords, frozenset(names))


@per_ruleset
def _spellings(rules: AnyRules) -> tuple[frozenset[str], ...]:
    """Return the verbs, their misspellings, slips of long and of short verbs, and all keywords."""
    spelled = parse_failure(rules, "").expected.spellings
    words = {word.casefold() for word in (*verbs(rules), *spelled) if word.isalpha()} - _HEADERS
    every = (phrase for phrases in spellings(rules).values() for phrase in phrases)
    keywords = frozenset(token for phrase in every for token in TOKEN.findall(phrase.casefold()))
    long, short = (
        frozenset(slip for word in words if least <= len(word) <= most for slip in slips_of(word)) - words
        for least, most in ((_SHORTEST, _LONGEST), (0, _SHORTEST - 1))
    )
    return frozenset(words), misspellings(words), long, short, keywords


@lru_cache(16)
def _misspelled_names(names: frozenset[str]) -> frozenset[str]:
    return misspellings(part for name in names for part in TOKEN.findall(name) if len(part) >= _LONG_NAME)


def slips_of(word: str) -> set[str]:
    """Return the slips of ``word``: with two adjacent letters swapped, or one letter doubled."""
    places = range(len(word))
    swapped = {word[:at] + word[at + 1] + word[at] + word[at + 2 :] for at in places[:-1]}
    return swapped | {word[: at + 1] + word[at:] for at in places}


def misspellings(words: Iterable[str]) -> frozenset[str]:
    """Return ``words`` with all forms that lack one letter; short words are left out."""
    return frozenset(short for word in words if len(word) >= _SHORTEST for short in (word, *_shortened(word)))


def is_misspelled(word: str, known: Collection[str]) -> bool:
    """Return whether ``word`` differs by one letter from a word whose misspellings are ``known``."""
    return word in known or any(short in known for short in spellings_of(word))


def is_one_slip(written: str, word: str) -> bool:
    """Return whether ``written`` is at most one slip from ``word``, if both are short: “what” is not “wait”."""
    if len(word) > _SHORTEST or len(written) != len(word):
        return True
    return sum(one != other for one, other in zip(written, word, strict=True)) <= 1 or written in slips_of(word)


def spellings_of(word: str) -> set[str]:
    """Return the forms of ``word`` to look up among misspellings: the word itself, and without one letter."""
    return {word, *(_shortened(word) if _SHORTEST <= len(word) <= _LONGEST else ())}


def _shortened(word: str) -> set[str]:
    """Return all forms of ``word`` that lack one letter: words that differ by one letter share such a form."""
    return {word[:index] + word[index + 1 :] for index in range(len(word))}

"""The words of a game's orders, and which lines of prose could have been meant as an order."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from enum import Enum, auto
from functools import lru_cache
from typing import Final

from adjudicator.core.frozen import frozen
from adjudicator.core.ruleset import AnyRuleset
from adjudicator.orders.clean import TOKEN
from adjudicator.orders.expected import expected_after, spellings
from adjudicator.orders.near import alike
from adjudicator.orders.once import once_for_each
from adjudicator.orders.parse_failure import verbs
from adjudicator.orders.parser import position_parser

_HEADERS: Final = frozenset({"game", "turn"})
_TIMES: Final = re.compile(r"\d+(?:st|nd|rd|th|am|pm|h|min|x|er|e|o)")
"""Numbers with letters that are no names of anything: 2nd, 10pm."""
_DETERMINERS: Final = frozenset(
    {"the", "a", "an", "my", "your", "his", "her", "our", "their", "this", "that", "next", "last", "each", "every", "any"}
    | {"good", "great", "nice", "long", "first", "final"}
)
"""Words after which the verb of an order is a noun: "your move"."""
_CONDITIONALS: Final = frozenset(
    {"if", "unless", "otherwise", "else", "instead", "only", "except", "cancel", "ignore", "disregard", "scratch", "forget"}
    | {"wenn", "falls", "sonst", "stattdessen", "sinon", "jeśli", "jeżeli", "hvis", "pokud", "если"}
)
"""Words that make of a remark something that orders may hang on."""


class Likeness(Enum):
    """How much a word is like the verb of an order: a ``SLIP`` is a verb with two letters swapped, or one doubled."""

    EXACT = auto()
    SLIP = auto()
    NEAR = auto()
    NONE = auto()


@frozen
class Vocabulary:
    """What orders of a game are made of, in lower case: the words that begin one, words like these, names of its things.

    ``slips`` are those of words of four letters and more, ``short_slips`` of shorter ones: these may be other words.
    ``keywords`` are all words of the language of its orders.
    """

    verbs: frozenset[str]
    misspelled: frozenset[str]
    slips: frozenset[str]
    short_slips: frozenset[str]
    keywords: frozenset[str]
    names: frozenset[str]

    def is_verb(self, word: str) -> bool:
        """Return whether ``word`` begins an order, or does so but for one letter."""
        return word in self.verbs or is_misspelled(word, self.misspelled)

    def likeness(self, word: str) -> Likeness:
        """Return how much ``word`` is like a verb."""
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
        return alike(written, tuple(sorted(self.verbs))) if is_misspelled(written, self.misspelled) else ()

    def is_name(self, word: str) -> bool:
        """Return whether ``word`` is the name of a thing, looks like the code of one, or is a name but for one letter."""
        return word in self.names or is_code(word) or is_misspelled(word, _misspelled_names(self.names))

    def may_be_order(self, tokens: Sequence[str]) -> bool:
        """Return whether ``tokens``, in lower case, have anything of an order in them."""
        return any(self._is_telling(token, tokens[index - 1] if index else "") for index, token in enumerate(tokens))

    def is_like_order(self, tokens: Sequence[str]) -> bool:
        """Return whether ``tokens`` begin as an order does, or have anything else of one in them."""
        return bool(tokens) and (self.is_verb(tokens[0]) or self.may_be_order(tokens))

    def _is_telling(self, token: str, before: str) -> bool:
        if token in self.verbs:
            return before not in _DETERMINERS
        return token in self.names or token in _CONDITIONALS or is_code(token)


_SHORTEST: Final = 4
"""Letters of a word below which a letter more or less makes another word: "any" is not "lay"."""
_LONGEST: Final = 20
_LONG_NAME: Final = 5
"""Letters of a name from which on a word that differs in one of them may be meant for it."""


def is_code(token: str) -> bool:
    """Return whether ``token`` has letters and digits, as the names of cells and tiles have: C3."""
    return not token.isalpha() and not token.isdigit() and _TIMES.fullmatch(token) is None


def vocabulary(rules: AnyRuleset, names: Collection[str]) -> Vocabulary:
    """Return the vocabulary of ``rules``; ``names`` are those of the game's things, in lower case."""
    verbs_, misspelled, slips, short_slips, keywords = _spellings(rules)
    return Vocabulary(verbs_, misspelled, slips, short_slips, keywords, frozenset(names))


@once_for_each
def _spellings(rules: AnyRuleset) -> tuple[frozenset[str], ...]:
    """Return the words that begin an order, those without one letter, slips of long and of short ones, all keywords."""
    parser = position_parser(rules)
    spelled = expected_after(rules, parser, parser.parse_interactive("")).spellings
    words = {word.casefold() for word in (*verbs(rules), *spelled) if word.isalpha()} - _HEADERS
    every = (phrase for terminal in parser.terminals for phrase in spellings(parser, terminal.name))
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
    """Return ``word`` with two neighbouring letters swapped, and with one letter doubled."""
    places = range(len(word))
    swapped = {word[:at] + word[at + 1] + word[at] + word[at + 2 :] for at in places[:-1]}
    return swapped | {word[: at + 1] + word[at:] for at in places}


def misspellings(words: Iterable[str]) -> frozenset[str]:
    """Return ``words`` and what is left of them without one letter, but for short ones."""
    return frozenset(short for word in words if len(word) >= _SHORTEST for short in (word, *_shortened(word)))


def is_misspelled(word: str, known: Collection[str]) -> bool:
    """Return whether a letter makes the difference between ``word`` and one of which ``known`` are the misspellings."""
    return word in known or any(short in known for short in spellings_of(word))


def is_one_slip(written: str, word: str) -> bool:
    """Return whether a single slip makes ``written`` of ``word``, if both are short: “what” is not “wait”."""
    if len(word) > _SHORTEST or len(written) != len(word):
        return True
    return sum(one != other for one, other in zip(written, word, strict=True)) <= 1 or written in slips_of(word)


def spellings_of(word: str) -> set[str]:
    """Return what may be among the misspellings of a word from which a letter makes the difference to ``word``."""
    return {word, *(_shortened(word) if _SHORTEST <= len(word) <= _LONGEST else ())}


def _shortened(word: str) -> set[str]:
    """Return ``word`` without one of its letters: two words have one such in common if a letter makes their difference."""
    return {word[:index] + word[index + 1 :] for index in range(len(word))}

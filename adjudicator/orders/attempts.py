"""Tell orders from remarks among unreadable lines: an order begins like one."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from itertools import islice
from typing import Final

from adjudicator.core.order import FirstOf, When
from adjudicator.core.phrases import PLEASE
from adjudicator.orders.build import OrderLine
from adjudicator.orders.clean import MOST_COLUMNS, TOKEN, normal_form
from adjudicator.orders.courtesy_words import COURTEOUS
from adjudicator.orders.line_problem import LineProblem
from adjudicator.orders.locate import free_names
from adjudicator.orders.parse_failure import parse_failure
from adjudicator.orders.parser import LineReader
from adjudicator.orders.similar_words import most_similar
from adjudicator.orders.vocabulary import (
    Likeness,
    Vocabulary,
    is_code,
    is_misspelled,
    is_one_slip,
    misspellings,
    slips_of,
)

_LINKS: Final = PLEASE | {"and", "then", "also"}
"""Words that may come before an order."""
_BORDER: Final = re.compile(r"[,;:.!?(/]+ *| -+ |\b(?:and|then) +", re.IGNORECASE)
"""The signs and words between two parts of a line."""
_HEADERS: Final = ("turn", "game")
_SHORTEST: Final = 4
"""The fewest letters of a word that may be a misspelled keyword."""


class Attempts:
    """Tells unreadable orders from remarks, in the language of ``reader`` and with the words of its game."""

    def __init__(self, reader: LineReader, known: Vocabulary, seats: Collection[str] = ()) -> None:
        """Know the verbs of the orders, the names of the game's things, and the ``seats``."""
        self._reader = reader
        self._known = known
        self._seats = frozenset(seats)

    def is_attempt(self, line: str, *, is_wrapped: bool = False) -> bool:
        """Return whether the unreadable ``line`` was meant as an order.

        It begins with a verb or a misspelled verb; or a part of it does and continues as an order; or it is an order
        without its verb. In a line that may be the rest of a longer one (``is_wrapped``), a verb alone proves nothing.
        """
        line = line[:MOST_COLUMNS]
        if self._begins(line, is_wrapped=is_wrapped) or self._lacks_verb(TOKEN.findall(normal_form(line))):
            return True
        return any(self._holds_order(line[border.end() :]) for border in _BORDER.finditer(line))

    def is_remark(self, line: str, parsed: OrderLine) -> bool:
        """Return whether the readable order ``line`` is only a remark: “Take care!”.

        Its verb is not in capitals, and all words after it are neither names of the game's things nor like one.
        """
        if parsed.seat is not None or isinstance(parsed.expression, (FirstOf, When)) or any(map(str.isdigit, line)):
            return False
        words = TOKEN.findall(line)
        if len(words) < 2 or words[0].isupper():
            return False
        named = list(free_names(self._reader.rules, line))
        is_known = any(self._is_named(name) or name.casefold() in self._seats for name in named)
        return len(named) == len(words) - 1 and not is_known

    def _begins(self, line: str, *, is_wrapped: bool) -> bool:
        """Return whether ``line`` begins like an order. If its verb is not enough, the words after it decide."""
        words = TOKEN.findall(line)
        words = words[next((at for at, word in enumerate(words) if word.casefold() not in _LINKS), len(words)) :]
        if not words:
            return False
        rest = line[line.index(words[0]) + len(words[0]) :]
        end = self._verb_end(words[0])
        if end:
            words, rest = [words[0][:end], words[0][end:], *words[1:]], f" {words[0][end:]}{rest}"
        likeness, verbs = self._known.likeness(words[0]), self._known.verbs_like(words[0])
        if likeness is Likeness.NONE:
            return self._begins_oddly(words, rest)
        if len(words) > 1 and any(self._fits(likeness, verb, rest, words) for verb in verbs):
            return True
        if is_wrapped:
            return False
        is_loud = words[0].isupper() and len(words[0]) > 1
        if likeness in (Likeness.EXACT, Likeness.SLIP):
            return likeness is Likeness.SLIP or is_loud or all(word.casefold() in COURTEOUS for word in words[1:])
        close = [verb for verb in verbs if is_one_slip(words[0].casefold(), verb)]
        return bool(close) and (is_loud or (len(words) == 1 and any(map(self._reads, close))))

    def _verb_end(self, word: str) -> int:
        """Return the end of a verb with a number or a name glued to it, as in ``gear2`` and ``placeH3``; 0 if none has."""
        digit = next((at for at, letter in enumerate(word) if letter.isdigit()), 0)
        ends = range(digit, max(1, digit - 2), -1)
        return next((end for end in ends if self._known.verbs_like(word[:end])), 0)

    def _begins_oddly(self, words: Sequence[str], rest: str) -> bool:
        """Return whether the line begins with a code, as in ``TC3: 40``, or with a misspelled word of a header."""
        first = words[0].casefold()
        if is_code(first):
            begins = len(words[0]) + (rest.index(words[1]) if len(words) > 1 else 0)
            least = len(words[0]) if all(map(self._is_named, words[1:2])) else begins
            return self._stops_at(f"{words[0]}{rest}") > least
        for word in _HEADERS:
            if first in slips_of(word) and any(map(str.isdigit, "".join(words[1:2]))):
                return True
            if is_misspelled(first, misspellings((word,))) and self._reads(f"{word}{rest}"):
                return first in slips_of(word) or isinstance(self._reader.parse(f"{word}{rest}"), OrderLine)
        return False

    def _stops_at(self, line: str) -> int:
        return parse_failure(self._reader.rules, line).start

    def _fits(self, likeness: Likeness, verb: str, rest: str, words: Sequence[str]) -> bool:
        """Return whether ``rest``, the line after the first of ``words``, continues like an order after ``verb``."""
        rules, word = self._reader.rules, words[1]
        is_named = any(map(self._is_named, words[1:3]))
        if likeness is not Likeness.NEAR and is_named:
            return True
        if not is_one_slip(words[0].casefold(), verb) and not is_named:
            return False
        if self._reads(f"{verb}{rest}") or (self._is_named(word) and parse_failure(rules, f"{verb} {word}").is_at_end):
            return True
        expected = tuple(phrase.casefold() for phrase in parse_failure(rules, verb).expected.spellings)
        behind = [" ".join(words[start:]).casefold() for start in (1, 2)]
        if any(f"{part} ".startswith(f"{phrase} ") for phrase in expected for part in behind):
            return True
        starts = tuple(dict.fromkeys(start for phrase in expected for start in (phrase, phrase.split(" ")[0])))
        return bool(len(word) >= _SHORTEST and most_similar(word.casefold(), starts)) or bool(
            most_similar(behind[0], starts)
        )

    def _is_named(self, word: str) -> bool:
        """Return whether ``word`` is a number, a name of a thing of the game, or similar to such a name."""
        return word.isdigit() or self._known.is_name(word.casefold())

    def _lacks_verb(self, tokens: Sequence[str]) -> bool:
        """Return whether the line has only names and numbers, perhaps after a verb that the game does not know."""
        known = self._known
        return all(word.isdigit() or word in known.names or word in known.keywords for word in tokens[1:]) and any(
            is_code(word) and word in known.names for word in tokens
        )

    def _holds_order(self, part: str) -> bool:
        """Return whether ``part`` of a line is an order of several words, or begins with a verb and names a thing."""
        words = [word.group() for word in islice(TOKEN.finditer(part), 2)]
        if len(words) < 2 or self._known.likeness(words[0]) not in (Likeness.EXACT, Likeness.SLIP):
            return False
        if is_code(words[1].casefold()) or words[1].casefold() in self._known.names:
            return True
        return self._reads(part)

    def _reads(self, line: str) -> bool:
        """Return whether ``line`` can be read, and is not a remark."""
        parsed = self._reader.parse(line)
        return not isinstance(parsed, LineProblem) and not (isinstance(parsed, OrderLine) and self.is_remark(line, parsed))

"""Find lines such as ``WORD umbrella``: a word for chance, which counts only when a game is set up."""

from __future__ import annotations

import re
from collections.abc import Container
from typing import Final

from adjudicator.core.chance import WORD
from adjudicator.core.values import Value
from adjudicator.orders.parser import LineReader
from adjudicator.orders.problems import head_of

_FIRST: Final = re.compile(r"[ ,]*(?P<word>[^\W\d_]{1,24})(?=[ ,:=]|$)(?P<colon>[ ,]*[:=])?")
WORDS: Final = "words for chance count only when a game is set up"
"""The reason why such a line is ignored."""
_FEW: Final = 3
"""The most words after a keyword in small letters without a colon: “Word has it that you win” is prose."""


class WordLine(Value):
    """A line with a word for chance, perhaps after a ``seat``."""

    seat: str | None


def word_line(reader: LineReader, seats: Container[str], line: str) -> WordLine | None:
    """Return the word for chance on the cleaned ``line``; ``None`` if it has none. ``seats`` head sheets."""
    if _is_keyword(reader, seats, line, 0):
        return WordLine(None)
    head = head_of(line)
    if head is None or not head.has_colon:
        return None
    return WordLine(head.seat) if _is_keyword(reader, (), line, line.index(":", head.end) + 1) else None


def _is_keyword(reader: LineReader, seats: Container[str], line: str, start: int) -> bool:
    """Return whether the keyword is at ``start``; but a seat of that name is the head of a sheet."""
    match = _FIRST.match(line, start)
    if match is None or reader.english(match["word"].lower()) != WORD.lower():
        return False
    if match["colon"] is None:
        return match["word"].isupper() or len(line[match.end() :].split()) <= _FEW
    return match["word"].lower() not in seats

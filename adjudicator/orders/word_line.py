"""Read lines such as ``WORD umbrella``: a player's word for chance.

The word itself belongs to no language, so the grammar cannot read it. This module reads lines that are not orders.
"""

from __future__ import annotations

import re
from collections.abc import Container
from typing import Final

from adjudicator.core.chance import WORD
from adjudicator.core.problem import Problem
from adjudicator.core.values import Value
from adjudicator.orders.clean import comment_start
from adjudicator.orders.line_problem import LineProblem
from adjudicator.orders.parser import LineReader
from adjudicator.orders.player_words import BadWordError, normalize_word
from adjudicator.orders.problems import head_of

_FIRST: Final = re.compile(r"[ ,]*(?P<word>[^\W\d_]{1,24})(?=[ ,:=]|$)(?P<colon>[ ,]*[:=])?")
BAD_WORD: Final = "orders/bad-word"
"""The code of the problem with an invalid word; the orders of its sheet still count."""
_FEW: Final = 3
"""The most words after a keyword in small letters without a colon: “Word has it that you win” is prose."""
_MOST: Final = 500
"""The most written characters of a word."""


class WordLine(Value):
    """A line with a word for chance, perhaps after a ``seat``; the word and the blanks before it begin at ``start``."""

    seat: str | None
    start: int


def word_line(reader: LineReader, seats: Container[str], line: str) -> WordLine | None:
    """Return the place of a word for chance on the cleaned ``line``; ``None`` if it has none. ``seats`` head sheets."""
    found = _keyword(reader, seats, line, 0)
    if found is not None:
        return WordLine(None, found)
    head = head_of(line)
    if head is None or not head.has_colon:
        return None
    found = _keyword(reader, (), line, line.index(":", head.end) + 1)
    return None if found is None else WordLine(head.seat, found)


def read_word(raw: str, line: str, start: int) -> str | LineProblem:
    """Return the normalized word at ``start`` of a line, or its problem, with the code ``orders/bad-word``.

    The line is read as it came, ``raw``: invisible characters are refused, not dropped. ``line`` is the cleaned line.
    """
    written = raw[start : comment_start(raw)]
    problem = ""
    if not written.strip():
        problem = f"is missing: write it after {WORD}, as in `{WORD} umbrella`"
    elif len(written) > _MOST:
        problem = f"is too long: it has {len(written):,} characters"
    else:
        try:
            return normalize_word(written)
        except BadWordError as error:
            problem = str(error)
    message = f"a word for chance {problem}; the orders of this sheet still count"
    behind = line[start:].lstrip(" ,")
    begins = len(line) - len(behind or line.lstrip(" "))
    return LineProblem(Problem(BAD_WORD, message), begins + 1, max(1, len(line) - begins))


def _keyword(reader: LineReader, seats: Container[str], line: str, start: int) -> int | None:
    """Return the index after the keyword if it is at ``start``; but a seat of that name is the head of a sheet."""
    match = _FIRST.match(line, start)
    if match is None or reader.english(match["word"].lower()) != WORD.lower():
        return None
    if match["colon"] is None:
        is_prose = not match["word"].isupper() and len(line[match.end() :].split()) > _FEW
        return None if is_prose else match.end()
    return None if match["word"].lower() in seats else match.end()

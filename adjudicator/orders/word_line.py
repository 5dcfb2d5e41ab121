"""``WORD umbrella``: a player's word for chance, a line of a sheet that is no order.

What stands behind the keyword is in no language, so no grammar knows it: it is looked for where a line is no order.
"""

from __future__ import annotations

import re
from collections.abc import Container
from typing import Final

from adjudicator.core.frozen import frozen
from adjudicator.core.problem import Problem
from adjudicator.core.words import KEYWORD
from adjudicator.orders.clean import comment_start
from adjudicator.orders.parser import LineProblem, LineReader
from adjudicator.orders.player_words import BadWordError, normalized_word
from adjudicator.orders.problems import head_of

_FIRST: Final = re.compile(r"[ ,]*(?P<word>[^\W\d_]{1,24})(?=[ ,:=]|$)(?P<colon>[ ,]*[:=])?")
BAD_WORD: Final = "orders/bad-word"
"""The code of the problem with a word that cannot be taken: it spoils nothing beside it."""
_FEW: Final = 3
"""Words that may stand behind a keyword that is neither in capitals nor has a colon: “Word has it that you win” is prose."""
_MOST: Final = 500
"""Characters as written that are looked at: more are no word in any form."""


@frozen
class WordLine:
    """A line with a word for chance, perhaps behind a ``seat``; the word and blanks before it begin at index ``start``."""

    seat: str | None
    start: int


def word_line(reader: LineReader, seats: Container[str], line: str) -> WordLine | None:
    """Return where the cleaned ``line`` has a word for chance, ``None`` if it is no such line; ``seats`` head sheets."""
    found = _keyword(reader, seats, line, 0)
    if found is not None:
        return WordLine(None, found)
    head = head_of(line)
    if head is None or not head.has_colon:
        return None
    found = _keyword(reader, (), line, line.index(":", head.end) + 1)
    return None if found is None else WordLine(head.seat, found)


def read_word(raw: str, line: str, start: int) -> str | LineProblem:
    """Return the word at ``start`` of a line in its one form, or what is wrong with it, with the code ``orders/bad-word``.

    It is read as it came, ``raw``: what nobody can see is refused, not left out. ``line`` is the same line cleaned.
    """
    written = raw[start : comment_start(raw)]
    problem = ""
    if not written.strip():
        problem = f"is missing: write it behind {KEYWORD}, as in `{KEYWORD} umbrella`"
    elif len(written) > _MOST:
        problem = f"is too long: {len(written):,} characters"
    else:
        try:
            return normalized_word(written)
        except BadWordError as error:
            problem = str(error)
    message = f"a word for chance {problem}; the orders of this sheet count all the same"
    behind = line[start:].lstrip(" ,")
    begins = len(line) - len(behind or line.lstrip(" "))
    return LineProblem(Problem(BAD_WORD, message), begins + 1, max(1, len(line) - begins))


def _keyword(reader: LineReader, seats: Container[str], line: str, start: int) -> int | None:
    """Return the index behind the keyword, if that is what stands at ``start``; a seat of that name heads its sheet."""
    match = _FIRST.match(line, start)
    if match is None or reader.english(match["word"].lower()) != KEYWORD.lower():
        return None
    if match["colon"] is None:
        is_prose = not match["word"].isupper() and len(line[match.end() :].split()) > _FEW
        return None if is_prose else match.end()
    return None if match["word"].lower() in seats else match.end()

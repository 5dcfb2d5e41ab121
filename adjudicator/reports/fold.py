"""Break lines to a width, so that no mail program breaks them elsewhere."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final

from adjudicator.core.width import display_width, wrapped

MAIL_WIDTH: Final = 78
"""The greatest number of columns of a line in a mail."""

_BETWEEN_WORDS: Final = re.compile(r"(?<! ) (?! )")
_HELD: Final = "\xa0"
"""Replaces a space at which a line must not break; the text has none, because ``printable`` replaces it."""
_OPENING: Final = re.compile(r" (?=(?:·|written:|note:)(?:[ \xa0]|$))")
"""A space before words that mark a new entry at the start of a line: no continuation line may begin with them."""


def folded(line: str, width: int, indent: int = 0, *, is_hard: bool = True) -> list[str]:
    """Return ``line`` in pieces of at most ``width`` columns, all but the first with an indent of ``indent`` columns.

    Breaks are between two words and, if possible, not between two columns of a table. A word longer than a line is broken
    as well if ``is_hard``; otherwise it gets a separate line that is too long.
    """
    if display_width(line) <= width:
        return [line]
    indent = min(indent, width // 2)
    body = line.lstrip(" ")
    lead = line[: len(line) - len(body)]
    if len(lead) > width // 2:  # there would be no room for words
        lead = " " * indent
    words = " ".join(_pieces(body, width - max(indent, len(lead)), is_hard=is_hard))
    lines = wrapped(_OPENING.sub(_HELD, words), width, lead, " " * indent)
    return [piece.replace(_HELD, " ") for piece in lines]


def folded_lines(lines: Iterable[str], width: int, *, is_hard: bool = True) -> list[str]:
    """Return all ``lines`` broken to ``width``; continuation lines have an extra indent of two columns.

    ``is_hard`` is that of ``folded``.
    """
    indents = ((line, len(line) - len(line.lstrip(" ")) + 2) for line in lines)
    return [piece for line, further in indents for piece in folded(line, width, further, is_hard=is_hard)]


def _pieces(body: str, room: int, *, is_hard: bool) -> Iterator[str]:
    for unit in _BETWEEN_WORDS.split(body):
        if display_width(unit) <= room:
            yield unit.replace(" ", _HELD)
        else:
            yield from wrapped(re.sub(" +", " ", unit), room, is_hard=is_hard)

"""Break lines to a width, so that no mail program breaks them elsewhere."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final

from adjudicator.core.width import display_width, fitting

MAIL_WIDTH: Final = 78
"""The greatest number of columns of a line in a mail."""

_BETWEEN_WORDS: Final = re.compile(r"(?<! ) (?! )")
_GAP: Final = re.compile(r" {2,}")
_OPENING: Final = re.compile(r"(?:·|written:|note:)(?: |$)")
"""Words at the start of a line that mark a new entry: no continuation line may begin with them."""


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
    lines, current, start = [], lead, lead
    for piece in _pieces(body, width - max(indent, len(lead)), is_hard=is_hard):
        longer = current + piece if current == start else f"{current} {piece}"
        if display_width(longer) <= width or current == start or _OPENING.match(piece):
            current = longer
            continue
        lines.append(current)
        start = " " * indent
        current = start + piece
    return [*lines, current]


def folded_lines(lines: Iterable[str], width: int, indent: int = 2) -> list[str]:
    """Return all ``lines`` broken to ``width``; continuation lines have an extra indent of ``indent`` columns."""
    return [piece for line in lines for piece in folded(line, width, len(line) - len(line.lstrip(" ")) + indent)]


def _pieces(body: str, room: int, *, is_hard: bool) -> Iterator[str]:
    for unit in _BETWEEN_WORDS.split(body):
        if display_width(unit) <= room or not is_hard:
            yield unit
            continue
        for word in _GAP.split(unit):
            while display_width(word) > room:
                begun = fitting(word, room) or word[:1]
                yield begun
                word = word[len(begun) :]
            if word:
                yield word

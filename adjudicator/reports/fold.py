"""Lines broken to a width, so that no mail program breaks them elsewhere."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final

from adjudicator.reports.width import display_width, fitting

MAIL_WIDTH: Final = 78
"""Columns that a line in a mail may have."""

_BETWEEN_WORDS: Final = re.compile(r"(?<! ) (?! )")
_GAP: Final = re.compile(r" {2,}")
_OPENING: Final = re.compile(r"(?:·|written:|note:)(?: |$)")
"""What would be taken for a line of its own, if a line began with it."""


def folded(line: str, width: int, indent: int = 0, *, is_hard: bool = True) -> list[str]:
    """Return ``line`` in pieces of at most ``width`` columns, those after the first ``indent``-ed by so many.

    Lines are broken between two words, where that is possible not at the gap between two columns of a table. A word that is
    longer than a line is broken too, unless it is not ``is_hard``: then it stands on a line of its own, and is too long.
    """
    if display_width(line) <= width:
        return [line]
    indent = min(indent, width // 2)
    body = line.lstrip(" ")
    lead = line[: len(line) - len(body)]
    if len(lead) > width // 2:  # nothing would be left of the line
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
    """Return all ``lines`` broken to ``width``, what goes on ``indent`` columns further in than its line."""
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

"""Measure text in terminal columns, and cut, pad or wrap it, with the same result on every machine.

``wcwidth`` knows the widths. It takes a tenth of the time of a command to load, so common texts do without it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

_NARROW: Final = re.compile("[ -~¡-¬®-˿‐-‧‰-⁞←-⇿∀-⋿─-◼✓]*")
"""Text of characters that take one column each: Latin letters, punctuation, arrows, mathematics and lines."""


_WORDS: Final = re.compile("( *)([^ ]+)")
_LONG: Final = 200
"""From so many characters on, a text is measured grapheme by grapheme: ``wcwidth`` looks back over all flags in a row."""
LONGEST_QUOTE: Final = 200
"""How many characters of a text are quoted."""


def quoted(text: str, fault: int = 0) -> str:
    """Return a ``text`` that somebody sent; of a long one only the part up to and soon after ``fault``, and its length."""
    most = fault + LONGEST_QUOTE
    return text if len(text) <= most else f"{text[:most]}… ({len(text):,} characters)"


def display_width(text: str) -> int:
    """Return the width of ``text`` in columns: 2 for a wide character, 0 for a combining one."""
    if text.isascii() or _NARROW.fullmatch(text):
        return len(text)
    from wcwidth import iter_graphemes, width

    if len(text) > _LONG:
        return sum(width(one[:_LONG], control_codes="ignore") for one in iter_graphemes(text))
    return width(text, control_codes="ignore")


def graphemes(text: str) -> Iterable[str]:
    """Return the characters of ``text`` as readers count them: a letter with its marks is one of them."""
    if text.isascii() or _NARROW.fullmatch(text):
        return text
    from wcwidth import iter_graphemes

    return iter_graphemes(text)


def columns(text: str, start: int, end: int, filling: str = "") -> str:
    """Return the columns of ``text`` from ``start`` to ``end`` (excluded), ``filling`` in place of halves of wide ones."""
    if text.isascii() or _NARROW.fullmatch(text):
        return text[start:end]
    from wcwidth import clip

    return clip(text, start, end, fillchar=filling, control_codes="ignore")


def clip(text: str, width: int) -> str:
    """Return ``text`` if it fits into ``width`` columns (at least 1), else its beginning and ``…``."""
    return text if display_width(text) <= width else columns(text, 0, width - 1) + "…"


def padded(text: str, width: int, *, right: bool = False) -> str:
    """Return ``text`` padded with spaces to ``width`` columns, at its end, or with ``right`` at its beginning."""
    filling = " " * (width - display_width(text))
    return filling + text if right else text + filling


def wrapped(text: str, width: int, first: str = "", indent: str = "", *, is_hard: bool = False) -> list[str]:
    """Return the words of ``text`` in one or more lines of at most ``width`` columns.

    The first line begins with ``first``, the others with ``indent``. A word longer than a line has a separate line, which is
    too long, or with ``is_hard`` is cut.
    """
    if display_width(first) + display_width(text) <= width:
        return [first + text]
    lines, line, used, is_begun = list[str](), first, display_width(first), False
    for gap, word in _WORDS.findall(text):
        size = display_width(word)
        if (is_begun or not lines) and used + len(gap) + size <= width:
            line, used, is_begun = f"{line}{gap}{word}", used + len(gap) + size, True
            continue
        if is_begun:
            lines.append(line.rstrip())
        line = f"{indent if lines else first}{word}"
        used, is_begun = display_width(line), True
        if is_hard and used > width:
            lines += _pieces(line, width)
            is_begun = False
    return [*lines, line.rstrip()] if is_begun else lines


def _pieces(text: str, width: int) -> list[str]:
    """Return ``text`` in pieces of at most ``width`` columns; a character that is wider is a piece of its own."""
    pieces, piece, used = list[str](), list[str](), 0
    for one in graphemes(text):
        size = display_width(one)
        if piece and used + size > width:
            pieces.append("".join(piece))
            piece, used = [], 0
        piece.append(one)
        used += size
    return [*pieces, "".join(piece)]

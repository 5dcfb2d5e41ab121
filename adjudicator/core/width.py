"""Measure text in terminal columns, and cut, pad or wrap it, with the same result on every machine.

``wcwidth`` knows the widths. It takes a tenth of the time of a command to load, so common texts do without it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

_NARROW: Final = re.compile("[ -~¡-¬®-˿‐-‧‰-⁞←-⇿∀-⋿─-◼✓]*")
"""Text of characters that take one column each: Latin letters, punctuation, arrows, mathematics and lines."""


def display_width(text: str) -> int:
    """Return the width of ``text`` in columns: 2 for a wide character, 0 for a combining one."""
    if text.isascii() or _NARROW.fullmatch(text):
        return len(text)
    from wcwidth import width

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
    from wcwidth import wrap

    lines = wrap(text, width, initial_indent=first, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False)
    if not is_hard:
        return lines
    return [piece for line in lines for piece in (wrap(line, width, break_on_hyphens=False) or [""])]

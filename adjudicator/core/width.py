"""Measure text in terminal columns, and cut, pad or wrap it, with the same result on every machine."""

from __future__ import annotations

import unicodedata
from functools import lru_cache
from typing import Final

_NO_WIDTH: Final = frozenset(("Mn", "Me", "Cf"))
_JOINING_JAMO: Final = range(0x1160, 0x1200)
"""Korean vowels and finals, which join the syllable of the consonant before them."""


def display_width(text: str) -> int:
    """Return the width of ``text`` in columns: 2 for a wide character, 0 for a combining one."""
    if text.isascii():
        return len(text)
    return sum(map(character_width, text))


@lru_cache(maxsize=4096)
def character_width(character: str) -> int:
    """Return the width of a single ``character`` in columns: 0, 1 or 2."""
    if unicodedata.category(character) in _NO_WIDTH or ord(character) in _JOINING_JAMO:
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def clip(text: str, width: int) -> str:
    """Return ``text`` if it fits into ``width`` columns (at least 1), else its beginning and ``…``."""
    if display_width(text) <= width:
        return text
    return fitting(text, width - 1) + "…"


def fitting(text: str, width: int) -> str:
    """Return the longest beginning of ``text`` that fits into ``width`` columns."""
    used = 0
    for index, character in enumerate(text):
        used += character_width(character)
        if used > width:
            return text[:index]
    return text


def padded(text: str, width: int, *, right: bool = False) -> str:
    """Return ``text`` padded with spaces to ``width`` columns, at its end, or with ``right`` at its beginning."""
    filling = " " * (width - display_width(text))
    return filling + text if right else text + filling


def wrapped(text: str, width: int) -> list[str]:
    """Return the words of ``text`` in one or more lines of at most ``width`` columns; a longer word has a separate line."""
    lines = [""]
    for word in text.split(" "):
        longer = f"{lines[-1]} {word}" if lines[-1] else word
        if display_width(longer) <= width or not lines[-1]:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines

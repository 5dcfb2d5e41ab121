"""Measure text in pictures by the metrics of DejaVu Sans, which PNGs use, and break it into lines."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, lru_cache
from typing import Final
from unicodedata import combining, normalize

from adjudicator.core.width import display_width

_EM: Final = 2048
"""The height of the font in its units."""
_MISSING: Final = 1229
"""The width of the box that the font draws for a letter that it lacks."""
_LARGEST: Final = 1 << 12
_Widths = dict[str, tuple[int, int]]


@lru_cache(maxsize=1 << 13, typed=True)
def text_width(text: str, size: float, *, is_bold: bool = False) -> float:
    """Return the width in pixels of ``text`` in DejaVu Sans of ``size``; most sans-serif fonts are narrower."""
    return sum(_widths(letter)[is_bold] for letter in text) * size / _EM


@lru_cache(maxsize=_LARGEST, typed=True)
def text_lines(text: str, room: float, size: float, *, is_bold: bool = False) -> tuple[str, ...]:
    """Return ``text`` in lines that fit into ``room`` pixels, broken at blanks; a word that does not fit is broken, too."""
    lines, line = list[str](), ""
    for word in text.split(" "):
        longer = f"{line} {word}" if line else word
        if line and text_width(longer, size, is_bold=is_bold) > room:
            lines.append(line)
            longer = word
        while text_width(longer, size, is_bold=is_bold) > room and len(longer) > 1:
            cuts = range(len(longer) - 1, 1, -1)
            cut = next((at for at in cuts if text_width(longer[:at], size, is_bold=is_bold) <= room), 1)
            lines.append(longer[:cut])
            longer = longer[cut:]
        line = longer
    return (*lines, line)


@lru_cache(maxsize=_LARGEST)
def _widths(letter: str) -> tuple[int, int]:
    """Return the width of ``letter`` in units of the font, plain and bold; a letter with marks is as wide as without."""
    table = _table()
    known = table.get(letter) or table.get(normalize("NFD", letter)[0])
    if known is not None:
        return known
    columns = 0 if combining(letter) else display_width(letter)
    width = (0, _MISSING, _EM)[columns]  # letters as wide as high, and the box in place of letters that the font lacks
    return width, width


@cache
def _table() -> _Widths:
    return dict(_entries())


def _entries() -> Iterator[tuple[str, tuple[int, int]]]:
    """Yield each letter of the table with its widths; only pictures load the table."""
    from adjudicator.scenes.letter_widths import WIDTHS

    for line in WIDTHS.split("\n"):
        first, *tokens = line.split()
        code = int(first, 16)
        for token in tokens:
            times, _, widths = token.rpartition("*")
            plain, _, bold = widths.partition("/")
            count = int(times or 1)
            if plain != "-":
                yield from ((chr(at), (int(plain), int(bold or plain))) for at in range(code, code + count))
            code += count

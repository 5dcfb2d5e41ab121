"""Measure text in pictures, and break it into lines."""

from __future__ import annotations

from functools import lru_cache

from adjudicator.core.width import character_width


@lru_cache(maxsize=1 << 13, typed=True)
def text_width(text: str, size: float, *, is_bold: bool = False) -> float:
    """Return the greatest width in pixels of ``text`` in any common sans-serif font of ``size``."""
    wide = sum(map(_em, text))
    return wide * size * (1.08 if is_bold else 1.0)


def text_lines(text: str, room: float, size: float) -> list[str]:
    """Return ``text`` in lines that fit into ``room`` pixels, broken at blanks; a word that is too long stays whole."""
    lines = [""]
    for word in text.split(" "):
        longer = f"{lines[-1]} {word}" if lines[-1] else word
        if lines[-1] and text_width(longer, size) > room:
            lines.append(word)
        else:
            lines[-1] = longer
    return lines


@lru_cache(maxsize=1 << 12)
def _em(character: str) -> float:
    if character in "iIjl.,:;|!'’ ()[]ft·":
        return 0.4
    if character in "MWmw@%—…":
        return 1.0
    return 0.74 if character.isupper() or character.isdigit() else 0.64 * max(1, character_width(character))

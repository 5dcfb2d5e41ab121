"""Widths of letters in pictures are those of the fonts."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from fontTools.ttLib import TTFont

from adjudicator.resources import files
from adjudicator.scenes import fitting
from adjudicator.scenes.letters import text_lines, text_width


def fonts() -> Iterator[Any]:
    """Yield the fonts that ship, the plain and the bold one."""
    for name in ("DejaVuSans.ttf", "DejaVuSans-Bold.ttf"):
        with (files("adjudicator.reports") / "fonts" / name).open("rb") as shipped:
            yield TTFont(shipped, lazy=False)


def test_latin_letters_are_as_wide_as_in_the_fonts() -> None:
    letters = [*map(chr, (*range(0x20, 0x7F), *range(0xC0, 0x17F))), *"–—−×·…’“”▲✓"]
    for is_bold, font in enumerate(fonts()):
        known, em = font.getBestCmap(), font["head"].unitsPerEm
        widths = {letter: font["hmtx"][known[ord(letter)]][0] for letter in letters}
        wrong = [letter for letter in letters if text_width(letter, em, is_bold=bool(is_bold)) != widths[letter]]
        assert all(
            letter.isascii() or abs(text_width(letter, em, is_bold=bool(is_bold)) - widths[letter]) < 900 for letter in wrong
        )
        assert len(wrong) < 24, wrong
    assert text_width("車", 100) == 100 and text_width("e\u0301", 10) == text_width("é", 10) == text_width("e", 10)


def test_lines_fit_and_a_long_word_is_broken() -> None:
    room = text_width("mmmm", 10, is_bold=True)
    assert text_lines("i ii mmmmmm i", room, 10, is_bold=True) == ("i ii", "mmmm", "mm i")
    assert text_lines("mm", 1, 10) == ("m", "m")
    assert text_lines("", room, 10) == ("",)


def test_letters_are_as_large_as_the_longest_text_allows() -> None:
    room = text_width("mmmm", 12)
    assert fitting(["i", "mmmm"], room, range(14, 8, -1)) == 12
    assert fitting([], room, range(14, 8, -1)) == 14 and fitting(["m" * 40], room, range(14, 8, -1)) == 9

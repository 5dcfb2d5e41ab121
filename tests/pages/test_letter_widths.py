"""Widths of letters in pictures are those of the font. `python tests/pages/test_letter_widths.py` reads the font again."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from textwrap import wrap
from typing import Any, Final
from unicodedata import category, normalize

from fontTools.ttLib import TTFont
from matplotlib import get_data_path

from adjudicator.resources import files
from adjudicator.scenes import letter_widths
from adjudicator.scenes.letters import text_lines, text_width

TABLE = Path(letter_widths.__file__)
BLOCKS: Final = (
    *(range(0x20, 0x250), range(0x370, 0x500), range(0x1E00, 0x1F00)),  # Latin, Greek, Cyrillic
    *(range(0x2010, 0x20D0), range(0x2100, 0x2300), range(0x2500, 0x27C0)),  # punctuation, arrows, mathematics, symbols
)
HEAD: Final = '''\
"""Hold the widths of letters in DejaVu Sans, plain and bold; `python tests/pages/test_letter_widths.py` writes this file."""

from __future__ import annotations

from typing import Final

WIDTHS: Final = """\\
{lines}"""
"""Lines of widths: the code of a letter, its width, then the widths of the letters after it.

`plain/bold` are two widths, one number is both, and `-` none; `3*` repeats them for three letters.
"""
'''


def fonts() -> tuple[Any, Any]:
    """Return the font that ships, and the bold one of the same family, in which browsers draw titles."""
    with (files("adjudicator.reports") / "fonts" / "DejaVuSans.ttf").open("rb") as shipped:
        plain = TTFont(shipped, lazy=False)
    return plain, TTFont(Path(get_data_path(), "fonts", "ttf", "DejaVuSans-Bold.ttf"))


def widths_of(font: Any) -> dict[int, int]:
    return {code: font["hmtx"][name][0] for code, name in font.getBestCmap().items()}


def entry(code: int, plain: dict[int, int], bold: dict[int, int]) -> str:
    """Return the widths of a letter; `-` for letters with marks that are as wide as without, and for missing letters."""
    base, width = ord(normalize("NFD", chr(code))[0]), plain.get(code)
    widths = width, bold.get(code, width)
    is_known = base != code and widths == (plain.get(base), bold.get(base, plain.get(base)))
    if width is None or is_known or category(chr(code))[0] == "M":
        return "-"
    return f"{width}/{widths[1]}" if widths[0] != widths[1] else str(width)


def lines_of(block: range, plain: dict[int, int], bold: dict[int, int]) -> Iterator[str]:
    """Yield the lines for a block of letters, each with the code of its first letter."""
    runs = [(text, len([*same])) for text, same in groupby(entry(code, plain, bold) for code in block)]
    code = block.start
    for line in wrap(" ".join(f"{count}*{text}" if count > 1 else text for text, count in runs), 115):
        yield f"{code:04x} {line}"
        code += sum(int(token.rpartition("*")[0] or 1) for token in line.split())


def written() -> str:
    """Return the module with the table."""
    plain, bold = fonts()
    lines = [line for block in BLOCKS for line in lines_of(block, widths_of(plain), widths_of(bold))]
    return HEAD.format(lines="\n".join(lines))


def test_the_table_is_that_of_the_fonts() -> None:
    assert TABLE.read_text("utf-8") == written()
    for font, is_bold in zip(fonts(), (False, True), strict=True):
        for letter in (*"aWi.0 éńÅľњΩ∙→−…✓▲║", "\u0301"):
            assert text_width(letter, font["head"].unitsPerEm, is_bold=is_bold) == widths_of(font)[ord(letter)]
    assert text_width("Ꙁ", plain_em()) == fonts()[0]["hmtx"][".notdef"][0], "letters that the table lacks"
    assert text_width("車", 100) == 100 and text_width("e\u0301", 10) == text_width("é", 10) == text_width("e", 10)


def plain_em() -> int:
    return int(fonts()[0]["head"].unitsPerEm)


def test_lines_fit_and_a_long_word_is_broken() -> None:
    room = text_width("mmmm", 10, is_bold=True)
    assert text_lines("i ii mmmmmm i", room, 10, is_bold=True) == ("i ii", "mmmm", "mm i")
    assert text_lines("mm", 1, 10) == ("m", "m")
    assert text_lines("", room, 10) == ("",)


if __name__ == "__main__":
    sys.exit(TABLE.write_text(written(), "utf-8") and None)

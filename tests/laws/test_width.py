"""How wide texts are on a terminal; rich, which measures independently, must agree."""

from __future__ import annotations

import pytest
import wcwidth
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from adjudicator.core.phrases import clip, columns, display_width, graphemes, padded, wrapped


@pytest.mark.parametrize(
    "text",
    ["", "abc", "Søren", "李明", "e\u0301", "═╬▲✓◎·∙…", "한국", "ｆｕｌｌ", "กำ", "🚗🏁", "नमस्ते"[:2], "❤️", "👍🏽", "🇩🇪"],
)
def test_width_is_that_of_a_terminal(text: str) -> None:
    assert display_width(text) == cell_len(text)


def test_texts_that_do_without_the_library_have_the_same_widths() -> None:
    letters = [character for character in map(chr, range(0x3000)) if wcwidth.width(character) == 1]
    assert len(letters) > 1000
    assert [character for character in letters if display_width(character) != 1] == []
    assert [list(graphemes(f"a{letter}b")) for letter in letters] == [
        list(wcwidth.iter_graphemes(f"a{letter}b")) for letter in letters
    ]


@given(st.text("ab李車e\u0301", max_size=20), st.integers(1, 12))
def test_a_clipped_text_fits(text: str, width: int) -> None:
    assert display_width(clip(text, width)) <= width
    assert clip(text, 100) == text


@given(st.text("ab李車e\u0301", max_size=20), st.integers(1, 12))
def test_the_first_columns_are_the_longest_beginning_that_fits(text: str, width: int) -> None:
    part = columns(text, 0, width)
    assert text.startswith(part)
    assert display_width(part) <= width
    assert part == text or display_width(text[: len(part) + 1]) > width


@given(st.text("ab李車e\u0301", max_size=20), st.integers(0, 12), st.integers(0, 12))
def test_a_filling_replaces_the_half_of_a_wide_character(text: str, start: int, width: int) -> None:
    end = min(start + width, display_width(text))
    assert display_width(columns(text, start, end, " ")) == max(end - start, 0)


def test_a_letter_with_its_marks_is_one_character() -> None:
    assert list(graphemes("ae\u0301\u0300李👍🏽")) == ["a", "e\u0301\u0300", "李", "👍🏽"]
    assert list(graphemes("ab")) == ["a", "b"]


@given(st.text("ab 李車-", max_size=30), st.integers(4, 12))
def test_wrapped_lines_fit_and_keep_all_words(text: str, width: int) -> None:
    lines = wrapped(text.strip(), width, "* ", "  ", is_hard=True)
    assert max(map(display_width, lines)) <= width
    assert "".join(lines).replace(" ", "") == f"*{text}".replace(" ", "")
    soft = wrapped(text.strip(), width)
    assert " ".join(soft).split() == text.split()
    assert all(display_width(line) <= width or " " not in line for line in soft)


@given(st.text("ab李車e\u0301", max_size=20), st.booleans())
def test_padded_texts_are_equally_wide(text: str, right: bool) -> None:
    assert display_width(padded(text, 50, right=right)) == 50
    assert padded(text, 50, right=right).strip() == text.strip()

"""How wide texts are on a terminal; rich, which measures independently, must agree."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from adjudicator.core.width import clip, display_width, fitting, padded


@pytest.mark.parametrize(
    "text", ["", "abc", "Søren", "李明", "e\u0301", "═╬▲✓◎·∙…", "한국", "ｆｕｌｌ", "กำ", "🚗🏁", "नमस्ते"[:2]]
)
def test_width_is_that_of_a_terminal(text: str) -> None:
    assert display_width(text) == cell_len(text)


@given(st.text("ab李車e\u0301", max_size=20), st.integers(1, 12))
def test_a_clipped_text_fits(text: str, width: int) -> None:
    assert display_width(clip(text, width)) <= width
    assert clip(text, 100) == text


@given(st.text("ab李車e\u0301", max_size=20), st.integers(0, 12))
def test_what_fits_is_the_longest_beginning(text: str, width: int) -> None:
    part = fitting(text, width)
    assert text.startswith(part)
    assert display_width(part) <= width
    assert part == text or display_width(text[: len(part) + 1]) > width


@given(st.text("ab李車e\u0301", max_size=20), st.booleans())
def test_padded_texts_are_equally_wide(text: str, right: bool) -> None:
    assert display_width(padded(text, 50, right=right)) == 50
    assert padded(text, 50, right=right).strip() == text.strip()

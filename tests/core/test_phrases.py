"""Counts and lists in words."""

from __future__ import annotations

import pytest

from adjudicator.core.phrases import count, listed


@pytest.mark.parametrize(
    ("number", "words"), [(0, "0 spaces"), (1, "1 space"), (2, "2 spaces"), (-1, "-1 space"), (21, "21 spaces")]
)
def test_a_number_has_its_noun(number: int, words: str) -> None:
    assert count(number, "space") == words


def test_a_plural_may_be_irregular() -> None:
    assert [count(number, "die", "dice") for number in (1, 2)] == ["1 die", "2 dice"]


@pytest.mark.parametrize(
    ("words", "told"),
    [((), ""), (("red",), "red"), (("red", "blue"), "red and blue"), (("red", "blue", 3), "red, blue and 3")],
)
def test_words_are_listed(words: tuple[object, ...], told: str) -> None:
    assert listed(words) == told
    assert listed(iter(words), "or") == told.replace(" and ", " or ")

"""Courtesies at the end of a very long line are found without looking at all of it again and again."""

from __future__ import annotations

import pytest

from adjudicator.orders.courtesy import bare_spans


def test_a_line_of_a_hundred_thousand_words_is_read_as_fast_as_its_end(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only the last words of a line can be a courtesy: the number of looks does not grow with the line."""
    looks = list[int]()
    monkeypatch.setattr("adjudicator.orders.courtesy._is_courtesy", lambda tokens: looks.append(len(tokens)) or False)
    bare_spans("é x " * 50_000 + "thanks")
    assert 0 < len(looks) <= 8

"""Colours: only where asked for, and chosen by what words mean."""

from __future__ import annotations

from adjudicator.reports.text.terminal_colors import painted, word_style


def test_a_colour_word_has_its_colour_and_others_go_by_their_place() -> None:
    assert word_style("Red") == word_style("red") == "31"
    assert word_style("anna", 0) != word_style("anna", 1)


def test_nothing_is_painted_without_colour() -> None:
    assert painted("red", "31", color=False) == "red"
    assert painted("red", "31", color=True) == "\x1b[31mred\x1b[0m"
    assert painted("", "31", color=True) == ""

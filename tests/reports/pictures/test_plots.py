"""Plots in pages: well formed, each number in words, whatever the values."""

from __future__ import annotations

from xml.etree import ElementTree

from hypothesis import given
from hypothesis import strategies as st

from adjudicator.reports.pictures.plots import Bar, bar_plot, histogram


@given(st.lists(st.integers(-(10**6), 10**6), min_size=1))
def test_a_histogram_counts_every_number_once(numbers: list[int]) -> None:
    plot = histogram("Scores", numbers, "points")
    ElementTree.fromstring(plot.svg)
    assert sum(int(part.rpartition(": ")[2]) for part in plot.words.split("; ")) == len(numbers)
    assert len(plot.words.split("; ")) <= 18


def test_seconds_are_written_as_such() -> None:
    assert histogram("Time", [61], "marks", ("marks", "marks", "clock", "m:ss")).words == "1:01 marks: 1"


def test_bars_are_as_long_as_their_values() -> None:
    plot = bar_plot("Won", [Bar("red", 10, "1 %"), Bar("<b>blue", 20, "2 %"), Bar("green", 0, "0 %")])
    root = ElementTree.fromstring(plot.svg)
    widths = [int(rect.get("width", "")) for rect in root.iter("rect")]
    assert widths[1] == 2 * widths[0] and widths[2] == 1
    assert plot.words == "red: 1 %; <b>blue: 2 %; green: 0 %"


def test_bars_beyond_twenty_are_told_as_left_out() -> None:
    assert bar_plot("Won", [Bar(str(n), n, str(n)) for n in range(25)]).words.endswith("; 5 more")

"""Plots in pages: well formed, each number in words, whatever the values."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudicator.reports.pictures.plots import Bar, Line, bar_plot, histogram, line_graph


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


@pytest.mark.parametrize(
    ("amounts", "unit", "ticks"),
    [
        ((0, 7, 30), ("min", "minutes"), ["0", "10", "20", "30"]),
        ((0, 0, 0), ("F", "francs"), ["0", "1"]),
        ((-4, 3), ("pt", "points"), ["−4", "−2", "0", "2"]),
        ((0, 1_234), ("sp", "spaces"), ["0", "500", "1000"]),
        ((0, 100), ("marks", "marks", "time", "m:ss"), ["0:00", "0:50", "1:40"]),
        ((0, 700), ("marks", "marks", "time", "m:ss"), ["0:00", "5:00", "10:00"]),
    ],
)
def test_a_graph_has_round_numbers_at_its_axis(amounts: tuple[int, ...], unit: tuple[str, ...], ticks: list[str]) -> None:
    _, *labels = line_graph([Line("ink-red", amounts)], unit, [str(n) for n in range(len(amounts))])
    assert [re.sub("<[^>]*>", "", label) for label in labels][: len(ticks)] == ticks


def test_a_graph_of_one_entry_has_one_label_below() -> None:
    inner, *labels = line_graph([Line("ink-red", (3,)), Line("ink-blue", (0,))], ("min", "minutes"), ["0"])
    assert inner.count("<polyline") == 2
    assert sum('y="113"' in label for label in labels) == 1

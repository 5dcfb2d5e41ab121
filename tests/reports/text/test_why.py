"""The sum behind a cost: people must be able to add it up."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudicator.core.event import Part, total
from adjudicator.reports.text.why import why_text

PLACE = (
    Part(4, "place a tile", "CR-P1"),
    Part(-1, "highway W", "CR-P2"),
    Part(-1, "mountains W", "CR-P3"),
    Part(-1, "grassland N", "CR-P3"),
)


def added_up(text: str) -> int:
    """Read the amounts back out of a sum as a person would: quoted labels and the rules at the end say nothing."""
    text = re.sub(r"“[^”]*”", "", re.sub(r" \([^()]*\)$", "", text))
    first = re.match(r"(−?)([0-9]+)", text)
    assert first is not None
    amounts = [int(first[2]) * (-1 if first[1] else 1)]
    for sign, number in re.findall(r" ([+−]) ([0-9]+)?", text[first.end() :]):
        amounts.append(int(number or 1) * (-1 if sign == "−" else 1))
    return sum(amounts)


@pytest.mark.parametrize(
    ("why", "order", "text"),
    [
        (PLACE, "PLACE H3 at C2 rot 90", "4 − highway W − mountains W − grassland N (CR-P1, CR-P2, CR-P3)"),
        (PLACE[:1], "", "4 place a tile (CR-P1)"),
        ((Part(2, "draw two tiles", "CR-D1"),), "DRAW", "2 (CR-D1)"),
        (
            (Part(5, "gravel C3", "CR-M1"), Part(2, "highway D3", "CR-M1")),
            "MOVE C3 D3",
            "5 gravel C3 + 2 highway D3 (CR-M1)",
        ),
        (
            (Part(5, "gravel C3", "CR-M1"), Part(-3, "first to finish", "CR-F1")),
            "MOVE C3",
            "5 gravel C3 − 3 first to finish (CR-M1, CR-F1)",
        ),
        ((Part(-2, "refund", ""), Part(1, "fee", "")), "", "−2 refund + 1 fee"),
        ((Part(4, "", "X"), Part(-1, "", "X"), Part(0, "gps", "Y")), "", "4 − 1 + 0 gps (X, Y)"),
        ((Part(4, "4 + 4", "X"), Part(-1, "3 spaces", "X")), "", "4 “4 + 4” − “3 spaces” (X)"),
        ((), "DRAW", ""),
    ],
)
def test_a_cost_reads_as_a_sum(why: tuple[Part, ...], order: str, text: str) -> None:
    assert why_text(why, order) == text
    if why:
        assert added_up(text) == total(why)


LABELS = st.one_of(
    st.text(max_size=12), st.sampled_from(["highway W", "gravel C3", "3 spaces", "a + 2 b", "(x)", "” + 9 “", "- 4"])
)
PARTS = st.builds(Part, st.integers(-9, 9), LABELS, st.sampled_from(["CR-P1", "CR-P2", "CR-M1", ""]))


@given(st.lists(PARTS, min_size=1, max_size=6), st.sampled_from(["", "PLACE H3 at C2 rot 90", "a"]))
def test_whatever_the_labels_say_the_text_adds_up(parts: list[Part], order: str) -> None:
    assert added_up(why_text(parts, order)) == total(tuple(parts))


def test_hostile_labels_and_rules_are_harmless(hostile: str, assert_harmless) -> None:
    assert_harmless(why_text((Part(4, hostile, hostile), Part(-1, hostile, hostile)), hostile), 1)

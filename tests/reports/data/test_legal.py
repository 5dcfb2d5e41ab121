"""The list of legal orders."""

from __future__ import annotations

from typing import Any

from adjudicator.core.canonical import json_value
from adjudicator.core.event import Part
from adjudicator.outputs.orders import LegalRow
from adjudicator.reports.data.legal import legal_groups, legal_text

ROWS = (
    LegalRow("PLACE H3 at C2 rot 90", 3, (Part(4, "place a tile", "CR-P1"), Part(-1, "city N", "CR-P3"))),
    LegalRow("DRAW", 2, (Part(2, "draw two tiles", "CR-D1"),)),
    LegalRow("TAKE U7", 0),
    LegalRow("GUESS", None),
)


def test_every_order_stands_with_its_cost_and_why() -> None:
    assert legal_text(ROWS, ("min", "minutes")).splitlines() == [
        "order                  min  why",
        "PLACE H3 at C2 rot 90    3  4 − city N (CR-P1, CR-P3)",
        "DRAW                     2  2 (CR-D1)",
        "TAKE U7                  0",
        "GUESS                    –",
    ]


def test_no_order_is_said_in_words() -> None:
    assert legal_text((), ("min", "minutes")) == "no legal order"


def test_the_data_hold_the_same() -> None:
    assert json_value(ROWS[0]) == {
        "order": "PLACE H3 at C2 rot 90",
        "min": 3,
        "why": [
            {"amount": 4, "what": "place a tile", "rule": "CR-P1"},
            {"amount": -1, "what": "city N", "rule": "CR-P3"},
        ],
    }
    assert json_value(ROWS[3]) == {"order": "GUESS", "min": None, "why": []}


def test_hostile_texts_are_harmless(hostile: str, assert_harmless: Any) -> None:
    assert_harmless(legal_text([LegalRow(hostile, 1, (Part(1, hostile, hostile),))], (hostile, hostile)), 2)


def row(order: str, least: int | None = 1, *why: Part) -> LegalRow:
    return LegalRow(order, least, why)


def test_orders_that_differ_in_one_word_stand_on_one_line() -> None:
    rows = [row("MOVE C2"), row("MOVE C3"), row("MOVE D4"), row("DRAW", 2)]
    assert legal_text(rows, ("min", "minutes")).splitlines()[1:] == ["MOVE C2 | C3 | D4    1", "DRAW                 2"]


def test_neither_another_cost_nor_other_parts_of_it_are_hidden() -> None:
    city, desert = Part(1, "city", "R"), Part(1, "desert", "R")
    rows = [row("MOVE C2"), row("MOVE C3", 2), row("MOVE D4", 2, city), row("MOVE D5", 2, desert), row("MOVE D6", None)]
    assert [group.count for group in legal_groups(rows)] == [1] * 5


def test_parts_that_name_the_word_itself_or_stand_in_another_order_are_the_same() -> None:
    rows = [
        row("MOVE C2", 3, Part(2, "gravel C2", "R"), Part(1, "toll", "S")),
        row("MOVE C3", 3, Part(1, "toll", "S"), Part(2, "gravel C3", "R")),
    ]
    (line,) = legal_text(rows, ("min", "minutes")).splitlines()[1:]
    assert line == "MOVE C2 | C3    3  2 gravel … + 1 toll (R, S)"


def test_orders_of_other_kinds_or_lengths_stay_apart() -> None:
    rows = [row("TAKE H1"), row("DRAW H1"), row("DRAW H1 H2"), row("DRAW H1 H3")]
    assert [group.order for group in legal_groups(rows)] == ["TAKE H1", "DRAW H1", "DRAW H1 H2 | H3"]


def test_the_word_is_the_one_that_makes_the_fewest_lines() -> None:
    rows = [row(f"PLACE {tile} at C2 rot {rot}") for tile in ("H1", "H2", "H3") for rot in (0, 90)]
    assert [group.order for group in legal_groups(rows)] == [
        "PLACE H1 | H2 | H3 at C2 rot 0",
        "PLACE H1 | H2 | H3 at C2 rot 90",
    ]


def test_of_more_lines_than_asked_for_the_orders_are_counted() -> None:
    rows = [row("A 1"), row("B 1"), row("C 1"), row("C 2")]
    assert legal_text(rows, ("min", "minutes"), limit=1).splitlines()[-1] == "… 3 more"
    assert "more" not in legal_text(rows, ("min", "minutes"), limit=3)


def test_many_numbers_at_equal_steps_are_told_by_the_first_two_and_the_last() -> None:
    for numbers, told in (
        (range(10, 60, 10), "10 | 20 | 30 | 40 | 50"),
        (range(10, 70, 10), "10 | 20 | … | 60"),
        ((1, 2, 3, 4, 5, 7), "1 | 2 | 3 | 4 | 5 | 7"),
    ):
        (group,) = legal_groups([row(f"PAY {number}") for number in numbers])
        assert (group.order, group.count) == (f"PAY {told}", len(numbers))
    (group,) = legal_groups([row(f"PAY {place}") for place in "ABCDEF"])
    assert group.order == "PAY A | B | C | D | E | F"

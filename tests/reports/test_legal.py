"""The list of legal orders."""

from __future__ import annotations

from typing import Any

from adjudicator.core.canonical import json_value
from adjudicator.core.event import Part
from adjudicator.outputs.orders import LegalRow
from adjudicator.reports.legal import legal_text

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

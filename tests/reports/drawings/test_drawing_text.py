"""Drawings as text: the shapes beside a board, and how they stand below each other."""

from __future__ import annotations

from typing import Any

from boards import key

from adjudicator.core.drawing import Columns, Drawing, Fields
from adjudicator.reports.drawings.drawing_text import drawing_text

PLAYERS = Columns("Players", ("seat", "clock", "at"), (("red", "31", "C2"), ("blue", "9", "–")))
TABLE = Fields("Table", (("row", "U7 H2"), ("stack", "11 tiles")))
LEGEND = key("city", "desert")


def test_shapes_stand_below_each_other() -> None:
    assert drawing_text(Drawing((PLAYERS, TABLE, LEGEND))) == (
        "Players\n"
        "  seat  clock  at\n"
        "  red      31  C2\n"
        "  blue      9  –\n"
        "\n"
        "Table\n"
        "  row    U7 H2\n"
        "  stack  11 tiles\n"
        "\n"
        "c city   d desert\n"
        "▲ car"
    )


def test_without_a_title_nothing_is_indented() -> None:
    assert drawing_text(Drawing((Fields("", (("row", "U7"),)),))) == "row  U7"


def test_nothing_draws_nothing() -> None:
    assert drawing_text(Drawing(())) == ""


def test_hostile_texts_are_harmless(hostile: str, assert_harmless: Any) -> None:
    shapes = (
        Columns(hostile, (hostile, hostile), ((hostile, hostile),)),
        Fields(hostile, ((hostile, hostile),)),
        key(hostile),
    )
    assert_harmless(drawing_text(Drawing(shapes)), 9)
    assert_harmless(drawing_text(Drawing(shapes), color=True), 9, has_colour=True)

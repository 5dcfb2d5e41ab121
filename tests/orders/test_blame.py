"""Whose a problem is, and where it stands: of a seat without its colon, of lines below END."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from adjudicator.orders.turnfile import TurnFile

Read = Callable[..., TurnFile]


def test_a_seat_without_its_colon_is_to_blame_itself(read: Read) -> None:
    found = read("blue: DRAW\n\nred\n  MOVE C3 D3\n")
    (problem,) = found.diagnostics
    assert (problem.seat, problem.line, problem.text) == ("red", 3, "red")
    assert [sheet.seat for sheet in found.sheets if sheet.instructions] == ["blue"]


@pytest.mark.parametrize("below", ["red: DROW", "red: DRAW"])
def test_what_stands_below_end_is_told_once_with_its_line_and_words(read: Read, below: str) -> None:
    found = read(f"red:\n  DRAW\nEND\nblue: DRAW\n{below}\nMOVE C3 D3\n")
    assert [(one.line, one.text, one.why) for one in found.ignored] == [
        (5, below, "red wrote END above"),
        (6, "MOVE C3 D3", "red wrote END above"),
    ]
    assert found.diagnostics == ()

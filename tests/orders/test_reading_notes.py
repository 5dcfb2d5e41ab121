"""What was read in other words than it was written is told once for each sheet, and is never a problem."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from adjudicator.core.ids import Seat
from adjudicator.core.order import Instruction, Sheet
from adjudicator.core.wording import Order, order
from adjudicator.games.checkered_flag.rules import RULESET as FLAG
from adjudicator.games.checkpoint_charlie.rules import RULESET as CHARLIE
from adjudicator.games.checkpoint_rally.orders import Place
from adjudicator.games.checkpoint_rally.rules import RULESET as RALLY
from adjudicator.orders.clean import clean
from adjudicator.orders.parser import reader
from adjudicator.orders.reading_notes import CASE, LEFT_OUT, SIGNS, ReadingNote, reading_notes
from adjudicator.orders.turnfile import TurnFile


def told(rules: Any, *lines: str) -> list[tuple[str, int, str]]:
    return [(found.code, found.line, found.read) for found in _readings(rules, *lines)]


def _readings(rules: Any, *lines: str) -> list[ReadingNote]:
    instructions = []
    for number, line in enumerate(lines, 1):
        parsed: Any = reader(rules).read(clean(line))
        instructions.append(Instruction(parsed.expression, parsed.draws, number, line, "t.txt"))
    return list(reading_notes(rules, Sheet(Seat("red"), tuple(instructions))))


@pytest.mark.parametrize(
    ("rules", "line"),
    [
        (RALLY, "PLACE H3 at C2 rot 0"),
        (RALLY, "place H3 C2 0"),
        (RALLY, "- Place H3 on C2, rotated by 90 degrees.  # as “agreed”"),
        (RALLY, "place h3 c2 0"),
        (RALLY, "MOVE C3 – D3"),
        (RALLY, "draw two tiles"),
        (RALLY, "KEEP U2 and H3"),
        (RALLY, "“DRAW”"),
        (RALLY, "*MOVE* C3"),
        (RALLY, "IF row has u7 THEN TAKE U7"),
        (RALLY, "TAKE U7 IF hand > 0"),
        (RALLY, "PLACE H3 rot 0 at C2 OR DRAW [H5 G2]"),
        (CHARLIE, "WAIT"),
        (CHARLIE, "clue is no hat"),
        (CHARLIE, "ACCUSE Boris OR ACCUSE Fleming received 2026-11-20 18:05"),
        (FLAG, "Gear N"),
        (FLAG, "third gear".replace("third gear", "shift to third gear, brake before the danger zone")),
    ],
)
def test_what_says_the_same_is_not_told(rules: Any, line: str) -> None:
    assert told(rules, line) == []


def test_a_part_left_out_is_told_with_both_wordings() -> None:
    (found,) = _readings(RALLY, "DRAW", "  put H3 on C2   # quick")
    assert (found.code, found.seat, found.line, found.source) == (LEFT_OUT, "red", 2, "t.txt")
    assert (found.written, found.read) == ("put H3 on C2", "PLACE H3 at C2 rot 0")
    assert found.words == "line 2 of t.txt: `put H3 on C2` was read as `PLACE H3 at C2 rot 0` (rot was left out: 0)"


def test_a_part_left_out_of_one_of_several_orders_is_told() -> None:
    line = "IF hand > 0 THEN PLACE H3 at C2 OR PLACE H3 at C3 rot 0"
    assert [code for code, _, _ in told(RALLY, line)] == [LEFT_OUT]
    assert [code for code, _, _ in told(RALLY, "IF cost of PLACE H3 at C2 > 0 THEN DRAW")] == []


def test_names_in_another_case_are_told() -> None:
    (found,) = _readings(RALLY, "keep u1 and H3, u2")
    assert (found.code, found.read, found.why) == (CASE, "KEEP H3 U1 U2", "the names are U1 U2")
    assert told(CHARLIE, "accuse FLEMING") == [(CASE, 1, "ACCUSE Fleming")]


def test_odd_signs_within_an_order_are_told() -> None:
    (found,) = _readings(RALLY, "TAKE „U7”.")
    assert (found.code, found.written, found.read) == (SIGNS, "TAKE „U7”.", "TAKE U7")
    assert [code for code, _, _ in told(RALLY, "ＤＲＡＷ")] == [SIGNS]
    assert told(RALLY, "TAKE\u00a0U7") == []


def test_each_kind_is_told_once_for_a_sheet() -> None:
    found = told(RALLY, "PLACE H3 at C2", "Place h3 at c3", "take 'U7'", "PLACE H4 at C2", "take u8")
    assert found == [
        (LEFT_OUT, 1, "PLACE H3 at C2 rot 0"),
        (CASE, 2, "PLACE H3 at C3 rot 0"),
        (SIGNS, 3, "TAKE U7"),
    ]


def test_the_head_of_the_sheet_is_not_part_of_the_wording(read: Callable[..., TurnFile]) -> None:
    (sheet,) = read("red: PLACE H3 at C2").sheets
    assert [found.written for found in reading_notes(RALLY, sheet)] == ["PLACE H3 at C2"]


def test_an_order_can_say_that_leaving_a_part_out_is_obvious(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Place, "obvious", frozenset({"rot"}))
    assert told(RALLY, "PLACE H3 at C2") == []


def test_what_is_obvious_is_a_field_of_the_order() -> None:
    @order("LAY H3 0", obvious=("rot",))
    class Lay(Order):
        tile: str
        rot: int = 0

    assert Lay.obvious == {"rot"}
    with pytest.raises(TypeError, match="Bad has no field rto"):

        @order("BAD", obvious=("rto",))
        class Bad(Order):
            rot: int = 0

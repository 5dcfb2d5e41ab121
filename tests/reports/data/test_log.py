"""The log of minutes, as rows, text and JSON lines."""

from __future__ import annotations

import json
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

import pytest

from adjudicator.core.canonical import canonical_text, json_value
from adjudicator.core.event import Part, Spent, total
from adjudicator.core.ids import Seat
from adjudicator.core.journal import Entry
from adjudicator.outputs.orders import LogRow
from adjudicator.reports.data.log import log_json, log_rows, log_text

RED, BLUE = Seat("red"), Seat("blue")
MINUTES = ("min", "minutes")
PLACE_WHY = (
    Part(4, "place a tile", "CR-P1"),
    Part(-1, "highway W", "CR-P2"),
    Part(-1, "mountains W", "CR-P3"),
    Part(-1, "grassland N", "CR-P3"),
)


@dataclass(frozen=True)
class Told:
    words: str


RULES: Any = SimpleNamespace(tell=lambda _config, event: event.words)


def entry(
    n: int, seat: Seat | None, order: str, *events: Any, written: str | None = None, notes: tuple[str, ...] = ()
) -> Entry:
    return Entry(n=n, turn=7, seat=seat, order=order, written=written, notes=notes, events=events, drawn=0)


def rows(*entries: Entry) -> tuple[LogRow, ...]:
    return log_rows(RULES, None, entries)


def test_a_row_tells_order_cost_clock_and_events() -> None:
    spent = Spent(seat=RED, before=31, after=32, why=PLACE_WHY)
    (row,) = rows(entry(12, RED, "PLACE H3 at C2 rot 90", Told("red lays H3 at C2"), spent, Told("")))
    assert row == LogRow(
        n=12,
        turn=7,
        seat=RED,
        order="PLACE H3 at C2 rot 90",
        min=1,
        before=31,
        after=32,
        why=PLACE_WHY,
        told=("red lays H3 at C2",),
        written=None,
        notes=(),
    )


def test_several_costs_of_one_order_are_one_row() -> None:
    first = Spent(seat=RED, before=10, after=15, why=(Part(5, "gravel C3", "CR-M1"),))
    second = Spent(seat=RED, before=15, after=12, why=(Part(-3, "first to finish", "CR-F1"),))
    (row,) = rows(entry(3, RED, "MOVE C3", first, second))
    assert (row.min, row.before, row.after) == (2, 10, 12)
    assert total(row.why) == row.min


def test_another_seats_clock_gets_a_row_without_order() -> None:
    own = Spent(seat=RED, before=10, after=12, why=(Part(2, "draw two tiles", "CR-D1"),))
    other = Spent(seat=BLUE, before=4, after=9, why=(Part(5, "fine", "X-1"),))
    red, blue = rows(entry(3, RED, "DRAW", other, own, Told("red draws 2 tiles"), written="DRAW OR REFRESH", notes=("so",)))
    assert (red.seat, red.order, red.min, red.told) == (RED, "DRAW", 2, ("red draws 2 tiles",))
    assert (blue.seat, blue.order, blue.min, blue.before, blue.after) == (BLUE, "", 5, 4, 9)
    assert (blue.told, blue.written, blue.notes) == ((), None, ())


def test_an_order_that_costs_nothing_has_no_clock() -> None:
    (row,) = rows(entry(4, RED, "DISCARD G7", Told("red discards G7")))
    assert (row.min, row.before, row.after, row.why) == (0, None, None, ())


def test_the_set_up_is_a_row_without_seat() -> None:
    (row,) = rows(entry(0, None, "", Told("order of play: red blue")))
    assert (row.seat, row.order, row.min, row.told) == (None, "", 0, ("order of play: red blue",))
    assert log_text([row], MINUTES).splitlines()[1].split() == ["0", "set-up", "0"]


def test_the_table_looks_as_the_design_says() -> None:
    spent = Spent(seat=RED, before=31, after=32, why=PLACE_WHY)
    text = log_text(rows(entry(12, RED, "PLACE H3 at C2 rot 90", spent)), MINUTES)
    assert text == (
        "  #  seat  order                  min  clock    why\n"
        " 12  red   PLACE H3 at C2 rot 90    1  31 → 32  4 − highway W − mountains W − grassland N (CR-P1, CR-P2, CR-P3)"
    )


def test_columns_stay_in_line_whatever_the_seats_are_called() -> None:
    spent = Spent(seat=Seat("李明"), before=9, after=114, why=(Part(105, "a long way", "X-1"),))
    text = log_text(rows(entry(1, Seat("李明"), "DRAW", spent), entry(1000, RED, "REFRESH")), MINUTES)
    heading, first, second = text.splitlines()
    assert first == "   1  李明  DRAW     105    9 → 114  105 a long way (X-1)"
    assert heading.index("order") == second.index("REFRESH") == len("   #  seat  ")


def test_lines_under_a_row_tell_the_sheet_the_branch_and_on_demand_the_events() -> None:
    listed = rows(
        entry(5, RED, "DRAW", Told("red draws 2 tiles"), written="TAKE U7 OR DRAW", notes=("TAKE U7: not possible",))
    )
    brief = log_text(listed, MINUTES).splitlines()
    assert [line.strip() for line in brief[2:]] == ["written: TAKE U7 OR DRAW", "note: TAKE U7: not possible"]
    assert log_text(listed, MINUTES, with_events=True).splitlines() == [*brief, " " * 11 + "· red draws 2 tiles"]


def test_json_lines_are_canonical_and_leave_out_what_there_is_not() -> None:
    spent = Spent(seat=RED, before=31, after=32, why=PLACE_WHY)
    plain, conditional = log_json(
        rows(entry(12, RED, "PLACE H3 at C2 rot 90", spent), entry(13, RED, "DRAW", written="DRAW OR DRAW", notes=("n",)))
    ).splitlines()
    data = json.loads(plain)
    assert plain == canonical_text(data)
    assert set(data) == {"n", "turn", "seat", "order", "min", "before", "after", "why", "told"}
    assert sum(part["amount"] for part in data["why"]) == data["min"] == 1
    assert json.loads(conditional)["written"] == "DRAW OR DRAW"
    assert json.loads(conditional)["notes"] == ["n"]
    assert json.loads(conditional)["before"] is None


def test_an_empty_log_is_its_heading() -> None:
    assert log_text((), MINUTES).split() == ["#", "seat", "order", "min", "clock", "why"]
    assert log_json(()) == ""


@pytest.mark.parametrize("with_events", [False, True])
def test_hostile_texts_are_harmless(hostile: str, assert_harmless: Any, with_events: bool) -> None:
    spent = Spent(seat=Seat(hostile), before=1, after=2, why=(Part(1, hostile, hostile),))
    listed = rows(entry(1, Seat(hostile), hostile, spent, Told(hostile), written=hostile, notes=(hostile,)))
    assert_harmless(log_text(listed, (hostile, hostile), with_events=with_events), 5 if with_events else 4)


def test_hostile_texts_in_json_are_harmless_and_exact(hostile: str) -> None:
    (row,) = rows(entry(1, RED, hostile, Told(hostile), written=hostile))
    assert log_json([row]).isprintable()
    assert json.loads(log_json([row])) == json_value(row)
    assert row.order == hostile


def test_seconds_read_as_minutes_and_seconds_where_the_unit_asks_for_it() -> None:
    from adjudicator.core.ruleset import Unit
    from adjudicator.reports.text.table import signed
    from adjudicator.reports.text.why import why_text

    unit = Unit("marks", "marks", "penalty", "m:ss")
    assert [signed(amount, unit) for amount in (0, 59, 60, 7839, -61)] == ["0:00", "0:59", "1:00", "130:39", "−1:01"]
    why = (Part(1800, "PC5 missed", "RR-F1"), Part(-61, "put right", "RR-F1"))
    assert why_text(why, "", unit) == "30:00 PC5 missed − 1:01 put right (RR-F1)"


def test_names_of_players_stand_in_the_column_of_seats() -> None:
    held = {RED: "Jos\u00e9  \u5c71\u7530 (jr)", BLUE: "Blue"}
    spent = Spent(seat=BLUE, before=3, after=5, why=(Part(2, "waits", "CR-P1"),))
    listed = rows(entry(0, None, ""), entry(1, RED, "DRAW", Told("red draws"), spent), entry(2, BLUE, "REFRESH"))
    named = log_text(listed, MINUTES, with_events=True, holders=lambda _row: held)
    assert f"1  {held[RED]} (red)  DRAW" in named
    assert "2  blue " in named

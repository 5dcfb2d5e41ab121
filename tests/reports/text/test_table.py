"""Tables: every column as wide as its widest cell."""

from __future__ import annotations

from adjudicator.reports.text.table import column_widths, row_text, signed, table_lines


def test_columns_of_numbers_end_together_and_wide_names_push_the_next_column() -> None:
    lines = table_lines(("seat", "clock", "note"), [("red", "7", "first"), ("李明明", "131", "")])
    assert lines == ["seat    clock  note", "red         7  first", "李明明    131"]


def test_a_table_may_have_no_headings_or_no_rows() -> None:
    assert table_lines((), [("row", "U7 H2"), ("stack", "11 tiles")]) == ["row    U7 H2", "stack  11 tiles"]
    assert table_lines((), []) == []
    assert table_lines(("a", "b"), []) == ["a  b"]


def test_columns_have_a_least_width() -> None:
    widths = column_widths([("a", "bbb")], (3, 2))
    assert widths == (3, 3)
    assert row_text(("a", "b"), widths, right=(0,)) == "  a  b"


def test_amounts_below_zero_carry_a_minus_sign() -> None:
    assert [signed(amount) for amount in (4, 0, -3)] == ["4", "0", "−3"]

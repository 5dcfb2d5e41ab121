"""What was passed over, in words: no more of it than anybody reads."""

from __future__ import annotations

from adjudicator.orders.findings import Ignored
from adjudicator.reports.data.ignored import ignored_lines, passed_over


def test_lines_that_follow_each_other_are_one_stretch() -> None:
    lines = [passed_over(Ignored(n, f"> {n}", "a quote", "t")) for n in range(3, 8)]
    assert list(ignored_lines(lines)) == [
        "ignored: t, lines 3 to 7 (a quote):", "  > 3", "  > 4", "  > 5", "  … and 2 more",
    ]  # fmt: skip


def test_what_is_too_much_to_read_is_counted() -> None:
    lines = [passed_over(Ignored(2 * n, "x", "a quote", "t")) for n in range(1, 501)]
    told = list(ignored_lines(lines))
    assert len(told) == 201
    assert told[-1] == "… and 800 more lines about ignored text"
    assert told[0] == "ignored: t, line 2 (a quote):"

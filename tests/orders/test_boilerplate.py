"""What stands around orders in a mail is passed over, and every line of it is told."""

from __future__ import annotations

import pytest

from adjudicator.orders.boilerplate import content


def split(*lines: str) -> tuple[list[str], list[tuple[int, str]]]:
    """Return the lines that say something, and number and reason of those passed over; a header ends in a colon."""
    ignored: list[tuple[int, str]] = []
    kept = content(lines, lambda line: line.endswith(":"), lambda number, raw, why: ignored.append((number, why)))
    return [line for _, _, line in kept], ignored


def test_blank_lines_and_comments_say_nothing() -> None:
    assert split("", "   ", "\t", "\u00a0", "# a remark", ";", "DRAW") == (["DRAW"], [])


def test_lines_keep_their_number_and_their_text() -> None:
    assert list(content(["", "> x", " **DRAW** # x"], lambda _: False, lambda *_: None)) == [(3, " **DRAW** # x", "   DRAW")]


@pytest.mark.parametrize("line", ["> DRAW", ">>", "  > red:", "＞ DRAW"])
def test_quoted_lines(line: str) -> None:
    kept, ((number, why),) = split(line, "MOVE C3 > D3")
    assert (kept, number, why.split()[0]) == (["MOVE C3 > D3"], 1, "quoted")


@pytest.mark.parametrize("lines", [["> DRAW"], ["", "> DRAW"], ["", "  ", ">"]])
def test_the_line_that_introduces_a_quote(lines: list[str]) -> None:
    kept, ignored = split("DRAW", "On Friday, Ann wrote:", *lines)
    assert kept == ["DRAW"]
    assert ignored[0] == (2, "it introduces a quote")


@pytest.mark.parametrize("lines", [["red:", "> DRAW"], ["On Friday:", "DRAW", "> DRAW"], ["On Friday:"]])
def test_other_lines_with_a_colon_introduce_no_quote(lines: list[str]) -> None:
    assert split(*lines)[0][0] == lines[0]


@pytest.mark.parametrize("line", ["-----", "=====", "___", "~~~~", "...", "?"])
def test_lines_without_words(line: str) -> None:
    kept, ((number, why),) = split("DRAW", line, "REFRESH")
    assert (kept, number, "without words" in why) == (["DRAW", "REFRESH"], 2, True)


@pytest.mark.parametrize("mark", ["-- ", "--", "—", "__"])
def test_a_signature_ends_at_the_next_header(mark: str) -> None:
    kept, ignored = split("DRAW", mark, "Bob", "", "DRAW", "> quote", "red:", "REFRESH")
    assert kept == ["DRAW", "red:", "REFRESH"]
    assert [(number, "signature" in why) for number, why in ignored] == [(number, True) for number in (2, 3, 5, 6)]


def test_a_second_signature() -> None:
    assert split("-- ", "Bob", "red:", "DRAW", "-- ", "Ann")[0] == ["red:", "DRAW"]


def test_what_is_struck_out() -> None:
    kept, ignored = split("~~DRAW~~", "REFRESH", "  ~~red: MOVE C3~~", "MOVE C3 ~~D3~~")
    assert [line.strip() for line in kept] == ["REFRESH", "MOVE C3"]
    assert ignored == [(1, "it is struck out"), (3, "it is struck out")]

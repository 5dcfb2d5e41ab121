"""Two orders on one line: both are read, and a problem with either keeps the whole line."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from adjudicator.core.ids import Seat
from adjudicator.core.problem import Diagnostic
from adjudicator.moderate.adjudicate import adjudicate_files
from adjudicator.moderate.own_check import check_own
from adjudicator.orders.locate import locate
from adjudicator.orders.submission import text_submission
from adjudicator.orders.turnfile import TurnFile
from adjudicator.rulesets import ruleset
from adjudicator.testing.games import play_games

Read = Callable[..., TurnFile]
RULES = ruleset("checkpoint-rally")


def blamed(found: Diagnostic) -> str:
    return found.text[found.column - 1 : found.column - 1 + found.width]


@pytest.mark.parametrize(
    ("line", "word"),
    [
        ("DRAW; MVOE A2", "MVOE"),
        ("DRAW; REFRESH; PLACE H3 at C2 foo", "foo"),
        ("PLACE H3 at C2 foo; DRAW", "foo"),
        ("DRAW and MOVE A2 and WITHDRAW 4", "MOVE"),
        ("DRAW; WITHDRAW", "WITHDRAW"),
        ("DRAW; MVOE A2, thanks Bob", "MVOE"),
    ],
)
def test_an_unreadable_order_keeps_the_whole_line(read: Read, line: str, word: str) -> None:
    (found,) = read(f"red:\n{line}").diagnostics
    assert (found.text, blamed(found)) == (line, word)


@pytest.mark.parametrize(
    ("line", "word"),
    [
        ("DRAW; MOVE Z9", "Z9"),
        ("  MOVE Z9; DRAW", "Z9"),
        ("DRAW, then MOVE Z9 please.", "Z9"),
        ("Please move z9, thanks!", "z9"),
        ("DRAW; DRAW; MOVE C3 OR MOVE Z9", "Z9"),
    ],
)
def test_an_order_that_no_position_allows_keeps_the_whole_line(line: str, word: str) -> None:
    session = play_games(RULES, 1, seed=1, most_orders=0).sessions[0]
    seat = session.seats[0]
    text = text_submission("t.txt", f"{seat}:\n{line}".encode())
    for result in (adjudicate_files(session, [text]), check_own(session, [text], seat)):
        (found,) = [found for found in result.diagnostics if word in found.problem.message + blamed(found)]
        assert (found.text, blamed(found), found.line) == (line, word, 2)


def test_a_withdrawal_of_what_is_not_there_keeps_the_whole_line(read: Read) -> None:
    texts = "red:\nDRAW", "red:\nWITHDRAW from 3; MOVE C3"
    (found,) = read(*texts).diagnostics
    placed = locate(RULES, found)
    assert (placed.problem.code, placed.text) == ("core/nothing-waits", "WITHDRAW from 3; MOVE C3")


def test_orders_of_another_seat_after_a_semicolon_are_reported(read: Read) -> None:
    """They are not read: a line is one seat's, and a problem with it shows the whole line."""
    found = read("red: DRAW; blue: PLACE H3 foo")
    assert found.diagnostics == ()
    assert [(one.line, one.text.strip(), one.is_remark) for one in found.ignored] == [(1, "blue: PLACE H3 foo", False)]
    assert [sheet.seat for sheet in found.sheets] == [Seat("red")]

"""Texts as they come in, and whom they are for."""

from __future__ import annotations

import pytest

from adjudicator.core.ids import Seat
from adjudicator.orders.clean import MOST_LINES
from adjudicator.orders.submission import Addressee, Submission, limit_lines

RED, BLUE = Seat("red"), Seat("blue")
ADDRESSEE = Addressee("rally", 5, (RED, BLUE, Seat("green")), turns={RED: (5, 6), BLUE: (6,)}, latest=6)


def test_a_seat_is_told_the_usual_number_if_that_counts_for_it_and_else_the_greatest() -> None:
    assert [ADDRESSEE.turn_for(seat) for seat in ADDRESSEE.seats] == [5, 6, 5]


def test_which_numbers_count_is_a_matter_of_the_seat() -> None:
    taken = {seat: [turn for turn in (4, 5, 6, 7) if ADDRESSEE.counts(turn, seat)] for seat in ADDRESSEE.seats}
    assert taken == {"red": [5, 6], "blue": [6], "green": [5]}


@pytest.mark.parametrize(("is_mail", "what"), [(True, "the mail's text has"), (False, "the file has")])
def test_too_many_lines_are_a_problem_and_none_of_them_is_kept(is_mail: bool, what: str) -> None:
    full = Submission("x", ("DRAW",) * MOST_LINES, RED, is_mail=is_mail, names=("anna",))
    assert limit_lines(full) is full
    found = limit_lines(Submission("x", ("DRAW",) * (MOST_LINES + 1), RED, is_mail=is_mail, names=("anna",)))
    assert found.problem is not None
    assert (found.problem.code, found.lines, found.names, found.seat) == ("orders/too-many-lines", (), (), RED)
    assert found.problem.message == f"{what} 20,001 lines; the limit is 20,000"

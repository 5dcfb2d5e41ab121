"""The lines that name the seats that are due and the result of a game."""

from __future__ import annotations

from adjudicator.core.ids import Seat
from adjudicator.core.ruleset import Decision, Standing
from adjudicator.reports.data.outcome import due_lines, outcome_lines

HOLDERS = {Seat("red"): "Ann", Seat("blue"): ""}


def test_scores_below_nothing_have_the_minus_sign_of_the_reports() -> None:
    rows = [
        Standing(place=1, seat=Seat("red"), score=12, note="wins", is_final=True),
        Standing(place=2, seat=Seat("blue"), score=-1, note="", is_final=True),
    ]
    lines = [line.rstrip() for line in outcome_lines(rows, ("min", "minutes"), HOLDERS)]
    assert lines == [
        "  1. Ann (red)  12 min  wins",
        "  2. blue  −1 min",
    ]


def test_each_decision_says_whose_it_is_what_is_asked_and_why() -> None:
    decisions = [Decision(seat=seat, kind="turn", ask="take a tile", rule="R-T1") for seat in HOLDERS]
    assert due_lines(decisions, HOLDERS) == ["  Ann (red): take a tile (R-T1)", "  blue: take a tile (R-T1)"]

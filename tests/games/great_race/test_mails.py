"""How many mails a round takes: two of each player, where all answers are given ahead."""

from __future__ import annotations

import pytest

from adjudicator.core.order import Instruction, Sheet
from adjudicator.games.great_race.rules import RULESET
from adjudicator.orders.parser import read_expression

CARDS = ("Ranger", "Jerrycan", "Driver", "Mechanic", "Caravan", "Financial", "Toolbox", "Spare parts", "Trail hunter")
OTHERS = ("Cartographer", "Saboteur", "Cheater", "Tracker", "Refuelling", "Transport")
FIRST = (
    " OR ".join(f"TAKE {card}" for card in (*CARDS, *OTHERS)),
    "REACT cards with escort, ranger only if parts > 1",
    "PLAN scouts 1 mechanics 2 escort 1 funding 1",
)
"""In the bivouac, with the plan."""
SECOND = (
    "IF hand has financial THEN PLAY Financial",
    "IF hand has trail_hunter THEN PLAY Trail hunter keeping Ranger, Jerrycan, Toolbox",
    "SCOUT tiles cheap {one} then {other} OR SCOUT card",
    "DRIVE {one} {other} Tamanrasset losing chassis using escort OR DRIVE {one} losing chassis using nothing OR PASS",
    "IF excess > 0 THEN (DISCARD Ranger OR DISCARD Jerrycan OR DISCARD Toolbox)",
    "DRIVE {one} losing chassis using nothing OR DRIVE D4 losing engine using nothing OR PASS",
    "FUND OR PASS",
    "IF escorts > 0 THEN PASS",
)
"""Once the plans are open: all sequences of the round."""
SPACES = {"red": ("E2", "E3"), "blue": ("F1", "F2"), "green": ("D2", "D3"), "yellow": ("D1", "C2")}


def mail(seat, lines):
    """Return one mail of ``seat``."""
    one, other = SPACES[seat]
    orders = (read_expression(RULESET, line.format(one=one, other=other))[0] for line in lines)
    return Sheet(seat, tuple(map(Instruction, orders)))


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_gr_v1_a_round_takes_two_mails_of_each_where_answers_are_given_ahead(start, seats, seed):
    race = start(seats, seed=seed)
    names = race.config.seats
    planned = race.adjudicate(*(mail(seat, FIRST) for seat in names))
    assert not planned.diagnostics
    assert race.due()[0][1] == "turn"
    driven = race.adjudicate(*(mail(seat, SECOND) for seat in names))
    # Who had to pass early has orders left for which the next round's bivouac has no use.
    assert {one.problem.code for one in driven.diagnostics} <= {"great-race/take-first"}
    assert race.state.round == 2

"""How players write orders."""

import pytest

from adjudicator.games.rally_round.orders import Pick
from adjudicator.games.rally_round.rules import RULESET
from adjudicator.orders.parser import read_expression


@pytest.mark.parametrize(
    "written",
    [
        "kit: D1, N2, E3, S4, A5 and B6",
        "Kit D1/N2/E3/S4/A5/B6",
        "kit D1-N2-E3-S4-A5-B6",
        "take the kit D1 N2 E3 S4 A5 B6",
        "my kit: driver D1, navigator N2, equipment E3, start S4, accel A5 and deceleration B6",
    ],
)
def test_rr_k1_a_kit_is_written_in_many_ways(written):
    assert read_expression(RULESET, written) == (Pick("D1", ("N2", "E3", "S4", "A5", "B6")), ())

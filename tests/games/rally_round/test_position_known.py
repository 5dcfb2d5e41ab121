"""What players know of an explicit position: the rally that is driven, and not where others stand."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from adjudicator.games.rally_round.rules import RULESET
from adjudicator.games.rally_round.state import Crew, Position
from adjudicator.store.components import shipped


def test_the_rally_of_a_position_is_known_and_its_crews_are_not() -> None:
    components: Any = shipped(RULESET)[0]
    rally = replace(components.rallies[0], id="mine")
    assert RULESET.known_position(Position(rally=rally, seats=(Crew(seat="red"),), minute=7)) == Position(rally=rally)
    assert RULESET.known_position(Position(seats=(Crew(seat="red"),))) is None

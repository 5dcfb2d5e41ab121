"""How long it takes to score an internet rally of Rally Round when everybody's sheet comes at once (CPU time)."""

from __future__ import annotations

import re
from pathlib import Path
from time import process_time
from typing import Any

import pytest

from adjudicator.begin import Wish, begin_game
from adjudicator.core.engine import adjudicate
from adjudicator.core.ids import Seat
from adjudicator.core.ruleset import Player
from adjudicator.games.rally_round.rules import RULESET
from adjudicator.orders.turnfile import Addressee, read_turn_files
from adjudicator.store.components import shipped

pytestmark = pytest.mark.benchmark
RALLY = Path(__file__).parents[2] / "examples" / "rally-round" / "competition" / "turn-01.txt"
"""The whole rally in one mail: a kit, nine sections, 58 turns."""


@pytest.mark.parametrize("crews", [10, 50, 200])
@pytest.mark.benchmark(group="a whole rally of so many crews", timer=process_time)
def test_score_everybody_at_once(benchmark: Any, crews: int) -> None:
    seats = [Seat(f"crew{number}") for number in range(crews)]
    parts = shipped(RULESET)[0]
    players = tuple(Player(seat) for seat in seats)
    begun = begin_game(Wish(ruleset="rally-round", id="many", players=players, components=parts, secret="55" * 32))
    lines = re.findall(r"^  (?:KIT|\w+\d+:) .*", RALLY.read_text("utf-8"), re.MULTILINE)
    text = "".join(f"{seat}:\n" + "\n".join(lines) + "\n" for seat in seats)

    def score() -> Any:
        received = read_turn_files(begun.rules, Addressee("many", 1, begun.seats), [("sheets", text.encode())])
        return adjudicate(begun.rules, begun.config, begun.game, received.sheets)

    outcome = benchmark.pedantic(score, rounds=1)
    assert len(outcome.accepted) == 10 * crews
    assert begun.rules.is_over(begun.config, outcome.game.state)

"""Races of The Great Race by the thousand, over both boards and all numbers of crews: played, audited, added up."""

from __future__ import annotations

from random import Random

import pytest
from attack import Attack

from adjudicator.audit.decide import audit_game
from adjudicator.session import open_session
from adjudicator.simulate.plan import Plan
from adjudicator.simulate.play import play_game
from adjudicator.store.load import load_game
from adjudicator.store.save import dump_game
from tests.drivers.race_sums import require_sums

MOST_ORDERS = 20_000
"""Crews that do anything legal often need a thousand orders and more."""
STARTS = {"africa": ("first", "Cape-Town"), "asia": ("first", "Peking")}


def plan_of(luck: Random) -> Plan:
    """Return what a game is: on any board from either side, with crews that plan, that do anything legal, or both."""
    board = luck.choice(tuple(STARTS))
    return Plan(
        ruleset="great-race",
        games=1,
        players=luck.choice((2, 3, 4)),
        seed=luck.randrange(2**32),
        player=luck.choices(("random", "mixed", "greedy"), (1, 8, 8))[0],
        options={"board": board, "start": luck.choice(STARTS[board])},
        most_orders=MOST_ORDERS,
    )


@pytest.mark.parametrize("whole", [3, pytest.param(5_000, marks=pytest.mark.soak)])
def test_simulated_races_are_verified_and_add_up(attack: Attack, whole: int) -> None:
    for _ in range(attack.times(whole)):
        plan = plan_of(attack.next_round())
        played = play_game(plan, 1)
        session = open_session(load_game(dump_game(played.session.game)))
        verdict = audit_game(session)
        assert verdict.divergence is None, (plan, verdict.divergence)
        assert played.is_finished, plan
        require_sums(session)
        attack.count(f"{plan.options['board']} games")
        attack.count(f"games with {plan.player} crews")
        attack.count("orders", played.orders)
        attack.count("games that somebody won", any(crew.arrival for crew in session.game.state.crews))

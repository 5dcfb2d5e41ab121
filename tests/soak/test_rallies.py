"""Rallies of Rally Round by the thousand, over both modes and all variants: played, read back, audited, added up."""

from __future__ import annotations

from random import Random

import pytest
from attack import Attack

import adjudicator as adj
from adjudicator.simulate.plan import Plan
from adjudicator.simulate.play import play_game
from adjudicator.store.save import dump_game
from tests.drivers.rally import cards_seen, require_room, require_sums

MOST_ORDERS = 3_000
INTERNET = {"sheets": ("sealed", "open"), "illegal-speed": ("miss", "reject")}
TABLE = {
    "kind": ("road", "stage"),
    "kit": ("draft", "deal"),
    "parts": ("1", "1", "1", "2", "3"),
    "solo": ("off", "off", "competitive"),
    "illegal-speed": ("miss", "miss", "reject"),
}


def plan_of(luck: Random, number: int) -> Plan:
    """Return what game ``number`` is: of any mode and variant, most of them with players that try whatever is allowed."""
    mode = ("internet", "table")[number % 2]
    options = {name: luck.choice(values) for name, values in (TABLE if mode == "table" else INTERNET).items()}
    player = luck.choices(("random", "mixed", "greedy"), (8, 1, 1))[0]
    return Plan(
        ruleset="rally-round",
        games=1,
        players=luck.choice((1, 2, 2, 3)) if number % 25 else luck.choice((4, 5, 6)),
        seed=luck.randrange(2**32),
        player=player,
        options={"mode": mode, **options},
        most_orders=MOST_ORDERS,
    )


@pytest.mark.parametrize("whole", [6, pytest.param(5_000, marks=pytest.mark.soak)])
def test_simulated_rallies_are_verified_and_add_up(attack: Attack, whole: int) -> None:
    seen: set[str] = set()
    for _ in range(attack.times(whole)):
        plan = plan_of(attack.next_round(), attack.at)
        played = play_game(plan, 1)
        game = adj.open(dump_game(played.session.game))
        verdict = game.audit()
        assert verdict.divergence is None, (plan, verdict.divergence)
        assert played.is_finished, plan
        require_sums(game)
        require_room(game)
        seen |= cards_seen(game)
        attack.count(f"{plan.options['mode']} games")
        attack.count("orders", played.orders)
    attack.count("cards seen of 68", len(seen))

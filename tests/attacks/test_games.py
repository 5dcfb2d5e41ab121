"""Simulated games of all rulesets by the thousand, with all options: they end, they are verified, and their costs add up."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

import adjudicator as adj
from tests.drivers.attacks import Attack, sizes
from tests.drivers.pages import GAMES

METAS = {meta.id: meta for meta in adj.installed_games()}
FIXED: dict[str, dict[str, tuple[str, ...]]] = {
    "rally-round": {"mode": ("internet", "table"), "kit": ("draft", "deal"), "parts": ("1", "1", "1", "2", "3")},
    "great-race": {"board": ("africa", "asia")},
    "checkered-flag": {"laps": ("1", "2")},
}
"""Options whose values other options depend on, or that make games long."""


def options_of(luck: Random, name: str) -> dict[str, str]:
    """Return usual options, or others that the game has."""
    chosen = {option: luck.choice(values) for option, values in FIXED.get(name, {}).items()}
    if chosen.get("mode") == "internet":
        chosen = {"mode": "internet"}
    free = [one for one in METAS[name].options if one.choices and not one.per_seat and one.name not in FIXED.get(name, {})]
    for option in luck.sample(free, luck.randint(0, len(free))):
        if len(option.choices) < 6:
            chosen[option.name] = luck.choice(option.choices)
    return chosen


def require_sums(game: adj.Game) -> None:
    """Each cost is the sum of its parts, each clock follows from the one before, and the last one is the score."""
    clocks = dict[Any, int]()
    for row in game.seen_by("moderator").log():
        if row.why:
            assert sum(part.amount for part in row.why) == row.min, row
        if row.before is not None and row.after is not None:
            assert row.before + row.min == row.after, row
            assert clocks.get(row.seat, row.before) == row.before, row
            clocks[row.seat] = row.after
    places = [standing.place for standing in game.standings]
    assert places == sorted(places) and places[0] in (1, 2) and {one.seat for one in game.standings} == {*game.seats}


@pytest.mark.parametrize(("name", "whole"), [case for name in GAMES for case in sizes(2, 5_000, name)])
def test_simulated_games_end_are_verified_and_add_up(attack: Attack, name: str, whole: int) -> None:
    for _ in range(attack.times(whole)):
        luck = attack.next_round()
        low, high = METAS[name].players
        given = {
            "players": luck.randint(low, min(high, 4)),
            "seed": luck.randrange(2**32),
            "options": options_of(luck, name),
        }
        player = luck.choices(("random", "mixed", "greedy"), (1 if name in ("great-race", "checkpoint-rally") else 4, 8, 4))[
            0
        ]
        try:
            (game,) = adj.simulate_games(name, 1, player=player, most_orders=20_000, **given)
        except adj.SetupError as error:  # these options do not go together
            attack.count(f"refused: {str(error)[:40]}")
            continue
        assert game.is_over, given
        verdict = game.audit()
        assert verdict.is_verified, (given, verdict.divergence)
        assert adj.open(game.to_bytes()) == game
        require_sums(game)
        attack.count("games")
        attack.count("orders", len(game.seen_by("moderator").log()) - 1)
    assert attack.counts["games"]

"""The command `replay`, and games of every kind to replay."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path

import pytest
from typer.testing import Result

from adjudicator.rulesets import ruleset
from adjudicator.session import Session, open_session
from adjudicator.store.load import load_game
from adjudicator.testing.games import play_games

ROOT = Path(__file__).parents[2]
GAMES = {
    "rally": "examples/checkpoint-rally/two-players/game.json",
    "flag": "examples/checkered-flag/race/game.json",
    "charlie": "examples/checkpoint-charlie/three-players/game.json",
    "round": "tests/data/games/rally-round/recorded-001.json",
    "table": "tests/data/games/rally-round/rally-round-00111.json",
    "corrected": "tests/data/games/checkpoint-rally/recorded-005.json",
}
"""Games by a short name: the examples, and one with corrections."""


@pytest.fixture
def run(run: Callable[..., Result]) -> Callable[..., Result]:
    """Return the command `replay`, which is to succeed unless another ``code`` is asked for."""
    return partial(run, "replay", code=0)


@pytest.fixture(scope="session")
def opened() -> Callable[[str], Session]:
    """Return a game by its short name; `toy` is one of another package, without a board, `race` one played at random."""

    @cache
    def open_game(name: str) -> Session:
        if name == "toy":
            sys.path.insert(0, str(ROOT / "tests" / "testing" / "pack"))
            try:
                from low_card import RULESET
            finally:
                sys.path.pop(0)
            return play_games(RULESET, 1, seed=3).sessions[0]
        if name in ("race", "short race"):
            orders = 80 if name == "race" else 30
            return play_games(ruleset("great-race"), 1, seed=3, most_orders=orders).sessions[0]
        return open_session(load_game(ROOT / GAMES[name]))

    return open_game

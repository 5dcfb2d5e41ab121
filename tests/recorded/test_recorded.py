"""Whole games kept on file: each is audited, and together they show every situation that is wanted."""

from __future__ import annotations

import importlib.util
import sys
from functools import cache
from pathlib import Path
from types import ModuleType

import pytest

from adjudicator.audit.decide import audit_game
from adjudicator.core.engine import fold
from adjudicator.core.game import Game
from adjudicator.core.record import final_state
from adjudicator.desk import lay_out
from adjudicator.store.load import load_game
from adjudicator.store.save import dump_game

FOLDER = Path(__file__).parent / "checkpoint-rally"
GAMES = sorted(FOLDER.glob("*.json"))
MEGABYTE = 1_000_000


def _situations() -> ModuleType:
    """Load the module beside this file: the tests are no package."""
    spec = importlib.util.spec_from_file_location("recorded_situations", Path(__file__).with_name("situations.py"))
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


SITUATIONS = _situations()


@cache
def game_of(path: Path) -> Game:
    return load_game(path, bulk=True)


@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.stem)
def test_a_recorded_game_is_verified(path: Path) -> None:
    game = game_of(path)
    desk = lay_out(game)
    verdict = audit_game(desk)
    assert verdict.divergence is None
    assert verdict.is_over
    assert dump_game(game) == path.read_bytes()
    assert final_state(desk.rules, desk.table, [link.entry for link in game.journal]) == game.state


def test_a_game_without_corrections_is_the_fold_of_its_events() -> None:
    game = next(game for game in map(game_of, GAMES) if game.chance.source == "recorded")
    desk = lay_out(game)
    events = [event for link in game.journal for event in link.entry.events]
    assert fold(desk.rules, desk.table, events) == game.state


def test_there_are_at_least_sixty_games_and_they_are_small() -> None:
    assert len(GAMES) >= 60
    assert sum(path.stat().st_size for path in GAMES) <= 12 * MEGABYTE


@pytest.mark.parametrize("situation", SITUATIONS.SITUATIONS)
def test_a_recorded_game_shows(situation: str) -> None:
    shows = SITUATIONS.SITUATIONS[situation]
    assert any(shows(game_of(path)) for path in GAMES)

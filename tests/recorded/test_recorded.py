"""Whole games kept on file: each is audited, and together those of a game show every situation that is wanted.

The folder of a game holds its ``situations.py`` (``SITUATIONS``: words → whether a game shows it; ``FEWEST``: games) and the
``make.py`` that made the files. What those of all games share stands here: ``journals.py`` and ``making.py``.
"""

from __future__ import annotations

import importlib.util
import sys
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from adjudicator.audit.decide import audit_game
from adjudicator.core.engine import fold
from adjudicator.core.game import Game
from adjudicator.core.record import final_state
from adjudicator.rulesets import metas
from adjudicator.session import open_session
from adjudicator.store.load import load_game
from adjudicator.store.save import dump_game

HERE = Path(__file__).parent
FOLDERS = sorted(path.parent for path in HERE.glob("*/situations.py"))
GAMES = sorted(HERE.glob("*/*.json"))
MEGABYTE = 1_000_000

each_folder = pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)


def _situations(folder: Path) -> ModuleType:
    """Load the module in the folder of the games, which finds ``journals`` here: the tests are no package."""
    spec = importlib.util.spec_from_file_location(f"situations_{folder.name}", folder / "situations.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    sys.path.insert(0, str(HERE))
    spec.loader.exec_module(module)
    sys.path.remove(str(HERE))
    return module


SITUATIONS = {folder: _situations(folder) for folder in FOLDERS}


@cache
def game_of(path: Path) -> Game:
    return load_game(path, bulk=True)


def test_every_ruleset_has_recorded_games() -> None:
    assert {folder.name for folder in FOLDERS} >= {name for name, _ in metas()}


@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.stem)
def test_a_recorded_game_is_verified(path: Path) -> None:
    game = game_of(path)
    session = open_session(game)
    verdict = audit_game(session)
    assert verdict.divergence is None
    assert verdict.is_over
    assert dump_game(game) == path.read_bytes()
    assert final_state(session.rules, session.config, [link.entry for link in game.journal]) == game.state


@each_folder
def test_a_game_without_corrections_is_the_fold_of_its_events(folder: Path) -> None:
    game = next(game for game in map(game_of, sorted(folder.glob("*.json"))) if not corrected(game))
    session = open_session(game)
    assert fold(session.rules, session.config, (event for link in game.journal for event in link.entry.events)) == game.state


def corrected(game: Game) -> bool:
    return any(link.entry.seat == "moderator" for link in game.journal)


@each_folder
def test_there_are_enough_games_and_they_are_small(folder: Path) -> None:
    games = list(folder.glob("*.json"))
    assert len(games) >= SITUATIONS[folder].FEWEST
    assert sum(path.stat().st_size for path in games) <= 12 * MEGABYTE


@pytest.mark.parametrize(
    ("folder", "situation"),
    [(folder, situation) for folder in FOLDERS for situation in SITUATIONS[folder].SITUATIONS],
    ids=lambda value: value.name if isinstance(value, Path) else value,
)
def test_a_recorded_game_shows(folder: Path, situation: str) -> None:
    shows: Any = SITUATIONS[folder].SITUATIONS[situation]
    assert any(shows(game_of(path)) for path in folder.glob("*.json"))

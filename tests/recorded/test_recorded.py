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
from adjudicator.resources import rules_page
from adjudicator.rulebook.page import read_page
from adjudicator.rulesets import meta, metas
from adjudicator.session import open_session
from adjudicator.store.load import load_game
from adjudicator.store.save import dump_game
from adjudicator.testing import require_shown, rules_cited

HERE = Path(__file__).parent
FOLDERS = sorted(path.parent for path in HERE.glob("*/situations.py"))
MEGABYTE = 1_000_000

NEVER_SHOWN = {
    "checkered-flag": {
        "CF-C1": "the track: where a space is narrow or danger, the rule that makes something of it is told",
        "CF-C2": "the wheels: a spin is told by the rule it is made for",
        "CF-C3": "the gears: a shift is told by CF-G1",
    },
    "checkpoint-charlie": {
        "CC-C1": "the suspects: they are turned by CC-V1",
        "CC-C2": "the investigators, which events name only as seats, and the counters: they are drawn by CC-S2",
    },
    "checkpoint-rally": {
        "CR-C1": "the board: tiles are laid on it by CR-P1",
        "CR-C2": "the tiles: they are dealt by CR-S2",
        "CR-C3": "the border: it is laid by CR-S1",
        "CR-C4": "the cards: they are given out by CR-S4, their checkpoints marked by CR-K1",
        "CR-C5": "the cars: what they need is counted by CR-M1",
        "CR-C6": "updates, row and stack: they are used by CR-G1 and CR-P5, filled by CR-S3 and drawn from by CR-D1",
        "CR-C7": "the bonus for finishers: it is counted by CR-F1",
    },
    "great-race": {
        "GR-C1": "the board: its spaces are entered by GR-D1 and GR-D4, its lines taken by GR-D5",
        "GR-C2": "the tiles: they are laid by GR-A1 and GR-D3",
        "GR-C3": "the cards: they are laid out by GR-B1 and drawn by GR-D4",
        "GR-C4": "the dashboard: it is filled by GR-L1, its gauges are paid from by GR-D1 and restored by GR-A2",
        "GR-S2": "cash at the start, which the setup holds; what is lost beyond a gauge is missing in GR-K1 and GR-K3",
        "GR-H2": "what is secret: others are told less of the same events",
        "GR-H3": "the ability to pay: GR-D3 tells who is asked and who goes back",
        "GR-H4": "who may cancel: it is told by GR-D2 and GR-K4",
        "GR-H5": "what counts as active: who is next is told by GR-V1",
        "GR-H6": "what a drive and a repair are at least: others are refused",
        "GR-H7": "vehicles that share a space, and whom cards may harm: others are refused",
        "GR-H8": "no surcharge in cities, and cards at every entry: both are told by GR-D4",
    },
    "rally-round": {
        "RR-C1": "the map: squares are driven over by RR-M1",
        "RR-C2": "the features: what each does is told by RR-F1 to RR-F12",
        "RR-C3": "the cards: they are chosen by RR-K1 and drawn by RR-F8",
        "RR-C4": "the marked map: its controls are met by RR-F1 and RR-T1 to RR-T4",
        "RR-T5": "the rounding of target times, which RR-T4 tells",
        "RR-T6": "a warning to the organiser: it is no event",
        "RR-L4": "when a route is complete: the next question tells that",
        "RR-M3": "legal changes of speed: they are driven by RR-M1, others refused by RR-M4",
        "RR-F3": "the seconds of a last turn: they are in the time that RR-T2 to RR-T4 tell",
        "RR-P4": "what a fault costs: each names the rule it broke",
        "RR-P6": "where RR-F10 counts",
        "RR-P7": "no entry of a sheet that the program keeps can be false",
        "RR-H1": "the distance of a section: it is in its target time",
        "RR-H2": "which control is visited: it is met by RR-F1 and RR-T1 to RR-T4",
        "RR-H3": "what a roll meets: it costs by RR-F1 and RR-F5",
        "RR-H4": "what does not happen: nobody is in the way",
        "RR-H5": "where a Starting Speed is asked for: a stop is told by RR-M2",
        "RR-H8": "what a part leaves as it was: it ends by RR-V1",
        "RR-H9": "sheets that are kept by hand: they are no games",
    },
}
"""Rules that say what there is, so that no event and no cost comes from them: each with what stands in the log instead."""

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
    return load_game(path)


def test_every_ruleset_has_recorded_games() -> None:
    assert {folder.name for folder in FOLDERS} >= {name for name, _ in metas()}


@each_folder
def test_recorded_games_are_verified(folder: Path) -> None:
    for path in sorted(folder.glob("*.json")):
        game = game_of(path)
        session = open_session(game)
        verdict = audit_game(session)
        assert verdict.divergence is None, path.name
        assert verdict.is_over, path.name
        assert dump_game(game) == path.read_bytes(), path.name
        assert session.timeline.state == game.state, path.name


@each_folder
def test_a_game_without_corrections_is_the_fold_of_its_events(folder: Path) -> None:
    game = next(game for game in map(game_of, sorted(folder.glob("*.json"))) if not corrected(game))
    session = open_session(game)
    assert fold(session.rules, session.config, (event for link in game.journal for event in link.entry.events)) == game.state


def corrected(game: Game) -> bool:
    return any(link.entry.seat == "moderator" for link in game.journal)


@each_folder
def test_every_rule_stands_in_the_log_of_a_game_or_it_is_said_why_not(folder: Path) -> None:
    """The rules are those of the game's page; of one that is said never to be shown no log may show anything."""
    about = meta(folder.name)
    games = (open_session(game_of(path)) for path in sorted(folder.rglob("*.json")))
    rules = {fact.id for fact in read_page(rules_page(about)).facts}
    require_shown(about.prefix, rules, NEVER_SHOWN[about.id], rules_cited(games))


@each_folder
def test_there_are_enough_games_and_they_are_small(folder: Path) -> None:
    games = list(folder.glob("*.json"))
    assert len(games) >= SITUATIONS[folder].FEWEST
    assert sum(path.stat().st_size for path in games) <= 12 * MEGABYTE


@each_folder
def test_recorded_games_show_every_situation(folder: Path) -> None:
    """Name those that no game shows; a game is asked only for those that none before it shows."""
    missing: dict[str, Any] = dict(SITUATIONS[folder].SITUATIONS)
    for path in sorted(folder.glob("*.json")):
        missing = {situation: shows for situation, shows in missing.items() if not shows(game_of(path))}
    assert [*missing] == []

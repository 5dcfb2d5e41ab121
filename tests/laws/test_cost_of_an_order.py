"""What an order costs, counted in calls of functions, which are the same on every machine."""

from __future__ import annotations

import gc
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import adjudicator as adj
from adjudicator.library.texts import addressee
from adjudicator.orders.reading import read_turn_files
from tests.benchmarks.works import by_games, by_orders, forget, reading, whole_games

ROOT = Path(__file__).parents[2]
SHORT, LONG = 100, 400
AUDITED = {
    "checkered-flag": 127,
    "checkpoint-charlie": 103,
    "checkpoint-rally": 151,
    "great-race": 139,
    "rally-round": 190,
}
"""Calls of Python functions that the audit of an order may make, reading and proving the file included."""

READ = {"checkered-flag": 5, "checkpoint-charlie": 5, "checkpoint-rally": 7, "great-race": 7, "rally-round": 5}
"""Calls of Python functions from the text of an order to its sheet, if the line was read before."""


def calls(run: Callable[[], Any], *kinds: str) -> int:
    """Return how many functions are called in ``run``: `call` for those in Python, `c_call` for those in C.

    No garbage is collected meanwhile, because other tests listen to that.
    """
    counted = 0

    def profile(_frame: Any, event: str, _argument: Any) -> None:
        nonlocal counted
        counted += event in kinds

    gc.disable()
    sys.setprofile(profile)
    try:
        run()
    finally:
        sys.setprofile(None)
        gc.enable()
    return counted


def test_an_order_costs_the_same_in_a_game_four_times_as_long() -> None:
    for short, long in zip(by_orders(SHORT), by_orders(LONG), strict=True):
        short.run(), long.run()  # what is built once is built by now
        each = [calls(work.run, "call", "c_call") / work.units for work in (short, long)]
        assert each[1] < 1.2 * each[0], short.name


def test_a_game_costs_the_same_in_a_folder_four_times_as_large(tmp_path: Path) -> None:
    few, many = (by_games(tmp_path / str(size), size) for size in (2, 8))
    few.run(), many.run()
    assert calls(many.run, "call", "c_call") / 8 < 1.05 * calls(few.run, "call", "c_call") / 2


@pytest.mark.parametrize("ruleset", AUDITED)
def test_an_audit_calls_few_functions_for_each_order(ruleset: str) -> None:
    games = sorted(whole_games(ruleset, 8), key=lambda game: game.orders)[-2:]  # in short ones, reading outweighs orders
    audit = next(work for work in reading(games) if work.name == "audit")
    audit.run()
    forget()
    assert calls(audit.run, "call") / sum(game.orders for game in games) < AUDITED[ruleset]


@pytest.mark.parametrize("ruleset", READ)
def test_reading_a_known_line_calls_few_functions(ruleset: str) -> None:
    game = max(whole_games(ruleset, 8), key=lambda game: game.orders)
    rules, to = game.before.spoken_rules, addressee(game.before)
    assert calls(lambda: read_turn_files(rules, to, [("a text", game.text.encode())]), "call") / game.orders < READ[ruleset]


TRACED = """
import sys
from collections import Counter
import adjudicator.__main__
entered, applied, kept = set(), Counter(), []

def see(frame, happening, _):
    code = frame.f_code
    if happening != "call" or "/adjudicator/" not in code.co_filename or code.co_name.startswith("<"):
        return
    entered.add(code.co_filename)
    if code.co_name == "apply" and frame.f_back.f_code.co_name != "apply" and "state" in frame.f_locals:
        event = frame.f_locals["self"]
        kept.append(event)
        applied[id(event)] += 1

sys.argv = ["adjudicator", "apply", "race.json", "turn.txt"]
sys.setprofile(see)
try:
    adjudicator.__main__.main()
finally:
    sys.setprofile(None)
    print(len(entered), len(applied), max(applied.values()), file=sys.stderr)
"""


def test_one_apply_enters_few_modules_and_folds_the_history_once(tmp_path: Path) -> None:
    """The number of modules, those of the game included, may only go down: the goal is 25."""
    game = adj.open(ROOT / "tests/data/games/checkered-flag/again-001.json").undo(20, "a test")
    seat = game.due_seats[0]
    game.save(tmp_path / "race.json")
    (tmp_path / "turn.txt").write_text(f"{seat}: {game.seen_by(seat).legal[0].order}\n")
    command = [sys.executable, "-c", TRACED]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(ROOT)})
    assert done.returncode == 0, done.stderr
    modules, events, times = map(int, done.stderr.split()[-3:])
    assert events > 50
    assert (times, modules <= 80) == (1, True), modules

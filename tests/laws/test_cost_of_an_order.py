"""What an order costs, counted in calls of functions, which are the same on every machine."""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.benchmarks.works import by_games, by_orders, forget, reading, whole_games

SHORT, LONG = 100, 400
AUDITED = {
    "checkered-flag": 220,
    "checkpoint-charlie": 184,
    "checkpoint-rally": 220,
    "great-race": 257,
    "rally-round": 304,
}
"""Calls of Python functions that the audit of an order may make, reading and proving the file included."""


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
    games = whole_games(ruleset, 2)
    audit = next(work for work in reading(games) if work.name == "open and audit")
    audit.run()
    forget()
    assert calls(audit.run, "call") / sum(game.orders for game in games) < AUDITED[ruleset]

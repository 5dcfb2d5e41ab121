"""How much memory a long game takes, as a multiple of its file: `pytest -m benchmark tests/benchmarks/test_memory.py`.

Goals: at most 5 times the file to read it or to audit it, and over an archive no more than its largest game.
"""

from __future__ import annotations

import gc
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from adjudicator.audit.run import audit_sources
from adjudicator.sources.find import find_sources
from adjudicator.store.load import load_game
from adjudicator.store.save import dump_game

pytestmark = pytest.mark.benchmark
MOST = 5


def audited(path: Path) -> int:
    return sum(1 for verdict in audit_sources(find_sources([str(path)])) if verdict.divergence is None)


def peak(work: Callable[[], Any]) -> int:
    """Return the bytes that ``work`` takes at most beyond what was there before."""
    work()  # what is loaded once, and remembered, is no part of it
    gc.collect()
    tracemalloc.start()
    work()
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return most


@pytest.fixture(scope="module")
def long(play_orders: Any, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the file of a game of 3,000 orders, 1.6 MB."""
    path = tmp_path_factory.mktemp("long") / "long.json"
    path.write_bytes(dump_game(play_orders(3_000).after.game))
    return path


def test_to_read_a_long_game(long: Path) -> None:
    assert peak(lambda: load_game(str(long))) <= MOST * long.stat().st_size


def test_to_audit_a_long_game(long: Path) -> None:
    assert peak(lambda: audited(long)) <= MOST * long.stat().st_size


def test_an_archive_takes_no_more_than_a_few_games(play_orders: Any, tmp_path: Path) -> None:
    data = dump_game(play_orders(60).after.game)
    found = {}
    for games in (10, 100):
        (tmp_path / str(games)).mkdir()
        for number in range(games):
            (tmp_path / str(games) / f"{number:03}.json").write_bytes(data)
        found[games] = peak(lambda folder=tmp_path / str(games): audited(folder))
    assert found[100] < 1.5 * found[10]

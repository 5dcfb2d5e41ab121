"""Speed of replay and audit against `json.loads` of the same file: `pytest -m benchmark tests/benchmarks` (extra `bench`).

Goals: the fold of the states at most 8 times the yardstick, the audit at most 30 times. Nothing is asserted about time.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from adjudicator.audit import recorded_orders
from adjudicator.audit.decide import audit_game
from adjudicator.audit.run import audit_sources
from adjudicator.core.timeline import Timeline
from adjudicator.sources.candidates import Source
from adjudicator.sources.find import find_sources
from adjudicator.store.save import dump_game

pytestmark = pytest.mark.benchmark


@pytest.fixture(scope="session")
def data(played: Any) -> bytes:
    return dump_game(played.after.game)


@pytest.mark.benchmark(group="replay and audit of 300 orders")
def test_audit_yardstick_json(benchmark: Any, data: bytes) -> None:
    assert benchmark(lambda: json.loads(data))


@pytest.mark.benchmark(group="replay and audit of 300 orders")
def test_states(benchmark: Any, played: Any) -> None:
    session = played.after
    made = benchmark(lambda: list(Timeline(session.rules, session.config, session.game).states()))
    assert len(made) == len(session.game.journal)


@pytest.mark.benchmark(group="replay and audit of 300 orders")
def test_audit_of_a_loaded_game(benchmark: Any, played: Any) -> None:
    assert benchmark(lambda: audit_game(played.after)).divergence is None


@pytest.mark.benchmark(group="replay and audit of 300 orders")
def test_audit_of_lines_never_read_before(benchmark: Any, played: Any) -> None:
    def audit() -> Any:
        recorded_orders.reader.forget()
        return audit_game(played.after)

    assert benchmark(audit).divergence is None


@pytest.mark.benchmark(group="replay and audit of 300 orders")
def test_audit_from_the_bytes_of_the_file(benchmark: Any, data: bytes) -> None:
    source = Source("bench", "bench", data=data)
    assert benchmark(lambda: list(audit_sources([source])))[0].divergence is None


@pytest.mark.usefixtures("other_processes")
@pytest.mark.benchmark(group="audit of 200 games of 60 orders")
@pytest.mark.parametrize("jobs", [1, 2])
def test_audit_of_an_archive(benchmark: Any, play_orders: Any, tmp_path: Path, jobs: int) -> None:
    games = [dump_game(play_orders(60, seed).after.game) for seed in range(10)]
    for number in range(200):
        (tmp_path / f"{number:03}.json").write_bytes(games[number % 10])

    def audit() -> int:
        return sum(1 for verdict in audit_sources(find_sources([str(tmp_path)]), jobs=jobs) if verdict.divergence is None)

    assert benchmark.pedantic(audit, rounds=3) == 200

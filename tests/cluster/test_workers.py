"""Audits over a scheduler and a worker that run by themselves, as `dask scheduler` and `dask worker` start them."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from adjudicator.audit.run import AuditOptions, audit_sources
from adjudicator.cluster import shards
from adjudicator.cluster.audit import audit_into
from adjudicator.cluster.results import Results
from adjudicator.cluster.shards import shards_of
from adjudicator.cluster.workers import ClusterError, Workers, connect
from adjudicator.sources.find import find_sources

Run = Callable[..., Any]
HOW = AuditOptions(is_impact=False, timeout=300)


def started(tool: str, *arguments: str, until: str) -> tuple[subprocess.Popen[str], str]:
    """Start a `tool` of dask and return it with the first line that it says with `until` in it."""
    command = [sys.executable, "-m", "dask", tool, "--host", "127.0.0.1", "--no-dashboard", *arguments]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    assert process.stderr is not None
    line = next((line for line in process.stderr if until in line), "")
    assert line, f"{tool} ended before it was ready"
    return process, line


@pytest.fixture
def scheduler(distributed: Any, tmp_path: Path) -> Iterator[tuple[str, subprocess.Popen[str]]]:
    """Return the address of a scheduler with one worker, and its process."""
    process, line = started("scheduler", "--port", "0", until="Scheduler at:")
    address = line.split()[-1]
    worker, _ = started("worker", address, "--nthreads", "1", "--local-directory", str(tmp_path), until="Registered to:")
    yield address, process
    for one in (worker, process):
        one.kill()
        one.communicate()


def test_a_run_is_the_same_at_an_address_and_goes_on_when_its_scheduler_has_gone(
    scheduler: tuple[str, subprocess.Popen[str]],
    pool: Workers,
    run: Run,
    archives: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    address, process = scheduler
    alone, over = run("audit", archives), run("audit", archives, "--cluster", address)
    assert (over.stdout, over.exit_code) == (alone.stdout, alone.exit_code)

    monkeypatch.setattr(shards, "SHARD", 1)
    results = Results("found", is_resumed=False, is_parquet=False, is_impact=False)

    def audit_till_it_goes() -> None:
        with connect(address, 1) as workers:
            for _ in audit_into(results, workers, shards_of([str(archives)]), HOW):
                process.kill()

    with pytest.raises(ClusterError, match=r"the scheduler has gone.*--resume"):
        audit_till_it_goes()
    assert "Traceback" not in capfd.readouterr().err

    results = Results("found", is_resumed=True, is_parquet=False, is_impact=False)
    for _ in audit_into(results, pool, shards_of([str(archives)]), HOW):
        pass
    assert results.resumed
    assert list(results.results()) == list(audit_sources(find_sources([str(archives)])))

"""The audit of an archive over two local workers, against two single processes that have half of it each.

`pytest -m benchmark tests/benchmarks/test_cluster_speed.py -s` tells both in CPU and wall time, run by turns. The goal is
0.9 of two single processes. Nothing is asserted about time: what is asserted is that all come to the same.
"""

from __future__ import annotations

import json
import os
import resource
import shutil
import subprocess
import sys
import time
from pathlib import Path
from statistics import median

import pytest

from adjudicator.archive.make import write_archive

pytestmark = pytest.mark.benchmark

RECORDED = Path(__file__).parents[1] / "recorded"
ROUNDS = 3
COPIES = 8


@pytest.fixture(scope="module")
def halves(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, str]:
    """Return two archives of equal work: recorded games, several times under other names."""
    folder = tmp_path_factory.mktemp("halves")
    for copy in range(COPIES):
        half = folder / ("one" if copy % 2 else "two")
        shutil.copytree(RECORDED / "checkpoint-rally", half / f"{copy}", copy_function=os.symlink)
    targets = (str(folder / "one.jsonl.zst"), str(folder / "two.jsonl.zst"))
    for target in targets:
        write_archive(target, [target.removesuffix(".jsonl.zst")], lambda _: None)
    return targets


def started(*words: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "adjudicator", "audit", "--quiet", "--json", *words]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


def spent(*calls: tuple[str, ...]) -> tuple[float, float, int]:
    """Return the CPU and wall seconds of the ``calls``, run at once, and how many games they have verified."""
    before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    verified = sum(json.loads(one.communicate()[0])["summary"]["verified"] for one in [started(*words) for words in calls])
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return cpu, time.perf_counter() - began, verified


def test_two_workers_against_two_processes(halves: tuple[str, str]) -> None:
    pytest.importorskip("distributed", reason="needs dask: pip install 'pbem-adjudicator[cluster]'")
    cpus, walls = [], []
    for _ in range(ROUNDS):
        alone = spent(*((half,) for half in halves))
        over = spent((*halves, "--cluster", "local", "--jobs", "2"))
        assert alone[2] == over[2] > 0
        cpus.append(alone[0] / over[0])
        walls.append(alone[1] / over[1])
    sys.stdout.write(
        f"\n{alone[2]} games: {median(cpus):.2f} of two processes by CPU time, {median(walls):.2f} by the clock\n"
    )

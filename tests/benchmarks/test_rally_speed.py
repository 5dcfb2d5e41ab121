"""How long it takes, and how much memory, to score an internet rally when everybody's sheet comes at once.

The whole of ``adjudicator apply`` in a process of its own: text and game file in, game file and log out. Goal: 1,000 crews
of 120 turns each within 10 seconds of CPU time, and ten times as many in ten times the time and memory.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import crowd
import pytest

from adjudicator.store.save import dump_game

pytestmark = pytest.mark.benchmark
GOAL = 10
"""Seconds of CPU for 1,000 crews."""
_CHILD = """
import resource, sys
from adjudicator.__main__ import main
try:
    main()
finally:
    print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, file=sys.stderr)
"""


def seconds() -> float:
    """Return the seconds of CPU that child processes have taken so far."""
    used = os.times()
    return used.children_user + used.children_system


@pytest.mark.parametrize("crews", [10, 100, 1000])
@pytest.mark.benchmark(group="apply: so many whole sheets", timer=seconds)
def test_score_everybody_at_once(benchmark: Any, tmp_path: Path, crews: int) -> None:
    (tmp_path / "game.json").write_bytes(dump_game(crowd.begun(crews).game))
    (tmp_path / "sheets.txt").write_bytes(crowd.sheets(crews))
    command = [sys.executable, "-c", _CHILD, "apply", "game.json", "sheets.txt"]

    def apply() -> str:
        done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=tmp_path)
        assert f"{10 * crews} orders applied" in done.stdout
        assert "game is over" in done.stdout
        return done.stderr

    told = benchmark.pedantic(apply, rounds=1)
    benchmark.extra_info["memory"] = f"{int(told) // 1024} MB"
    benchmark.extra_info["goal"] = f"{GOAL} s for 1,000 crews"

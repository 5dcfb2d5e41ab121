"""Each rule has tests that fail without it, and each golden case of a rulebook has a test."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
HELD_BY_NUMBERS = {
    "checkered-flag": "CF-C1 CF-C2 CF-D1",
    "checkpoint-charlie": "CC-C3 CC-S3",
    "checkpoint-rally": "CR-C3 CR-C4 CR-C5 CR-C7",
    "great-race": "GR-C1 GR-C2 GR-C4 GR-F2 GR-H2 GR-H4 GR-H5 GR-H8 GR-S1",
    "rally-round": (
        "RR-C1 RR-C2 RR-C3 RR-F3 RR-H1 RR-H3 RR-H4 RR-H5 RR-H6 RR-H8 RR-H9 RR-L4 RR-M3 RR-P4 RR-P6 RR-P7"
        " RR-T1 RR-T2 RR-T3 RR-T4 RR-T5 RR-T6"
    ),
}
"""The rules that have no switch: components, targets and other numbers, organisers' tools. Their tests compare values."""
LONG = pytest.mark.soak
GOLDEN = {"checkered_flag": 5, "checkpoint_rally": 5, "great_race": 5, "rally_round": 4}


@pytest.mark.skipif(sys.platform == "win32", reason="a game without an end is stopped by SIGPROF")
@pytest.mark.parametrize(
    "game",
    [pytest.param(game, marks=LONG if game in ("checkpoint-rally", "rally-round") else ()) for game in HELD_BY_NUMBERS],
)
def test_the_tests_of_a_rule_fail_without_it(game: str) -> None:
    done = subprocess.run([sys.executable, HERE / "switched_off.py", game], capture_output=True, text=True, check=True)
    results = dict(line.split(" ", 1) for line in done.stdout.splitlines())
    assert {rule for rule, result in results.items() if result == "not held"} == set()
    assert {rule for rule, result in results.items() if result == "not reached"} == set(HELD_BY_NUMBERS[game].split())


@pytest.mark.parametrize("game", GOLDEN)
def test_every_golden_case_has_a_test(game: str) -> None:
    texts = [path.read_text("utf-8") for path in (HERE / game).rglob("test_rules_*.py")]
    found = {int(number) for text in texts for number in re.findall(r"def test_[a-z]{2}_golden_(\d)_", text)}
    assert found == set(range(1, GOLDEN[game] + 1))

"""Each documented rule has scenarios, and they fail without it."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.drivers.scenarios import read

RULES = Path(__file__).parent
DOCS = RULES.parent.parent / "docs"
HELD_BY_NUMBERS = {
    "checkered-flag": "CF-C2 CF-D1",
    "checkpoint-charlie": "CC-K3",
    "checkpoint-rally": "CR-C7",
    "great-race": "GR-C4 GR-F2 GR-H2 GR-H4 GR-H5 GR-H8",
    "rally-round": (
        "RR-C2 RR-F3 RR-H1 RR-H3 RR-H5 RR-H6 RR-H8 RR-H9 RR-M3 RR-P4 RR-P6 RR-P7 RR-T1 RR-T2 RR-T3 RR-T4 RR-T5 RR-T6"
    ),
}
"""The rules that have no switch: components, targets and other numbers, secrets, organisers' tools."""


@pytest.mark.parametrize("game", HELD_BY_NUMBERS)
def test_every_documented_rule_has_a_scenario(game: str) -> None:
    documented = set(re.findall(r"^\| ([A-Z]{2}-[A-Z]\d+) \|", (DOCS / f"{game}.md").read_text("utf-8"), re.MULTILINE))
    told = {rule for file in (RULES / game).glob("*.txt") for case in read(file) for rule in case.rules}
    assert documented
    assert documented - told == set(), "rules without a scenario"
    assert told - documented == set(), "scenarios of unknown rules"


@pytest.mark.soak
@pytest.mark.skipif(sys.platform == "win32", reason="a game without an end is stopped by SIGPROF")
@pytest.mark.parametrize("game", HELD_BY_NUMBERS)
def test_the_scenarios_of_a_rule_fail_without_it(game: str) -> None:
    command = [sys.executable, "-m", "tests.drivers.switched_off", game]
    done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=RULES.parent.parent)
    results = dict(line.split(" ", 1) for line in done.stdout.splitlines())
    assert {rule for rule, result in results.items() if result == "not held"} == set()
    assert {rule for rule, result in results.items() if result == "not reached"} == set(HELD_BY_NUMBERS[game].split())

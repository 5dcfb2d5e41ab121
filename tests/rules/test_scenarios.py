"""The rules of every game by their numbers: `pytest -k CF-B1` plays the scenarios of a rule."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.drivers.scenarios import Scenario, play, read

CASES = [case for file in sorted(Path(__file__).parent.glob("*/*.txt")) for case in read(file)]


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.game}: {case.title}")
def test_scenario(case: Scenario, tmp_path: Path) -> None:
    play(case, tmp_path)

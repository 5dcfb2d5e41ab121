"""The rules of every game by their numbers: `pytest -k CF-B1` plays the scenarios of a rule."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.drivers.scenarios import Scenario, begin, play, read

CASES = [case for file in sorted(Path(__file__).parent.glob("*/*.txt")) for case in read(file)]

LAST: list[Any] = []
"""The last set-up, and what it has begun."""


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Return a folder for the files of each game: one for each scenario would take as long as many a scenario."""
    return {game: tmp_path_factory.mktemp(game) for game in {case.game for case in CASES}}


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.game}: {case.title}")
def test_scenario(case: Scenario, folders: dict[str, Path]) -> None:
    if LAST[:1] != [begins := (case.file, case.setup)]:  # the rows of a table mostly begin alike
        LAST[:] = [begins, begin(case, folders[case.game])]
    play(case, LAST[1])

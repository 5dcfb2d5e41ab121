"""Rally Round: what organisers use, `adjudicator rally-round route` and `adjudicator rally-round sheet score`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.drivers.rally import said_of, sheet_cases

Run = Callable[..., Any]
CASES = sheet_cases(Path(__file__).parent / "rally-round" / "office" / "sheets.txt")


@pytest.mark.parametrize(("text", "said"), CASES, ids=[text.replace("\n", " // ") for text, _ in CASES])
def test_what_is_said_of_a_time_sheet(run: Run, text: str, said: list[str]) -> None:
    assert said_of(run, text) == said

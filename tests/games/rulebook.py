"""Which rules the tests of a game are named after, and which its source cites."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from types import ModuleType


def _source(paths: Iterable[Path]) -> str:
    return "\n".join(path.read_text(encoding="utf-8") for path in sorted(paths))


def tested(folder: Path, game: str) -> set[str]:
    """Return the rules that tests in ``folder`` are named after: ``test_cr_p3_…`` is about CR-P3 of the ``game`` CR."""
    found = re.findall(rf"def test_{game.lower()}_([a-z])(\d+)_", _source(folder.rglob("test_rules_*.py")))
    return {f"{game}-{letter.upper()}{number}" for letter, number in found}


def golden(folder: Path, game: str) -> list[str]:
    """Return the numbers of the golden cases that tests in ``folder`` are named after, in order."""
    return sorted(re.findall(rf"def test_{game.lower()}_golden_(\d)_", _source(folder.rglob("test_rules_*.py"))))


def cited(package: ModuleType, game: str) -> set[str]:
    """Return the rules of the ``game`` that the source of its ``package`` cites."""
    assert package.__file__ is not None
    return set(re.findall(rf"{game}-[A-Z]\d+", _source(Path(package.__file__).parent.glob("*.py"))))

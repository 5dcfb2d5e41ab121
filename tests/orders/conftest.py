"""Turn files and lines in the language of Checkpoint Rally."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from fresh_parsers import forget_parsers

from adjudicator.core.ids import Seat
from adjudicator.core.problem import Diagnostic
from adjudicator.games.checkpoint_rally.rules import RULESET
from adjudicator.orders.clean import clean
from adjudicator.orders.line_problem import LineProblem
from adjudicator.orders.parser import reader
from adjudicator.orders.submission import Addressee
from adjudicator.orders.turnfile import TurnFile, read_turn_files

SEATS = (Seat("red"), Seat("blue"))


@pytest.fixture(scope="session")
def rules() -> Any:
    return RULESET


@pytest.fixture(scope="session")
def read() -> Callable[..., TurnFile]:
    """Read turn files for turn 7 of the game `rally-042` with the seats red and blue; texts or bytes."""

    def read_texts(*texts: str | bytes) -> TurnFile:
        files = [(f"{number}.txt", text.encode() if isinstance(text, str) else text) for number, text in enumerate(texts, 1)]
        return read_turn_files(RULESET, Addressee("rally-042", 7, SEATS), files)

    return read_texts


@pytest.fixture(scope="session")
def words(read: Callable[..., TurnFile]) -> Callable[..., dict[str, list[str]]]:
    """Return for each seat the canonical words of its orders."""

    def orders(*texts: str | bytes) -> dict[str, list[str]]:
        from adjudicator.core.order import instruction_text

        return {
            sheet.seat: [instruction_text(instruction, RULESET.language.text) for instruction in sheet.instructions]
            for sheet in read(*texts).sheets
            if sheet.instructions
        }

    return orders


@pytest.fixture(scope="session")
def order() -> Callable[[str], Any]:
    """Return what a line says: its expression."""

    def expression(text: str) -> Any:
        parsed = reader(RULESET).read(clean(text))
        assert not isinstance(parsed, LineProblem), parsed
        return parsed.expression

    return expression


@pytest.fixture(scope="session")
def problem() -> Callable[[str], LineProblem]:
    """Return why a line says nothing."""

    def refused(text: str) -> LineProblem:
        parsed = reader(RULESET).read(clean(text))
        assert isinstance(parsed, LineProblem), parsed
        return parsed

    return refused


@pytest.fixture(scope="session")
def summary() -> Callable[[TurnFile], list[tuple[str, int, str]]]:
    """Return each diagnostic as (code without its owner, line, the text above the carets)."""

    def told(found: TurnFile) -> list[tuple[str, int, str]]:
        return [
            (diagnostic.problem.code.removeprefix("orders/"), diagnostic.line, caret(diagnostic))
            for diagnostic in found.diagnostics
        ]

    return told


def caret(diagnostic: Diagnostic) -> str:
    return diagnostic.text[diagnostic.column - 1 : diagnostic.column - 1 + diagnostic.width] if diagnostic.column else ""


@pytest.fixture
def no_parsers(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Path]:
    """Forget the parsers built so far and keep new tables in an empty folder; everything is as before afterwards."""
    monkeypatch.setenv("ADJUDICATOR_CACHE", str(tmp_path / "tables"))
    forget_parsers()
    yield tmp_path / "tables"
    forget_parsers()

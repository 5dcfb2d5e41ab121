"""A bug behind one line on the command line: exit 1, the moderator is told where it is, the others' orders are applied."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.testing import Result

from adjudicator.orders.parser import reader
from adjudicator.rulesets import ruleset

Run = Callable[..., Result]


@pytest.fixture
def _broken(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Let reading REFRESH fail."""
    own = reader(ruleset("checkpoint-rally"))
    parse = own._line_parser

    def broken(line: str) -> Any:
        if "REFRESH" in line:
            raise KeyError("what nobody has thought of")
        return parse(line)

    own.parse.cache_clear()
    monkeypatch.setattr(own, "_line_parser", broken)
    yield
    own.parse.cache_clear()


@pytest.mark.usefixtures("_broken")
def test_the_others_turn_goes_on(run: Run, game: Path, orders: Callable[[str], str]) -> None:
    result = run("apply", game, orders("red: MOVE D3\nblue: REFRESH\n"), code=1)
    assert "1 order applied" in result.stdout
    assert "core/fault" in result.stderr
    assert "turn.txt:2: this is a bug" in result.stderr
    assert "KeyError: 'what nobody has thought of'" in result.stderr
    assert "in broken (test_contained_faults.py:" in result.stderr
    assert "Please report the bug" in result.stderr


@pytest.mark.usefixtures("_broken")
def test_machines_get_all_of_where_it_happened(run: Run, game: Path, orders: Callable[[str], str]) -> None:
    words = ["check", game, orders("red: MOVE D3\nblue: REFRESH\n"), "--json"]
    from typer.testing import CliRunner

    from adjudicator.cli.app import app_for

    result = CliRunner().invoke(app_for(["check"]), list(map(str, words)))
    assert result.exit_code == 1
    (fault,) = json.loads(result.stdout)["faults"]
    assert (fault["seat"], fault["line"], fault["source"]) == ("blue", 2, "turn.txt")
    assert "test_contained_faults.py" in fault["traceback"]


def test_a_letter_of_another_alphabet_is_one_line_s_problem(run: Run, game: Path, orders: Callable[[str], str]) -> None:
    result = run("apply", game, orders("red: MOVE D3\nblue: IF hand ıs 3 THEN DRAW\n"), code=1)
    assert "1 order applied" in result.stdout
    assert "turn.txt:2:15: orders/unexpected" in result.stderr

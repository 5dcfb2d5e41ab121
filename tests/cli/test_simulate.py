"""`simulate`: whole games on the command line, their table, archives and plot."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import Result

from adjudicator.cli import app
from adjudicator.simulate import play

Run = Callable[..., Result]
FEW = ("simulate", "checkpoint-rally", "--games", 3, "--player", "greedy")
QUICK = ("simulate", "checkered-flag", "--games", 3)
"""The same where it matters not of which game; those of Checkpoint Rally take ten times as long."""


def test_the_table_tells_length_cost_winners_and_endings(run: Run) -> None:
    text = run(*FEW, "--players", 3, code=0).stdout
    assert text.startswith("Checkpoint Rally: 3 games\n")
    for words in ("minutes of the winner", "by seat", "by order of play", "by car", "finished first", "result of a seat"):
        assert words in text


def test_machines_get_the_plan_and_the_same_numbers(run: Run) -> None:
    told = run(*FEW, "--json", "--audit", code=0).stdout
    data = json.loads(told)
    assert (data["plan"]["games"], data["plan"]["players"], data["audited"], data["unfinished"]) == (3, 2, 3, 0)
    assert run(*FEW, "--json", "--audit").stdout == told


def test_archives_are_written_and_can_be_audited(run: Run, tmp_path: Path) -> None:
    assert "audited: 3, all of them verified" in run(*QUICK, "--out", "archive", "--audit", code=0).stdout
    assert len(list((tmp_path / "archive").iterdir())) == 3
    assert ": 3 verified" in run("audit", "archive", code=0).stdout


def test_a_folder_that_is_not_empty_is_only_written_into_when_asked(run: Run, tmp_path: Path) -> None:
    (tmp_path / "letters").mkdir()
    (tmp_path / "letters" / "dear.txt").write_text("Dear Ann")
    assert "not empty" in run(*QUICK, "--out", "letters", code=2).stderr
    run(*QUICK, "--out", "letters", "--force", code=0)
    assert len(list((tmp_path / "letters").iterdir())) == 4


def test_a_game_that_does_not_end_is_told(run: Run) -> None:
    assert "3 of the games were not over after 5 orders" in run(*FEW, "--most-orders", 5, code=0).stderr


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--jobs", 0], "--jobs must be from 1 to 64"),
        (["--games", 0], "number of games is 1 to 1,000,000"),
        (["--players", 7], "2 to 4 players"),
        (["--player", "clever"], "random, greedy or mixed"),
        (["--option", "map"], "NAME=VALUE"),
        (["--option", "map=sideways"], "sideways"),
        (["--plot", "plot.pdf"], ".png or .svg"),
        (["--plot", "nowhere/plot.svg"], "cannot be written"),
        (["--out", "\0"], "cannot be used"),
    ],
)
def test_what_makes_no_sense_is_misuse(run: Run, arguments: list[Any], words: str) -> None:
    result = run(*(QUICK if "--plot" in arguments else FEW), *arguments, code=2)
    assert words in result.stderr
    assert result.stdout == ""


def test_an_unknown_ruleset_is_told_with_a_hint(run: Run) -> None:
    assert "“checkpoint-rally”?" in run("simulate", "checkpoint-raly", code=2).stderr


def test_the_plot_is_a_picture(run: Run, tmp_path: Path) -> None:
    """That it is the same each time: `tests/simulate/test_statistics.py`; an svg: `test_guard.py`."""
    pytest.importorskip("matplotlib")
    run(*QUICK, "--plot", "plot.png", code=0)
    assert (tmp_path / "plot.png").read_bytes().startswith(b"\x89PNG")


def test_a_bug_in_the_rules_is_owned_up_to_with_the_game_that_shows_it(
    run: Run, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def broken(*_: object) -> Any:
        raise ZeroDivisionError("a bug")

    monkeypatch.setitem(play.PLAYERS, "greedy", broken)  # type: ignore[arg-type]
    monkeypatch.setattr("sys.argv", ["adjudicator", *map(str, FEW)])
    with pytest.raises(SystemExit) as ended:
        app.run()
    assert ended.value.code == 70
    told = capsys.readouterr().err
    assert "a bug" in told
    assert "game 1 of `simulate checkpoint-rally --players 2 --player greedy --seed 1`" in told

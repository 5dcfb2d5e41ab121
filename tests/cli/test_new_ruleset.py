"""`new-ruleset` writes a package that can be played and that keeps all laws."""

from __future__ import annotations

import importlib
import json
import os
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from runpy import run_path

import pytest
from typer.testing import Result

from adjudicator import rulesets, testing

ROOT = Path(__file__).parents[2]
Run = Callable[..., Result]
ENTRY = "[adjudicator.rulesets]\nmoon-shot = moon_shot:META\n"


@pytest.fixture
def installed(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the folder of a new package, which is found by its entry point."""
    run("new-ruleset", "moon-shot")
    folder = tmp_path / "moon-shot"
    (folder / "moon_shot-1.dist-info").mkdir()
    (folder / "moon_shot-1.dist-info" / "METADATA").write_text("Metadata-Version: 2.1\nName: moon-shot\nVersion: 1\n")
    (folder / "moon_shot-1.dist-info" / "entry_points.txt").write_text(ENTRY)
    monkeypatch.syspath_prepend(folder)
    importlib.invalidate_caches()
    rulesets.forget()
    return folder


def test_a_new_ruleset_can_be_played(run: Run, installed: Path, tmp_path: Path) -> None:
    assert "moon-shot  Moon Shot, rules version 1, 2 to 4 players" in run("games").stdout
    run("new", "moon-shot", "--seat", "ann", "--seat", "bob", "-o", "game.json")
    assert "3 orders applied" in run("apply", "game.json", installed / "turn-1.txt").stdout
    assert "(MS-1)" in run("legal", "game.json").stdout
    assert ": 1 verified" in run("audit", "game.json").stdout
    run("new-ruleset", "moon-shot", "-o", "other", code=2)
    sys.modules.pop("moon_shot", None)
    rulesets.forget()


def test_nothing_of_the_example_keeps_its_name(run: Run, tmp_path: Path) -> None:
    told = json.loads(run("new-ruleset", "x2", "-o", "made/x2", "--json").stdout)
    assert sorted(told["files"]) == [
        *("pyproject.toml", "tests/test_x2.py", "turn-1.txt"),
        *("x2/__init__.py", "x2/data/house.json", "x2/data/rules.md", "x2/data/state.json", "x2/x2.lark"),
    ]
    assert set(told["files"]) == {str(path.relative_to(tmp_path / "made/x2")) for path in (tmp_path / "made").rglob("*.*")}
    for path in (tmp_path / "made").rglob("*.*"):
        assert not {"last-match", "last_match", "LastMatch", "Last Match", "LM-"} & set(path.read_text("utf-8").split())


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["My-Game"], "“My-Game” is no id"),
        (["../up"], "“../up” is no id"),
        (["a" * 41], "is no id"),
        (["great-race"], "the game great-race is already installed"),
        (["json"], "Python has a module json already"),
        (["class"], "Python has a module class already"),
        (["fresh", "-o", "."], "choose another folder: . already exists"),
    ],
)
def test_a_bad_name_or_folder_is_refused(run: Run, arguments: list[str], words: str, tmp_path: Path) -> None:
    assert words in run("new-ruleset", *arguments, code=2).stderr
    assert list(tmp_path.iterdir()) == []


def test_the_next_steps_are_to_test_the_game_and_to_play_it(run: Run) -> None:
    *_, tests, _, play = run("new-ruleset", "moon-shot", "-o", "made/moon").stdout.splitlines()
    assert tests == "Next: pip install pytest -e made/moon; pytest made/moon"
    assert play.strip() == "adjudicator apply game.json made/moon/turn-1.txt"


def test_the_page_for_developers_begins_with_the_steps_that_the_command_prints(run: Run) -> None:
    page = (ROOT / "docs" / "own-ruleset.md").read_text("utf-8")
    first, *steps = page.partition("```sh\n")[2].partition("```")[0].splitlines()
    printed = run(*first.split()[1:]).stdout.partition("Next: ")[2].replace("Play: ", "").replace("; ", "\n")
    assert [line.strip() for line in printed.splitlines()] == steps


def test_a_new_ruleset_keeps_the_laws_in_one_game(installed: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By its own test, with one game in the place of fifty."""
    monkeypatch.setattr(testing, "check_laws", partial(testing.check_laws, games=1))
    run_path(str(installed / "tests" / "test_moon_shot.py"))["test_it_keeps_the_laws"]()
    sys.modules.pop("moon_shot", None)
    rulesets.forget()


@pytest.mark.soak
def test_a_new_ruleset_keeps_the_laws_in_all_games(installed: Path) -> None:
    surroundings = {**os.environ, "PYTHONPATH": os.pathsep.join([str(installed), str(ROOT)])}
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "tests"]
    done = subprocess.run(command, cwd=installed, env=surroundings, capture_output=True, text=True, check=False)
    assert "1 passed" in done.stdout, done.stdout

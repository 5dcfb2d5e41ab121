"""Commands that a ruleset brings along: those of another package run as those of this program do."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import Result

ROOT = Path(__file__).parents[2]
PACK = ROOT / "tests" / "store" / "pack"
COMMANDS = '''
import typer

COMMANDS = typer.Typer()


@COMMANDS.command()
def rungs(count: int = 3) -> None:
    """Print the rungs of a ladder.

    Examples:
      adjudicator toy-ladder rungs --count 2
    """
    typer.echo("=" * count)
    if count > 9:
        raise ValueError("a ladder this long falls over")
'''
Run = Callable[..., Result]


@pytest.fixture
def foreign(tmp_path: Path) -> Callable[..., subprocess.CompletedProcess[str]]:
    """Return the command line beside a package whose ruleset names commands."""
    shutil.copytree(PACK, tmp_path / "pack")
    meta = tmp_path / "pack" / "toy_ladder" / "meta.py"
    meta.write_text(meta.read_text().replace('ruleset="', 'commands="toy_ladder.commands:COMMANDS",\n    ruleset="'))
    (meta.parent / "commands.py").write_text(COMMANDS)
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(tmp_path / "pack"), str(ROOT)])}

    def call(*words: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "adjudicator", *words]
        return subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)

    return call


def test_a_ruleset_of_another_package_brings_commands(foreign: Callable[..., subprocess.CompletedProcess[str]]) -> None:
    assert foreign("toy-ladder", "rungs", "--count", "2").stdout == "==\n"
    text = foreign("toy-ladder", "rungs", "--help").stdout
    assert "\n    adjudicator toy-ladder rungs --count 2\n" in text
    assert "rungs  Print the rungs of a ladder." in foreign("toy-ladder", "--help").stdout
    wrong = foreign("toy-ladder", "rungs", "--json", "--count", "x")
    assert (wrong.returncode, '"error":"usage"' in wrong.stdout) == (2, True)


def test_a_fault_in_such_a_command_is_that_of_its_ruleset(
    foreign: Callable[..., subprocess.CompletedProcess[str]],
) -> None:
    broken = foreign("toy-ladder", "rungs", "--count", "10")
    assert broken.returncode == 70
    assert "“toy-ladder”" in broken.stderr


def test_the_commands_of_a_game_are_loaded_only_when_one_is_asked_for(tmp_path: Path) -> None:
    script = (
        "import atexit, sys\n"
        "atexit.register(lambda: print([name for name in sys.modules if '.office' in name], file=sys.stderr))\n"
        "from adjudicator.__main__ import main\n"
        "main()"
    )

    def loaded(*words: str) -> str:
        done = subprocess.run(
            [sys.executable, "-c", script, *words], cwd=tmp_path, capture_output=True, text=True, check=True
        )
        return done.stderr

    assert loaded("--help") == loaded("games") == "[]\n"
    assert "rally_round.office.route_command" in loaded("rally-round", "--help")


def test_a_game_without_commands_says_so(run: Run) -> None:
    assert "the game “checkered-flag” has no commands of its own" in run("checkered-flag", "route", code=2).stderr
    assert "No such command 'sheep'" in run("rally-round", "sheep", code=2).stderr

"""A ruleset of another package that exits, hangs, sends signals or has bugs harms no file, and ends no command silently."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.drivers.commands import ROOT, argv, beside, package, written

FAULTY = """

import os, sys
def fail(how):
    if how == "exit": sys.exit(0)
    if how == "raise": raise BaseException("what nobody catches")
    if how == "gone": os._exit(0)
    if how == "print": print("hello")
fail(os.environ.get("LOADED", ""))

def bug(name):
    if os.environ.get("BUG") == name:
        error = KeyError("laps")
        error.kind = "its own"
        raise error

class LastMatch(LastMatch):
    def is_over(self, state):
        fail(os.environ.get("USED", ""))
        bug("is_over")
        return super().is_over(state)
    def standings(self, state):
        bug("standings")
        return super().standings(state)
    def refusal(self, at, order):
        if order.count == 3: bug("refusal")
        return super().refusal(at, order)
"""
ORDERS = "red: TAKE 1\nblue: TAKE 1\n"
Run = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture(scope="module")
def pack(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Install a faulty ruleset in a folder of its own, with a new game."""
    folder = package(tmp_path_factory.mktemp("faulty"), FAULTY)
    module = folder / "last_match" / "__init__.py"
    built = '    count: int\n\n    def __post_init__(self):\n        if self.count == 7: bug("order")\n'
    module.write_text(module.read_text().replace("    count: int\n", built, 1))
    new = "-m adjudicator new last-match --seat red --seat blue --id toy -o toy.json"
    subprocess.run([sys.executable, *argv(new)], cwd=folder, env=beside(folder), check=True)
    return folder


@pytest.fixture
def run(tmp_path: Path, pack: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run a command with the faulty ruleset; ``loaded``, ``used`` and ``bug`` say what that does, and when."""
    monkeypatch.chdir(tmp_path)
    shutil.copy(pack / "toy.json", tmp_path)
    written(ORDERS)

    def call(line: str, loaded: str = "", used: str = "", bug: str = "") -> subprocess.CompletedProcess[str]:
        environment = beside(pack, LOADED=loaded, USED=used, BUG=bug)
        words = [sys.executable, "-m", "adjudicator", *argv(line)]
        return subprocess.run(words, env=environment, capture_output=True, text=True, check=False)

    return call


def files() -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in Path.cwd().iterdir() if path.is_file()}


@pytest.mark.parametrize("how", ["exit", "raise"])
def test_what_python_can_catch_is_told_as_its_bug(run: Run, how: str) -> None:
    found = run("show toy.json --json", used=how)
    assert found.returncode == 70
    assert "“last-match”" in json.loads(found.stdout)["message"] and "tried to end" in found.stdout


@pytest.mark.parametrize(("how", "words"), [("exit", "SystemExit: 0"), ("raise", "BaseException: what nobody catches")])
def test_the_list_of_games_names_the_unusable_one_and_has_all_others(run: Run, how: str, words: str) -> None:
    found = run("games --json", loaded=how)
    assert found.returncode == 0, found.stderr
    listed = {one["id"]: one for one in json.loads(found.stdout)}
    assert {"checkered-flag", "checkpoint-rally", "last-match"} <= listed.keys()
    assert listed["last-match"]["broken"].startswith(f"loading it failed: {words}")
    shown = run("show toy.json", loaded=how)
    assert (shown.returncode, words in shown.stderr) == (2, True)


def test_another_broken_ruleset_is_not_loaded_for_a_game(run: Run, pack: Path) -> None:
    """All rulesets were loaded to know one of them."""
    (pack / "worse.py").write_text("import sys\nsys.stderr.write('loaded')\nsys.exit(0)\n")
    (pack / "worse-1.0.dist-info").mkdir()
    (pack / "worse-1.0.dist-info" / "entry_points.txt").write_text("[adjudicator.rulesets]\nworse = worse:META\n")
    try:
        found = run("show toy.json")
        assert (found.returncode, found.stderr) == (0, "")
        found = run("new nothing --seat red -o x.json")
        assert (found.returncode, "no game “nothing” is installed" in found.stderr) == (2, True)
    finally:
        shutil.rmtree(pack / "worse-1.0.dist-info")


@pytest.mark.parametrize(("line", "bug"), [("red: TAKE 7", "order"), ("red: TAKE 1 OR TAKE 7", "order")])
def test_a_bug_on_a_line_of_a_script_is_told_with_the_line(run: Run, line: str, bug: str) -> None:
    text = f"script last-match\nid toy\nseat red=Ann\nseat blue=Ben\nseed {'0' * 64}\nturn 1\n{line}\n"
    Path("bug.txt").write_text(text)
    Path("right.txt").write_text(text.replace("7", "2"))
    found = run("script bug.txt -o made.json", bug=bug)
    assert (found.returncode, found.stdout, Path("made.json").exists()) == (70, "", False)
    told = "this is a bug in the ruleset “last-match”, which is not part of this program, not a mistake of yours"
    assert f"{told}: EngineFaultError: line 7 (`{line}`): KeyError: 'laps'" in found.stderr
    assert "Traceback" not in found.stderr
    audited = run("audit bug.txt right.txt --json", bug=bug)
    first, second, _ = map(json.loads, audited.stdout.splitlines())
    assert (audited.returncode, first["status"], second["status"]) == (70, "fault", "verified")
    assert f"line 7 (`{line}`)" in first["divergence"]["recomputed"]


# Many games -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("how", "words"),
    [("exit", "tried to end the program: SystemExit: 0"), ("gone", "has ended its process (exit code 0)")],
)
def test_a_site_and_an_audit_name_the_game_that_ends_its_process_and_go_on(run: Run, how: str, words: str) -> None:
    shutil.copy(ROOT / "examples" / "checkered-flag" / "race" / "game.json", "own.json")
    told = json.loads(run("site toy.json own.json -o public --unfinished --json", used=how).stdout)
    assert len(told["unmade"]) == 1 and words.rpartition(": ")[2] in told["unmade"][0]["cause"]
    assert (told["games"], len(list(Path("public/games").glob("*.html")))) == (2, 2)
    found = run("audit toy.json own.json --json", used=how)
    rows = [json.loads(line) for line in found.stdout.splitlines()]
    assert [row.get("status") for row in rows] == ["fault", "verified", None], found.stderr
    assert words.rpartition(": ")[2] in rows[0]["divergence"]["recomputed"]


@pytest.mark.parametrize("failing", [{"loaded": "exit"}, {"used": "exit"}, {"bug": "standings"}])
def test_an_archive_takes_games_whose_ruleset_fails(run: Run, failing: dict[str, str]) -> None:
    for line in ("archive games.adjudicator.db toy.json", "archive games.adjudicator.db --extract out"):
        found = run(line, **failing)
        assert (found.returncode, found.stderr) == (0, "")
    assert [path.name for path in Path("out").iterdir()] == ["toy.json"]


# Bugs ---------------------------------------------------------------------------------------------------------------


def test_a_bug_in_the_rules_is_told_as_theirs_and_the_file_is_not_blamed(run: Run) -> None:
    found = run("show toy.json", bug="standings")
    assert (found.returncode, "cannot be trusted" in found.stderr) == (70, False)
    assert found.stderr.startswith(
        "adjudicator: this is a bug in the ruleset “last-match”, which is not part of this program, not a mistake of yours"
    )
    assert "KeyError: 'laps'" in found.stderr and re.search(r"last_match.*line \d+", found.stderr)
    assert "The file toy.json, a game of the ruleset “last-match”, may be fine." in found.stderr
    failure = json.loads(run("show toy.json --json", bug="standings").stdout)
    assert failure["error"] == "internal" and "last_match" in failure["message"]


def test_a_bug_over_one_line_leaves_that_line_out_and_the_others_count(run: Run) -> None:
    written("red: TAKE 2\nblue: TAKE 3\n")
    found = run("apply toy.json turn.txt", bug="refusal")
    assert (found.returncode, "1 order applied" in found.stdout) == (1, True)
    for words in ("core/fault", "turn.txt:2: this is a bug", "KeyError: 'laps'", "Please report the bug"):
        assert words in found.stderr
    (fault,) = json.loads(run("check toy.json turn.txt --json", bug="refusal").stdout)["faults"]
    assert (fault["seat"], fault["line"], fault["source"]) == ("blue", 2, "turn.txt")
    assert "last_match" in fault["traceback"]


def test_an_audit_tells_the_bug_and_judges_the_other_games(run: Run) -> None:
    Path("games").mkdir()
    shutil.copy("toy.json", "games/a.json")
    shutil.copy(ROOT / "examples" / "checkered-flag" / "race" / "game.json", "games/b.json")
    written(Path("toy.json").read_bytes()[:-9], "games/c.json")
    found = run("audit games --json", bug="is_over")
    rows = [json.loads(line) for line in found.stdout.splitlines()]
    assert [row.get("status") for row in rows] == ["fault", "verified", "damaged", None], found.stderr
    divergence = rows[0]["divergence"]
    assert (divergence["kind"], divergence["sentence"]) == ("fault", True)
    assert re.match(r"a bug in the ruleset “last-match”.*\(.*\): KeyError: 'laps'", divergence["recomputed"])
    assert (rows[-1]["summary"]["kinds"], found.returncode) == ({"damaged": 1, "fault": 1}, 70)


@pytest.mark.parametrize(
    ("line", "bug"),
    [
        ("apply toy.json turn.txt --log log.jsonl", "is_over"),
        ("apply toy.json turn.txt --json", "standings"),
        ("turn toy.json turn.txt -o reports", "standings"),
        ("undo played.json --to 0 --reason x", "is_over"),
        ("amend played.json left=9 --reason x", "is_over"),
        ("seat played.json red --holder Zoe --reason x", "is_over"),
    ],
)
def test_a_command_that_fails_over_what_it_prints_has_changed_nothing(run: Run, line: str, bug: str) -> None:
    assert run("apply toy.json turn.txt -o played.json").returncode == 0
    before = files()
    found = run(line, bug=bug)
    assert (found.returncode, "last-match" in found.stderr + found.stdout) == (70, True)
    assert files() == before
    assert not Path("reports").exists()


# Commands that a ruleset brings along ---------------------------------------------------------------------------------

COMMANDS = '''
import typer

COMMANDS = typer.Typer()


@COMMANDS.command()
def heaps(count: int = 3) -> None:
    """Print a heap of matches.

    Examples:
      adjudicator last-match heaps --count 2
    """
    typer.echo("|" * count)
    if count > 9:
        raise ValueError("a heap this large falls over")
'''


def test_a_ruleset_of_another_package_brings_commands(tmp_path: Path) -> None:
    pack = package(tmp_path, commands=COMMANDS)
    source = pack / "last_match" / "__init__.py"
    source.write_text(source.read_text().replace("ruleset=", 'commands="last_match.commands:COMMANDS", ruleset='))

    def foreign(line: str) -> subprocess.CompletedProcess[str]:
        call = [sys.executable, "-m", "adjudicator", *argv(line)]
        return subprocess.run(call, cwd=tmp_path, env=beside(pack), capture_output=True, text=True, check=False)

    assert foreign("last-match heaps --count 2").stdout == "||\n"
    assert "\n    adjudicator last-match heaps --count 2\n" in foreign("last-match heaps --help").stdout
    assert "heaps  Print a heap of matches." in foreign("last-match --help").stdout
    wrong = foreign("last-match heaps --json --count x")
    assert (wrong.returncode, '"error":"usage"' in wrong.stdout) == (2, True)
    broken = foreign("last-match heaps --count 10")
    assert (broken.returncode, "“last-match”" in broken.stderr) == (70, True)

"""The command `audit`: its lines, its summary, its exit codes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import typer
from typer.testing import CliRunner, Result

from adjudicator.cli import audit as command

Forge = Callable[[dict[str, Any]], bytes]
Run = Callable[..., Result]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Return the command in an empty folder."""
    app = typer.Typer(rich_markup_mode=None, pretty_exceptions_enable=False)
    app.command()(command.audit)
    monkeypatch.chdir(tmp_path)

    def call(*arguments: object, code: int, stdin: bytes = b"") -> Result:
        result = CliRunner().invoke(app, [str(argument) for argument in arguments], input=stdin)
        if result.exception is not None and not isinstance(result.exception, SystemExit):
            raise result.exception
        assert result.exit_code == code, result.output
        return result

    return call


@pytest.fixture
def forged(small: bytes, forge: Forge) -> bytes:
    document = json.loads(small)
    event = next(event for event in document["journal"][1]["entry"]["events"] if event["kind"] == "spent")
    event["after"] += 1
    return forge(document)


def test_all_verified(run: Run, small: bytes, tmp_path: Path) -> None:
    (tmp_path / "race.json").write_bytes(small)
    lines = run("race.json", code=0).stdout.splitlines()
    assert lines[0].startswith("verified   rally-042  6 orders, ")
    assert lines[0].endswith("  race.json")
    assert lines[1:] == ["1 game: 1 verified"]


def test_a_divergence(run: Run, small: bytes, forged: bytes, tmp_path: Path) -> None:
    (tmp_path / "good.json").write_bytes(small)
    (tmp_path / "bad.json").write_bytes(forged)
    (tmp_path / "torn.json").write_bytes(small[:-9])
    lines = run(".", code=1).stdout.splitlines()
    assert [line.split()[0] for line in lines] == ["diverged", "next:", "verified", "damaged", "next:", "3", "1", "1"]
    assert ".after is " in lines[0]
    assert "(CR-" in lines[0]


def test_damaged_files_alone(run: Run, small: bytes, tmp_path: Path) -> None:
    (tmp_path / "good.json").write_bytes(small)
    (tmp_path / "torn.json").write_bytes(small[:-9])
    assert "1 verified, 1 not decided" in run("torn.json", "good.json", code=3).stdout


def test_no_game_at_all(run: Run, tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "set.json").write_text("{}")
    assert "no game was found in sub" in run("sub", code=2).stderr
    assert json.loads(run("sub", "--json", code=2).stdout.splitlines()[-1])["summary"]["verified"] == 0
    result = run("gone.json", code=2)
    assert "no such file" in result.stdout


def test_misuse(run: Run) -> None:
    assert "only once" in run("-", "-", code=2).stderr
    run("--jobs", "0", "x.json", code=2)
    run(code=2)


def test_quiet_tells_only_what_is_not_as_it_should_be(run: Run, small: bytes, forged: bytes, tmp_path: Path) -> None:
    (tmp_path / "good.json").write_bytes(small)
    (tmp_path / "bad.json").write_bytes(forged)
    lines = run(".", "--quiet", code=1).stdout.splitlines()
    assert [line.split()[0] for line in lines] == ["diverged", "next:", "2", "1"]


def test_verbose_names_the_files_that_are_passed_over(run: Run, small: bytes, tmp_path: Path) -> None:
    (tmp_path / "good.json").write_bytes(small)
    (tmp_path / "set.json").write_text("{}")
    assert "set.json" not in run(".", code=0).stdout
    lines = run(".", "--verbose", code=0).stdout.splitlines()
    assert lines[1:3] == ["skipped    –  no game  ./set.json", "1 game: 1 verified"]
    assert "not both" in run(".", "--verbose", "--quiet", code=2).stderr


def test_every_verdict_on_a_game_that_is_not_verified_ends_with_what_to_do(
    run: Run, small: bytes, forged: bytes, tmp_path: Path
) -> None:
    (tmp_path / "bad.json").write_bytes(forged)
    (tmp_path / "good.json").write_bytes(small)
    (tmp_path / "new.json").write_bytes(small.replace(b'"format":2', b'"format":9'))
    (tmp_path / "torn.json").write_bytes(small[:-9])
    lines = run(".", code=1).stdout.splitlines()
    assert [line.strip() for line in lines if line.startswith("  next: ")] == [
        "next: ask the moderator about it, and compare the reports and mails of that turn (--published)",
        "next: audit it with the version of the program and the ruleset that played it",
        "next: name the game file; if this is it, restore it from a backup, or ask for another copy of it",
    ]
    rows = [json.loads(line) for line in run(".", "--json", code=1).stdout.splitlines()]
    assert [bool(row.get("advice")) for row in rows] == [True, False, True, True, False]


def test_a_deleted_entry_is_told_as_one(run: Run, small: bytes, tmp_path: Path) -> None:
    document = json.loads(small)
    del document["journal"][3]
    (tmp_path / "race.json").write_text(json.dumps(document))
    (line, *_) = run("race.json", code=3).stdout.splitlines()
    assert line == ("damaged    rally-042  journal[3]: somebody has deleted entry 3: entry 4 follows entry 2  race.json")


def test_json_lines(run: Run, small: bytes, forged: bytes, tmp_path: Path) -> None:
    (tmp_path / "good.json").write_bytes(small)
    (tmp_path / "bad.json").write_bytes(forged)
    lines = [json.loads(line) for line in run(".", "--json", code=1).stdout.splitlines()]
    assert [line.get("status") for line in lines] == ["diverged", "verified", None]
    assert lines[0]["divergence"]["n"] == 1
    assert lines[-1]["summary"]["kinds"] == {"events": 1}


def test_impact(run: Run, small: bytes, forged: bytes, tmp_path: Path) -> None:
    (tmp_path / "good.json").write_bytes(small)
    assert run("good.json", "--impact", code=0).stdout.startswith("same ")
    (tmp_path / "bad.json").write_bytes(forged)
    lines = run(".", "--impact", code=1).stdout.splitlines()
    assert lines[0].startswith("differs ")
    assert lines[1].startswith("  next: do nothing")
    assert "1 same" in lines[3] and "differently" in lines[3]


def test_standard_input(run: Run, small: bytes) -> None:
    assert run("-", code=0, stdin=small).stdout.splitlines()[0].endswith("  standard input")


def test_names_of_files_are_safe_to_print(run: Run, small: bytes, tmp_path: Path) -> None:
    (tmp_path / "\x1b[2J.json").write_bytes(small)
    (tmp_path / os.fsdecode(b"\xff.json")).write_bytes(small)
    for options in ((), ("--json",)):
        assert "\x1b" not in run(".", *options, code=0).stdout


def test_several_jobs_print_the_same(run: Run, small: bytes, forged: bytes, tmp_path: Path) -> None:
    for number in range(12):
        (tmp_path / f"{number}.json").write_bytes(forged if number % 3 else small)
    assert run(".", "--jobs", 2, code=1).stdout == run(".", code=1).stdout


def test_progress_is_told_on_a_terminal_and_only_there(
    run: Run, small: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "race.json").write_bytes(small)
    plain = run("race.json", code=0)
    assert plain.stderr == ""
    counted = []
    monkeypatch.setattr(command, "with_progress", lambda items, what, is_quiet: counted.append(what) or items)
    assert run("race.json", code=0).stdout == plain.stdout


def test_a_process_of_its_own(small: bytes, tmp_path: Path) -> None:
    for number in range(3):
        (tmp_path / f"{number}.json").write_bytes(small)
    script = "import typer; from adjudicator.cli import audit; typer.run(audit.audit)"
    done = subprocess.run(
        [sys.executable, "-c", script, ".", "--jobs", "2"], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines()[-1] == "3 games: 3 verified"

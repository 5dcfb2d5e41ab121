"""A bug in a ruleset or in the program: its own verdict, no word against the file; behind one line, the others count."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest
from typer.testing import Result

from adjudicator import rulesets
from adjudicator.cli.app import run
from adjudicator.orders.parser import reader
from adjudicator.rulesets import ruleset

Command = Callable[..., subprocess.CompletedProcess[bytes]]
Orders = Callable[[str], str]

PLACE = "adjudicator.games.checkpoint_rally.rules, %s, line 2"


@pytest.fixture
def command(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Command:
    """Run the command line in this process; ``broken`` is a hook of Checkpoint Rally that raises ``KeyError`` meanwhile."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("adjudicator.cli.app._heed_signals", lambda: None)  # pytest has its own

    def call(*words: object, broken: str = "") -> subprocess.CompletedProcess[bytes]:
        monkeypatch.setattr("sys.argv", ["adjudicator", *map(str, words)])
        with rulesets.offer(rules_without(broken)) if broken else nullcontext(), pytest.raises(SystemExit) as ended:
            run()
        told = capsys.readouterr()
        return subprocess.CompletedProcess(words, int(ended.value.code or 0), told.out.encode(), told.err.encode())

    return call


def rules_without(hook: str) -> Any:
    """Return the rules of Checkpoint Rally with a ``hook`` that raises ``KeyError``."""
    space: dict[str, Any] = {"__name__": "adjudicator.games.checkpoint_rally.rules"}
    exec(f"def {hook}(*given):\n    raise KeyError('laps')", space)  # so that the place is one of this module
    return rulesets.ruleset("checkpoint-rally").changed(**{hook: space[hook]})


def test_show_reports_a_bug_in_the_rules_and_does_not_blame_the_file(command: Command, game: Path) -> None:
    result = command("show", game, broken="is_over")
    told = result.stderr.decode()
    assert result.returncode == 70
    assert "cannot be trusted" not in told
    assert told.startswith(
        "adjudicator: this is a bug in the ruleset “checkpoint-rally”, not a mistake of yours: KeyError: 'laps'"
    )
    assert PLACE % "is_over" in told
    assert f"The file {game}, a game of the ruleset “checkpoint-rally”, may be fine." in told


def test_machines_read_the_same(command: Command, game: Path) -> None:
    result = command("show", game, "--json", broken="is_over")
    failure = json.loads(result.stdout)
    assert (result.returncode, failure["error"]) == (70, "internal")
    assert PLACE % "is_over" in failure["message"]


@pytest.mark.parametrize("hook", ["is_over", "initial", "proceed"])
def test_audit_reports_the_bug_and_judges_the_other_games(command: Command, game: Path, hook: str, tmp_path: Path) -> None:
    folder = tmp_path / "games"
    folder.mkdir()
    shutil.copy(game, folder / "a.json")
    command("new", "checkered-flag", "--seat", "red", "--seat", "blue", "-o", folder / "b.json")
    (folder / "c.json").write_bytes(game.read_bytes()[:-9])
    result = command("audit", folder, "--json", broken=hook)
    rows = [json.loads(line) for line in result.stdout.splitlines()]
    assert [row.get("status") for row in rows] == ["fault", "verified", "damaged", None], result.stderr
    divergence = rows[0]["divergence"]
    assert (divergence["kind"], divergence["sentence"]) == ("fault", True)
    assert divergence["recomputed"] == f"a bug in the ruleset “checkpoint-rally” ({PLACE % hook}): KeyError: 'laps'"
    assert rows[-1]["summary"]["kinds"] == {"damaged": 1, "fault": 1}
    assert result.returncode == 70


def test_a_divergence_found_before_the_bug_counts_more(
    command: Command, game: Path, tmp_path: Path, forge: Callable[..., bytes]
) -> None:
    document = json.loads(game.read_bytes())
    document["state"]["row"] = []
    (tmp_path / "forged.json").write_bytes(forge(document))
    result = command("audit", "forged.json", "--json", broken="is_over")
    assert result.returncode == 1
    assert json.loads(result.stdout.splitlines()[0])["divergence"]["kind"] == "state"
    told = command("show", "forged.json", broken="is_over")
    assert told.returncode == 3
    assert b"this file cannot be trusted" in told.stderr


@pytest.mark.parametrize(
    ("hook", "options"),
    [
        ("is_over", ()),
        ("is_over", ("--json",)),
        ("is_over", ("--log", "log.jsonl")),
        ("warnings", ()),
        ("standings", ("--json",)),
        ("redact", ("--log", "log.jsonl")),
    ],
)
def test_apply_writes_nothing_when_the_program_fails_afterwards(
    command: Command, game: Path, orders: Orders, hook: str, options: tuple[str, ...], tmp_path: Path
) -> None:
    before = game.read_bytes()
    result = command("apply", game, orders("red: MOVE D3\n"), *options, broken=hook)
    assert result.returncode == 70
    assert game.read_bytes() == before
    assert not (tmp_path / "log.jsonl").exists()


@pytest.mark.parametrize(
    "words",
    [
        ("apply", "turn.txt"),
        ("turn", "turn.txt", "-o", "reports"),
        ("undo", "--to", "0", "--reason", "x"),
        ("amend", "racers[blue].minutes=9", "--reason", "x"),
        ("seat", "red", "--holder", "Zoe", "--reason", "x"),
    ],
)
def test_a_command_that_fails_over_what_it_prints_has_changed_nothing(
    command: Command, game: Path, orders: Orders, words: tuple[str, ...], tmp_path: Path
) -> None:
    orders("red: MOVE D3\n")
    assert command("apply", game, "turn.txt").returncode == 0
    orders("blue: DRAW\n")
    before = game.read_bytes()
    result = command(words[0], game, *words[1:], broken="is_over")
    assert result.returncode == 70, result.stderr
    assert game.read_bytes() == before
    assert not (tmp_path / "reports").exists()
    assert not list(tmp_path.glob("*.reports*"))


@pytest.mark.parametrize(
    "words", [("log",), ("report", "--as", "red"), ("replay", "--boards"), ("report", "--as", "red", "--json")]
)
def test_a_bug_over_the_past_is_told_and_not_passed_over(
    command: Command, game: Path, orders: Orders, words: tuple[str, ...]
) -> None:
    """The numbers of turns and what was new since the last report were left out when the rules failed over the past."""
    for text in ("red: MOVE D3\n", "red: DRAW\nblue: DRAW\n"):
        assert b"1 order applied" in command("apply", game, orders(text)).stdout
    result = command(words[0], game, *words[1:], broken="evolve")
    assert result.returncode == 70
    assert PLACE % "evolve" in (result.stderr + result.stdout).decode()


def test_a_bug_that_stops_an_amendment_is_not_blamed_on_the_amendment(command: Command, game: Path) -> None:
    """The rules are asked whether they can go on from an amended position; what they fail over before it is a bug."""
    assert command("amend", game, "racers[blue].minutes=9", "--reason", "x").returncode == 0
    result = command("audit", game, "--json", broken="standings")
    assert result.returncode == 70
    divergence = json.loads(result.stdout.splitlines()[0])["divergence"]
    assert (divergence["kind"], divergence["n"], divergence["order"]) == ("fault", 1, "AMEND")


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
    assert "in broken (test_faults.py:" in result.stderr
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
    assert "test_faults.py" in fault["traceback"]


def test_a_letter_of_another_alphabet_is_one_line_s_problem(run: Run, game: Path, orders: Callable[[str], str]) -> None:
    result = run("apply", game, orders("red: MOVE D3\nblue: IF hand ıs 3 THEN DRAW\n"), code=1)
    assert "1 order applied" in result.stdout
    assert "turn.txt:2:15: orders/unexpected" in result.stderr

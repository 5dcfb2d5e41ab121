"""A bug in a ruleset or in the program: its own verdict, exit code 70, and no word against the file."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

Process = Callable[..., subprocess.CompletedProcess[bytes]]
Orders = Callable[[str], str]

BROKEN = """
import adjudicator.rulesets as rulesets
from dataclasses import replace
space = {"__name__": "adjudicator.games.checkpoint_rally.rules"}
exec("def %(hook)s(*given):\\n    raise KeyError('laps')", space)
rules = rulesets.ruleset("checkpoint-rally")
rulesets._OFFERED["checkpoint-rally"] = rules.changed(%(hook)s=space["%(hook)s"])
"""
PLACE = "adjudicator.games.checkpoint_rally.rules, %s, line 2"


def broken(hook: str) -> str:
    """Return code that lets ``hook`` of Checkpoint Rally raise ``KeyError``."""
    return BROKEN % {"hook": hook}


def test_show_reports_a_bug_in_the_rules_and_does_not_blame_the_file(process: Process, game: Path) -> None:
    result = process("show", game, before=broken("is_over"))
    told = result.stderr.decode()
    assert result.returncode == 70
    assert "cannot be trusted" not in told
    assert told.startswith(
        "adjudicator: this is a bug in the ruleset “checkpoint-rally”, not a mistake of yours: KeyError: 'laps'"
    )
    assert PLACE % "is_over" in told
    assert f"The file {game}, a game of the ruleset “checkpoint-rally”, may be fine." in told


def test_machines_read_the_same(process: Process, game: Path) -> None:
    result = process("show", game, "--json", before=broken("is_over"))
    failure = json.loads(result.stdout)
    assert (result.returncode, failure["error"]) == (70, "internal")
    assert PLACE % "is_over" in failure["message"]


@pytest.mark.parametrize("hook", ["is_over", "initial", "proceed"])
def test_audit_reports_the_bug_and_judges_the_other_games(process: Process, game: Path, hook: str, tmp_path: Path) -> None:
    folder = tmp_path / "games"
    folder.mkdir()
    shutil.copy(game, folder / "a.json")
    process("new", "checkered-flag", "--seat", "red", "--seat", "blue", "-o", folder / "b.json")
    (folder / "c.json").write_bytes(game.read_bytes()[:-9])
    result = process("audit", folder, "--json", before=broken(hook))
    rows = [json.loads(line) for line in result.stdout.splitlines()]
    assert [row.get("status") for row in rows] == ["fault", "verified", "damaged", None], result.stderr
    divergence = rows[0]["divergence"]
    assert (divergence["kind"], divergence["sentence"]) == ("fault", True)
    assert divergence["recomputed"] == f"a bug in the ruleset “checkpoint-rally” ({PLACE % hook}): KeyError: 'laps'"
    assert rows[-1]["summary"]["kinds"] == {"damaged": 1, "fault": 1}
    assert result.returncode == 70


def test_a_divergence_found_before_the_bug_counts_more(
    process: Process, game: Path, tmp_path: Path, forge: Callable[..., bytes]
) -> None:
    document = json.loads(game.read_bytes())
    document["state"]["row"] = []
    (tmp_path / "forged.json").write_bytes(forge(document))
    result = process("audit", "forged.json", "--json", before=broken("is_over"))
    assert result.returncode == 1
    assert json.loads(result.stdout.splitlines()[0])["divergence"]["kind"] == "state"
    told = process("show", "forged.json", before=broken("is_over"))
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
    process: Process, game: Path, orders: Orders, hook: str, options: tuple[str, ...], tmp_path: Path
) -> None:
    before = game.read_bytes()
    result = process("apply", game, orders("red: MOVE D3\n"), *options, before=broken(hook))
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
    process: Process, game: Path, orders: Orders, words: tuple[str, ...], tmp_path: Path
) -> None:
    orders("red: MOVE D3\n")
    assert process("apply", game, "turn.txt").returncode == 0
    orders("blue: DRAW\n")
    before = game.read_bytes()
    result = process(words[0], game, *words[1:], before=broken("is_over"))
    assert result.returncode == 70, result.stderr
    assert game.read_bytes() == before
    assert not (tmp_path / "reports").exists()
    assert not list(tmp_path.glob("*.reports*"))


@pytest.mark.parametrize(
    "words", [("log",), ("report", "--as", "red"), ("replay", "--boards"), ("report", "--as", "red", "--json")]
)
def test_a_bug_over_the_past_is_told_and_not_passed_over(
    process: Process, game: Path, orders: Orders, words: tuple[str, ...]
) -> None:
    """The numbers of turns and what was new since the last report were left out when the rules failed over the past."""
    for text in ("red: MOVE D3\n", "red: DRAW\nblue: DRAW\n"):
        assert b"1 order applied" in process("apply", game, orders(text)).stdout
    result = process(words[0], game, *words[1:], before=broken("evolve"))
    assert result.returncode == 70
    assert PLACE % "evolve" in (result.stderr + result.stdout).decode()


def test_a_bug_that_stops_an_amendment_is_not_blamed_on_the_amendment(process: Process, game: Path) -> None:
    """The rules are asked whether they can go on from an amended position; what they fail over before it is a bug."""
    assert process("amend", game, "racers[blue].minutes=9", "--reason", "x").returncode == 0
    result = process("audit", game, "--json", before=broken("standings"))
    assert result.returncode == 70
    divergence = json.loads(result.stdout.splitlines()[0])["divergence"]
    assert (divergence["kind"], divergence["n"], divergence["order"]) == ("fault", 1, "AMEND")

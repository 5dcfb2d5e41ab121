"""The commands `undo`, `amend`, `seat` and `reveal`, as a moderator types them, and what they say of pending orders."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import Result

from adjudicator.core.chance import commitment

EXAMPLES = Path(__file__).parents[2] / "examples"
Run = Callable[..., Result]
Orders = Callable[..., Path]


@pytest.fixture
def played(run: Run, game: Path, orders: Orders) -> Path:
    """A game in which red has moved."""
    run("apply", game, orders("red: MOVE D3\n"), code=0)
    return game


def test_undo_says_what_it_did_and_what_is_due(run: Run, played: Path) -> None:
    text = run("undo", played, "--to", 0, "--reason", "wrong mail", code=0).stdout
    assert "UNDO to 0" in text
    assert "back to where the game stood after entry 0: wrong mail" in text
    assert "due now:\n  Ann (red)" in text
    assert "wrong mail" in run("log", played, code=0).stdout


def test_the_log_marks_what_was_undone(run: Run, played: Path) -> None:
    run("undo", played, "--to", 0, "--reason", "wrong mail", code=0)
    lines = run("log", played, code=0).stdout.splitlines()
    moved = next(number for number, line in enumerate(lines) if "MOVE D3" in line)
    assert lines[moved + 1].strip() == "note: undone by entry 2: it does not count"
    assert sum("does not count" in line for line in lines) == 1
    rows = [json.loads(line) for line in run("log", played, "--json", code=0).stdout.splitlines()]
    assert [row.get("undone_by") for row in rows] == [None, 2, None]


def test_amend_with_machine_output(run: Run, played: Path) -> None:
    result = run("amend", played, "racers[blue].minutes=9", "--reason", "dial", "--json", code=0)
    assert '"order":"AMEND"' in result.stdout
    assert run("show", played, "--json", code=0).stdout.count('"minutes":9') == 1


def test_a_seat_and_the_secret(run: Run, played: Path) -> None:
    assert "Zoe" in run("seat", played, "red", "--holder", "Zoe", "--reason", "moved", code=0).stdout
    assert "not over" in run("reveal", played, code=2).stderr
    text = run("reveal", played, "--force", "--reason", "why not", code=0).stdout
    assert "published before the end: why not" in text


@pytest.mark.parametrize(
    "arguments",
    [
        ["undo", "--to", "99", "--reason", "x"],
        ["undo", "--to", "0", "--reason", " "],
        ["amend", "racers[red].minutes=soon", "--reason", "x"],
        ["amend", "racers[red].hand+=H4", "--reason", "x"],
        ["amend", "nonsense", "--reason", "x"],
        ["seat", "moderator", "--holder", "Zoe", "--reason", "x"],
        ["seat", "grene", "--holder", "Zoe", "--reason", "x"],
    ],
)
def test_what_makes_no_sense_changes_nothing(run: Run, played: Path, arguments: list[str]) -> None:
    before = played.read_bytes()
    result = run(arguments[0], played, *arguments[1:])
    assert result.exit_code == 2
    assert result.stderr
    assert played.read_bytes() == before


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["amend", "board[0].rot=45", "--reason", "x"], "not 45"),
        (["amend", "racers[red].minutes=1e2", "--reason", "x"], "whole number: 100"),
        (["amend", "stage=dealing", "--reason", "x"], "must be “starting”, “racing” or “over”, not “dealing”"),
        (["amend", 'starting=["nobody"]', "--reason", "x"], "there is no “starting”"),
        (["amend", "racers[red].cell=null", "--reason", "x"], "still to start"),
        (["amend", "racers[red].minutes=9007199254740991", "--reason", "x"], "100000 are the most"),
        (["amend", "racers[red].card=null", "--reason", "x"], "(CR-S4)"),
        (["amend", "acting=rde", "--reason", "x"], "  there is no seat rde in this game\n    did you mean: red\n"),
        (["reveal", "--force", "--reason", "x" * 401], "1 to 400 characters"),
        (["reveal", "--force"], "give a reason"),
        (["undo", "--to", "0", "--reason", "\ud800"], "plain text"),
        (["seat", "red", "--holder", "\ud800", "--reason", "x"], "plain text"),
    ],
)
def test_what_cannot_be_is_misuse(run: Run, played: Path, arguments: list[str], told: str) -> None:
    before = played.read_bytes()
    assert told in run(arguments[0], played, *arguments[1:], code=2).stderr
    assert played.read_bytes() == before


def test_another_file_can_take_the_correction(run: Run, played: Path, tmp_path: Path) -> None:
    before = played.read_bytes()
    run("undo", played, "--to", 0, "--reason", "try", "-o", tmp_path / "other.json", code=0)
    assert played.read_bytes() == before
    assert b"UNDO to 0" in (tmp_path / "other.json").read_bytes()
    assert "name a file" in run("undo", "-", "--to", 0, "--reason", "x", code=2).stderr


def test_the_secret_of_a_finished_game_is_published_with_the_result_and_how_to_check_it(run: Run, tmp_path: Path) -> None:
    (tmp_path / "race.json").write_bytes((EXAMPLES / "checkered-flag" / "race" / "game.json").read_bytes())
    text = run("reveal", "race.json", code=0).stdout
    assert "corrected" not in text
    assert "\nflag-009 is over:\n  1. " in text
    secret = re.search(r"\n  secret      ([0-9a-f]{64})\n  commitment  ([0-9a-f]{64})\n", text)
    assert secret is not None
    assert commitment(bytes.fromhex(secret[1])) == secret[2]
    for command in re.findall(r"\n  adjudicator (.*)", text):
        words, _, target = command.partition(" > ")
        result = run(*words.split(), code=0)
        if target:
            (tmp_path / target).write_text(result.stdout, encoding="utf-8")
    assert words.startswith("verify-chance public.jsonl ")


def test_a_secret_published_early_says_what_is_due(run: Run, played: Path) -> None:
    text = run("reveal", played, "--force", "--reason", "a bet", code=0).stdout
    assert re.search(r"\nrally is corrected\nturn \d, due now:\n  (Ann \(red\)|Bob \(blue\)): ", text)
    assert "adjudicator verify-chance public.jsonl red.jsonl" in text


def test_a_game_that_is_over_stays_over_when_a_seat_changes_hands(run: Run, tmp_path: Path) -> None:
    (tmp_path / "race.json").write_bytes((EXAMPLES / "checkered-flag" / "race" / "game.json").read_bytes())
    text = run("seat", "race.json", "red", "--holder", "Zoe", "--reason", "moved", code=0).stdout
    assert "is over:\n  1. " in text
    assert "secret" not in text


UNDO = ("--to", 0, "--reason", "mail")
PUBLIC = "note: the secret of chance is public, and the game is not over: whoever knows it knows all later draws"


@pytest.fixture
def waiting(run: Run, game: Path, orders: Orders) -> Path:
    """Return a game in which red has moved, and two orders of blue wait."""
    run("apply", game, orders("red: MOVE D3\nblue: REFRESH\n  DRAW"), code=0)
    return game


def told(result: Result) -> dict[str, Any]:
    answer: dict[str, Any] = json.loads(result.stdout)
    return answer


def test_an_undo_names_the_orders_that_it_drops(run: Run, waiting: Path) -> None:
    text = run("undo", waiting, *UNDO, code=0).stdout
    assert text.splitlines()[-1] == "set aside: blue 2 orders; `adjudicator pending` lists them and can bring them back"
    assert "pending: " not in text


def test_other_corrections_name_the_orders_that_wait(run: Run, waiting: Path, orders: Orders) -> None:
    text = run("seat", waiting, "red", "--holder", "Zoe", "--reason", "moved", code=0).stdout
    assert text.splitlines()[-1] == "pending: blue 2 orders"
    run("apply", waiting, orders("blue: DRAW"), code=0)
    text = run("amend", waiting, "racers[blue].minutes=9", "--reason", "dial", code=0).stdout
    assert text.splitlines()[-1] == "pending: blue 1 order"


def test_without_pending_orders_there_is_no_list_of_them(run: Run, game: Path) -> None:
    text = run("seat", game, "red", "--holder", "Zoe", "--reason", "moved", code=0).stdout
    assert text.splitlines()[-4:-2] == ["rally is corrected", "turn 1, due now:"]
    assert text.splitlines()[-1] == "players write `turn 1` above their orders"


def test_machines_are_told_too(run: Run, waiting: Path) -> None:
    seat = told(run("seat", waiting, "red", "--holder", "Zoe", "--reason", "moved", "--json", code=0))
    assert (seat["pending"], seat["dropped"], seat["warnings"]) == ({"blue": 2}, {}, [])
    assert ([decision["seat"] for decision in seat["due"]], seat["over"]) == (["red"], False)
    undo = told(run("undo", waiting, *UNDO, "--json", code=0))
    assert (undo["pending"], undo["dropped"], undo["entry"]["order"]) == ({}, {"blue": 2}, "UNDO to 0")


def test_play_that_goes_on_with_a_public_secret_is_told(run: Run, waiting: Path) -> None:
    run("reveal", waiting, "--force", "--reason", "all may know", code=0)
    assert PUBLIC in run("seat", waiting, "red", "--holder", "Zoe", "--reason", "moved", code=0).stdout
    answer = told(run("amend", waiting, "racers[blue].minutes=9", "--reason", "dial", "--json", code=0))
    assert answer["warnings"] == [PUBLIC.removeprefix("note: ")]
    # The entry that published it does not count any more; the players know it all the same.
    assert run("undo", waiting, *UNDO, code=0).stdout.splitlines()[-1] == PUBLIC


def test_a_secret_that_was_kept_needs_no_note(run: Run, waiting: Path) -> None:
    assert "secret" not in run("undo", waiting, *UNDO, code=0).stdout


def test_what_a_correction_makes_due_is_taken_without_another_text(run: Run, waiting: Path) -> None:
    run("amend", waiting, "racers[red].minutes=90", "--reason", "misread the dial", code=0)
    assert [row["seat"] for row in told(run("check", waiting, "--json", code=0))["accepted"]] == ["blue", "blue"]
    assert told(run("apply", waiting, "--json", code=0))["pending"] == {}


def test_without_orders_and_with_nothing_that_waits_there_is_nothing_to_do(run: Run, game: Path) -> None:
    assert "no pending orders" in run("apply", game, code=2).stderr
    assert "no pending orders" in run("check", game, code=2).stderr

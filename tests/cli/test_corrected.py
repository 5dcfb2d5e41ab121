"""What a moderator is told after a correction: which orders wait, which were dropped, and that the secret is out."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import Result

Run = Callable[..., Result]
Orders = Callable[..., str]
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

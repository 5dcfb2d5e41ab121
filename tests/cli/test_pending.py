"""The commands `pending` and `withdraw`."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import Result

Run = Callable[..., Result]


@pytest.fixture
def game(run: Run, tmp_path: Path, game_bytes: bytes) -> Path:
    """Return a game file in which two orders of blue and one of red wait; red has been asked for something else."""
    path = tmp_path / "rally.json"
    path.write_bytes(game_bytes)
    run("apply", path, "-", stdin="blue: DRAW\n  REFRESH\n", code=0)
    return path


def data(run: Run, *arguments: object) -> Any:
    return json.loads(run("pending", *arguments, "--json", code=0).stdout)


def test_the_moderator_sees_what_waits_of_everybody(run: Run, game: Path) -> None:
    text = run("pending", game, code=0).stdout
    assert "as the moderator" in text
    assert text.endswith("Pending orders\n  Bob (blue), since turn 1\n    1. DRAW\n    2. REFRESH\n")
    assert data(run, game)["waiting"] == [{"seat": "blue", "turn": 1, "orders": ["DRAW", "REFRESH"]}]


def test_a_seat_sees_its_own_and_nothing_of_others(run: Run, game: Path) -> None:
    assert "1. DRAW" in run("pending", game, "--as", "blue", code=0).stdout
    run("apply", game, "-", stdin="blue: WITHDRAW\n", code=0)
    assert data(run, game, "--as", "blue")["set_aside"][0]["orders"] == ["DRAW", "REFRESH"]
    red = run("pending", game, "--as", "red", code=0).stdout
    assert "blue" not in red
    assert red.endswith("no pending orders\n")
    assert data(run, game, "--as", "red")["set_aside"] == []


def test_what_was_replaced_is_brought_back(run: Run, game: Path) -> None:
    run("apply", game, "-", stdin="blue: MOVE A2\n", code=0)
    assert "[1] Bob (blue), replaced in turn 1" in run("pending", game, code=0).stdout
    run("pending", game, "--bring-back", 1, code=0)
    found = data(run, game)
    assert [sheet["orders"] for sheet in found["waiting"]] == [["DRAW", "REFRESH"]]
    assert [(one["n"], one["cause"], one["orders"]) for one in found["set_aside"]] == [
        (1, "replaced", ["DRAW", "REFRESH"]),
        (2, "replaced", ["MOVE A2"]),
    ]
    assert "are already pending" in run("pending", game, "--bring-back", 1, code=2).output
    assert "it has 1 to 2" in run("pending", game, "--bring-back", 9, code=2).output
    run("audit", game, code=0)


def test_the_moderator_withdraws(run: Run, game: Path) -> None:
    run("withdraw", game, "blue", "--from", 2, "--reason", "by telephone", code=0)
    found = data(run, game)
    assert found["waiting"][0]["orders"] == ["DRAW"]
    assert found["set_aside"] == [
        {
            "n": 1,
            "seat": "blue",
            "turn": 1,
            "orders": ["REFRESH"],
            "until": 1,
            "cause": "withdrawn",
            "reason": "by telephone",
        }
    ]
    assert "only 1 pending" in run("withdraw", game, "blue", "--from", 2, "--reason", "x", code=2).output
    assert "red has no pending orders" in run("withdraw", game, "red", "--reason", "x", code=2).output
    assert "no seat “pink”" in run("withdraw", game, "pink", "--reason", "x", code=2).output
    assert (
        "no seat “moderator”; choose from: red, blue" in run("withdraw", game, "moderator", "--reason", "x", code=2).output
    )
    assert "400 characters" in run("withdraw", game, "blue", "--reason", " ", code=2).output
    run("audit", game, code=0)


def test_what_an_undo_drops_can_be_brought_back(run: Run, game: Path) -> None:
    run("apply", game, "-", stdin="red: DRAW\n", code=None)
    before = data(run, game)["waiting"]
    assert before
    run("undo", game, "--to", 0, "--reason", "slip", code=0)
    found = data(run, game)
    assert found["waiting"] == []
    assert [one["cause"] for one in found["set_aside"]][-1] == "undone"
    run("pending", game, "--bring-back", len(found["set_aside"]), code=0)
    assert data(run, game)["waiting"]
    run("audit", game, code=0)


def test_to_look_changes_nothing_and_needs_no_file_to_write(run: Run, game: Path) -> None:
    before = game.read_bytes()
    run("pending", game, code=0)
    assert "use -o only with --bring-back" in run("pending", game, "-o", "new.json", code=2).output
    assert "leave out --as" in run("pending", game, "--as", "red", "--bring-back", 1, code=2).output
    assert game.read_bytes() == before


def test_another_file_is_written_and_spared(run: Run, game: Path, tmp_path: Path) -> None:
    before = game.read_bytes()
    run("withdraw", game, "blue", "--reason", "x", "-o", tmp_path / "new.json", code=0)
    assert game.read_bytes() == before
    assert data(run, tmp_path / "new.json")["waiting"] == []
    (tmp_path / "other.txt").write_text("something else")
    run("withdraw", game, "blue", "--reason", "x", "-o", tmp_path / "other.txt", code=2)
    run("withdraw", "-", "blue", "--reason", "x", stdin=before, code=2)


def test_the_numbers_of_a_seat_do_not_tell_how_many_others_have_had_set_aside(run: Run, game: Path) -> None:
    for seat in ("blue", "red", "red"):
        run("apply", game, "-", stdin=f"{seat}: DRAW\n  DRAW\n")
        run("apply", game, "-", stdin=f"{seat}: WITHDRAW\n", code=0)
    everybody = data(run, game)["set_aside"]
    for seat in ("red", "blue"):
        own = data(run, game, "--as", seat)["set_aside"]
        assert [one["n"] for one in own] == list(range(1, len(own) + 1))
        assert [one["orders"] for one in own] == [one["orders"] for one in everybody if one["seat"] == seat]
    assert [one["n"] for one in everybody] == list(range(1, len(everybody) + 1))
    number = next(one["n"] for one in everybody if one["seat"] == "blue")
    run("pending", game, "--bring-back", number, code=0)
    assert data(run, game)["waiting"][-1]["seat"] == "blue"

"""One guard for every file that the program writes: nothing is replaced that is not an earlier writing of the same thing."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import Result

from adjudicator.files import reading
from adjudicator.store import save

Run = Callable[..., Result]
Orders = Callable[..., str]
GOOD = "red: MOVE D3\n"
OTHERS = {"a game": b'{"format": 2}\n', "a note": b"do not lose me\n", "rows": b'{"n": 1}\n', "a list": b"[0]\n"}


def new(run: Run, name: str) -> Path:
    run("new", "checkpoint-rally", "--seat", "red", "--seat", "blue", "-o", name, code=0)
    return Path(name)


@pytest.mark.parametrize("what", OTHERS)
def test_a_log_replaces_nothing_but_itself(run: Run, game: Path, orders: Orders, what: str) -> None:
    Path("mine").write_bytes(OTHERS[what])
    before = game.read_bytes()
    result = run("apply", game, orders(GOOD), "--log", "mine", code=2)
    assert "name another file, or use --force: mine already exists and is not the log of this game" in result.stderr
    assert Path("mine").read_bytes() == OTHERS[what]
    assert game.read_bytes() == before
    run("apply", game, orders(GOOD), "--log", "mine", "--force", code=0)
    assert Path("mine").read_bytes().startswith(b'{"after"')


def test_a_log_does_not_replace_another_game(run: Run, game: Path, orders: Orders) -> None:
    """It did so without a word, and the secret of that game was lost with it."""
    other = new(run, "other.json")
    before = other.read_bytes()
    assert "not the log" in run("apply", game, orders(GOOD), "--log", other, code=2).stderr
    assert other.read_bytes() == before


def test_a_log_does_not_replace_that_of_another_game(run: Run, game: Path, orders: Orders) -> None:
    other = new(run, "other.json")
    Path("log.jsonl").write_bytes(run("log", other, "--json", code=0).stdout_bytes)
    assert "not the log" in run("apply", game, orders(GOOD), "--log", "log.jsonl", code=2).stderr


def test_a_log_replaces_its_earlier_self_and_empty_files(run: Run, game: Path, orders: Orders) -> None:
    Path("log.jsonl").touch()
    run("apply", game, orders(GOOD), "--log", "log.jsonl", code=0)
    first = Path("log.jsonl").read_bytes()
    run("undo", game, "--to", "0", "--reason", "x", code=0)
    run("apply", game, orders("red: MOVE C2\n"), "--log", "log.jsonl", code=0)
    assert Path("log.jsonl").read_bytes() != first


def test_a_trial_touches_and_asks_nothing(run: Run, game: Path, orders: Orders) -> None:
    Path("mine").write_bytes(b"x")
    run("apply", game, orders(GOOD), "--log", "mine", "--dry-run", code=0)
    assert Path("mine").read_bytes() == b"x"


def test_a_picture_replaces_pictures_alone(run: Run, game: Path) -> None:
    Path("board.svg").write_bytes(b"<html>my own\n")
    assert "board.svg already exists and is not a picture" in run("show", game, "--svg", "board.svg", code=2).stderr
    assert Path("board.svg").read_bytes() == b"<html>my own\n"
    run("show", game, "--svg", "board.svg", "--force", code=0)
    run("show", game, "--svg", "board.svg", "--as", "red", code=0)
    assert "use --force only with --svg" in run("show", game, "--force", code=2).stderr


def test_a_plot_replaces_pictures_alone(run: Run) -> None:
    pytest.importorskip("matplotlib")
    Path("plot.svg").write_bytes(b"<html>my own\n")
    words = ("simulate", "checkered-flag", "--games", "1", "--plot", "plot.svg")
    assert "plot.svg already exists and is not a picture" in run(*words, code=2).stderr
    run(*words, "--force", code=0)
    run(*words, code=0)


# A game that grows too large -----------------------------------------------------------------------------------------


@pytest.fixture
def limit(monkeypatch: pytest.MonkeyPatch) -> Callable[[int], None]:
    def set_to(size: int) -> None:
        monkeypatch.setattr(reading, "LIMIT", size)
        monkeypatch.setattr(save, "LIMIT", size)

    return set_to


def test_a_game_that_could_not_be_read_again_is_not_written(
    run: Run, game: Path, orders: Orders, limit: Callable[[int], None]
) -> None:
    before = game.read_bytes()
    limit(len(before))
    result = run("apply", game, orders(GOOD), code=2)
    assert "nothing was written: the file would have" in result.stderr
    assert game.read_bytes() == before
    for words in (
        ("amend", game, "racers[blue].minutes=9", "--reason", "x"),
        ("apply", game, orders(GOOD), "-o", "new.json"),
        ("apply", game, orders(GOOD), "--json"),
    ):
        result = run(*words, code=2)
        assert "nothing was written" in result.stderr + result.stdout
    assert game.read_bytes() == before
    assert not Path("new.json").exists()


def test_a_game_that_has_nearly_grown_too_large_is_told(
    run: Run, game: Path, orders: Orders, limit: Callable[[int], None]
) -> None:
    limit(4 * len(game.read_bytes()))
    assert "MB already" not in run("apply", game, orders(GOOD), code=0).stderr
    limit(len(game.read_bytes()) * 5 // 4)
    assert "the file of game rally has 0.0 MB already" in run("apply", game, orders("red: MOVE C3\n"), code=0).stderr


def test_files_of_256_mb_are_read() -> None:
    assert reading.LIMIT >= 256 * 1024 * 1024
    assert save.LIMIT == reading.LIMIT


def test_a_file_of_nothing_but_lists_is_refused_before_it_is_read(run: Run) -> None:
    """Each takes some hundred bytes in memory: 64 MB of them took more than 3 GB."""
    Path("lists.json").write_bytes(b'{"format": 2, "x": [' + b"[]," * 500_000 + b"[]]}")
    result = run("show", "lists.json", code=3)
    assert "far more brackets than any adjudicator file" in result.stderr

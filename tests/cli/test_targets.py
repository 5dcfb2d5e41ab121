"""Where a game is written with `-o`: over an earlier writing of itself, and over nothing else unless it is forced."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from filelock import FileLock
from typer.testing import Result

from adjudicator.store.load import load_game

Run = Callable[..., Result]
Orders = Callable[..., str]
COMMANDS: dict[str, tuple[str, ...]] = {
    "apply": ("turn.txt",),
    "undo": ("--to", "0", "--reason", "x"),
    "amend": ("racers[blue].minutes=9", "--reason", "x"),
    "seat": ("red", "--holder", "Zoe", "--reason", "x"),
}


@pytest.fixture
def played(run: Run, game: Path, orders: Orders) -> Path:
    """Return a game in which red has moved; the next order stands in `turn.txt`."""
    run("apply", game, orders("red: MOVE D3"), code=0)
    orders("red: MOVE C3")
    return game


def another(run: Run, *words: str) -> bytes:
    run("new", "checkpoint-rally", "--seat", "a", "--seat", "b", "-o", "dear.json", *words, code=0)
    return Path("dear.json").read_bytes()


@pytest.mark.parametrize("command", COMMANDS)
def test_another_game_is_never_replaced_silently(run: Run, played: Path, command: str) -> None:
    more, kept, before = COMMANDS[command], another(run), played.read_bytes()
    result = run(command, played, *more, "-o", "dear.json", code=2)
    words = "name another file, or use --force: dear.json contains another game, dear"
    assert result.stderr == f"adjudicator: {words}\n"
    assert result.stdout == ""
    answer = json.loads(run(command, played, *more, "-o", "dear.json", "--json", code=2).stdout)
    assert (answer["error"], answer["message"]) == ("misuse", words)
    assert (Path("dear.json").read_bytes(), played.read_bytes()) == (kept, before)
    run(command, played, *more, "-o", "dear.json", "--force", code=0)
    assert load_game("dear.json").id == "rally"


def test_a_game_of_the_same_name_is_another_game(run: Run, played: Path) -> None:
    another(run, "--id", "rally")
    assert "another game with the same id, rally" in run("apply", played, "turn.txt", "-o", "dear.json", code=2).stderr


@pytest.mark.parametrize("content", ["dear to me", "{}", '{"format": 1'])
def test_what_is_no_game_is_kept_too(run: Run, played: Path, content: str) -> None:
    Path("dear.json").write_text(content)
    for command, more in COMMANDS.items():
        assert "is not a valid game file" in run(command, played, *more, "-o", "dear.json", code=2).stderr
    assert Path("dear.json").read_text() == content


def test_the_secret_is_not_published_to_replace_a_file(run: Run, played: Path) -> None:
    """`--force` of `reveal` means something else: there it is no way to replace a file."""
    kept = another(run)
    result = run("reveal", played, "--force", "--reason", "x", "-o", "dear.json", code=2)
    assert result.stderr == "adjudicator: name another file: dear.json contains another game, dear\n"
    assert Path("dear.json").read_bytes() == kept


@pytest.mark.parametrize("command", COMMANDS)
def test_an_earlier_writing_of_the_same_game_is_replaced(run: Run, played: Path, command: str) -> None:
    for _ in range(2):
        run(command, played, *COMMANDS[command], "-o", "next.json", code=0)
    assert load_game("next.json").id == "rally"
    run("apply", "next.json", "turn.txt", "-o", played)
    assert load_game(str(played)).id == "rally"


def test_an_empty_file_has_nothing_to_lose(run: Run, played: Path) -> None:
    Path("new.json").touch()
    run("apply", played, "turn.txt", "-o", "new.json", code=0)
    assert load_game("new.json").id == load_game(str(played)).id


def test_a_trial_replaces_nothing_and_refuses_nothing(run: Run, played: Path) -> None:
    another(run)
    before = Path("dear.json").read_bytes()
    run("apply", played, "turn.txt", "-o", "dear.json", "--dry-run", code=0)
    assert Path("dear.json").read_bytes() == before


def test_force_alone_makes_no_sense(run: Run, played: Path) -> None:
    for command, more in COMMANDS.items():
        assert "use --force only with -o" in run(command, played, *more, "--force", code=2).stderr


def test_the_lock_of_the_target_is_taken(run: Run, played: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import functools

    from adjudicator.files import lock

    monkeypatch.setattr(lock, "locked", functools.partial(lock.locked, timeout=0.05))
    with FileLock("next.json.lock"):
        for command, more in COMMANDS.items():
            words = "next.json: another adjudicator is using this file"
            assert words in run(command, played, *more, "-o", "next.json", code=2).stderr
    assert not Path("next.json").exists()


def test_what_is_no_file_is_not_locked(run: Run, played: Path, tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    assert "this is a folder" in run("apply", played, "turn.txt", "-o", "folder", code=2).stderr
    assert not (tmp_path / "folder.lock").exists()
    assert "no such folder" in run("apply", played, "turn.txt", "-o", "no/x.json", code=2).stderr


def test_a_later_writing_of_the_same_game_is_not_replaced_by_an_earlier_one(run: Run, played: Path) -> None:
    """Entries that were accepted there would be gone."""
    before = played.read_bytes()
    run("undo", played, "--to", 0, "--reason", "mail", "-o", "later.json", code=0)
    later = Path("later.json").read_bytes()
    refused = run("apply", played, "turn.txt", "-o", "later.json", code=2).stderr
    assert "and others would be lost" in refused
    assert Path("later.json").read_bytes() == later
    run("apply", played, "turn.txt", "-o", "later.json", "--force", code=0)
    assert played.read_bytes() == before

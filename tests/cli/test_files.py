"""Files named on the command line: the program replaces nothing that is not an earlier writing of the same thing."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from filelock import FileLock
from typer.testing import Result

from adjudicator.files import reading
from adjudicator.store import save
from adjudicator.store.load import load_game

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


def test_a_plot_replaces_pictures_alone(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("matplotlib")
    monkeypatch.setattr(
        "adjudicator.draw_plot", lambda _games, _about, path: Path(path).write_bytes(b"<dc:title>adjudicator</dc:title>")
    )
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
    assert "is a folder" in run("apply", played, "turn.txt", "-o", "folder", code=2).stderr
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

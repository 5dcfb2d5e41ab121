"""Nothing is ever lost: full disks, interrupted writes, two runs at once, locks, links, permissions."""

from __future__ import annotations

import errno
import functools
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NoReturn

import pytest
from filelock import FileLock
from typer.testing import Result

from adjudicator.library.game import UnsoundGameError
from adjudicator.store.load import load_game

Run = Callable[..., Result]
Orders = Callable[..., str]
Process = Callable[..., "subprocess.CompletedProcess[bytes]"]

GOOD = "red: MOVE D3\n"
IS_POSIX = os.name == "posix"
IS_ROOT = IS_POSIX and os.geteuid() == 0


def failing(number: int) -> Callable[..., NoReturn]:
    def fail(*_: Any, **__: Any) -> NoReturn:
        raise OSError(number, os.strerror(number))

    return fail


def names(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


def accepted(path: Path) -> list[str]:
    return [link.entry.order for link in load_game(str(path)).journal[1:]]


# Disks --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("function", ["write", "fsync", "replace"])
@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EIO, errno.EROFS, errno.EDQUOT])
def test_a_disk_that_fails_leaves_the_game_as_it_was(
    run: Run, game: Path, orders: Orders, monkeypatch: pytest.MonkeyPatch, function: str, number: int
) -> None:
    turn, before = orders(GOOD), game.read_bytes()
    with monkeypatch.context() as patch:
        patch.setattr(f"adjudicator.files.atomic.os.{function}", failing(number))
        result = run("apply", game, turn, code=2)
    assert result.stderr == f"adjudicator: {game}: the file cannot be written: {os.strerror(number)}\n"
    assert result.stdout == ""
    assert game.read_bytes() == before
    assert names(game.parent) == {"rally.json", "turn.txt"}
    run("apply", game, turn, code=0)


FULL = """
set -e
mount -t tmpfs -o size=32k tmpfs full
cp rally.json turn.txt full/
dd if=/dev/zero of=full/filler bs=1k count=64 2>/dev/null || true
code=0
"$PYTHON" -m adjudicator apply full/rally.json full/turn.txt || code=$?
cmp rally.json full/rally.json
ls -A full >listed
exit $code
"""


@pytest.mark.skipif(not shutil.which("unshare"), reason="needs unshare")
def test_a_full_disk_leaves_the_game_as_it_was(game: Path, orders: Orders) -> None:
    orders(GOOD)
    (game.parent / "full").mkdir()
    environment = {**os.environ, "PYTHON": sys.executable}
    command = ["unshare", "--user", "--map-root-user", "--mount", "sh", "-c"]
    if subprocess.run([*command, "mount -t tmpfs tmpfs full"], cwd=game.parent, capture_output=True, check=False).returncode:
        pytest.skip("not allowed to mount")
    result = subprocess.run([*command, FULL], cwd=game.parent, env=environment, capture_output=True, check=False, text=True)
    assert result.returncode == 2, result.stderr
    assert result.stderr.startswith("adjudicator: full/rally.json: ") and os.strerror(errno.ENOSPC) in result.stderr
    assert {name for name in (game.parent / "listed").read_text().split() if name.endswith(".tmp")} == set()


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_devices_are_written_to_and_their_failures_told(run: Run, game: Path, orders: Orders) -> None:
    assert "No space left" in run("apply", game, orders(GOOD), "-o", "/dev/full", code=2).stderr
    assert "No space left" in run("apply", game, orders(GOOD), "--log", "/dev/full", code=2).stderr
    assert accepted(game) == ["MOVE D3"]
    assert Path("/dev/full").is_char_device()
    run("apply", game, orders("red: MOVE C3"), "-o", "/dev/null", code=0)


# Interruptions ------------------------------------------------------------------------------------------------------

KILLED = {
    "while writing": "import os; write = os.write; os.write = lambda f, data: (write(f, data[:99]), os._exit(9))",
    "before the rename": "import os; os.replace = lambda *names: os._exit(9)",
    "after the rename": "import os; replace = os.replace; os.replace = lambda *names: (replace(*names), os._exit(9))",
}


@pytest.mark.parametrize("moment", KILLED)
def test_a_run_killed_in_the_middle_leaves_the_old_game_or_the_new_one(
    process: Process, run: Run, game: Path, orders: Orders, moment: str
) -> None:
    before = game.read_bytes()
    process("check", game, orders(GOOD))  # which stores the tables of the grammar, if nobody has yet: that renames, too
    assert process("apply", game, orders(GOOD), before=KILLED[moment]).returncode == 9
    if moment == "after the rename":
        assert accepted(game) == ["MOVE D3"]
    else:
        assert game.read_bytes() == before
        run("apply", game, orders(GOOD), code=0)
    run("apply", game, orders("red: MOVE C3"), code=0)
    assert accepted(game) == ["MOVE D3", "MOVE C3"]


def test_an_interrupted_write_leaves_nothing_lying_about(
    run: Run, game: Path, orders: Orders, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(*_: Any) -> NoReturn:
        raise KeyboardInterrupt

    turn, before = orders(GOOD), game.read_bytes()
    monkeypatch.setattr("adjudicator.files.atomic.os.fsync", interrupt)
    assert "interrupted" in run("apply", game, turn, code=130).stderr
    assert game.read_bytes() == before
    assert names(game.parent) == {"rally.json", "turn.txt"}


# Several runs -------------------------------------------------------------------------------------------------------


def test_of_two_runs_at_once_neither_loses_an_order(game: Path, orders: Orders) -> None:
    turns = orders(GOOD, "red.txt"), orders("blue: DRAW\n  KEEP U1 U2", "blue.txt")
    command = [sys.executable, "-m", "adjudicator", "apply", "rally.json"]
    runs = [subprocess.Popen([*command, turn], cwd=game.parent, stdout=subprocess.DEVNULL) for turn in turns]
    assert [running.wait(timeout=60) for running in runs] == [0, 0]
    end = load_game(str(game))
    assert [link.entry.order for link in end.journal[1:]] == ["MOVE D3"]
    assert [(sheet.seat, len(sheet.orders)) for sheet in end.pending] == [("blue", 2)]


def test_a_run_that_cannot_wait_for_another_says_so_and_changes_nothing(
    run: Run, game: Path, orders: Orders, monkeypatch: pytest.MonkeyPatch
) -> None:
    from adjudicator.files import lock

    turn, before = orders(GOOD), game.read_bytes()
    monkeypatch.setattr(lock, "locked", functools.partial(lock.locked, timeout=0.05))
    with FileLock(f"{game}.lock"):
        for more in ((), ("-o", "./rally.json"), ("-o", str(game))):
            result = run("apply", "rally.json", turn, *more, code=2)
            assert "another adjudicator is using this file" in result.stderr
        assert json.loads(run("apply", game, turn, "--json", code=2).stdout)["error"] == "file"
        assert game.read_bytes() == before
        run("check", game, turn, code=0)  # to look is always possible
        run("apply", game, turn, "-o", "copy.json", code=0)
        assert (
            "another adjudicator"
            in run("new", "checkpoint-rally", "--seat", "a", "--seat", "b", "-o", game, "--force", code=2).stderr
        )
    run("apply", game, turn, code=0)


def test_a_run_waits_for_another_to_finish(game: Path, orders: Orders) -> None:
    turn = orders(GOOD)
    with FileLock(f"{game}.lock"):
        waiting = subprocess.Popen(
            [sys.executable, "-m", "adjudicator", "apply", "rally.json", turn], cwd=game.parent, stdout=subprocess.DEVNULL
        )
        with pytest.raises(subprocess.TimeoutExpired):
            waiting.wait(timeout=1)
        assert accepted(game) == []
    assert waiting.wait(timeout=30) == 0
    assert accepted(game) == ["MOVE D3"]


# Names --------------------------------------------------------------------------------------------------------------


@pytest.mark.skipif(not IS_POSIX, reason="needs links")
def test_a_link_stays_a_link_and_what_it_leads_to_is_replaced(run: Run, game: Path, orders: Orders) -> None:
    folder = game.parent / "archive"
    folder.mkdir()
    game.rename(folder / "real.json")
    game.symlink_to(folder / "real.json")
    run("apply", game, orders(GOOD), "--log", "minutes.jsonl", code=0)
    assert game.is_symlink()
    assert accepted(folder / "real.json") == ["MOVE D3"]
    assert names(folder) == {"real.json"}


@pytest.mark.skipif(not IS_POSIX, reason="needs links")
def test_a_log_named_by_another_way_is_still_the_game(run: Run, game: Path, orders: Orders) -> None:
    (game.parent / "other.json").symlink_to(game)
    result = run("apply", game, orders(GOOD), "--log", "other.json", code=2)
    assert "would replace the game" in result.stderr


@pytest.mark.skipif(not IS_POSIX, reason="needs permissions")
def test_the_permissions_of_the_game_stay(run: Run, game: Path, orders: Orders) -> None:
    game.chmod(0o640)
    run("apply", game, orders(GOOD), code=0)
    assert game.stat().st_mode & 0o777 == 0o640


@pytest.mark.skipif(not IS_POSIX or IS_ROOT, reason="root may do everything")
@pytest.mark.parametrize(("which", "mode"), [("game", 0o400), ("folder", 0o500), ("game", 0o000), ("orders", 0o000)])
def test_without_permission_nothing_changes(run: Run, game: Path, orders: Orders, which: str, mode: int) -> None:
    turn, before = orders(GOOD), game.read_bytes()
    path = {"game": game, "folder": game.parent, "orders": game.parent / turn}[which]
    old = path.stat().st_mode
    path.chmod(mode)
    try:
        result = run("apply", game, turn, code=2)
    finally:
        path.chmod(old)
    assert "permission" in result.stderr or "protected" in result.stderr
    assert game.read_bytes() == before


@pytest.mark.parametrize(("function", "words"), [
    ("adjudicator.files.atomic.os.replace", "you have no permission to write here"),
    ("adjudicator.files.lock.os.open", "you have no permission to write in this folder"),
    ("pathlib.Path.open", "you have no permission to read this file"),
])  # fmt: skip
def test_what_the_system_does_not_permit_is_told(
    run: Run, game: Path, orders: Orders, monkeypatch: pytest.MonkeyPatch, function: str, words: str
) -> None:
    turn, before = orders(GOOD), game.read_bytes()
    with monkeypatch.context() as patch:
        patch.setattr(function, failing(errno.EACCES))
        assert words in run("apply", game, turn, code=2).stderr
    assert game.read_bytes() == before


def test_a_protected_game_is_not_replaced(run: Run, game: Path, orders: Orders, monkeypatch: pytest.MonkeyPatch) -> None:
    turn, before = orders(GOOD), game.read_bytes()
    monkeypatch.setattr("adjudicator.files.atomic.os.access", lambda *_: False)
    assert "the file is write-protected" in run("apply", game, turn, code=2).stderr
    assert game.read_bytes() == before


# Bugs ---------------------------------------------------------------------------------------------------------------


def test_a_game_that_could_not_be_read_again_is_never_written(
    run: Run, game: Path, orders: Orders, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever bug makes it, a file that breaks its own schema must not take the place of one that does not."""
    from adjudicator.store import save

    turn, before, dump = orders(GOOD), game.read_bytes(), save.dump_game
    for bad in (lambda made: made.replace(b'"minutes":2', b'"minutes":-2'), lambda made: made[:-9]):
        monkeypatch.setattr(save, "dump_game", lambda made, bad=bad: bad(dump(made)))
        with pytest.raises(UnsoundGameError):
            run("apply", game, turn)
        assert game.read_bytes() == before

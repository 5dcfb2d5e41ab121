"""An interrupted run leaves the old file or the new one, and nothing else; two programs never write one file at once."""

from __future__ import annotations

import errno
import os
import stat
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from adjudicator.files.writing import locked  # what guards every write: how long it is held no command shows
from adjudicator.library.errors import CannotWrite
from tests.drivers import toy
from tests.drivers.records import ROOT

BEFORE = toy.new()
AFTER = BEFORE.apply({"red": "ADD 1\n" * 4, "blue": "ADD 1\n" * 4}).game
OLD, NEW = BEFORE.to_bytes(), AFTER.to_bytes()
"""What a killed process leaves."""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    found = tmp_path / "game.json"
    found.write_bytes(OLD)
    return found


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def names(folder: Path) -> list[str]:
    return sorted(entry.name for entry in folder.iterdir())


def failing(number: int) -> Callable[..., Any]:
    def fail(*_: Any, **__: Any) -> Any:
        raise OSError(number, os.strerror(number))

    return fail


# Writing -------------------------------------------------------------------------------------------------------------


def test_a_game_is_created_and_replaced_also_without_a_folder(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    AFTER.save(file)
    AFTER.save(str(file.parent / "other.json"))
    monkeypatch.chdir(file.parent)
    AFTER.save("x.json")
    assert [(file.parent / name).read_bytes() for name in names(file.parent)] == [NEW] * 3
    assert names(file.parent) == ["game.json", "other.json", "x.json"]


@pytest.mark.posix
@pytest.mark.parametrize("kept", [0o600, 0o640, 0o664])
def test_a_file_keeps_its_permissions(file: Path, kept: int) -> None:
    file.chmod(kept)
    AFTER.save(file)
    assert mode(file) == kept


@pytest.mark.posix
@pytest.mark.parametrize("umask", [0o000, 0o022, 0o077, 0o277, 0o777])
def test_a_new_file_is_its_owner_s_alone(tmp_path: Path, umask: int) -> None:
    """It holds all hands and the secret of chance."""
    before = os.umask(umask)
    try:
        AFTER.save(tmp_path / "new.json")
    finally:
        os.umask(before)
    assert mode(tmp_path / "new.json") == 0o600


@pytest.mark.posix
def test_a_file_for_everybody_gets_the_usual_permissions(run: Any, file: Path) -> None:
    before = os.umask(0o027)
    try:
        (file.parent / "turn.txt").write_text("red: ADD 1\n")
        run("apply", file, file.parent / "turn.txt", "--log", "log.jsonl", code=0)
    finally:
        os.umask(before)
    assert mode(Path("log.jsonl")) == 0o640


def test_a_file_with_another_name_or_of_somebody_else_is_refused(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    os.link(file, file.parent / "other.json")
    with pytest.raises(CannotWrite, match="it has other names"):
        AFTER.save(file)
    (file.parent / "other.json").unlink()
    monkeypatch.setattr(os, "access", lambda *_: False)
    with pytest.raises(CannotWrite, match="write-protected"):
        AFTER.save(file)
    assert (file.read_bytes(), names(file.parent)) == (OLD, ["game.json"])


@pytest.mark.parametrize("name", ["x" * 255, "x" * 250 + ".json", "ä" * 127, "漢" * 85, "x" * 59 + "漢" * 60])
def test_the_longest_names_that_are_legal(tmp_path: Path, name: str) -> None:
    BEFORE.save(tmp_path / name)
    AFTER.save(tmp_path / name)
    assert ((tmp_path / name).read_bytes(), names(tmp_path)) == (NEW, [name])


@pytest.mark.posix
def test_a_secret_is_never_readable_meanwhile(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file.chmod(0o600)
    seen, write = list[int](), os.write

    def look(descriptor: int, data: bytes) -> int:
        seen.extend(mode(entry) for entry in file.parent.iterdir())
        return write(descriptor, data)

    monkeypatch.setattr(os, "write", look)
    AFTER.save(file)
    assert {*seen} == {0o600}


@pytest.mark.posix
def test_a_link_is_followed_and_a_device_and_a_pipe_stay_what_they_are(file: Path, tmp_path: Path) -> None:
    link, dangling, pipe = tmp_path / "link.json", tmp_path / "dangling.json", tmp_path / "pipe"
    link.symlink_to(file)
    AFTER.save(link)
    assert (link.is_symlink(), file.read_bytes()) == (True, NEW)
    dangling.symlink_to(tmp_path / "later.json")
    BEFORE.save(dangling)
    assert (tmp_path / "later.json").read_bytes() == OLD
    AFTER.save("/dev/null", force=True)
    assert stat.S_ISCHR(os.stat("/dev/null").st_mode)
    os.mkfifo(pipe)
    got: list[bytes] = []
    reader = threading.Thread(target=lambda: got.append(pipe.read_bytes()))
    reader.start()
    AFTER.save(pipe, force=True)
    reader.join()
    assert got == [NEW]


@pytest.mark.posix
@pytest.mark.parametrize("kind", ["symbolic link", "hard link", "pipe", "folder"])
def test_the_outbox_is_never_written_through_something_else(file: Path, kind: str, run: Any) -> None:
    """Whoever may write in the folder may put a link where a turn keeps its reports until all are written."""
    other = in_the_way(kind, file.parent / "game.json.outbox")
    (file.parent / "turn.txt").write_text("red: ADD 1\n")
    run("turn", file, file.parent / "turn.txt", "-o", file.parent / "reports", code=2)
    assert (other.read_bytes(), file.read_bytes()) == (b"kept", OLD)


def test_short_writes_are_gone_on_with(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write = os.write
    monkeypatch.setattr(os, "write", lambda descriptor, data: write(descriptor, data[:97]))
    AFTER.save(file)
    assert file.read_bytes() == NEW


def interrupt(*_: Any, **__: Any) -> None:
    raise KeyboardInterrupt


@pytest.mark.parametrize("step", ["write", "fsync", "replace"])
@pytest.mark.parametrize("fault", [failing(errno.ENOSPC), failing(errno.EIO), interrupt])
def test_a_failing_disk_and_an_interrupt_leave_the_old_file(
    file: Path, monkeypatch: pytest.MonkeyPatch, step: str, fault: Callable[..., Any]
) -> None:
    monkeypatch.setattr(os, step, fault)
    with pytest.raises((CannotWrite, KeyboardInterrupt)):
        AFTER.save(file)
    assert (file.read_bytes(), names(file.parent)) == (OLD, ["game.json"])


@pytest.mark.posix
def test_a_killed_process_leaves_the_old_file(file: Path, tmp_path: Path) -> None:
    """Killed at each step, one after the other; only a hidden file may stay."""
    (tmp_path / "new").mkdir()
    AFTER.save(tmp_path / "new" / "game.json")
    program = """
import os, sys
import adjudicator as adj
from tests.drivers import toy
new, file, old = sys.argv[1:]
game = adj.open(new)
for step in ("write", "fsync", "replace"):
    child = os.fork()
    if not child:
        setattr(os, step, lambda *_: os._exit(9))
        game.save(file)
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), open(file, "rb").read() == open(old, "rb").read())
"""
    (tmp_path / "old.json").write_bytes(OLD)
    call = [sys.executable, "-c", program, str(tmp_path / "new" / "game.json"), str(file), str(tmp_path / "old.json")]
    done = subprocess.run(
        call, cwd=ROOT, env={**os.environ, "PYTHONPATH": str(ROOT)}, capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == ["9", "True"] * 3
    AFTER.save(file)
    left = [name for name in names(tmp_path) if not (name.startswith(".game.json.") and name.endswith(".tmp"))]
    assert (file.read_bytes(), left) == (NEW, ["game.json", "new", "old.json"])


@pytest.mark.posix
def test_the_folder_is_synchronised_but_need_not_be(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    synced: list[bool] = []

    def sync(descriptor: int) -> None:
        synced.append(stat.S_ISDIR(os.fstat(descriptor).st_mode))
        if synced[-1]:
            raise OSError(errno.EINVAL, "not on this network folder")

    monkeypatch.setattr(os, "fsync", sync)
    AFTER.save(file)
    assert (synced, file.read_bytes()) == ([False, True], NEW)


def test_places_where_nothing_can_be_written(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, words in (
        (file.parent / "none" / "game.json", "there is no such folder"),
        (file.parent, "this is a folder"),
        ("a\0b", "this is not a valid file name"),
        (file / "inside.json", "there is no such folder"),
    ):
        with pytest.raises(CannotWrite, match=words):
            AFTER.save(name)
    monkeypatch.setattr(os, "open", failing(errno.EACCES))
    with pytest.raises(CannotWrite, match="in this folder"):
        AFTER.save(file)
    monkeypatch.undo()
    assert (file.read_bytes(), names(file.parent)) == (OLD, ["game.json"])


# Locks ---------------------------------------------------------------------------------------------------------------

HOLDER = """
import sys
from adjudicator.files.writing import locked
with locked(sys.argv[1]):
    print("held", flush=True)
    sys.stdin.readline()
print("gone", flush=True)
"""
LATE = """
import fcntl, sys
from adjudicator.files.errors import InUse
from adjudicator.files.writing import locked
real = fcntl.flock
def late(*arguments):
    fcntl.flock = real
    print("opened", flush=True)
    sys.stdin.readline()
    return real(*arguments)
fcntl.flock = late
try:
    with locked(sys.argv[1], timeout=0):
        print("held", flush=True)
except InUse:
    print("in use", flush=True)
"""
"""Opens the lock file, and only when it is told asks for the lock."""


@contextmanager
def started(program: str, file: Path) -> Iterator[subprocess.Popen[str]]:
    command = [sys.executable, "-c", program, str(file)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        yield process


def heard(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    return process.stdout.readline().strip()


def tell(process: subprocess.Popen[str]) -> None:
    assert process.stdin is not None
    process.stdin.write("go on\n")
    process.stdin.flush()


def test_a_lock_is_there_while_it_is_held_and_not_afterwards(file: Path) -> None:
    with locked(file):
        assert names(file.parent) == ["game.json", "game.json.lock"]
        with pytest.raises(CannotWrite, match="another adjudicator"), locked(file, timeout=0):
            pass
        with locked(file.parent / "other.json", timeout=0):
            assert names(file.parent) == ["game.json", "game.json.lock", "other.json.lock"]
    assert names(file.parent) == ["game.json"]
    with pytest.raises(ZeroDivisionError), locked(file):
        1 / 0  # noqa: B018
    (file.parent / "game.json.lock").touch()  # that of a dead process
    with locked(file, timeout=0):
        pass
    assert names(file.parent) == ["game.json"]


@pytest.mark.posix
def test_a_link_and_its_file_have_one_lock_and_who_may_write_a_file_may_lock_it(file: Path) -> None:
    link = file.parent / "link.json"
    link.symlink_to(file)
    with locked(link), pytest.raises(CannotWrite), locked(file, timeout=0):
        pass
    for shared in (0o600, 0o660, 0o666, 0o640):
        file.chmod(shared)
        with locked(file):
            assert mode(file.parent / "game.json.lock") == shared


@pytest.mark.posix
def test_the_lock_of_a_name_that_is_gone_is_no_lock(file: Path) -> None:
    """The second has opened the lock file of the first, who removes it; the third has made another by then."""
    with started(HOLDER, file) as first, started(LATE, file) as second:
        assert (heard(first), heard(second)) == ("held", "opened")
        tell(first)
        assert heard(first) == "gone"
        with started(HOLDER, file) as third:
            assert heard(third) == "held"
            tell(second)
            assert heard(second) == "in use"
            assert (file.parent / "game.json.lock").exists()
            third.kill()
    with locked(file, timeout=5):
        pass
    assert names(file.parent) == ["game.json"]


def test_two_threads_take_turns(file: Path) -> None:
    counts = file.parent / "count.txt"
    counts.write_text("0")

    def count() -> None:
        for _ in range(30):
            with locked(file, timeout=60):
                counts.write_text(str(int(counts.read_text()) + 1))

    threads = [threading.Thread(target=count) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (counts.read_text(), names(file.parent)) == ("60", ["count.txt", "game.json"])


def in_the_way(kind: str, path: Path) -> Path:
    """Put something at ``path`` that is not an ordinary file; return the file that it leads to."""
    other = path.parent / "other.txt"
    other.write_bytes(b"kept")
    other.chmod(0o640)
    match kind:
        case "symbolic link":
            path.symlink_to(other)
        case "hard link":
            os.link(other, path)
        case "dangling link":
            path.symlink_to(path.parent / "later.txt")
        case "pipe":
            os.mkfifo(path)
        case "folder":
            path.mkdir()
    return other


@pytest.mark.posix
@pytest.mark.parametrize("kind", ["symbolic link", "hard link", "dangling link", "pipe", "folder"])
def test_what_is_no_lock_file_is_left_alone(file: Path, kind: str) -> None:
    other = in_the_way(kind, file.parent / "game.json.lock")
    before = names(file.parent)
    words = r"cannot be locked: .*game\.json\.lock: remove this first: it is a link, has a second name"
    with pytest.raises(CannotWrite, match=words):
        AFTER.save(file)
    assert (other.read_bytes(), mode(other), names(file.parent), file.read_bytes()) == (b"kept", 0o640, before, OLD)


@pytest.mark.posix
@pytest.mark.parametrize(
    ("where", "number", "words"),
    [
        ("fcntl.flock", errno.ENOSYS, "has no locks"),
        ("fcntl.flock", errno.EOPNOTSUPP, "has no locks"),
        ("os.open", errno.EACCES, r"another user has locked this file with .*game\.json\.lock"),
    ],
)
def test_a_file_that_cannot_be_locked_is_not_written(
    file: Path, monkeypatch: pytest.MonkeyPatch, where: str, number: int, words: str
) -> None:
    if where == "os.open":
        (file.parent / "game.json.lock").touch()
    monkeypatch.setattr(where, failing(number))
    with pytest.raises(CannotWrite, match=words):
        AFTER.save(file)
    assert file.read_bytes() == OLD


@pytest.mark.posix
def test_a_lock_is_free_again_even_if_the_system_refuses_to_look_at_it(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A long run kept the handle of every such lock, and its lock with it."""
    with monkeypatch.context() as broken, locked(file):
        held = len(os.listdir("/dev/fd"))
        broken.setattr("adjudicator.files.writing.os.lstat", failing(errno.EIO))
    assert len(os.listdir("/dev/fd")) == held - 1
    with locked(file, timeout=0):
        pass

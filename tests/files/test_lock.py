"""The lock of a file is gone after use, and yet never held by two, whatever their order is."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from adjudicator.files.errors import CannotWrite, InUse
from adjudicator.files.lock import locked

HOLDER = """
import sys
from adjudicator.files.lock import locked
with locked(sys.argv[1]):
    print("held", flush=True)
    sys.stdin.readline()
print("gone", flush=True)
"""
LATE = """
import fcntl, sys
from adjudicator.files.errors import CannotWrite, InUse
from adjudicator.files.lock import locked
real = fcntl.flock
def late(*arguments):
    fcntl.flock = real
    print("opened", flush=True)
    sys.stdin.readline()
    return real(*arguments)
fcntl.flock = late
try:
    with locked(sys.argv[1], timeout=0.2):
        print("held", flush=True)
except InUse:
    print("in use", flush=True)
"""
"""Opens the lock file, and only when it is told asks for the lock."""
FORKED = """
import os, sys
from adjudicator.files.lock import locked
child = None
with locked(sys.argv[1]):
    child = os.fork()
    if child:
        os.waitpid(child, 0)
        print(sorted(os.listdir(os.path.dirname(sys.argv[1]))), flush=True)
os._exit(0)
"""
COUNTER = """
import sys
from adjudicator.files.lock import locked
from pathlib import Path
file = Path(sys.argv[1])
for _ in range(60):
    with locked(file, timeout=60):
        file.write_text(str(int(file.read_text()) + 1))
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "game.json"
    path.write_text("0")
    return path


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
        assert sorted(os.listdir(file.parent)) == ["game.json", "game.json.lock"]
    assert os.listdir(file.parent) == ["game.json"]


def test_who_may_not_have_it_removes_nothing(file: Path) -> None:
    with locked(file):
        with pytest.raises(InUse), locked(file, timeout=0):
            pass
        assert (file.parent / "game.json.lock").exists()


@pytest.mark.posix
def test_a_holder_removes_no_lock_file_of_another(file: Path) -> None:
    lock = file.parent / "game.json.lock"
    with locked(file):
        lock.unlink()
        with started(HOLDER, file) as other:
            assert heard(other) == "held"
            tell(other)
            assert heard(other) == "gone"
        lock.touch()
    assert lock.exists()


@pytest.mark.posix
def test_a_forked_process_leaves_the_lock_to_its_parent(file: Path) -> None:
    with started(FORKED, file) as process:
        assert heard(process) == "['game.json', 'game.json.lock']"
    assert os.listdir(file.parent) == ["game.json"]


def test_a_lock_that_a_dead_process_has_left_is_taken_and_removed(file: Path) -> None:
    (file.parent / "game.json.lock").touch()
    with locked(file, timeout=0):
        pass
    assert os.listdir(file.parent) == ["game.json"]


@pytest.mark.posix
def test_the_lock_of_a_name_that_is_gone_is_no_lock(file: Path) -> None:
    """The second has opened the lock file of the first, who removes it; the third has made another by then."""
    with started(HOLDER, file) as first:
        assert heard(first) == "held"
        with started(LATE, file) as second:
            assert heard(second) == "opened"
            tell(first)
            assert heard(first) == "gone"
            with started(HOLDER, file) as third:
                assert heard(third) == "held"
                tell(second)
                assert heard(second) == "in use"
                assert (file.parent / "game.json.lock").exists()
                tell(third)
                assert heard(third) == "gone"
    assert os.listdir(file.parent) == ["game.json"]


def test_two_processes_never_hold_it_both(file: Path) -> None:
    with started(COUNTER, file) as one, started(COUNTER, file) as other:
        assert (one.wait(60), other.wait(60)) == (0, 0)
    assert file.read_text() == "120"
    assert os.listdir(file.parent) == ["game.json"]


@pytest.mark.posix
@pytest.mark.parametrize("number", [errno.ENOSYS, errno.EOPNOTSUPP])
def test_a_file_system_without_locks_is_told(file: Path, monkeypatch: pytest.MonkeyPatch, number: int) -> None:
    def unknown(_handle: int, _how: int) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr("fcntl.flock", unknown)
    with pytest.raises(CannotWrite, match="has no locks"), locked(file):
        pass


@pytest.mark.posix
def test_a_link_in_the_place_of_the_lock_leads_nowhere(file: Path) -> None:
    other = file.parent / "other.txt"
    other.write_text("kept")
    other.chmod(0o640)
    (file.parent / "game.json.lock").symlink_to(other)
    with pytest.raises(CannotWrite, match="cannot be locked"), locked(file):
        pass
    assert (other.read_text(), other.stat().st_mode & 0o777) == ("kept", 0o640)


def in_the_way(kind: str, path: Path) -> Path:
    """Put something at ``path`` that is not an ordinary file; return the file that it leads to."""
    other = path.parent / "other.txt"
    other.write_text("kept")
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


ODD = ["symbolic link", "hard link", "dangling link", "pipe", "folder"]


@pytest.mark.posix
@pytest.mark.parametrize("kind", ODD)
def test_what_is_no_lock_file_is_left_alone(file: Path, kind: str) -> None:
    other = in_the_way(kind, file.parent / "game.json.lock")
    before = sorted(os.listdir(file.parent))
    words = r"cannot be locked: .*game\.json\.lock: remove this first: it is a link, has a second name"
    with pytest.raises(CannotWrite, match=words), locked(file, timeout=0):
        pass
    assert (other.read_text(), other.stat().st_mode & 0o777) == ("kept", 0o640)
    assert sorted(os.listdir(file.parent)) == before


@pytest.mark.posix
def test_a_link_that_comes_in_between_is_not_written_through(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    other = in_the_way("hard link", file.parent / "game.json.lock")
    monkeypatch.setattr("adjudicator.files.lock.os.lstat", lambda _path: os.stat_result((0o100600, 0, 0, 1, *[0] * 6)))
    with pytest.raises(CannotWrite, match="is a link"), locked(file, timeout=0):
        pass
    assert (other.read_text(), other.stat().st_mode & 0o777) == ("kept", 0o640)


@pytest.mark.posix
def test_a_lock_is_free_again_even_if_the_system_refuses_to_look_at_it(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A long run kept the handle of every such lock, and its lock with it."""

    def failing(_path: object) -> os.stat_result:
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    with monkeypatch.context() as broken, locked(file):
        held = len(os.listdir("/dev/fd"))
        broken.setattr("adjudicator.files.lock.os.lstat", failing)
    assert len(os.listdir("/dev/fd")) == held - 1
    with locked(file, timeout=0):
        pass

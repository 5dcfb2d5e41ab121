"""An interrupted run leaves the old file or the new one; nothing else is left lying about."""

from __future__ import annotations

import errno
import os
import stat
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from adjudicator.files import atomic
from adjudicator.files.atomic import SHARED, sweep_folder, write_atomic
from adjudicator.files.errors import CannotWrite, InUse
from adjudicator.files.lock import locked
from adjudicator.files.outbox import Outbox, write_outbox

OLD, NEW = b"the old game\n", b"the new game, which is longer\n" * 1000


@pytest.fixture
def file(tmp_path: Path) -> Path:
    found = tmp_path / "game.json"
    found.write_bytes(OLD)
    return found


@pytest.fixture
def usual_umask() -> Iterator[None]:
    before = os.umask(0o027)
    yield
    os.umask(before)


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def names(folder: Path) -> list[str]:
    return sorted(entry.name for entry in folder.iterdir())


def failing(number: int) -> Callable[..., Any]:
    def fail(*_: Any, **__: Any) -> Any:
        raise OSError(number, os.strerror(number))

    return fail


def test_replaces_and_creates(file: Path, tmp_path: Path) -> None:
    write_atomic(file, NEW)
    write_atomic(str(tmp_path / "other.json"), b"")
    assert file.read_bytes() == NEW
    assert names(tmp_path) == ["game.json", "other.json"]


def test_a_name_without_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write_atomic("x.json", NEW)
    assert (tmp_path / "x.json").read_bytes() == NEW


@pytest.mark.posix
@pytest.mark.parametrize("kept", [0o600, 0o640, 0o664])
def test_the_file_keeps_its_permissions(file: Path, kept: int) -> None:
    file.chmod(kept)
    write_atomic(file, NEW)
    assert mode(file) == kept


@pytest.mark.posix
@pytest.mark.parametrize("umask", [0o000, 0o022, 0o077, 0o277, 0o777])
def test_a_new_file_is_its_owner_s_alone(tmp_path: Path, umask: int) -> None:
    """It holds all hands and the secret of chance."""
    before = os.umask(umask)
    try:
        write_atomic(tmp_path / "new.json", NEW)
    finally:
        os.umask(before)
    assert mode(tmp_path / "new.json") == 0o600


@pytest.mark.posix
@pytest.mark.usefixtures("usual_umask")
def test_a_new_file_for_everybody_gets_the_usual_permissions(tmp_path: Path) -> None:
    write_atomic(tmp_path / "log.jsonl", NEW, SHARED)
    assert mode(tmp_path / "log.jsonl") == 0o640


def test_a_file_with_another_name_is_refused(file: Path, tmp_path: Path) -> None:
    os.link(file, tmp_path / "other.json")
    with pytest.raises(CannotWrite, match="it has other names"):
        write_atomic(file, NEW)
    assert file.read_bytes() == (tmp_path / "other.json").read_bytes() == OLD


@pytest.mark.posix
def test_a_file_of_somebody_else_is_refused(file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(atomic, "_owner", lambda _descriptor: (12345, 12345))
    monkeypatch.setattr(os, "fchown", failing(errno.EPERM))
    with pytest.raises(CannotWrite, match="belongs to another user or group"):
        write_atomic(file, NEW)
    assert file.read_bytes() == OLD
    assert names(tmp_path) == ["game.json"]


@pytest.mark.skipif(not hasattr(os, "setxattr"), reason="no extended attributes here")
def test_extended_attributes_are_kept(file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    try:
        os.setxattr(file, "user.note", b"mine")
    except OSError:
        pytest.skip("no extended attributes on this file system")
    write_atomic(file, NEW)
    assert os.getxattr(file, "user.note") == b"mine"
    monkeypatch.setattr(os, "setxattr", failing(errno.ENOSPC))
    with pytest.raises(CannotWrite, match=r"attribute user\.note would be lost: No space left"):
        write_atomic(file, OLD)
    assert file.read_bytes() == NEW
    assert names(tmp_path) == ["game.json"]


def test_attributes_of_the_system_need_not_be_kept(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "listxattr", lambda _path: ["security.selinux"], raising=False)
    monkeypatch.setattr(os, "getxattr", failing(errno.EPERM), raising=False)
    write_atomic(file, NEW)
    assert file.read_bytes() == NEW


@pytest.mark.posix
def test_what_a_killed_run_has_left_goes_with_the_next(file: Path, tmp_path: Path) -> None:
    program = (
        "import os, sys; from adjudicator.files.atomic import write_atomic;"
        "os.fsync = lambda *_: os._exit(9); write_atomic(sys.argv[1], b'new')"
    )
    assert subprocess.run([sys.executable, "-c", program, str(file)], check=False).returncode == 9
    assert len(names(tmp_path)) == 2
    mine = (".game.json.tmp", ".game.json.notes.tmp", ".game.json.1.tmp", ".other.json.999999999.0123456789abcdef.tmp")
    for name in mine:
        (tmp_path / name).touch()
    write_atomic(file, NEW)
    assert names(tmp_path) == sorted([*mine, "game.json"])


@pytest.mark.posix
def test_what_a_killed_run_has_left_of_a_new_file_goes_with_the_next(tmp_path: Path) -> None:
    path, left = tmp_path / "new.json", tmp_path / ".new.json.999999999.0123456789abcdef.tmp"
    left.touch()
    write_atomic(path, NEW, sweeps=False)
    assert names(tmp_path) == sorted([left.name, "new.json"])
    path.unlink()
    write_atomic(path, NEW)
    assert names(tmp_path) == ["new.json"]


@pytest.mark.posix
def test_a_whole_folder_is_swept_at_once(tmp_path: Path) -> None:
    mine = (".game.json.tmp", ".1.0123456789abcdef.tmp", "game.json.999999999.0123456789abcdef.tmp", ".a.b.c.tmp", "x.tmp")
    left = (".game.json.999999999.0123456789abcdef.tmp", ".other.999999999.0123456789abcdef.tmp")
    for name in (*mine, *left):
        (tmp_path / name).touch()
    sweep_folder(tmp_path)
    assert names(tmp_path) == sorted(mine)


@pytest.mark.posix
def test_what_another_run_is_writing_stays(file: Path, tmp_path: Path) -> None:
    import fcntl

    alive = tmp_path / f".game.json.{os.getpid()}.0123456789abcdef.tmp"
    elsewhere = tmp_path / ".game.json.999999999.0123456789abcdef.tmp"  # of a process that cannot be seen from here
    alive.touch()
    with elsewhere.open("w") as stream:
        fcntl.flock(stream, fcntl.LOCK_EX)
        write_atomic(file, NEW)
    assert names(tmp_path) == sorted([alive.name, elsewhere.name, "game.json"])
    write_atomic(file, OLD)
    assert names(tmp_path) == sorted([alive.name, "game.json"])


@pytest.mark.parametrize("name", ["x" * 255, "x" * 250 + ".json", "ä" * 127, "漢" * 85, "x" * 59 + "漢" * 60])
def test_the_longest_names_that_are_legal(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    with locked(path):
        write_atomic(path, OLD)
    with locked(path):
        write_atomic(path, NEW)
    assert path.read_bytes() == NEW
    assert names(tmp_path) == [name]


@pytest.mark.posix
def test_a_lock_of_somebody_else_is_named(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (file.parent / "game.json.lock").touch()
    monkeypatch.setattr(os, "open", failing(errno.EACCES))
    with pytest.raises(CannotWrite, match=r"another user has locked this file with .*game\.json\.lock"), locked(file):
        pass


@pytest.mark.posix
@pytest.mark.usefixtures("usual_umask")
@pytest.mark.parametrize("shared", [0o600, 0o660, 0o666, 0o640])
def test_who_may_write_a_file_may_lock_it(file: Path, shared: int) -> None:
    file.chmod(shared)
    with locked(file):
        assert mode(file.parent / "game.json.lock") == shared


@pytest.mark.posix
def test_a_secret_is_never_readable_meanwhile(file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file.chmod(0o600)
    seen: list[int] = []
    write = os.write

    def look(descriptor: int, data: bytes) -> int:
        seen.extend(mode(entry) for entry in tmp_path.iterdir())
        return write(descriptor, data)

    monkeypatch.setattr(os, "write", look)
    write_atomic(file, NEW)
    assert set(seen) == {0o600}


@pytest.mark.posix
def test_a_link_is_followed(file: Path, tmp_path: Path) -> None:
    link = tmp_path / "link.json"
    link.symlink_to(file)
    write_atomic(link, NEW)
    assert link.is_symlink()
    assert file.read_bytes() == NEW
    dangling = tmp_path / "dangling.json"
    dangling.symlink_to(tmp_path / "later.json")
    write_atomic(dangling, OLD)
    assert (tmp_path / "later.json").read_bytes() == OLD


@pytest.mark.posix
@pytest.mark.parametrize("kind", ["symbolic link", "hard link"])
def test_the_outbox_is_never_written_through_a_link(file: Path, tmp_path: Path, kind: str) -> None:
    """Whoever may write in the folder may put a link there after the program has looked for an older outbox."""
    path, before = tmp_path / "game.json.outbox", file.read_bytes()
    path.symlink_to(file) if kind == "symbolic link" else os.link(file, path)
    with pytest.raises(CannotWrite, match="link"):
        write_outbox(str(path), "beginning", Outbox(seal="seal", since=0, files={"red.txt": b"secret"}))
    assert file.read_bytes() == before


def test_short_writes_are_gone_on_with(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write = os.write
    monkeypatch.setattr(os, "write", lambda descriptor, data: write(descriptor, data[:7]))
    write_atomic(file, NEW)
    assert file.read_bytes() == NEW


@pytest.mark.parametrize("step", ["write", "fsync", "replace", "chmod"])
@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EIO])
def test_a_failing_disk_leaves_the_old_file(
    file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str, number: int
) -> None:
    monkeypatch.setattr(os, step, failing(number))
    with pytest.raises(CannotWrite, match=os.strerror(number)):
        write_atomic(file, NEW)
    assert file.read_bytes() == OLD
    assert names(tmp_path) == ["game.json"]


@pytest.mark.parametrize("step", ["write", "fsync", "replace"])
def test_an_interrupt_leaves_the_old_file(file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str) -> None:
    def interrupt(*_: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(os, step, interrupt)
    with pytest.raises(KeyboardInterrupt):
        write_atomic(file, NEW)
    assert file.read_bytes() == OLD
    assert names(tmp_path) == ["game.json"]


@pytest.mark.parametrize(("step", "left"), [("write", OLD), ("fsync", OLD), ("replace", OLD)])
def test_a_killed_process_leaves_the_old_file(file: Path, step: str, left: bytes) -> None:
    program = (
        "import os, sys; from adjudicator.files.atomic import write_atomic;"
        f"os.{step} = lambda *_: os._exit(9); write_atomic(sys.argv[1], b'new')"
    )
    assert subprocess.run([sys.executable, "-c", program, str(file)], check=False).returncode == 9
    assert file.read_bytes() == left
    write_atomic(file, NEW)
    assert file.read_bytes() == NEW


@pytest.mark.posix
def test_the_folder_is_synchronised_but_need_not_be(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    synced: list[bool] = []
    fsync = os.fsync

    def sync(descriptor: int) -> None:
        is_folder = stat.S_ISDIR(os.fstat(descriptor).st_mode)
        synced.append(is_folder)
        if is_folder:
            raise OSError(errno.EINVAL, "not on this network folder")
        fsync(descriptor)

    monkeypatch.setattr(os, "fsync", sync)
    write_atomic(file, NEW)
    assert synced == [False, True]
    assert file.read_bytes() == NEW


def test_no_such_folder_a_folder_and_odd_names(file: Path, tmp_path: Path) -> None:
    for name, words in (
        (tmp_path / "none" / "game.json", "there is no such folder"),
        (tmp_path, "this is a folder"),
        ("a\0b", "this is not a valid file name"),
        (file / "inside.json", "the file cannot be written: Not a directory"),
    ):
        with pytest.raises(CannotWrite, match=words):
            write_atomic(name, NEW)
    assert names(tmp_path) == ["game.json"]


@pytest.mark.posix
def test_a_folder_that_may_not_be_written_in(file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "open", failing(errno.EACCES))
    with pytest.raises(CannotWrite, match="write here"):
        write_atomic(file, NEW)
    with pytest.raises(CannotWrite, match="in this folder"), locked(file):
        pass
    monkeypatch.undo()
    assert file.read_bytes() == OLD
    assert names(tmp_path) == ["game.json"]


def test_a_write_protected_file_is_respected(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "access", lambda *_: False)
    with pytest.raises(CannotWrite, match="write-protected"):
        write_atomic(file, NEW)
    assert file.read_bytes() == OLD


@pytest.mark.posix
def test_a_device_stays_a_device() -> None:
    write_atomic("/dev/null", NEW)
    assert stat.S_ISCHR(os.stat("/dev/null").st_mode)


@pytest.mark.posix
def test_a_pipe_is_written_to(tmp_path: Path) -> None:
    pipe, got = tmp_path / "pipe", []
    os.mkfifo(pipe)
    reader = threading.Thread(target=lambda: got.append(pipe.read_bytes()))
    reader.start()
    write_atomic(pipe, NEW)
    reader.join()
    assert got == [NEW]


# Locks.


def test_two_locks(file: Path, tmp_path: Path) -> None:
    with locked(file), pytest.raises(InUse, match="another adjudicator"), locked(file, timeout=0.1):
        pass
    with locked(file, timeout=0):
        pass
    assert names(tmp_path) == ["game.json"]


@pytest.mark.posix
def test_a_link_and_its_file_have_one_lock(file: Path, tmp_path: Path) -> None:
    link = tmp_path / "link.json"
    link.symlink_to(file)
    with locked(link), pytest.raises(InUse), locked(file, timeout=0):
        pass


def test_two_files_have_two_locks(file: Path, tmp_path: Path) -> None:
    with locked(file), locked(tmp_path / "other.json", timeout=0):
        assert names(tmp_path) == ["game.json", "game.json.lock", "other.json.lock"]


def test_the_lock_holds_against_another_process_and_ends_with_it(file: Path) -> None:
    program = (
        "import sys; from adjudicator.files.lock import locked\n"
        "with locked(sys.argv[1]): print('held', flush=True); sys.stdin.read()"
    )
    arguments = [sys.executable, "-c", program, str(file)]
    with subprocess.Popen(arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == b"held\n"
        with pytest.raises(InUse), locked(file, timeout=0.1):
            pass
        other.kill()
    with locked(file, timeout=5):
        pass


def test_the_lock_is_released_after_an_error(file: Path) -> None:
    with pytest.raises(ZeroDivisionError), locked(file):
        1 / 0  # noqa: B018
    with locked(file, timeout=0):
        pass


def test_a_lock_waits_for_its_turn(file: Path) -> None:
    order: list[str] = []
    held = threading.Event()

    def first() -> None:
        with locked(file):
            held.set()
            order.append("first")

    thread = threading.Thread(target=first)
    thread.start()
    held.wait(5)
    with locked(file, timeout=5):
        order.append("second")
    thread.join()
    assert order == ["first", "second"]


def test_no_lock_where_there_is_no_folder(tmp_path: Path) -> None:
    with pytest.raises(CannotWrite, match="no such folder"), locked(tmp_path / "none" / "game.json"):
        pass
    assert names(tmp_path) == []


@pytest.mark.posix
def test_the_lock_file_is_never_replaced_by_what_it_points_to(file: Path, tmp_path: Path) -> None:
    """Somebody put a link where the lock should be: it is not followed, and what it points to stays."""
    other = tmp_path / "other.txt"
    other.write_bytes(OLD)
    (tmp_path / "game.json.lock").symlink_to(other)
    with pytest.raises(CannotWrite), locked(file, timeout=0.1):
        pass
    assert other.read_bytes() == OLD

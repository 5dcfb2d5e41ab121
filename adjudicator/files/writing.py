"""Write files in one step, and keep other writers away meanwhile.

An interrupted run leaves the old file or the new one. A lock is a second file beside the file, which exists only as long as
a process holds it. ``filelock`` takes it, and tries again if another process has removed the lock file meanwhile. Here the
lock file is also an ordinary file, everyone who may write the file may lock it, and its holder removes it.
"""

from __future__ import annotations

import errno
import os
import re
import stat
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from hashlib import sha256
from pathlib import Path
from typing import Final

from adjudicator.files.errors import CannotWrite, InUse, system_words

PRIVATE: Final = 0o600
"""The permissions of a new private file: a game holds all hands, and the secret of chance."""
SHARED: Final = 0o666
"""The permissions of a new file that everybody may read, as far as the umask allows."""
_KEPT: Final = 60
"""Bytes of a file's name that the name of its temporary file repeats: this keeps the name short enough for every system."""
_BESIDE: Final = re.compile(r"\..+\.[0-9a-f]{16}\.tmp")
"""The names of temporary files."""
_PLAIN: Final = sum(getattr(os, name, 0) for name in ("O_NOFOLLOW", "O_NONBLOCK", "O_BINARY"))
_LINKED: Final = "remove this first: it is a link, has a second name (hard link), or is not an ordinary file"
PATIENCE: Final = 10.0
"""Seconds to wait for another run to finish with a file."""
_SUFFIX: Final = ".lock"
_LONGEST_NAME: Final = 255
"""The longest file name in bytes on nearly every system."""


def require_plain(path: str, status: os.stat_result) -> None:
    """Raise ``OSError`` with a message that names ``path`` unless its ``status`` is that of a file with one name."""
    if not stat.S_ISREG(status.st_mode) or status.st_nlink > 1:
        raise OSError(errno.ELOOP, f"{path}: {_LINKED}")


def open_plain(path: str, flags: int) -> int:
    """Return a handle of the ordinary file at ``path``. It never follows a link and never waits for a pipe or device.

    Raises ``OSError``, with a message that names ``path`` if that is something else.
    """
    require_plain(path, os.lstat(path))
    handle = os.open(path, flags | _PLAIN)
    try:
        require_plain(path, os.fstat(handle))  # another process may have replaced it meanwhile
    except BaseException:
        os.close(handle)
        raise
    return handle


def write_atomic(
    path: str | os.PathLike[str],
    data: bytes | Iterable[bytes],
    mode: int = PRIVATE,
    *,
    syncs_folder: bool = True,
    follows: bool = True,
) -> None:
    """Replace the file at ``path`` with ``data``, or make it: all of it or nothing. Raises ``CannotWrite``.

    Data in pieces is written piece by piece; an error in between leaves the file as it was.

    A link is followed, or rejected with ``follows=False``. A file keeps its permissions; a new one gets ``mode``, which the
    umask reduces only if it is ``SHARED``. A file with several names (hard links) is rejected. Something that is not a file,
    such as a pipe, is written directly, or rejected with ``follows=False``.

    A caller that writes many files into one folder passes ``syncs_folder=False`` and calls ``sync_folder`` once afterwards:
    only then the names survive a power cut.
    """
    name, old, pieces = os.fspath(path), None, (data,) if isinstance(data, bytes) else data
    try:
        with suppress(FileNotFoundError):
            old = os.stat(name, follow_symlinks=follows)
        target = os.path.realpath(name) if follows else os.path.abspath(name)
        if old is not None:
            is_file, has_names = stat.S_ISREG(old.st_mode), old.st_nlink > 1
            if not follows and (not is_file or has_names):
                raise CannotWrite(name, _LINKED)
            if not is_file:
                with Path(name).open("wb") as stream:
                    stream.writelines(pieces)
                return
            if not os.access(target, os.W_OK):
                raise CannotWrite(name, "the file is write-protected")
            if has_names:
                words = "it has other names (hard links), under which the old content would remain"
                raise CannotWrite(name, f"copy this file, and work on the copy: {words}")
        _replace(target, pieces, mode if old is None else PRIVATE, None if old is None else stat.S_IMODE(old.st_mode))
        if syncs_folder:
            sync_folder(os.path.dirname(target))
    except (OSError, ValueError) as error:
        raise CannotWrite(name, system_words(error, "folder", "write here")) from error


def _replace(target: str, pieces: Iterable[bytes], mode: int, kept: int | None) -> None:
    """Write ``pieces`` beside ``target``, make sure they are on the disk, and only then rename the file.

    The new file may hold secrets: it has ``mode`` until it gets the permissions of the old one, the ``kept`` ones.
    """
    folder, base = os.path.split(target)
    beside = os.path.join(folder, f".{os.fsencode(base)[:_KEPT].decode(errors='ignore')}.{os.urandom(8).hex()}.tmp")
    descriptor = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL | _PLAIN, mode)
    try:
        with open(descriptor, "wb", buffering=0):
            for piece in pieces:
                rest = memoryview(piece)
                while rest:
                    rest = rest[os.write(descriptor, rest) :]
            if kept is not None or mode == PRIVATE:  # an odd umask may have removed the owner's own permission
                os.chmod(beside, mode if kept is None else kept)
            os.fsync(descriptor)
        os.replace(beside, target)
    except BaseException:  # interrupts included
        with suppress(OSError):
            os.unlink(beside)
        raise


def remove_temporary(folder: Path) -> None:
    """Remove the temporary files in ``folder`` of writers that were killed. Nobody may write there meanwhile."""
    for path in folder.glob(".*.tmp"):
        if _BESIDE.fullmatch(path.name):
            with suppress(OSError):
                path.unlink()


def sync_folder(folder: str) -> None:
    """Make new names in ``folder`` survive a power cut, where the system can do that."""
    if os.name != "posix":
        return
    with suppress(OSError):  # the file is in place already; some network folders cannot be synchronized
        descriptor = os.open(folder or ".", os.O_RDONLY | getattr(os, "O_DIRECTORY", 0))
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


@contextmanager
def locked(path: str | os.PathLike[str], timeout: float = PATIENCE) -> Iterator[None]:
    """Keep every other adjudicator away from the file at ``path`` for as long as the block runs.

    Waits up to ``timeout`` seconds, then raises ``InUse``; ``CannotWrite`` where no lock can be made. The lock is a file
    beside it (``lock_of``), which exists only meanwhile. Everyone who may write the file may lock it, at least its owner.
    """
    from filelock import FileLock  # slow to load, and reading a game needs no lock

    name, mode, held = os.fspath(path), 0o600, list[os.stat_result]()
    try:
        target = os.path.realpath(name)
    except ValueError:  # a name with a NUL in it
        raise CannotWrite(name, "this is not a valid file name") from None
    if not os.path.isdir(os.path.dirname(target)):
        raise CannotWrite(name, "there is no such folder")
    with suppress(OSError):
        mode |= stat.S_IMODE(os.stat(target).st_mode) & 0o666
    lock_name = lock_of(target)

    def check(handle: int) -> None:
        held.append(os.fstat(handle))
        require_plain(lock_name, held[-1])  # somebody may have replaced it meanwhile
        if hasattr(os, "fchmod"):
            with suppress(PermissionError):  # another user owns it and lets us write in it
                os.fchmod(handle, mode)

    lock = FileLock(lock_name, timeout, fallback_to_soft=False, on_acquired=check)
    try:
        with suppress(FileNotFoundError):
            require_plain(lock_name, os.lstat(lock_name))
        lock.acquire()
    except TimeoutError:
        raise InUse(name, "another adjudicator is using this file; try again when it has finished") from None
    except PermissionError:
        words = f"another user has locked this file with {lock_name}; if that user's run was stopped, remove the lock file"
        there = os.path.exists(lock_name)
        raise CannotWrite(name, words if there else "you have no permission to write in this folder") from None
    except OSError as error:
        words = f"the file cannot be locked: {error.strerror or error}"
        if error.errno in (errno.ENOSYS, errno.EOPNOTSUPP):
            words = "keep the game on another disk: the file system of this one has no locks"
        raise CannotWrite(name, words) from error
    try:
        yield
    finally:
        with suppress(OSError):  # a lock file that remains does not lock anything
            # A forked process does not hold the lock, and somebody may have replaced the lock file.
            if lock.is_locked and os.path.samestat(held[-1], os.lstat(lock_name)):
                os.unlink(lock_name)
        lock.release()


def lock_of(target: str) -> str:
    """Return the name of the lock file for ``target``: its name with ``.lock``, or a short one where that is too long."""
    folder, base = os.path.split(target)
    if len(os.fsencode(base)) + len(_SUFFIX) <= _LONGEST_NAME:
        return target + _SUFFIX
    return os.path.join(folder, f".{sha256(os.fsencode(base)).hexdigest()[:32]}{_SUFFIX}")

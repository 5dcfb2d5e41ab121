"""Lock a file with a second file beside it, which exists only as long as a process holds the lock.

``filelock`` takes the lock, and tries again if another process has removed the lock file meanwhile. This module adds three
things: the lock file is an ordinary file, everyone who may write the file may lock it, and its holder removes it.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from errno import ENOSYS, EOPNOTSUPP
from hashlib import sha256
from typing import Final

from adjudicator.files.atomic import require_plain
from adjudicator.files.errors import CannotWrite, InUse

PATIENCE: Final = 10.0
"""Seconds to wait for another run to finish with a file."""
_SUFFIX: Final = ".lock"
_LONGEST_NAME: Final = 255
"""The longest file name in bytes on nearly every system."""


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
        if error.errno in (ENOSYS, EOPNOTSUPP):
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

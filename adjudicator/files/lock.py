"""Lock a file with a second file beside it, which exists only as long as a process holds the lock.

``filelock`` takes the lock, and tries again if another process has removed the lock file meanwhile. This module adds three
things: the lock file is an ordinary file, everyone who may write the file may lock it, and its holder removes it.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
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
    beside it (``lock_of``), which exists only meanwhile.
    """
    name = os.fspath(path)
    try:
        target = os.path.realpath(name)
    except ValueError:  # a name with a NUL in it
        raise CannotWrite(name, "this is not a valid file name") from None
    if not os.path.isdir(os.path.dirname(target)):
        raise CannotWrite(name, "there is no such folder")
    lock = lock_of(target)
    with ExitStack() as held:
        try:
            held.enter_context(_lock_file(lock, target, timeout))
        except TimeoutError:
            raise InUse(name, "another adjudicator is using this file; try again when it has finished") from None
        except PermissionError:
            words = f"another user has locked this file with {lock}; if that user's run was stopped, remove the lock file"
            there = os.path.exists(lock)
            raise CannotWrite(name, words if there else "you have no permission to write in this folder") from None
        except OSError as error:
            words = f"the file cannot be locked: {error.strerror or error}"
            if error.errno in (ENOSYS, EOPNOTSUPP):
                words = "keep the game on another disk: the file system of this one has no locks"
            raise CannotWrite(name, words) from error
        yield


def lock_of(target: str) -> str:
    """Return the name of the lock file for ``target``: its name with ``.lock``, or a short one where that is too long."""
    folder, base = os.path.split(target)
    if len(os.fsencode(base)) + len(_SUFFIX) <= _LONGEST_NAME:
        return target + _SUFFIX
    return os.path.join(folder, f".{sha256(os.fsencode(base)).hexdigest()[:32]}{_SUFFIX}")


@contextmanager
def _lock_file(path: str, target: str, timeout: float) -> Iterator[None]:
    """Hold the lock file ``path`` for as long as the block runs, and remove it.

    Everyone who may write ``target`` may lock it, at least its owner. Raises ``TimeoutError`` after ``timeout`` seconds,
    ``OSError`` where no lock can be made.
    """
    from filelock import FileLock  # slow to load, and reading a game needs no lock

    mode = 0o600
    with suppress(OSError):
        mode |= stat.S_IMODE(os.stat(target).st_mode) & 0o666
    held: list[os.stat_result] = []

    def check(handle: int) -> None:
        held.append(os.fstat(handle))
        require_plain(path, held[-1])  # somebody may have replaced it meanwhile
        if hasattr(os, "fchmod"):
            with suppress(PermissionError):  # another user owns it and lets us write in it
                os.fchmod(handle, mode)

    with suppress(FileNotFoundError):
        require_plain(path, os.lstat(path))
    with FileLock(path, timeout, fallback_to_soft=False, on_acquired=check) as lock:
        try:
            yield
        finally:
            with suppress(OSError):  # a lock file that remains does not lock anything
                # A forked process does not hold the lock, and somebody may have replaced the lock file.
                if lock.is_locked and os.path.samestat(held[-1], os.lstat(path)):
                    os.unlink(path)

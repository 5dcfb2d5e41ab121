"""Locks: one adjudicator at a time is at work on a file."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from hashlib import sha256
from typing import Final

from adjudicator.store.errors import CannotWrite, InUse

PATIENCE: Final = 10.0
"""Seconds to wait for another run to finish with a file."""
_SUFFIX: Final = ".lock"
LONGEST_NAME: Final = 255
"""Bytes that the name of a file may have on nearly every system."""


@contextmanager
def locked(path: str | os.PathLike[str], timeout: float = PATIENCE) -> Iterator[None]:
    """Keep every other adjudicator away from the file at ``path`` for as long as the block runs.

    Waits up to ``timeout`` seconds, then raises ``InUse``; ``CannotWrite`` where no lock can be made. The lock is a file
    beside it (``lock_of``), which stays there; who may write the file may lock it.
    """
    from filelock import FileLock, Timeout

    name = os.fspath(path)
    target = os.path.realpath(name)
    if not os.path.isdir(os.path.dirname(target)):  # filelock would make it
        raise CannotWrite(name, "there is no such folder")
    beside = lock_of(target)
    is_new = not os.path.exists(beside)
    lock = FileLock(beside, timeout=timeout, mode=_mode_for(target))
    try:
        lock.acquire()
    except Timeout:
        raise InUse(name, "another adjudicator is at work on this file; please try again when it is done") from None
    except PermissionError:
        raise CannotWrite(name, _not_permitted(beside)) from None
    except NotImplementedError:
        raise CannotWrite(name, "this file system knows no locks: please keep the game on another") from None
    except OSError as error:
        raise CannotWrite(name, f"it could not be locked: {error.strerror or error}") from error
    try:
        if is_new:
            with suppress(OSError):  # the umask may have taken more away than the file itself does
                os.chmod(beside, _mode_for(target))
        yield
    finally:
        lock.release()


def lock_of(target: str) -> str:
    """Return the name of the lock of the file ``target``: its own with ``.lock``, or where that is too long, a short one."""
    folder, base = os.path.split(target)
    if len(os.fsencode(base)) + len(_SUFFIX) <= LONGEST_NAME:
        return target + _SUFFIX
    return os.path.join(folder, f".{sha256(os.fsencode(base)).hexdigest()[:32]}{_SUFFIX}")


def _mode_for(target: str) -> int:
    """Return who may lock the file: who may write it, and for a file that is not there yet its owner."""
    try:
        return stat.S_IMODE(os.stat(target).st_mode) & 0o666 | 0o600
    except OSError:
        return 0o600


def _not_permitted(lock: str) -> str:
    if os.path.exists(lock):
        return f"you are not permitted to lock it: its lock {lock} belongs to somebody else, who can let you with chmod"
    return "you are not permitted to write in this folder"

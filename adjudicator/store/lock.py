"""The lock of a file: a file beside it, which is there only as long as somebody holds it.

Whoever has opened the lock file may get its lock after the one before has removed it; then it guards no name any more, while
a third may have made another. So it counts only if the name still leads to it, and only its holder removes it.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from errno import ENOSYS, EOPNOTSUPP
from hashlib import sha256
from time import monotonic, sleep
from typing import Any, Final

from adjudicator.store.atomic import open_plain
from adjudicator.store.errors import CannotWrite, InUse

fcntl: Any
try:  # filelock does the same with it, and takes a tenth of a short command's time to load
    import fcntl
except ImportError:
    fcntl = None

PATIENCE: Final = 10.0
"""Seconds to wait for another run to finish with a file."""
_PAUSE: Final = 0.05
"""Seconds after which it is looked again whether a lock has become free."""
_SUFFIX: Final = ".lock"
_LONGEST_NAME: Final = 255
"""Bytes that the name of a file may have on nearly every system."""


@contextmanager
def locked(path: str | os.PathLike[str], timeout: float = PATIENCE) -> Iterator[None]:
    """Keep every other adjudicator away from the file at ``path`` for as long as the block runs.

    Waits up to ``timeout`` seconds, then raises ``InUse``; ``CannotWrite`` where no lock can be made. The lock is a file
    beside it (``lock_of``), which is there only meanwhile; who may write the file may lock it.
    """
    name = os.fspath(path)
    target = os.path.realpath(name)
    if not os.path.isdir(os.path.dirname(target)):
        raise CannotWrite(name, "there is no such folder")
    beside = lock_of(target)
    with ExitStack() as held:
        try:
            held.enter_context(lock_file(beside, timeout, _mode_for(target)))
        except TimeoutError:
            raise InUse(name, "another adjudicator is at work on this file; please try again when it is done") from None
        except PermissionError:
            raise CannotWrite(name, _not_permitted(beside)) from None
        except NotImplementedError:
            raise CannotWrite(name, "this file system knows no locks: please keep the game on another") from None
        except OSError as error:
            raise CannotWrite(name, f"it could not be locked: {error.strerror or error}") from error
        yield


def lock_of(target: str) -> str:
    """Return the name of the lock of the file ``target``: its own with ``.lock``, or where that is too long, a short one."""
    folder, base = os.path.split(target)
    if len(os.fsencode(base)) + len(_SUFFIX) <= _LONGEST_NAME:
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
        return f"its lock {lock} belongs to somebody else, who is at work on it, or was stopped: then it may be removed"
    return "you are not permitted to write in this folder"


@contextmanager
def lock_file(path: str, timeout: float, mode: int) -> Iterator[None]:
    """Hold the lock file ``path``, made with the permissions ``mode``, for as long as the block runs, and remove it.

    Waits up to ``timeout`` seconds, then raises ``TimeoutError``; ``OSError`` where no lock can be made, and
    ``NotImplementedError`` where there are none.
    """
    if fcntl is None:
        with _portable_lock(path, timeout, mode):
            yield
        return
    handle = _held(path, monotonic() + timeout, mode)
    try:
        yield
    finally:
        try:
            with suppress(OSError):  # a lock file that stays there does not lock anything
                if _guards(handle, path):
                    os.unlink(path)
        finally:
            os.close(handle)


def _held(path: str, end: float, mode: int) -> int:
    """Return the handle of the lock file ``path``, locked before the moment ``end``, or raise ``TimeoutError``."""
    while True:
        handle = open_plain(path, os.O_RDWR | os.O_CREAT, mode)
        try:
            with suppress(PermissionError):  # it is somebody else's, who lets us write in it
                os.fchmod(handle, mode)
            is_ours = _is_taken(handle)
            if is_ours and _guards(handle, path):
                return handle
        except BaseException:
            os.close(handle)
            raise
        os.close(handle)
        if is_ours:  # but of a file that has been removed meanwhile
            continue
        left = end - monotonic()
        if left <= 0:
            raise TimeoutError(path)
        sleep(min(_PAUSE, left))


def _is_taken(handle: int) -> bool:
    """Return whether the lock is ours now; raises ``NotImplementedError`` where the file system knows none."""
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError as error:
        if error.errno in (ENOSYS, EOPNOTSUPP):
            raise NotImplementedError from error
        raise
    return True


def _guards(handle: int, path: str) -> bool:
    """Return whether the file that was locked is the one that is called ``path`` now."""
    try:
        return os.path.samestat(os.fstat(handle), os.lstat(path))
    except FileNotFoundError:
        return False


@contextmanager
def _portable_lock(path: str, timeout: float, mode: int) -> Iterator[None]:
    """Do the same elsewhere than on POSIX, where the library removes the file itself."""
    from filelock import FileLock, Timeout

    with suppress(FileNotFoundError):
        os.close(open_plain(path, os.O_RDONLY))
    try:
        held = FileLock(path, mode=mode).acquire(timeout=timeout)
    except Timeout as error:
        raise TimeoutError(path) from error
    with held:
        yield

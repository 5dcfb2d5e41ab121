"""Lock a file with a second file beside it, which exists only as long as a process holds the lock.

A process may open the lock file and get its lock after the previous holder has removed it. The name then no longer leads to
that file, and a third process may have made another. So a lock counts only if the name still leads to it, and only its
holder removes it.
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
"""Seconds between two attempts to get a lock."""
_SUFFIX: Final = ".lock"
_LONGEST_NAME: Final = 255
"""The longest file name in bytes on nearly every system."""


@contextmanager
def locked(path: str | os.PathLike[str], timeout: float = PATIENCE) -> Iterator[None]:
    """Keep every other adjudicator away from the file at ``path`` for as long as the block runs.

    Waits up to ``timeout`` seconds, then raises ``InUse``; ``CannotWrite`` where no lock can be made. The lock is a file
    beside it (``lock_of``), which exists only meanwhile; everyone who may write the file may lock it.
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
            raise InUse(name, "another adjudicator is using this file; try again when it has finished") from None
        except PermissionError:
            raise CannotWrite(name, _not_permitted(beside)) from None
        except NotImplementedError:
            raise CannotWrite(name, "keep the game on another disk: the file system of this one has no locks") from None
        except OSError as error:
            raise CannotWrite(name, f"the file cannot be locked: {error.strerror or error}") from error
        yield


def lock_of(target: str) -> str:
    """Return the name of the lock file for ``target``: its name with ``.lock``, or a short one where that is too long."""
    folder, base = os.path.split(target)
    if len(os.fsencode(base)) + len(_SUFFIX) <= _LONGEST_NAME:
        return target + _SUFFIX
    return os.path.join(folder, f".{sha256(os.fsencode(base)).hexdigest()[:32]}{_SUFFIX}")


def _mode_for(target: str) -> int:
    """Return the permissions of the lock file: everyone who may write the file may lock it, at least its owner."""
    try:
        return stat.S_IMODE(os.stat(target).st_mode) & 0o666 | 0o600
    except OSError:
        return 0o600


def _not_permitted(lock: str) -> str:
    if os.path.exists(lock):
        return f"another user has locked this file with {lock}; if that user's run was stopped, remove the lock file"
    return "you have no permission to write in this folder"


@contextmanager
def lock_file(path: str, timeout: float, mode: int) -> Iterator[None]:
    """Hold the lock file ``path``, made with the permissions ``mode``, for as long as the block runs, and remove it.

    Waits up to ``timeout`` seconds, then raises ``TimeoutError``; ``OSError`` where no lock can be made, and
    ``NotImplementedError`` where the file system has no locks.
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
            with suppress(OSError):  # a lock file that stays behind does not lock anything
                if _guards(handle, path):
                    os.unlink(path)
        finally:
            os.close(handle)


def _held(path: str, end: float, mode: int) -> int:
    """Return the handle of the lock file ``path``, locked before the moment ``end``, or raise ``TimeoutError``."""
    while True:
        handle = open_plain(path, os.O_RDWR | os.O_CREAT, mode)
        try:
            with suppress(PermissionError):  # another user owns it and lets us write in it
                os.fchmod(handle, mode)
            is_ours = _is_taken(handle)
            if is_ours and _guards(handle, path):
                return handle
        except BaseException:
            os.close(handle)
            raise
        os.close(handle)
        if is_ours:  # but the file has been removed meanwhile
            continue
        left = end - monotonic()
        if left <= 0:
            raise TimeoutError(path)
        sleep(min(_PAUSE, left))


def _is_taken(handle: int) -> bool:
    """Return whether the lock is ours now; raises ``NotImplementedError`` where the file system has no locks."""
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
    """Return whether ``path`` still leads to the locked file."""
    try:
        return os.path.samestat(os.fstat(handle), os.lstat(path))
    except FileNotFoundError:
        return False


@contextmanager
def _portable_lock(path: str, timeout: float, mode: int) -> Iterator[None]:
    """Hold the lock on systems other than POSIX, where the library removes the file itself."""
    from filelock import FileLock, Timeout

    with suppress(FileNotFoundError):
        os.close(open_plain(path, os.O_RDONLY))
    try:
        held = FileLock(path, mode=mode).acquire(timeout=timeout)
    except Timeout as error:
        raise TimeoutError(path) from error
    with held:
        yield

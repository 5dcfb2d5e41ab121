"""The lock of a file: a file beside it, which is there only as long as somebody holds it.

Whoever has opened the lock file may get its lock after the one before has removed it; then it guards no name any more, while
a third may have made another. So it counts only if the name still leads to it, and only its holder removes it.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from time import monotonic
from typing import Any


@contextmanager
def lock_file(path: str, timeout: float) -> Iterator[None]:
    """Hold the lock file ``path`` for as long as the block runs, and remove it.

    Waits up to ``timeout`` seconds, then raises ``TimeoutError``; ``OSError`` where no lock can be made.
    """
    from filelock import FileLock, Timeout

    lock, end = FileLock(path), monotonic() + timeout
    while True:
        try:
            lock.acquire(timeout=max(0.0, end - monotonic()))
        except Timeout as error:
            raise TimeoutError(path) from error
        if _guards(lock, path):
            break
        lock.release()
    try:
        yield
    finally:
        _remove(lock, path)
        lock.release()


def _guards(lock: Any, path: str) -> bool:
    """Return whether the file that ``lock`` has locked is the one that is called ``path`` now."""
    try:
        return os.path.samestat(os.fstat(lock._context.lock_file_fd), os.stat(path))
    except FileNotFoundError:
        return False


def _remove(lock: Any, path: str) -> None:
    """Remove the lock file while it is held. Elsewhere than on POSIX, and without its locks, the library does it itself."""
    from filelock import UnixFileLock

    if isinstance(lock, UnixFileLock) and _guards(lock, path):
        with suppress(OSError):
            os.unlink(path)

"""Writing a file in one step: an interrupted run leaves the old file or the new one, and no other trace."""

from __future__ import annotations

import errno
import os
import secrets
import stat
from collections.abc import Iterable
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Final

from adjudicator.store.errors import CannotWrite

PRIVATE: Final = 0o600
"""The permissions of a new file: a game holds all hands, and the secret of chance."""
SHARED: Final = 0o666
"""The permissions of a new file that everybody may read, as far as the umask allows."""
_KEPT: Final = 60
"""Bytes of a file's name that its temporary one has too: with the rest of it, it is shorter than any longest name."""
_TEMPORARY: Final = ".tmp"
_PLAIN: Final = sum(getattr(os, name, 0) for name in ("O_NOFOLLOW", "O_NONBLOCK", "O_BINARY"))
LINKED: Final = "is a link, has a second name (hard link), or is no ordinary file; please remove it"
Bytes = bytes | Iterable[bytes]
"""What is written: all of it, or piece by piece."""


def is_plain(status: os.stat_result) -> bool:
    """Return whether a file with this ``status`` is an ordinary file without a second name (hard link)."""
    return stat.S_ISREG(status.st_mode) and status.st_nlink <= 1


def open_plain(path: str, flags: int, mode: int = PRIVATE) -> int:
    """Return a handle of the ordinary file at ``path``. It never follows a link and never waits for a pipe or device.

    Raises ``OSError``, with words that name ``path`` where it is something else.
    """
    with suppress(FileNotFoundError):
        _require_plain(path, os.lstat(path))
    handle = os.open(path, flags | _PLAIN, mode)
    try:
        _require_plain(path, os.fstat(handle))  # somebody may have replaced it meanwhile
    except BaseException:
        os.close(handle)
        raise
    return handle


def _require_plain(path: str, status: os.stat_result) -> None:
    if not is_plain(status):
        raise OSError(errno.ELOOP, f"{path} {LINKED}")


def write_atomic(
    path: str | os.PathLike[str], data: Bytes, mode: int = PRIVATE, *, sweeps: bool = True, follows: bool = True
) -> None:
    """Put ``data`` in the place of the file at ``path``, or make it: all of it or nothing. Raises ``CannotWrite``.

    What comes in pieces is written piece by piece; what raises an error in between leaves the file as it was.

    A link is followed, or refused with ``follows=False``. The file keeps its permissions, owner and extended attributes; a
    new one gets ``mode``, of which the umask takes away only where it is ``SHARED``. A file with several names (hard links),
    or one that would not be its owner's any more, is refused. Something that is no file, such as a pipe, is written to
    directly, or with ``follows=False`` refused.

    What a killed run has left of this file goes, too. Who writes thousands into one folder does that for all of them at once
    with ``sweep_folder``, and without ``sweeps``: the whole folder is looked through for it.
    """
    name = os.fspath(path)
    try:
        old = _status(name, follows)
        if old is not None and not follows and not is_plain(old):
            raise CannotWrite(name, LINKED)
        if old is not None and not stat.S_ISREG(old.st_mode):
            _write_through(name, data)
            return
        target = os.path.realpath(name) if follows else os.path.abspath(name)
        if old is not None:
            _require_replaceable(name, target, old)
        if sweeps:
            _sweep(*_beside(target))
        _replace(target, data, old, mode)
    except FileNotFoundError:
        raise CannotWrite(name, "there is no such folder") from None
    except IsADirectoryError:
        raise CannotWrite(name, "this is a folder, not a file") from None
    except PermissionError:
        raise CannotWrite(name, "you are not permitted to write here") from None
    except ValueError:  # a name with a NUL in it
        raise CannotWrite(name, "no file can have this name") from None
    except OSError as error:
        raise CannotWrite(name, f"it could not be written: {error.strerror or error}") from error


def _status(name: str, follows: bool) -> os.stat_result | None:
    try:
        return os.stat(name, follow_symlinks=follows)
    except FileNotFoundError:
        return None


def _require_replaceable(name: str, target: str, old: os.stat_result) -> None:
    """Raise ``CannotWrite`` where a new file in the place of the ``old`` one would be more than a new content."""
    if not os.access(target, os.W_OK):
        raise CannotWrite(name, "the file is write-protected")
    if old.st_nlink > 1:
        words = "the file has other names too (hard links), under which the old content would stay"
        raise CannotWrite(name, f"{words}; please copy it, and work on the copy")


def _write_through(name: str, data: Bytes) -> None:
    with Path(name).open("wb") as stream:
        stream.writelines(_pieces(data))


def _replace(target: str, data: Bytes, old: os.stat_result | None, mode: int) -> None:
    """Write ``data`` beside ``target``, make sure it is on the disk, and only then give it the name."""
    folder, prefix = _beside(target)
    beside = os.path.join(folder, f"{prefix}{os.getpid()}.{secrets.token_hex(8)}{_TEMPORARY}")
    # What goes in the place of an old file may hold secrets: nobody else may look in before it has that one's permissions.
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0) | getattr(os, "O_NOFOLLOW", 0)
    descriptor = os.open(beside, flags, mode if old is None else PRIVATE)
    with ExitStack() as litter:  # whatever happens, interrupts included, nothing is left lying about
        litter.callback(_remove, beside)
        try:
            _claim(descriptor)
            for piece in _pieces(data):
                _write_all(descriptor, piece)
            if old is not None:
                _adopt(descriptor, beside, target, old)
            elif mode == PRIVATE:
                os.chmod(beside, PRIVATE)  # an odd umask may have taken the owner's own permission away
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
        os.replace(beside, target)
        litter.pop_all()
    _sync_folder(folder)


def _beside(target: str) -> tuple[str, str]:
    """Return the folder of ``target``, and how the names of its temporary files begin."""
    folder, base = os.path.split(target)
    return folder, f".{os.fsencode(base)[:_KEPT].decode(errors='ignore')}."


def _claim(descriptor: int) -> None:
    """Say that a temporary file is being written, as long as this process lives: nobody sweeps it away."""
    with suppress(ImportError, OSError):
        import fcntl

        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)


def sweep_folder(folder: str | os.PathLike[str]) -> None:
    """Remove the temporary files that killed runs have left of any file in ``folder``, as far as they are surely dead."""
    _sweep(os.fspath(folder), "")


def _sweep(folder: str, prefix: str) -> None:
    """Remove what killed runs have left in ``folder`` of files whose temporary ones begin with ``prefix`` (empty: all)."""
    with suppress(OSError):
        for name in os.listdir(folder or "."):
            of, _, token = name.removesuffix(_TEMPORARY).rpartition(".")
            of, _, process = of.rpartition(".")
            is_meant = of == prefix.removesuffix(".") if prefix else of.startswith(".")
            if is_meant and name.endswith(_TEMPORARY):
                with suppress(OSError):
                    _remove_abandoned(os.path.join(folder, name), process, token)


def _remove_abandoned(path: str, process: str, token: str) -> None:
    if not process.isdecimal() or len(token) != 16 or _is_alive(int(process)):
        return
    try:
        import fcntl
    except ImportError:
        return
    descriptor = os.open(path, os.O_RDWR | os.O_NOFOLLOW)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)  # fails where it is being written, in another container too
        os.unlink(path)
    finally:
        os.close(descriptor)


def _is_alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True


def _remove(path: str) -> None:
    with suppress(OSError):
        os.unlink(path)


def _pieces(data: Bytes) -> Iterable[bytes]:
    return (data,) if isinstance(data, bytes) else data


def _write_all(descriptor: int, data: bytes) -> None:
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(descriptor, rest) :]


def _adopt(descriptor: int, beside: str, target: str, old: os.stat_result) -> None:
    """Give the new file the owner, the extended attributes and the permissions of the ``old`` one at ``target``."""
    if hasattr(os, "fchown") and (old.st_uid, old.st_gid) != _owner(descriptor):
        try:
            os.fchown(descriptor, old.st_uid, old.st_gid)
        except PermissionError:
            words = "it belongs to somebody else, or to a group that is not yours, and replaced by you it would not any more"
            raise CannotWrite(target, f"{words}; please copy it, and work on the copy") from None
    _copy_attributes(target, beside)
    os.chmod(beside, stat.S_IMODE(old.st_mode))


def _owner(descriptor: int) -> tuple[int, int]:
    status = os.fstat(descriptor)
    return status.st_uid, status.st_gid


def _copy_attributes(target: str, beside: str) -> None:
    """Give the new file the extended attributes of the old one; those that the system keeps for itself need not be."""
    if not hasattr(os, "listxattr"):
        return
    try:
        names = os.listxattr(target)
    except OSError:  # a file system that has none
        return
    for name in names:
        try:
            os.setxattr(beside, name, os.getxattr(target, name))
        except OSError as error:
            if name.startswith(("security.", "trusted.")):
                continue
            words = f"its extended attribute {name} cannot be kept: {error.strerror or error}"
            raise CannotWrite(target, f"{words}; please copy it, and work on the copy") from None


def _sync_folder(folder: str) -> None:
    """Make the new name last through a power cut, where the system can do that."""
    if os.name != "posix":
        return
    with suppress(OSError):  # the file is in place already; some network folders cannot be synchronised
        descriptor = os.open(folder or ".", os.O_RDONLY | getattr(os, "O_DIRECTORY", 0))
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)

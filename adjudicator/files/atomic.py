"""Write a file in one step: an interrupted run leaves the old file or the new one, and nothing else."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterable
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Final

from adjudicator.files.errors import CannotWrite

PRIVATE: Final = 0o600
"""The permissions of a new private file: a game holds all hands, and the secret of chance."""
SHARED: Final = 0o666
"""The permissions of a new file that everybody may read, as far as the umask allows."""
_KEPT: Final = 60
"""Bytes of a file's name that the name of its temporary file repeats: this keeps the name short enough for every system."""
_TEMPORARY: Final = ".tmp"
_PLAIN: Final = sum(getattr(os, name, 0) for name in ("O_NOFOLLOW", "O_NONBLOCK", "O_BINARY"))
LINKED: Final = "remove this first: it is a link, has a second name (hard link), or is not an ordinary file"
_COPY: Final = "copy this file, and work on the copy"
Bytes = bytes | Iterable[bytes]
"""The data to write: as a whole, or piece by piece."""


def is_plain(status: os.stat_result) -> bool:
    """Return whether a file with this ``status`` is an ordinary file without a second name (hard link)."""
    return stat.S_ISREG(status.st_mode) and status.st_nlink <= 1


def open_plain(path: str, flags: int, mode: int = PRIVATE) -> int:
    """Return a handle of the ordinary file at ``path``. It never follows a link and never waits for a pipe or device.

    Raises ``OSError``, with a message that names ``path`` if that is something else.
    """
    with suppress(FileNotFoundError):
        require_plain(path, os.lstat(path))
    handle = os.open(path, flags | _PLAIN, mode)
    try:
        require_plain(path, os.fstat(handle))  # another process may have replaced it meanwhile
    except BaseException:
        os.close(handle)
        raise
    return handle


def require_plain(path: str, status: os.stat_result) -> None:
    """Raise ``OSError``, with a message that names ``path``, if its ``status`` is not that of an ordinary file."""
    if not is_plain(status):
        raise OSError(errno.ELOOP, f"{path}: {LINKED}")


def write_atomic(
    path: str | os.PathLike[str],
    data: Bytes,
    mode: int = PRIVATE,
    *,
    sweeps: bool = True,
    syncs_folder: bool = True,
    follows: bool = True,
) -> None:
    """Replace the file at ``path`` with ``data``, or make it: all of it or nothing. Raises ``CannotWrite``.

    Data in pieces is written piece by piece; an error in between leaves the file as it was.

    A link is followed, or rejected with ``follows=False``. The file keeps its permissions, owner and extended attributes; a
    new one gets ``mode``, which the umask reduces only if it is ``SHARED``. A file with several names (hard links) is
    rejected, and so is one that would lose its owner. Something that is not a file, such as a pipe, is written directly, or
    rejected with ``follows=False``.

    This also removes temporary files of this file that a killed run has left, which means a search of the folder. A caller
    that writes many files into one folder calls ``sweep_folder`` once before, and passes ``sweeps=False``. With
    ``syncs_folder=False`` it calls ``sync_folder`` once afterwards: only then the names survive a power cut.
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
        if syncs_folder:
            sync_folder(os.path.dirname(target))
    except FileNotFoundError:
        raise CannotWrite(name, "there is no such folder") from None
    except IsADirectoryError:
        raise CannotWrite(name, "this is a folder, not a file") from None
    except PermissionError:
        raise CannotWrite(name, "you have no permission to write here") from None
    except ValueError:  # a name with a NUL in it
        raise CannotWrite(name, "this is not a valid file name") from None
    except OSError as error:
        raise CannotWrite(name, f"the file cannot be written: {error.strerror or error}") from error


def _status(name: str, follows: bool) -> os.stat_result | None:
    try:
        return os.stat(name, follow_symlinks=follows)
    except FileNotFoundError:
        return None


def _require_replaceable(name: str, target: str, old: os.stat_result) -> None:
    """Raise ``CannotWrite`` if replacing the ``old`` file would change more than its content."""
    if not os.access(target, os.W_OK):
        raise CannotWrite(name, "the file is write-protected")
    if old.st_nlink > 1:
        raise CannotWrite(name, f"{_COPY}: it has other names (hard links), under which the old content would remain")


def _write_through(name: str, data: Bytes) -> None:
    with Path(name).open("wb") as stream:
        stream.writelines(_pieces(data))


def _replace(target: str, data: Bytes, old: os.stat_result | None, mode: int) -> None:
    """Write ``data`` beside ``target``, make sure it is on the disk, and only then rename it."""
    folder, prefix = _beside(target)
    beside = os.path.join(folder, f"{prefix}{os.getpid()}.{os.urandom(8).hex()}{_TEMPORARY}")
    # The new file may hold secrets: it stays private until it has the permissions of the old one.
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0) | getattr(os, "O_NOFOLLOW", 0)
    descriptor = os.open(beside, flags, mode if old is None else PRIVATE)
    with ExitStack() as litter:  # removes the temporary file whatever happens, interrupts included
        litter.callback(_remove, beside)
        try:
            _claim(descriptor)
            for piece in _pieces(data):
                _write_all(descriptor, piece)
            if old is not None:
                _adopt(descriptor, beside, target, old)
            elif mode == PRIVATE:
                os.chmod(beside, PRIVATE)  # an odd umask may have removed the owner's own permission
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
        os.replace(beside, target)
        litter.pop_all()


def _beside(target: str) -> tuple[str, str]:
    """Return the folder of ``target``, and the prefix of the names of its temporary files."""
    folder, base = os.path.split(target)
    return folder, f".{os.fsencode(base)[:_KEPT].decode(errors='ignore')}."


def _claim(descriptor: int) -> None:
    """Lock a temporary file as long as this process lives, so that no other run removes it."""
    with suppress(ImportError, OSError):
        import fcntl

        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)


def sweep_folder(folder: str | os.PathLike[str]) -> None:
    """Remove the temporary files that killed runs have left in ``folder``."""
    _sweep(os.fspath(folder), "")


def _sweep(folder: str, prefix: str) -> None:
    """Remove the temporary files that killed runs have left in ``folder`` and that begin with ``prefix`` (empty: all)."""
    with suppress(OSError):
        for name in os.listdir(folder or "."):
            of, _, token = name.removesuffix(_TEMPORARY).rpartition(".")
            of, _, process = of.rpartition(".")
            is_meant = of == prefix.removesuffix(".") if prefix else of.startswith(".")
            if is_meant and name.endswith(_TEMPORARY):
                with suppress(OSError):
                    _remove_abandoned(os.path.join(folder, name), process, token)


def _remove_abandoned(path: str, process: str, token: str) -> None:
    try:
        import fcntl
    except ImportError:  # on Windows, where asking whether a process lives would end it
        return
    if not process.isdecimal() or len(token) != 16 or _is_alive(int(process)):
        return
    descriptor = os.open(path, os.O_RDWR | os.O_NOFOLLOW)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)  # fails while another process writes it, in any container
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
            words = "it belongs to another user or group, and would change its owner if you replaced it"
            raise CannotWrite(target, f"{_COPY}: {words}") from None
    _copy_attributes(target, beside)
    os.chmod(beside, stat.S_IMODE(old.st_mode))


def _owner(descriptor: int) -> tuple[int, int]:
    status = os.fstat(descriptor)
    return status.st_uid, status.st_gid


def _copy_attributes(target: str, beside: str) -> None:
    """Give the new file the extended attributes of the old one, except those that only the system may set."""
    if not hasattr(os, "listxattr"):
        return
    try:
        names = os.listxattr(target)
    except OSError:  # a file system without extended attributes
        return
    for name in names:
        try:
            os.setxattr(beside, name, os.getxattr(target, name))
        except OSError as error:
            if name.startswith(("security.", "trusted.")):
                continue
            words = f"its extended attribute {name} would be lost: {error.strerror or error}"
            raise CannotWrite(target, f"{_COPY}: {words}") from None


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

"""Writing files: the same game gives the same bytes, and an interrupted run leaves the old file or the new one."""

from __future__ import annotations

import os
import secrets
import stat
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from adjudicator import rulesets
from adjudicator.core.canonical import canonical_text
from adjudicator.core.game import FORMAT, Game
from adjudicator.core.prepared import PreparedGame
from adjudicator.core.ruleset import Setup
from adjudicator.store.components import is_shipped, reference
from adjudicator.store.errors import CannotWrite, InUse
from adjudicator.store.layout import game_text
from adjudicator.store.reading import LIMIT, MEGABYTE

PATIENCE: Final = 10.0
"""Seconds to wait for another run to finish with a file."""


def dump_game(game: Game) -> bytes:
    """Return the bytes of the file of ``game``.

    A component set that the ruleset ships is named only, another is written whole. Raises ``ValueError`` if the game's
    components are not those its heading names, ``CannotWrite`` if the file would be too large to be read again.
    """
    links = ((canonical_text(link.entry), link.hash) for link in game.journal)
    data = game_text(_document(game), links, canonical_text).encode()
    if len(data) > LIMIT:
        words = (
            f"the file would have {len(data) / MEGABYTE:,.1f} MB, and {LIMIT // MEGABYTE} MB can be read: nothing is written"
        )
        raise CannotWrite(f"game {game.id}", words)
    return data


def write_atomic(path: str | os.PathLike[str], data: bytes) -> None:
    """Put ``data`` in the place of the file at ``path``, or make it: all of it or nothing. Raises ``CannotWrite``.

    A link is followed. The file keeps its permissions; a new one gets the usual ones. Something that is no file, such as a
    pipe, is written to directly.
    """
    name = os.fspath(path)
    try:
        old = _status(name)
        if old is not None and not stat.S_ISREG(old.st_mode):
            _write_through(name, data)
            return
        target = os.path.realpath(name)
        if old is not None and not os.access(target, os.W_OK):
            raise CannotWrite(name, "the file is write-protected")
        _replace(target, data, old)
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


@contextmanager
def locked(path: str | os.PathLike[str], timeout: float = PATIENCE) -> Iterator[None]:
    """Keep every other adjudicator away from the file at ``path`` for as long as the block runs.

    Waits up to ``timeout`` seconds, then raises ``InUse``; ``CannotWrite`` where no lock can be made. The lock is a file
    beside it, ``<path>.lock``, which stays there.
    """
    from filelock import FileLock, Timeout

    name = os.fspath(path)
    target = os.path.realpath(name)
    if not os.path.isdir(os.path.dirname(target)):  # filelock would make it
        raise CannotWrite(name, "there is no such folder")
    lock = FileLock(target + ".lock", timeout=timeout)
    try:
        lock.acquire()
    except Timeout:
        raise InUse(name, "another adjudicator is at work on this file; please try again when it is done") from None
    except PermissionError:
        raise CannotWrite(name, "you are not permitted to write in this folder") from None
    except OSError as error:
        raise CannotWrite(name, f"it could not be locked: {error.strerror or error}") from error
    try:
        yield
    finally:
        lock.release()


def _document(game: Game) -> dict[str, Any]:
    return {
        "format": FORMAT,
        "id": game.id,
        "ruleset": game.ruleset,
        "components": game.components,
        "chance": game.chance,
        "setup": setup_to_write(game),
        "journal": game.journal,
        "pending": game.pending,
        "state": game.state,
        "seal": game.seal,
        **({"receipts": game.receipts} if game.receipts else {}),
        **({"set_aside": game.set_aside} if game.set_aside else {}),
        **({"languages": game.languages} if game.languages else {}),
    }


def setup_to_write(game: Game | PreparedGame) -> Setup:
    """Return the set-up of ``game`` as its file has it: a component set that the ruleset ships is named only.

    Raises ``ValueError`` if the components are not those that the heading names.
    """
    if is_shipped(rulesets.ruleset(game.ruleset.id), game.components):
        return replace(game.setup, components=None)
    if reference(game.setup.components) != game.components:
        raise ValueError("the components of the game are not those that its heading names")
    return game.setup


def _status(name: str) -> os.stat_result | None:
    try:
        return os.stat(name)
    except FileNotFoundError:
        return None


def _write_through(name: str, data: bytes) -> None:
    with Path(name).open("wb") as stream:
        stream.write(data)


def _replace(target: str, data: bytes, old: os.stat_result | None) -> None:
    """Write ``data`` beside ``target``, make sure it is on the disk, and only then give it the name."""
    folder, base = os.path.split(target)
    beside = os.path.join(folder, f".{base[:60]}.{secrets.token_hex(8)}.tmp")
    # A new file gets what the umask allows. In the place of an old one, which may hold secrets, nobody else may look in
    # before the permissions are those of the old one.
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0) | getattr(os, "O_NOFOLLOW", 0)
    descriptor = os.open(beside, flags, 0o666 if old is None else 0o600)
    with ExitStack() as litter:  # whatever happens, interrupts included, nothing is left lying about
        litter.callback(_remove, beside)
        try:
            _write_all(descriptor, data)
            if old is not None:
                _adopt(descriptor, beside, old)
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
        os.replace(beside, target)
        litter.pop_all()
    _sync_folder(folder)


def _remove(path: str) -> None:
    with suppress(OSError):
        os.unlink(path)


def _write_all(descriptor: int, data: bytes) -> None:
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(descriptor, rest) :]


def _adopt(descriptor: int, beside: str, old: os.stat_result) -> None:
    """Give the new file the owner, where that is allowed, and the permissions of the ``old`` one."""
    if hasattr(os, "fchown"):
        with suppress(PermissionError):
            os.fchown(descriptor, old.st_uid, old.st_gid)
    os.chmod(beside, stat.S_IMODE(old.st_mode))


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

"""Copy a whole club, settings, ledger and games as they are between two rounds; restore it from such a copy."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from itertools import count
from pathlib import Path
from typing import Final

from adjudicator.club.folder import GAMES, LEDGER, SETTINGS, ClubFolder
from adjudicator.club.ledger import Ledger
from adjudicator.club.manage import ClubError, make_inbox
from adjudicator.files.errors import CannotWrite, FileProblem, InUse
from adjudicator.files.lock import locked

_PASSING: Final = shutil.ignore_patterns("*.lock", "*.tmp")
"""Temporary files of running programs."""
_REPLACED: Final = "replaced"
"""The folder for the ledgers and games that a restore replaces."""


@contextmanager
def back_up(club: ClubFolder, ledger: Ledger, target: Path) -> Iterator[int]:
    """Copy the club to the new folder ``target``, completely or not at all, and yield how many games it has.

    Meanwhile no round runs, and no command changes a game during its copy. The block can record the backup: the folder and
    this change of the ledger appear in one step. Raises ``ClubError`` if ``target`` exists,
    ``InUse``, ``CannotWrite``, and ``Untrusted`` if the ledger is damaged.
    """
    if os.path.lexists(target):
        raise ClubError(f"{target} already exists; name a new folder for the backup")
    try:
        part = Path(tempfile.mkdtemp(prefix=f".{target.name}.", dir=target.parent))
        try:
            with locked(club.folder / "club"):
                _copy(club, ledger, part)
            with ledger.change():
                part = part.rename(target)
                yield len(club.games)
        except BaseException:
            shutil.rmtree(part, ignore_errors=True)
            raise
    except OSError as error:  # also what shutil raises
        raise CannotWrite(str(target), f"the backup failed: {error.strerror or error}") from error


def restore(folder: Path, copy: Path, now: int) -> str:
    """Give the club in ``folder`` the ledger and games of the backup ``copy``; return the place of the replaced ones.

    It keeps its `club.toml`, if it has one. Mails that a Maildir has stored go back to its new ones: the ledger ignores
    those that it has. Raises ``CannotRead``, ``Untrusted``, ``InUse``, ``CannotWrite``. An interrupted restore can be
    repeated.
    """
    ClubFolder(copy)  # its settings can be used
    try:
        folder.mkdir(mode=0o700, exist_ok=True)
        if not (folder / SETTINGS).exists():
            shutil.copy2(copy / SETTINGS, folder / SETTINGS)
        club = ClubFolder(folder)
        part = Path(tempfile.mkdtemp(prefix=".restore.", dir=folder))
        try:
            with locked(folder / "club"):
                _require_free(folder)
                _check_ledger(copy, part, now)
                shutil.copytree(copy / GAMES, part / GAMES, ignore=_PASSING)
                old = _replace(folder, part)
                _put_mails_back(club)
        finally:
            shutil.rmtree(part, ignore_errors=True)
    except OSError as error:  # also what shutil raises
        raise CannotWrite(str(folder), f"the restore failed: {error.strerror or error}") from error
    return str(old)


def _require_free(folder: Path) -> None:
    """Raise ``InUse`` if another program changes the ledger in ``folder``; it may be missing or damaged."""
    try:
        with closing(ClubFolder(folder).ledger()) as ledger, ledger.change():
            pass
    except InUse:
        raise
    except FileProblem:
        return


def _check_ledger(copy: Path, part: Path, now: int) -> None:
    """Write the ledger of the backup ``copy`` into ``part``, checked and upgraded; the backup stays as it is."""
    own = part / "backup"
    own.mkdir()
    for path in (copy / SETTINGS, *copy.glob(f"{LEDGER}*")):  # a copy made by hand may have the latest steps beside it
        shutil.copyfile(path, own / path.name)
    try:
        with closing(ClubFolder(own).ledger()) as ledger:
            ledger.copy_to(part / LEDGER)
    except FileProblem as error:
        error.rename(str(copy / LEDGER))
        raise
    with closing(Ledger(part / LEDGER)) as ledger, ledger.change():
        ledger.record_change(now, "restore", f"restored from {copy}")


def _replace(folder: Path, part: Path) -> Path:
    """Move ledger and games out of ``folder``, and those in ``part`` into it; return the place of the old ones."""
    parent = folder / _REPLACED
    parent.mkdir(mode=0o700, exist_ok=True)
    old = next(path for number in count(1) if not (path := parent / str(number)).exists())
    old.mkdir(mode=0o700)
    for path in (*folder.glob(f"{LEDGER}*"), folder / GAMES):
        if path.exists():
            path.rename(old / path.name)
    for name in (GAMES, LEDGER):  # without the ledger, no round begins
        (part / name).rename(folder / name)
    return old


def _put_mails_back(club: ClubFolder) -> None:
    incoming = club.settings.incoming
    if incoming.kind != "maildir":
        return
    make_inbox(club.folder)
    new, done = (club.folder / incoming.folder / name for name in ("new", "cur"))
    for path in done.iterdir() if done.is_dir() else ():
        path.rename(new / path.name.partition(":2,")[0])


def _copy(club: ClubFolder, ledger: Ledger, part: Path) -> None:
    shutil.copy2(club.folder / SETTINGS, part / SETTINGS)
    ledger.copy_to(part / LEDGER)
    (part / GAMES).mkdir(mode=0o700)
    for game in club.games:
        with locked(club.game_file(game)):
            shutil.copytree(club.path(game), part / GAMES / game, ignore=_PASSING)
    make_inbox(part)

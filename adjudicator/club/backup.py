"""Copy a whole club, settings, ledger and games as they are between two rounds; restore it from such a copy."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Final

from adjudicator.club import ClubError
from adjudicator.club.club import GAMES, INBOX, Club, at_rest, new_place, read_settings
from adjudicator.club.db import LEDGER, Db
from adjudicator.club.settings import SETTINGS
from adjudicator.files.errors import CannotRead, CannotWrite, FileProblem, InUse

_PASSING: Final = shutil.ignore_patterns("*.lock", "*.tmp")
"""Temporary files of running programs."""


@contextmanager
def back_up(club: Club, target: Path) -> Iterator[int]:
    """Copy the club to the new folder ``target``, completely or not at all, and yield how many games it has.

    Meanwhile no round runs games, and no command changes one during its copy. The block can record the backup: the folder
    and this change of the ledger appear in one step. Raises ``ClubError`` if ``target`` exists, ``InUse``, ``CannotWrite``,
    and ``Untrusted`` if the ledger is damaged.
    """
    if os.path.lexists(target):
        raise ClubError(f"{target} already exists; name a new folder for the backup")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        part = Path(tempfile.mkdtemp(prefix=f".{target.name}.", dir=target.parent))
        try:
            with club.locked():
                shutil.copy2(club.folder / SETTINGS, part / SETTINGS)
                club.db.copy_to(part / LEDGER)
                for name in (GAMES, *INBOX):
                    (part / name).mkdir(mode=0o700)
                games = [row for row in club.games() if club.file(row).parent.is_dir()]
                for row in games:
                    with club.game_locked(row):
                        shutil.copytree(club.file(row).parent, part / GAMES / row.name, ignore=_PASSING)
            with club.db.transaction():
                part = part.rename(target)
                yield len(games)
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
    if not (copy / SETTINGS).is_file():
        raise CannotRead(str(copy), f"this folder has no backup of a club: its {SETTINGS} is missing")
    read_settings(copy)  # they can be used
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        if not (folder / SETTINGS).exists():
            shutil.copy2(copy / SETTINGS, folder / SETTINGS)
        incoming = read_settings(folder).incoming
        part = Path(tempfile.mkdtemp(prefix=".restore.", dir=folder))
        try:
            with at_rest(folder):
                try:  # no other program changes the present ledger, which may be missing or damaged
                    with closing(Db(folder / LEDGER)) as db, db.transaction():
                        pass
                except InUse:
                    raise
                except FileProblem:
                    pass
                _copy_ledger(copy, part, now)
                shutil.copytree(copy / GAMES, part / GAMES, ignore=_PASSING)
                old = new_place(folder / "replaced")
                old.mkdir(mode=0o700)
                for path in (*folder.glob(f"{LEDGER}*"), folder / GAMES):
                    if path.exists():
                        path.rename(old / path.name)
                for name in (GAMES, LEDGER):  # without the ledger, no round begins
                    (part / name).rename(folder / name)
                for name in INBOX if incoming.kind == "maildir" else ():
                    (folder / name).mkdir(mode=0o700, exist_ok=True)
                new, done = (folder / incoming.folder / name for name in ("new", "cur"))
                for path in done.iterdir() if incoming.kind == "maildir" and done.is_dir() else ():
                    path.rename(new / path.name.partition(":2,")[0])
        finally:
            shutil.rmtree(part, ignore_errors=True)
    except OSError as error:  # also what shutil raises
        raise CannotWrite(str(folder), f"the restore failed: {error.strerror or error}") from error
    return str(old)


def _copy_ledger(copy: Path, part: Path, now: int) -> None:
    """Write the ledger of the backup ``copy`` into ``part``, checked; the backup stays as it is."""
    own = part / "backup"
    own.mkdir()
    for path in copy.glob(f"{LEDGER}*"):  # a copy made by hand may have the latest steps beside it
        shutil.copyfile(path, own / path.name)
    try:
        with closing(Db(own / LEDGER)) as db:
            db.copy_to(part / LEDGER)
    except FileProblem as error:
        error.words = error.words.replace(str(own), str(copy))
        error.rename(str(copy / LEDGER))
        raise
    with closing(Db(part / LEDGER)) as db, db.transaction():
        db.insert("log", at=now, who="moderator", what="restore", words=f"restored from {copy}")

"""Copy a whole club: settings, ledger and games as they are between two rounds."""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path
from typing import Final

from adjudicator.club.folder import GAMES, LEDGER, SETTINGS, ClubFolder
from adjudicator.club.ledger import Ledger
from adjudicator.club.manage import ClubError, make_inbox
from adjudicator.files.errors import CannotWrite
from adjudicator.files.lock import locked

_PASSING: Final = shutil.ignore_patterns("*.lock", "*.tmp")
"""Temporary files of running programs."""


def back_up(club: ClubFolder, ledger: Ledger, target: Path) -> int:
    """Copy the club to the new folder ``target``, completely or not at all; return how many games it has.

    Meanwhile no round runs, and no command changes a game during its copy. Raises ``ClubError`` if ``target`` exists,
    ``InUse``, ``CannotWrite``, and ``Untrusted`` if the ledger is damaged.
    """
    if os.path.lexists(target):
        raise ClubError(f"{target} already exists; name a new folder for the backup")
    try:
        part = Path(tempfile.mkdtemp(prefix=f".{target.name}.", dir=target.parent))
        try:
            with locked(club.folder / "club"):
                _copy(club, ledger, part)
            part.rename(target)
        except BaseException:
            shutil.rmtree(part, ignore_errors=True)
            raise
    except OSError as error:  # also what shutil raises
        raise CannotWrite(str(target), f"the backup failed: {error.strerror or error}") from error
    return len(club.games)


def _copy(club: ClubFolder, ledger: Ledger, part: Path) -> None:
    shutil.copy2(club.folder / SETTINGS, part / SETTINGS)
    ledger.copy_to(part / LEDGER)
    (part / GAMES).mkdir(mode=0o700)
    for game in club.games:
        with locked(club.game_file(game)):
            shutil.copytree(club.path(game), part / GAMES / game, ignore=_PASSING)
    make_inbox(part)

"""Copy a whole club, settings, ledger and games as they are between two rounds; restore it from such a copy."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from adjudicator.club2.club import Club


@contextmanager
def back_up(club: Club, target: Path) -> Iterator[int]:
    """Copy the club to the new folder ``target``, completely or not at all, and yield how many games it has.

    Meanwhile no round runs, and no command changes a game during its copy. The block can record the backup: the folder and
    this change of the ledger appear in one step. Raises ``ClubError`` if ``target`` exists,
    ``InUse``, ``CannotWrite``, and ``Untrusted`` if the ledger is damaged.
    """
    raise NotImplementedError
    yield 0


def restore(folder: Path, copy: Path, now: int) -> str:
    """Give the club in ``folder`` the ledger and games of the backup ``copy``; return the place of the replaced ones.

    It keeps its `club.toml`, if it has one. Mails that a Maildir has stored go back to its new ones: the ledger ignores
    those that it has. Raises ``CannotRead``, ``Untrusted``, ``InUse``, ``CannotWrite``. An interrupted restore can be
    repeated.
    """
    raise NotImplementedError

"""Run one round of a club: fetch mails, answer them, run games and lists, send letters. Failures stay local.

A round with nothing new is the usual one, every minute, so the parts that do the work are loaded only for work.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from contextlib import ExitStack
from pathlib import Path
from time import monotonic, sleep
from types import TracebackType
from typing import Any, Final, Self

from adjudicator.club2.club import Club, GameRow, open_club
from adjudicator.club2.db import LEDGER, Db, Failure, Kind, contain
from adjudicator.club2.settings import Incoming, server_of
from adjudicator.core.phrases import listed
from adjudicator.core.values import Value, replace
from adjudicator.files.errors import CannotRead, CannotWrite, FileProblem, InUse
from adjudicator.files.lock import locked
from adjudicator.files.reading import read
from adjudicator.mail.mailbox import Mailbox, Maildir, NewMail

_PATIENCE: Final = 60.0
"""Seconds between two rounds without mail: the club meets deadlines to the minute."""
_MOST_STEPS: Final = 20
"""The most turns of one game in one round: orders sent ahead may be due at once."""
_MANY: Final = 32
"""The number of games from which on several processes share them: their start takes the time of some games."""
_MOST_MAILS: Final = 1_000
"""Mails to fetch in one round; others wait in their mailbox for the next one."""
_LONGEST_WAIT: Final = 3600
"""Seconds for which mails wait after the arrival of one that cannot be fetched."""
_HOUR, _DAY = 3600, 24 * 3600


class RoundDone(Value, kw_only=True):
    """One round of a club.

    ``fetched`` counts new mails; ``sent``, ``later`` and ``given_up`` count letters that were sent, must be tried again, or
    cannot be sent. ``gone_on`` are the games that continued, ``troubles`` the failures.
    """

    fetched: int
    gone_on: tuple[str, ...] = ()
    sent: int = 0
    later: int = 0
    given_up: int = 0
    troubles: tuple[str, ...] = ()


def run_once(folder: Path, now: int, box: OpenMailbox | None = None) -> tuple[RoundDone, tuple[str, ...]]:
    """Do everything that is due ``now``, in seconds since 1970; return the result, and a line for each thing that was done.

    If a round stops anywhere, the next one continues there. ``box`` stays open for the next round. Raises ``InUse`` if
    another round is at work, ``CannotRead``, ``Untrusted`` if the settings of the club are unusable.
    """
    raise NotImplementedError


def run(folder: Path, show: Callable[[RoundDone, tuple[str, ...]], object]) -> None:
    """Do rounds until the program ends, each as soon as a mail comes or a minute is over, and ``show`` each result."""
    raise NotImplementedError


def receive(folder: Path, sources: Iterable[str], now: int) -> RoundDone:
    """Store the mails in ``sources``, files or ``-`` for standard input, as received ``now``, and do a round.

    If another round is at work, the next one answers them. Raises ``CannotRead``.
    """
    raise NotImplementedError

"""Failures during a round: contained, told to the moderator, and tried again if they are temporary.

A failure belongs to one mail or one game. A failure of the ledger belongs to none, and ends the round.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from enum import StrEnum
from pathlib import Path
from traceback import extract_tb
from typing import Final

from adjudicator.club.folder import LEDGER, ClubFolder
from adjudicator.club.ledger import Ledger
from adjudicator.club.letters import write_to_moderator
from adjudicator.core.canonical import digest
from adjudicator.core.frozen import frozen
from adjudicator.core.problem import SetupError
from adjudicator.mail.incoming import MailboxError
from adjudicator.reports.sanitize import printable
from adjudicator.resources import MissingResource
from adjudicator.rulesets import UnknownRuleset, UnusableRuleset
from adjudicator.store.errors import FileProblem, InUse, Untrusted

_UNUSABLE: Final = (Untrusted, SetupError, MissingResource, UnknownRuleset, UnusableRuleset)
_LONGEST: Final = 500
"""Characters of a cause."""


class Kind(StrEnum):
    """Who has to do something about a failure."""

    BUSY = "busy"
    """No one: another program is at work on the file, and the next round tries again."""
    TEMPORARY = "temporary"
    """Perhaps the moderator: the system has failed, and the next round tries again."""
    UNUSABLE = "unusable"
    """The moderator: a file of a game or its ruleset has to be corrected, and each round tries again."""
    FAULT = "fault"
    """A programmer: the program or a ruleset failed over what it was given, and would fail again."""


@frozen(kw_only=True)
class Failure:
    """What has failed: its ``kind``, its ``cause`` as text, and the ``file`` that it names (empty: none)."""

    kind: Kind
    cause: str
    file: str = ""


class TooMuchWork(Exception):
    """A mail has used up its CPU time."""


class _TimeIsUp(BaseException):
    """The timer has run out. No rule or reader may contain it, so it is no ``Exception``."""


@contextmanager
def contained(on_failure: Callable[[Failure], None]) -> Iterator[None]:
    """Run the block; if it fails, hand the failure to ``on_failure`` and go on after the block.

    A failure of the ledger goes through: without the ledger, the club can neither do nor note anything.
    """
    try:
        yield
    except (Exception, SystemExit) as error:
        if isinstance(error, FileProblem) and Path(error.file).name == LEDGER:
            raise
        on_failure(failure_of(error))


def failure_of(error: Exception | SystemExit) -> Failure:
    """Return what ``error`` means for the mail or the game during whose handling it was raised."""
    kind = _kind(error)
    cause = "\n".join(map(printable, str(error)[:_LONGEST].split("\n")))
    if kind is Kind.FAULT and not isinstance(error, TooMuchWork):
        place = extract_tb(error.__traceback__)[-1]
        cause = f"{type(error).__name__}: {printable(cause)} ({Path(place.filename).name}:{place.lineno})"
    return Failure(kind=kind, cause=cause, file=error.file if isinstance(error, FileProblem) else "")


def _kind(error: Exception | SystemExit) -> Kind:
    if isinstance(error, InUse):
        return Kind.BUSY
    if isinstance(error, Untrusted) and not Path(error.file).parent.name:
        return Kind.FAULT  # no file on the disk: the program refuses what it was about to write
    if isinstance(error, _UNUSABLE):
        return Kind.UNUSABLE
    is_outside = isinstance(error, (FileProblem, MailboxError, OSError))
    is_password = type(error) is LookupError  # one that is not where the settings say
    return Kind.TEMPORARY if is_outside or is_password else Kind.FAULT


def game_failed(club: ClubFolder, ledger: Ledger, game: str, failure: Failure, now: int) -> None:
    """Tell the moderator once why ``game`` could not be run; after a fault, it waits until something changes."""
    words = f"the game could not be run: {failure.cause}"
    key = f"broken/{game}/{digest(words.encode())}"
    with ledger.change():
        todo = "The other games go on. The next round tries again."
        if failure.kind is Kind.FAULT:
            ledger.set_game(replace(ledger.game(game), stopped=words, wake=0))
            todo = "The other games go on. This one waits for a mail, for a change of its file, or for `club resume`."
        if failure.kind is not Kind.BUSY and ledger.raise_matter(key, game, now, words):
            text = f"{words}\n\n{todo}\n"
            write_to_moderator(
                club, ledger, key=key, game=game, subject=f"{game}: the game could not be run", text=text, now=now
            )


class Budget:
    """The CPU time that one mail may use, in all blocks ``with budget.spent():`` together.

    It needs the timers of POSIX and the main thread; elsewhere there is no limit.
    """

    def __init__(self, seconds: int) -> None:
        """Begin with ``seconds``."""
        self._whole, self._left, self._is_running = seconds, float(seconds), False

    @contextmanager
    def spent(self) -> Iterator[None]:
        """Run the block on this budget. Raises ``TooMuchWork`` as soon as nothing is left of it.

        The block must only compute: it may be left at any step.
        """
        if not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
            yield
            return
        before = signal.signal(signal.SIGPROF, self._stop)
        try:
            with self._running():
                signal.setitimer(signal.ITIMER_PROF, self._left, 1.0)  # again each second, if something has contained it
                yield
        except _TimeIsUp:
            raise TooMuchWork(f"reading it takes more than {self._whole} seconds of work") from None
        finally:
            self._left = min(self._left, max(0.001, signal.setitimer(signal.ITIMER_PROF, 0)[0]))
            signal.signal(signal.SIGPROF, before)

    @contextmanager
    def _running(self) -> Iterator[None]:
        self._is_running = True
        try:
            yield
        finally:
            self._is_running = False

    def _stop(self, _number: int, _frame: object) -> None:
        if self._is_running:
            raise _TimeIsUp

"""Contain failures during a round, report them to the moderator, and retry after temporary ones.

A failure concerns one mail or one game. A failure of the ledger concerns all, and ends the round.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from traceback import extract_tb
from typing import Final

import adjudicator as adj
from adjudicator.club.folder import LEDGER, ClubFolder
from adjudicator.club.ledger import Ledger
from adjudicator.club.letters import write_to_moderator
from adjudicator.core.values import Value, digest, replace
from adjudicator.files.errors import FileProblem, InUse
from adjudicator.library.rulesets import MissingResource, UnusableRuleset
from adjudicator.mail.mailbox import MailboxError
from adjudicator.reports.sanitize import printable

_UNUSABLE: Final = (adj.Untrusted, adj.SetupError, MissingResource, adj.UnknownRuleset, UnusableRuleset)
_LONGEST: Final = 500
"""The most characters of a cause."""


class Kind(StrEnum):
    """Who must act after a failure."""

    BUSY = "busy"
    """No one: another program uses the file, and the next round tries again."""
    TEMPORARY = "temporary"
    """Perhaps the moderator: a system error, and the next round tries again."""
    UNUSABLE = "unusable"
    """The moderator must correct a file of a game, or its ruleset; each round tries again."""
    FAULT = "fault"
    """A programmer: the program or a ruleset has a bug, and would fail again."""


class Failure(Value, kw_only=True):
    """A failure: its ``kind``, its ``cause`` as text, and the ``file`` that it concerns (empty: none)."""

    kind: Kind
    cause: str
    file: str = ""


class TooMuchWork(Exception):
    """A mail has used all its CPU time."""


class _TimeIsUp(BaseException):
    """The timer has run out. This is not an ``Exception``, so that no rule or reader catches it."""


@contextmanager
def contain(on_failure: Callable[[Failure], None]) -> Iterator[None]:
    """Run the block; if it fails, call ``on_failure`` with the failure, and continue after the block.

    A failure of the ledger is raised: the club can do nothing without its ledger.
    """
    try:
        yield
    except (Exception, SystemExit) as error:
        if isinstance(error, FileProblem) and Path(error.file).name == LEDGER:
            raise
        on_failure(failure_of(error))


def failure_of(error: Exception | SystemExit) -> Failure:
    """Return the failure that ``error`` means for the present mail or game."""
    kind = _kind(error)
    cause = "\n".join(map(printable, str(error)[:_LONGEST].split("\n")))
    if kind is Kind.FAULT and not isinstance(error, TooMuchWork):
        place = extract_tb(error.__traceback__)[-1]
        cause = f"{type(error).__name__}: {printable(cause)} ({Path(place.filename).name}:{place.lineno})"
    return Failure(kind=kind, cause=cause, file=error.file if isinstance(error, FileProblem) else "")


def _kind(error: Exception | SystemExit) -> Kind:
    if isinstance(error, InUse):
        return Kind.BUSY
    if isinstance(error, _UNUSABLE):
        return Kind.UNUSABLE
    is_outside = isinstance(error, (FileProblem, MailboxError, OSError))
    is_password = type(error) is LookupError  # it is missing at the place that the settings name
    return Kind.TEMPORARY if is_outside or is_password else Kind.FAULT


def game_failed(club: ClubFolder, ledger: Ledger, game: str, failure: Failure, now: int) -> None:
    """Write to the moderator once why ``game`` cannot run; after a bug, the game waits until something changes."""
    words = f"this game cannot run: {failure.cause}"
    key = f"broken/{game}/{digest(words.encode())}"
    with ledger.change():
        todo = "The other games continue. The next round tries this one again."
        if failure.kind is Kind.FAULT:
            ledger.set_game(replace(ledger.game(game), stopped=words, wake=0))
            todo = "The other games continue. This one waits for a mail, a change of its file, or `club resume`."
        if failure.kind is not Kind.BUSY and ledger.raise_matter(key, game, now, words):
            text = f"{words}\n\n{todo}\n"
            write_to_moderator(club, ledger, key=key, game=game, subject=f"{game}: this game cannot run", text=text, now=now)


class Budget:
    """The CPU time that one mail may use, in all blocks ``with budget.spend():`` together.

    The limit needs the timers of POSIX and the main thread; elsewhere it does not apply.
    """

    def __init__(self, seconds: int) -> None:
        """Begin with ``seconds``."""
        self._whole, self._left, self._is_running = seconds, float(seconds), False

    @contextmanager
    def spend(self) -> Iterator[None]:
        """Run the block on this budget. Raises ``TooMuchWork`` as soon as the time is used up.

        The block must only compute: it may end at any step.
        """
        if not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
            yield
            return
        before = signal.signal(signal.SIGPROF, self._stop)
        try:
            with self._running():
                signal.setitimer(signal.ITIMER_PROF, self._left, 1.0)  # again each second, in case something catches it
                yield
        except _TimeIsUp:
            raise TooMuchWork(f"the mail takes more than {self._whole} seconds of work") from None
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

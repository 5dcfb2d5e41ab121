"""Audit games with rulesets of other packages in a separate process, which may exit, hang or print.

The rulesets that come with this program are trusted to come back; those of others may end the process they run in, never
end, or write to standard output in the middle of a report. None of that may cost another game its verdict.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout, suppress
from io import StringIO
from multiprocessing.connection import Connection
from typing import Any, Final

from adjudicator.audit.archives import Opener
from adjudicator.audit.audit_source import audit_source
from adjudicator.audit.candidates import Source
from adjudicator.audit.verdict import AuditResult, Divergence, Kind, Skipped, Verdict
from adjudicator.core.frozen import frozen
from adjudicator.processes import branched, silence

TIMEOUT: Final = 300
"""The default time limit in seconds for the audit of one game."""
_GRACE: Final = 30
"""The time limit in seconds for the start of a process, which must load this program first."""
_END: Final = 0.2
"""The time in seconds in which a process should end by itself."""
_MOST_TOLD: Final = 200


class TimeIsUpError(BaseException):
    """Report that a game has exceeded its time limit; rulesets must not catch this."""


@frozen
class Left:
    """A ruleset that raised an exception that ends programs, described in ``words``."""

    words: str


@contextmanager
def time_limit(seconds: float) -> Iterator[None]:
    """Raise ``TimeIsUpError`` in the block after ``seconds``, if the system and the thread have alarms."""
    if not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
        yield
        return

    def ring(_number: int, _frame: Any) -> None:
        raise TimeIsUpError

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def not_finished(source: Source, seconds: float, by: str = "") -> Verdict:
    """Return the verdict on a game whose audit took longer than ``seconds``; ``by`` is its ruleset, if known."""
    whose = f"{_whose(by)} has" if by else "the rules have"
    words = f"{whose} not decided it within {seconds:g} seconds; use --timeout to give it more time"
    return Verdict(source.name, ruleset=by, divergence=Divergence(Kind.UNREAD, recomputed=words))


def _whose(ruleset: str) -> str:
    """Return the ruleset that caused it, if that is known."""
    return f"the ruleset “{ruleset}”" if ruleset else "its audit"


class Warden:
    """Keeps a process that audits, one after the other, games that may hang or end it.

    These are the games by other packages' rulesets; on the workers of a cluster all are.
    """

    def __init__(self, timeout: float, *, is_impact: bool) -> None:
        """Give each game ``timeout`` seconds; the first game starts the process."""
        self._timeout, self._is_impact = timeout, is_impact
        self._process: Any = None
        self._connection: Connection | None = None
        self._runner = 0
        self._told: set[str] = set()

    def __enter__(self) -> Warden:
        """Return the warden itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """End the process, even during an audit."""
        self._end()

    def audit(self, source: Source, ruleset: str) -> Iterator[AuditResult]:
        """Yield the verdict on ``source``, a game of the foreign ``ruleset``, and one note if the ruleset prints."""
        yield self._verdict(source, ruleset)
        printed = self._took_down()
        if printed and ruleset not in self._told:
            self._told.add(ruleset)
            words = f"it prints text during the audit, which no ruleset may do: {printed.strip()}"
            yield Skipped(f"the ruleset “{ruleset}”" if ruleset else source.name, words)

    def _verdict(self, source: Source, ruleset: str) -> AuditResult:
        try:
            connection = self._started()
            connection.send(source)
            if not connection.poll(self._timeout):
                self._end()
                return not_finished(source, self._timeout, ruleset)
            result = connection.recv()
        except (EOFError, OSError):
            code = self._end()
            words = f"{_whose(ruleset)} has ended its process (exit code {code})"
            return Verdict(source.name, ruleset=ruleset, divergence=Divergence(Kind.FAULT, recomputed=words))
        if isinstance(result, Left):
            words = f"{_whose(ruleset)} tried to end the program: {result.words}"
            return Verdict(source.name, ruleset=ruleset, divergence=Divergence(Kind.FAULT, recomputed=words))
        found: AuditResult = result
        return found

    def _started(self) -> Connection:
        """Return the connection to the process, which is started if needed. Raises ``EOFError``, ``OSError``."""
        if self._connection is not None and self._process.is_alive():
            return self._connection
        self._end()
        context = multiprocessing.get_context("spawn")
        self._connection, theirs = context.Pipe()
        self._process = context.Process(target=_serve, args=(theirs, self._is_impact), daemon=True)
        self._process.start()
        theirs.close()
        if not self._connection.poll(_GRACE):
            raise EOFError
        self._runner = self._connection.recv()
        return self._connection

    def _took_down(self) -> str:
        """Return the text printed since the last call."""
        if self._connection is None:
            return ""
        try:
            self._connection.send(None)
            return str(self._connection.recv()) if self._connection.poll(_GRACE) else ""
        except (EOFError, OSError):
            self._end()
            return ""

    def _end(self) -> int | None:
        """End the process and return its exit code."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None
        if self._process is None:
            return None
        with suppress(OSError, ValueError):
            self._process.join(_END)
            if hasattr(os, "killpg"):
                with suppress(OSError):
                    if self._runner and self._process.is_alive():
                        os.kill(self._runner, signal.SIGKILL)
                        self._process.join(_END)
                    os.killpg(self._process.pid, signal.SIGKILL)
            self._process.kill()
            self._process.join()
        code: int | None = self._process.exitcode
        self._process, self._runner = None, 0
        return code


def _serve(connection: Connection, is_impact: bool) -> None:
    """Audit the received sources, and collect printed text. Only the parent handles Ctrl-C.

    A child of this process does it: rulesets may send signals to their parent.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    code = branched()
    if code is not None:
        raise SystemExit(code)
    _end_with_parent()
    silence()
    notes = StringIO()
    with redirect_stdout(notes), redirect_stderr(notes), Opener() as opener, suppress(EOFError, OSError):
        connection.send(os.getpid())
        while True:
            source = connection.recv()
            if source is None:
                connection.send(notes.getvalue()[:_MOST_TOLD])
                notes.seek(0)
                notes.truncate()
                continue
            try:
                result: AuditResult | Left = audit_source(source, opener, is_impact=is_impact)
            except BaseException as error:
                result = Left(f"{type(error).__name__}: {error}")
            connection.send(result)


def _end_with_parent() -> None:
    """End this process together with its parent, even if the parent is killed while a game hangs."""
    parent = multiprocessing.parent_process()

    def wait() -> None:
        if parent is not None:
            parent.join()
            signal.raise_signal(getattr(signal, "SIGKILL", signal.SIGTERM))

    threading.Thread(target=wait, daemon=True).start()

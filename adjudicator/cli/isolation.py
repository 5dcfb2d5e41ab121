"""Commands that use a ruleset of another package go on in a process of their own: it may exit, hang or send signals.

Three processes take part. The first one waits and reports. The guard takes the signals that a ruleset sends to its parent.
The runner goes on with the command. Commands that use rulesets of this program alone stay in one process.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext, suppress
from time import monotonic
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

SECONDS: Final = "ADJUDICATOR_RULESET_SECONDS"
"""The environment variable that says how many seconds a command with such a ruleset may take."""
_USUAL: Final = 300.0
_LONGEST: Final = 1_000_000.0
_LOADING: Final = 10.0
"""Seconds in which such a ruleset must be loaded where all of them are listed."""
_GRACE: Final = 5.0
"""Seconds in which a command must end after Ctrl-C."""
_REAPING: Final = 1.0
"""Seconds in which the guard should end after the runner."""
_LONG: Final = {"archive", "audit", "club", "simulate", "site"}
"""Commands that may take hours; some have processes and databases of their own."""

_way: Connection | None = None
"""In the runner: the way to the first process."""


class Ended(BaseException):
    """The command went on in another process, which has ended with the exit ``code``, or as the ``words`` say."""

    def __init__(self, code: int | None, words: str) -> None:
        """Keep the ``code``, ``None`` if the ruleset ended the process, and the ``words``."""
        super().__init__(words)
        self.code, self.words = code, words


def isolated(command: str) -> AbstractContextManager[None]:
    """Isolate the rulesets of other packages that ``command`` loads in the block, where processes can be forked."""
    if not hasattr(os, "fork"):
        return nullcontext()
    from adjudicator import rulesets

    return rulesets.watched(lambda name, load: _watch(name, load, is_long=command in _LONG))


def finish(code: object) -> None:
    """End the process with ``code``, that of ``SystemExit``, if a first process waits for it; otherwise do nothing."""
    if _way is not None:
        number = (code if isinstance(code, int) else int(code is not None)) & 0xFF
        with suppress(OSError):
            sys.stderr.flush()
            _way.send(number)
        os._exit(number)


def _watch(name: str, load: Callable[[], object] | None, *, is_long: bool) -> str:
    """Be told that the ruleset ``name`` is used, or listed with ``load``; return why it cannot even be loaded."""
    if _way is not None:
        _way.send(name)
    elif load is not None:
        return _trial(name, load)
    elif not is_long:
        ended = _branch(name, _limit())
        if ended is not None:
            raise ended
    return ""


def _limit() -> float:
    try:
        return min(max(0.0, float(os.environ[SECONDS])), _LONGEST)
    except (KeyError, ValueError):
        return _USUAL


def _trial(name: str, load: Callable[[], object]) -> str:
    """Return what ``load`` does to the process that calls it; empty if it returns or raises an exception."""
    ended = _branch(name, min(_LOADING, _limit()))
    if ended is None:
        from adjudicator.processes import silence

        silence()
        with suppress(BaseException):
            load()
        finish(0)
    return "" if ended is None or ended.code is not None else ended.words


def _branch(name: str, seconds: float) -> Ended | None:
    """Go on in another process, where ``None`` is returned; return here how it ended. ``name`` is the ruleset to blame."""
    from multiprocessing import Pipe

    from adjudicator.processes import branched

    global _way
    sys.stdout.flush()
    ours, theirs = Pipe(duplex=False)
    is_apart = not any(map(os.isatty, range(3)))  # a terminal lets only one group read from it
    guard = os.fork()
    if guard:
        theirs.close()
        return _Waiting(ours, guard, name, seconds, is_apart=is_apart).result()
    ours.close()
    code = branched(is_apart=is_apart)
    if code is not None:
        os._exit(code)
    _way = theirs
    _way.send(os.getpid())
    signal.setitimer(signal.ITIMER_REAL, seconds + 2 * _GRACE)  # its end if somebody has killed the first process
    return None


class _Waiting:
    """The first process, which waits for the last one, the runner."""

    def __init__(self, way: Connection, guard: int, name: str, seconds: float, *, is_apart: bool) -> None:
        self._way, self._guard, self._name, self._seconds, self._is_apart = way, guard, name, seconds, is_apart
        self._runner = 0

    def result(self) -> Ended:
        """Return how the runner ended. Raises ``KeyboardInterrupt`` where somebody stopped this process."""
        end = monotonic() + self._seconds
        stopped: KeyboardInterrupt | None = None
        try:
            while True:
                try:
                    return Ended(self._code(end), "")
                except KeyboardInterrupt as stop:
                    if stopped is not None:
                        raise
                    stopped, end = stop, monotonic() + _GRACE
                    self._pass_on(getattr(stop, "code", 128 + signal.SIGINT) - 128)
                except (EOFError, OSError) as error:
                    if stopped is not None:
                        raise stopped from None
                    return Ended(None, f"the ruleset “{self._name}” {self._how(error)}")
        finally:
            self._end()
            self._way.close()

    def _code(self, end: float) -> int:
        """Return the exit code of the runner. Raises ``TimeoutError`` at the moment ``end``, ``EOFError`` if it has none."""
        while self._way.poll(max(0.0, end - monotonic())):
            said = self._way.recv()
            if isinstance(said, str):
                self._name = said
            elif self._runner:
                self._runner = 0  # it ends by itself
                return int(said)
            else:
                self._runner = said
        raise TimeoutError

    def _how(self, error: Exception) -> str:
        if isinstance(error, TimeoutError):
            return f"ran longer than {self._seconds:g} s"
        self._runner = 0
        _, status = os.waitpid(self._guard, 0)
        self._guard = 0
        code = os.waitstatus_to_exitcode(status)
        return f"ended the program (exit code {code})" if code >= 0 else f"was ended by signal {-code}"

    def _pass_on(self, number: int) -> None:
        """Send the signal on to the runner, unless the terminal has sent it to all of its group."""
        if self._runner and (self._is_apart or number == signal.SIGTERM):
            with suppress(OSError):
                os.kill(self._runner, number)

    def _end(self) -> None:
        """End the other two processes, whatever they do."""
        if not self._guard:
            return
        if self._runner:
            _kill(os.kill, self._runner)
        with suppress(EOFError, OSError):
            self._way.poll(_REAPING)  # the guard ends after the runner
        if self._is_apart:
            _kill(os.killpg, self._guard)
        _kill(os.kill, self._guard)
        os.waitpid(self._guard, 0)


def _kill(kill: Callable[[int, int], None], number: int) -> None:
    with suppress(OSError):
        kill(number, signal.SIGKILL)

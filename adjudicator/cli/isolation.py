"""Run commands that use a ruleset of another package in a separate process, because it may exit, hang or send signals.

There are three processes. The first one waits and reports. The guard takes the signals that a ruleset sends to its parent.
The runner continues the command. Commands that only use rulesets of this program stay in one process.
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

_LOADING: Final = 10.0
"""The time limit in seconds for loading such a ruleset in a list of all rulesets."""
_GRACE: Final = 5.0
"""The time limit in seconds for the end of a command after Ctrl-C."""
_REAPING: Final = 1.0
"""The time limit in seconds for the end of the guard after the runner."""
_LONG: Final = {"audit", "club", "simulate", "site"}
"""Commands that may take hours; they run the games in the processes of a pool."""

_way: Connection | None = None
"""In the runner: the connection to the first process."""
_TRIED: Final = set[str]()
"""The rulesets that a long command has tried to load in another process."""


class Ended(BaseException):
    """Report that the process that continued the command has ended, with the exit ``code`` or for the reason ``words``."""

    def __init__(self, code: int | None, words: str) -> None:
        """Keep the ``code``, ``None`` if the ruleset ended the process, and the ``words``."""
        super().__init__(words)
        self.code, self.words = code, words


def isolated(command: str) -> AbstractContextManager[None]:
    """Isolate the rulesets of other packages that ``command`` loads in the block, where processes can be forked."""
    if not hasattr(os, "fork"):
        return nullcontext()
    from adjudicator import rulesets

    return rulesets.watched(lambda name, load: _watch(name, load, command))


def finish(code: object) -> None:
    """End the process with the ``code`` of ``SystemExit`` if a first process waits for it; otherwise do nothing."""
    if _way is not None:
        number = (code if isinstance(code, int) else int(code is not None)) & 0xFF
        with suppress(OSError):
            sys.stderr.flush()
            _way.send(number)
        os._exit(number)


def _watch(name: str, load: Callable[[], object] | None, command: str) -> str:
    """Isolate the ruleset ``name`` before its use, or try to ``load`` it for a list; return why it cannot be loaded."""
    from adjudicator import rulesets
    from adjudicator.processes import LARGEST, ruleset_seconds

    if _way is not None:
        _way.send(name)
    elif load is not None:
        return _trial(name, load)
    elif command not in _LONG:
        _continue_elsewhere(name, ruleset_seconds())
    elif name not in _TRIED:
        _TRIED.add(name)
        words = _trial(name, lambda: rulesets.ruleset(name))
        if words:
            raise Ended(None, words)
        if command != "club":  # an open database does not survive a fork
            _continue_elsewhere(name, LARGEST)
    return ""


def _continue_elsewhere(name: str, seconds: float) -> None:
    ended = _branch(name, seconds)
    if ended is not None:
        raise ended


def _trial(name: str, load: Callable[[], object]) -> str:
    """Return how ``load`` ends a process that calls it; empty if it returns or raises an exception."""
    from adjudicator.processes import ruleset_seconds, silence

    ended = _branch(name, min(_LOADING, ruleset_seconds()))
    if ended is None:
        silence()
        with suppress(BaseException):
            load()
        finish(0)
    return "" if ended is None or ended.code is not None else ended.words


def _branch(name: str, seconds: float) -> Ended | None:
    """Continue in another process, which gets ``None``; return here how it ended. ``name`` is the ruleset to blame."""
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
    signal.setitimer(signal.ITIMER_REAL, seconds + 2 * _GRACE)  # ends this process if the first one was killed
    return None


class _Waiting:
    """The first process, which waits for the last one, the runner."""

    def __init__(self, way: Connection, guard: int, name: str, seconds: float, *, is_apart: bool) -> None:
        self._way, self._guard, self._name, self._seconds, self._is_apart = way, guard, name, seconds, is_apart
        self._runner = 0

    def result(self) -> Ended:
        """Return how the runner ended. Raises ``KeyboardInterrupt`` if somebody stopped this process."""
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
            return f"did not finish within {self._seconds:g} seconds"
        self._runner = 0
        _, status = os.waitpid(self._guard, 0)
        self._guard = 0
        code = os.waitstatus_to_exitcode(status)
        return f"ended the program (exit code {code})" if code >= 0 else f"was ended by signal {-code}"

    def _pass_on(self, number: int) -> None:
        """Send the signal to the runner, unless the terminal has sent it to the whole group."""
        if self._runner and (self._is_apart or number == signal.SIGTERM):
            with suppress(OSError):
                os.kill(self._runner, number)

    def _end(self) -> None:
        """End the other two processes, even if they hang."""
        from adjudicator.processes import kill

        if not self._guard:
            return
        if self._runner:
            kill(os.kill, self._runner)
        with suppress(EOFError, OSError):
            self._way.poll(_REAPING)  # the guard ends after the runner
        if self._is_apart:
            kill(os.killpg, self._guard)
        kill(os.kill, self._guard)
        os.waitpid(self._guard, 0)

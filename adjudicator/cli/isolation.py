"""Run commands that use a ruleset of another package in a separate process, because it may exit, hang or send signals.

The first process waits and reports; a guarded process of `processes.py` continues the command. Commands that only use
rulesets of this program stay in one process.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext, suppress
from functools import partial
from time import monotonic
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

    from adjudicator.processes import Lost, Worker

_LOADING: Final = 10.0
"""The time limit in seconds for loading such a ruleset in a list of all rulesets."""
_GRACE: Final = 5.0
"""The time limit in seconds for the end of a command after Ctrl-C."""
_LONG: Final = {"audit", "club", "simulate", "site"}
"""Commands that may take hours; they run the games in the processes of a pool."""

_first: Connection | None = None
"""In the process that continues a command: the connection to the first process."""
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
    from adjudicator.library.rulesets import watch_rulesets

    return watch_rulesets(lambda name, load: _watch(name, load, command))


def finish(code: object) -> None:
    """End the process with the ``code`` of ``SystemExit`` if a first process waits for it; otherwise do nothing."""
    if _first is not None:
        number = (code if isinstance(code, int) else int(code is not None)) & 0xFF
        with suppress(OSError):
            sys.stderr.flush()
            _first.send((number, ""))
        os._exit(number)


def _watch(name: str, load: Callable[[], object] | None, command: str) -> str:
    """Isolate the ruleset ``name`` before its use, or try to ``load`` it for a list; return why it cannot be loaded."""
    from adjudicator.library.rulesets import component_set
    from adjudicator.processes import LARGEST, ruleset_seconds

    if _first is not None:
        _first.send(name)
    elif load is not None:
        return _trial(name, load)
    elif command not in _LONG:
        _continue_elsewhere(name, ruleset_seconds())
    elif name not in _TRIED:
        _TRIED.add(name)
        words = _trial(name, partial(component_set, name))
        if words:
            raise Ended(None, words)
        _continue_elsewhere(name, LARGEST)
    return ""


def _trial(name: str, load: Callable[[], object]) -> str:
    """Return how ``load`` ends a process that calls it; empty if it returns or raises an exception."""
    from adjudicator.processes import Lost, Pool, ruleset_seconds

    seconds = min(_LOADING, ruleset_seconds())
    with Pool(partial(_try, load), 1, seconds) as pool:
        (done,) = pool.run([name])
    return _words(name, done.result, seconds) if isinstance(done.result, Lost) else ""


def _try(load: Callable[[], object], _name: str) -> None:
    with suppress(BaseException):
        load()


def _words(name: str, lost: Lost, seconds: float) -> str:
    """Return how the ruleset ``name`` ended its process."""
    if lost.is_late:
        how = f"did not finish within {seconds:g} seconds"
    elif lost.code is None or lost.code >= 0:
        how = f"ended the program (exit code {lost.code})"
    else:
        how = f"was ended by signal {-lost.code}"
    return f"the ruleset “{name}” {how}"


def _continue_elsewhere(name: str, seconds: float) -> None:
    """Continue in another process. Raises ``Ended`` here when it has ended; ``name`` is the ruleset to blame."""
    from adjudicator import processes

    global _first
    sys.stdout.flush()
    is_apart = not any(map(os.isatty, range(3)))  # a terminal lets only one group read from it
    branch = processes.branch(name, seconds, is_apart=is_apart)
    if isinstance(branch, int):
        os._exit(branch)
    if isinstance(branch, processes.Worker):
        try:
            raise _end_of(branch, seconds, is_apart=is_apart)
        finally:
            branch.end()
    _first = branch
    signal.setitimer(signal.ITIMER_REAL, seconds + 2 * _GRACE)  # ends this process if the first one was killed


def _end_of(worker: Worker, seconds: float, *, is_apart: bool) -> Ended:
    """Wait for the end of ``worker``. Raises ``KeyboardInterrupt`` if somebody has stopped this process."""
    from adjudicator.processes import Lost

    stopped: KeyboardInterrupt | None = None
    while True:
        try:
            done = worker.result()
            break
        except KeyboardInterrupt as stop:
            if stopped is not None:
                raise
            stopped, worker.deadline = stop, monotonic() + _GRACE
            number = getattr(stop, "code", 128 + signal.SIGINT) - 128
            if worker.runner and (is_apart or number == signal.SIGTERM):  # else the terminal has sent it to the whole group
                with suppress(OSError):
                    os.kill(worker.runner, number)
    if not isinstance(done.result, Lost):
        return Ended(done.result, "")
    if stopped is not None:
        raise stopped
    return Ended(None, _words(done.ruleset, done.result, seconds))

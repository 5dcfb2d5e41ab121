"""Run tasks in processes that may exit, hang, print or send signals, without harm to this process or to other tasks.

Each process of a pool is a pair: the guard takes the signals that a task sends to its parent, and the runner does the work.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import redirect_stderr, redirect_stdout, suppress
from importlib.util import find_spec
from io import StringIO
from itertools import islice
from time import monotonic
from typing import TYPE_CHECKING, Any, Final, TypeVar

from adjudicator.core.values import Value
from adjudicator.guards import Guard, continue_guarded, end_with_parent, kill, silence
from adjudicator.rulesets import watch_rulesets

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

T = TypeVar("T")

TIMEOUT: Final = 300
"""The default time limit in seconds for one game."""
SECONDS: Final = "ADJUDICATOR_RULESET_SECONDS"
"""The environment variable with the time limit in seconds for the rulesets of other packages, except in audits."""
LARGEST: Final = 1_000_000.0
"""The largest time limit in seconds that a system takes."""
_START: Final = 30
"""The time limit in seconds for the start of a process, which may have to load this program first."""
_END: Final = 1
"""The time in seconds in which a process should end by itself."""
_AHEAD: Final = 32
"""The number of tasks for each process that may be done before their turn."""
_LONGEST: Final = 200
"""The most characters of printed text that are kept."""

is_alone = sys.platform in ("emscripten", "wasi") or find_spec("_multiprocessing") is None
"""Whether this system has no other processes: pools then work in this one, and without time limits."""


def usual_jobs() -> int:
    """Return the default number of processes that share much work: one for each processor, but at most eight."""
    return min(os.cpu_count() or 1, 8)


def ruleset_seconds() -> float:
    """Return the time limit for the rulesets of other packages: for a command, or for each game of a long one."""
    try:
        return min(max(0.0, float(os.environ[SECONDS])), LARGEST)
    except (KeyError, ValueError):
        return TIMEOUT


class Lost(Value):
    """A task without a result; ``words`` say of the code that it ran what this has done, as in “has ended its process”.

    It ``is_late`` if it has exceeded its time limit. ``code`` is the exit code of its process if that has ended by itself.
    """

    words: str
    is_late: bool = False
    code: int | None = None


class Done(Value):
    """A ``task`` with its ``result``, or how it was `Lost`.

    ``ruleset`` is the last one of another package that the task used (empty: none), ``printed`` the text that it printed.
    """

    task: Any
    result: Any
    ruleset: str = ""
    printed: str = ""

    def by(self, other: str) -> str:
        """Return whose code the task ran, as the subject of a sentence: the ruleset's, or that of the ``other``."""
        return f"the ruleset “{self.ruleset}”" if self.ruleset else other


class RulesetLost(Exception):
    """Report that a ruleset of another package has ended its process, or has not finished; the message says how."""


class Pool:
    """Processes that do the same kind of work, each one task at a time; one that fails loses only its present task."""

    def __init__(
        self, work: Callable[[Any], Any], jobs: int = 1, seconds: float | None = None, *, is_forked: bool = True
    ) -> None:
        """Let up to ``jobs`` processes call ``work`` with a task, each time for up to ``seconds`` (``None``: no limit).

        The function must return what goes wrong as a value: any exception means that the task is lost. A process that
        ``is_forked`` starts quickly and knows what this one knows; another one starts from nothing.
        """
        self._work, self._jobs, self._seconds = work, jobs, seconds
        self._is_forked = is_forked and hasattr(os, "fork")
        self._workers: list[Worker] = []

    def __enter__(self) -> Pool:
        """Return the pool itself; its processes start when they have work."""
        return self

    def __exit__(self, *_: object) -> None:
        """End all processes, even during their work."""
        for worker in self._workers:
            worker.dismiss()
        for worker in self._workers:
            worker.end()
        self._workers = []

    def run(self, tasks: Iterable[Any]) -> Iterator[Done]:
        """Yield the result of each of ``tasks``, in their order; take only a few of them ahead."""
        if is_alone:
            yield from (Done(task, self._work(task)) for task in tasks)
            return
        more, errands = iter(tasks), deque[_Errand]()
        try:
            while True:
                self._give(more, errands)
                if not errands:
                    return
                done = errands[0].done
                if done is None:
                    self._wait()
                else:
                    errands.popleft()
                    yield done
        finally:
            for worker in self._workers:
                if worker.errand is not None:
                    worker.end()
            self._keep_open()

    def _give(self, more: Iterator[Any], errands: deque[_Errand]) -> None:
        """Give each idle process a task, and start the processes for this."""
        while len(errands) < self._jobs * _AHEAD:
            worker = next((one for one in self._workers if one.errand is None), None)
            if worker is None and len(self._workers) == self._jobs:
                return
            task = list(islice(more, 1))
            if not task:
                return
            if worker is not None and not worker.is_alive():
                worker.end()
                self._keep_open()
                worker = None
            if worker is None:
                # The locks of other threads would stay closed in a fork.
                method = "fork" if self._is_forked and threading.active_count() == 1 else "spawn"
                worker = _begun(self._work, self._seconds, method)
                self._workers.append(worker)
            errands.append(_Errand(task[0]))
            worker.give(errands[-1])

    def _wait(self) -> None:
        """Wait until a process says something, or is late."""
        from multiprocessing.connection import wait

        busy = {worker.connection: worker for worker in self._workers if worker.errand is not None}
        first = min((worker.deadline for worker in busy.values() if worker.deadline is not None), default=None)
        ready = wait(list(busy), None if first is None else max(0.0, first - monotonic()))
        for connection, worker in busy.items():
            if connection in ready:
                worker.receive()
            elif worker.deadline is not None and worker.deadline <= monotonic():
                worker.lose(is_late=True)
        self._keep_open()

    def _keep_open(self) -> None:
        self._workers = [worker for worker in self._workers if not worker.connection.closed]


class _Errand:
    """A task, and its result when it is done."""

    def __init__(self, task: Any) -> None:
        self.task = task
        self.done: Done | None = None


class Worker:
    """A process that does tasks, as its parent sees it; ``runner`` is the number of the process behind its guard."""

    def __init__(self, process: Any, connection: Connection, seconds: float | None) -> None:
        """Take the guard's ``process``, the ``connection`` to the runner, and the time limit for a task."""
        self.connection = connection
        self.errand: _Errand | None = None
        self.deadline: float | None = None
        self.runner, self._ruleset = 0, ""
        self._seconds, self._process = seconds, process

    def is_alive(self) -> bool:
        """Return whether the process still runs."""
        return bool(self._process.is_alive())

    def give(self, errand: _Errand) -> None:
        """Send a task; where the process has ended, ``receive`` finds that out."""
        self.begin(errand)
        with suppress(OSError):
            self.connection.send(errand.task)

    def begin(self, errand: _Errand, ruleset: str = "") -> None:
        """Set the time limit for a task, which uses a ``ruleset``."""
        self.errand, self._ruleset = errand, ruleset
        self._set_deadline(0 if self.runner else _START)

    def result(self) -> Done:
        """Wait for the end of the task."""
        assert self.errand is not None
        errand = self.errand
        while errand.done is None:
            if self.connection.poll(None if self.deadline is None else max(0.0, self.deadline - monotonic())):
                self.receive()
            else:
                self.lose(is_late=True)
        return errand.done

    def receive(self) -> None:
        """Receive a message: first the number of the runner, then the rulesets that a task uses and its result."""
        try:
            said = self.connection.recv()
        except Exception:  # a process that ends may send anything before
            self.lose()
            return
        if isinstance(said, int):
            self.runner = said
            self._set_deadline(0)
        elif isinstance(said, str):
            self._ruleset = said
        else:
            result, printed = said
            self._finish(result, printed)

    def lose(self, *, is_late: bool = False) -> None:
        """End the process, and with it its task."""
        code = self.end(0 if is_late else _END)
        if is_late:
            self._finish(Lost("has not finished in time", is_late=True))
        else:
            self._finish(Lost(f"has ended its process (exit code {code})", code=code))

    def dismiss(self) -> None:
        """Let the process end by itself, if it has no work."""
        if self.errand is None:
            with suppress(OSError):
                self.connection.send(None)

    def end(self, seconds: float | None = None) -> int | None:
        """End the process after up to ``seconds``, and return its exit code."""
        self.connection.close()
        if seconds is None:
            seconds = 0 if self.errand is not None else _END
        self._process.join(seconds)
        if hasattr(os, "killpg"):
            if self.runner and self._process.is_alive():
                kill(os.kill, self.runner)
                self._process.join(_END)
            kill(os.killpg, self._process.pid)
        self._process.kill()
        self._process.join()
        code: int | None = self._process.exitcode
        return code

    def _finish(self, result: Any, printed: str = "") -> None:
        assert self.errand is not None
        self.errand.done = Done(self.errand.task, result, self._ruleset, printed)
        self.errand, self.deadline = None, None

    def _set_deadline(self, extra: float) -> None:
        self.deadline = None if self._seconds is None else monotonic() + self._seconds + extra


def _begun(work: Callable[[Any], Any], seconds: float | None, method: str) -> Worker:
    """Return a new process that calls ``work`` with each task."""
    from multiprocessing import get_context

    context: Any = get_context(method)
    ours, theirs = context.Pipe()
    process = context.Process(target=_serve, args=(theirs, work), daemon=True)
    process.start()
    theirs.close()
    return Worker(process, ours, seconds)


def branch(ruleset: str, seconds: float, *, is_apart: bool) -> Worker | Connection | int:
    """Continue in another process, which gets the connection to this one, and which uses ``ruleset``.

    Return the worker here; its only task is to continue, for up to ``seconds``. Its result is the first of the two values
    that it sends. The guard between them gets the exit code with which it must end. With ``is_apart`` signals of the other
    process to its group do not reach this one.
    """
    from multiprocessing import Pipe

    ours, theirs = Pipe(duplex=False)
    guard = Guard()
    if guard.pid:
        theirs.close()
        worker = Worker(guard, ours, seconds)
        worker.begin(_Errand(None), ruleset)
        return worker
    ours.close()
    code = continue_guarded(is_apart=is_apart)
    if code is not None:
        return code
    theirs.send(os.getpid())
    return theirs


def _serve(connection: Connection, work: Callable[[Any], Any]) -> None:
    """Do the tasks received, and send back their results and the text that they print. Only the parent heeds Ctrl-C."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    code = continue_guarded()
    if code is not None:
        raise SystemExit(code)
    end_with_parent()
    silence()

    def tell(ruleset: str, _load: object) -> str:
        connection.send(ruleset)
        return ""

    notes = StringIO()
    with redirect_stdout(notes), redirect_stderr(notes), watch_rulesets(tell), suppress(EOFError, OSError):
        connection.send(os.getpid())
        while (task := connection.recv()) is not None:
            try:
                result = work(task)
            except BaseException as error:
                result = Lost(f"tried to end the program: {type(error).__name__}: {error}")
            connection.send((result, notes.getvalue()[:_LONGEST]))
            notes.seek(0)
            notes.truncate()

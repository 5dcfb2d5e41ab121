"""Share tasks among processes: one that hangs, or whose process ends, is lost with its reason, and all others are done."""

from __future__ import annotations

import os
import signal
import sys
import threading
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import redirect_stdout, suppress
from importlib.util import find_spec
from time import monotonic
from typing import Any, Final

from adjudicator.core.values import Value

TIMEOUT: Final = 300
"""The default time limit in seconds for one game."""
_START: Final = 30
"""The seconds that a process may take to load this program, before the time of its first task begins."""
_AHEAD: Final = 32
"""The number of tasks for each process that may be done before their turn."""
_NO_MORE: Final = object()

is_alone = sys.platform in ("emscripten", "wasi") or find_spec("_multiprocessing") is None
"""Whether this system has no other processes: pools then work in this one, and without time limits."""


def usual_jobs() -> int:
    """Return the default number of processes that share much work: one for each processor, but at most eight."""
    return min(os.cpu_count() or 1, 8)


class Lost(Value):
    """A task without a result; ``words`` say of the code that it ran what this has done, as in “has ended its process”.

    It ``is_late`` if it has exceeded its time limit.
    """

    words: str
    is_late: bool = False


class Done(Value):
    """A ``task`` with its ``result``, or how it was `Lost`."""

    task: Any
    result: Any


class Crew(ABC):
    """Those that do tasks: the processes of a pool, or the workers of a cluster."""

    def run(self, tasks: Iterable[Any], label: Callable[[Any], Any] = lambda task: task) -> Iterator[Done]:
        """Yield the result of each of ``tasks``, in their order; take only a few of them ahead.

        A `Done` has the ``label`` of its task instead of the task, which may be large and is dropped once it is sent. One
        that is among the tasks comes back in its place.
        """
        more, errands = iter(tasks), deque[Errand]()
        try:
            while True:
                while self.has_room(len(errands)):
                    task = next(more, _NO_MORE)
                    if task is _NO_MORE:
                        break
                    errands.append(errand := Errand(task, label))
                    if errand.done is None:
                        self.give(errand, task)
                    del task
                if not errands:
                    return
                if errands[0].done is None:
                    self.wait()
                else:
                    yield errands.popleft().done  # type: ignore[misc]
        finally:
            self.give_up()

    @abstractmethod
    def has_room(self, waiting: int) -> bool:
        """Return whether it can take another task, while that many are ``waiting`` for their end or their turn."""

    @abstractmethod
    def give(self, errand: Errand, task: Any) -> None:
        """Have ``task`` done, which then ends its ``errand``."""

    @abstractmethod
    def wait(self) -> None:
        """Wait until one of the errands may have ended."""

    def give_up(self) -> None:  # noqa: B027
        """Stop the work at errands that have not ended."""


class Pool(Crew):
    """Up to ``jobs`` processes that call ``work`` with a task, each time for up to ``seconds`` (``None``: no limit).

    With no ``jobs`` this process does the work, without a limit, as it does where a system has no other.
    The function must return what goes wrong as a value: any exception means that the task is lost.
    """

    def __init__(self, work: Callable[[Any], Any], jobs: int = 1, seconds: float | None = None) -> None:
        """Start no process before it has work, or `start` is called."""
        self._work, self._jobs, self._seconds = work, 0 if is_alone else jobs, seconds
        self._workers: list[_Worker] = []

    def __enter__(self) -> Pool:
        """Return the pool itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """End all processes, even during their work."""
        for worker in self._workers:
            worker.end()
        self._workers = []

    def start(self) -> Pool:
        """Start one process, and return the pool: to copy this process is quick as long as it has no other threads."""
        if self._jobs:
            self._workers.append(_Worker(self._work))
        return self

    def has_room(self, waiting: int) -> bool:
        """Return whether a process is idle, or can be started."""
        return (len(self._busy()) < self._jobs and waiting < self._jobs * _AHEAD) if self._jobs else not waiting

    def give(self, errand: Errand, task: Any) -> None:
        """Send ``task`` to an idle process; with no jobs, do it."""
        if not self._jobs:
            errand.end(self._work(task))
            return
        idle = next((one for one in self._workers if one.errand is None and one.process.is_alive()), None)
        if idle is None:
            self._workers = [*self._busy(), idle := _Worker(self._work)]
        idle.give(errand, task, self._seconds)

    def _busy(self) -> list[_Worker]:
        return [worker for worker in self._workers if worker.errand is not None]

    def wait(self) -> None:
        """Wait until a task is done or lost."""
        from multiprocessing.connection import wait  # takes time to load, and short commands need no processes

        busy = self._busy()
        first = min(worker.deadline for worker in busy)
        ready = wait([worker.connection for worker in busy], None if first == float("inf") else max(0, first - monotonic()))
        for worker in busy:
            if worker.connection in ready:
                try:
                    worker.take(worker.connection.recv())
                    continue
                except Exception:  # a process that ends may send anything before
                    worker.process.join(1)
                    worker.end()
                    lost = Lost(f"has ended its process (exit code {worker.process.exitcode})")
            elif worker.deadline <= monotonic():
                worker.end()
                lost = Lost("has not finished in time", is_late=True)
            else:
                continue
            worker.finish(lost)
            self._workers.remove(worker)

    def give_up(self) -> None:
        """End the processes that are at work."""
        for worker in self._busy():
            worker.end()
            self._workers.remove(worker)


class Errand:
    """A task by its ``label``, and its result when it is ``done``."""

    def __init__(self, task: Any, label: Callable[[Any], Any]) -> None:
        """Take the task, which may be done already."""
        self.done: Done | None = task if isinstance(task, Done) else None
        self.label = None if self.done else label(task)

    def end(self, result: Any) -> None:
        """Take the result."""
        self.done = Done(self.label, result)


class _Worker:
    """A process that does one task at a time."""

    def __init__(self, work: Callable[[Any], Any]) -> None:
        from multiprocessing import get_context

        # A copy of this process starts quickly, but the locks that other threads hold would stay closed in it.
        is_copy = hasattr(os, "fork") and threading.active_count() == 1
        context: Any = get_context("fork" if is_copy else "spawn")
        self.errand: Errand | None = None
        self.deadline, self._seconds, self._has_begun = 0.0, float("inf"), False
        self.connection, theirs = context.Pipe()
        self.process = context.Process(target=_serve, args=(theirs, work), daemon=True)
        self.process.start()
        theirs.close()

    def give(self, errand: Errand, task: Any, seconds: float | None) -> None:
        self.errand, self._seconds = errand, float("inf") if seconds is None else seconds
        self.deadline = monotonic() + self._seconds + (0 if self._has_begun else _START)
        with suppress(OSError):  # where the process has ended, `Pool.wait` finds that out
            self.connection.send(task)

    def take(self, message: Any) -> None:
        """Take the result of the task. The first message says that the process has loaded this program: its time begins."""
        if self._has_begun:
            self.finish(message)
        else:
            self._has_begun, self.deadline = True, monotonic() + self._seconds

    def finish(self, result: Any) -> None:
        assert self.errand is not None
        self.errand.end(result)
        self.errand = None

    def end(self) -> None:
        self.connection.close()
        self.process.kill()
        self.process.join()


def _serve(connection: Any, work: Callable[[Any], Any]) -> None:
    """Do the tasks received, and send back their results. Only the parent heeds Ctrl-C, and this process ends with it."""
    from multiprocessing import parent_process

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)

    def end_with_parent() -> None:
        parent_process().join()  # type: ignore[union-attr]
        signal.raise_signal(getattr(signal, "SIGKILL", signal.SIGTERM))

    threading.Thread(target=end_with_parent, daemon=True).start()
    with open(os.devnull, "w") as nowhere, redirect_stdout(nowhere), suppress(EOFError, OSError):
        connection.send(None)
        while True:
            task = connection.recv()
            try:
                result = work(task)
            except BaseException as error:
                result = Lost(f"tried to end the program: {type(error).__name__}: {error}")
            connection.send(result)

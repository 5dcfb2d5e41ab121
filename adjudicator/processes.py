"""Start parallel processes whose work may end them."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from multiprocessing import get_context
from typing import Any, ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")


def spawned(jobs: int, begin: Callable[..., None] | None = None, *given: Any) -> ProcessPoolExecutor:
    """Return a pool of processes, each of which has called ``begin`` with the arguments ``given``.

    Spawned, not forked: the same on every system, and no process inherits locks. All of them are started before the first
    has work: where one dies of it while another is started, a thread of Python's own fails and says so on standard error.
    """
    pool = ProcessPoolExecutor(jobs, get_context("spawn"), begin, given)
    for _ in range(jobs):
        pool.submit(_nothing)
    return pool


def submitted(pool: ProcessPoolExecutor, work: Callable[P, R], *given: P.args, **named: P.kwargs) -> Future[R]:
    """Return the future of ``work`` in a process of ``pool``; it raises ``BrokenProcessPool`` if that is broken."""
    try:
        return pool.submit(work, *given, **named)
    except BrokenProcessPool as broken:
        lost: Future[R] = Future()
        lost.set_exception(broken)
        return lost


def branched(*, is_apart: bool = True) -> int | None:
    """Continue in a child process, which gets ``None``; return its exit code here when it has ended.

    A child that sends a signal to its parent reaches no other process than this one, which has nothing else to do. With
    ``is_apart`` the same is so of signals to its group. This process ends by the signal that has ended the child. Where the
    system cannot fork processes, return ``None`` at once.
    """
    if not hasattr(os, "fork"):
        return None
    if is_apart:
        os.setpgid(0, 0)
    # SIGTERM must get through: at its exit Python sends it to processes that are still there, and waits for their end.
    before = signal.pthread_sigmask(signal.SIG_BLOCK, (signal.SIGINT, signal.SIGHUP))
    child = os.fork()
    if not child:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
        return None
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    if code < 0:
        with suppress(OSError):
            signal.pthread_sigmask(signal.SIG_SETMASK, ())
            signal.signal(-code, signal.SIG_DFL)
        os.kill(os.getpid(), -code)
    return code


def silence() -> None:
    """Make the standard input of this process empty, and discard what it writes to its standard outputs."""
    nowhere = os.open(os.devnull, os.O_RDWR)
    for stream in range(3):
        os.dup2(nowhere, stream)


def _nothing() -> None: ...

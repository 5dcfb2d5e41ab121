"""Processes that work side by side, where what one of them works on may end it."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context
from typing import Any, ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")


def spawned(jobs: int, begin: Callable[..., None] | None = None, *given: Any) -> ProcessPoolExecutor:
    """Return a pool of so many processes, each of which has called ``begin`` with what is ``given``.

    Spawned, not forked: the same on every system, and no process inherits locks. All of them are started before the first
    has work: where one dies of it while another is started, a thread of Python's own fails and says so on standard error.
    """
    pool = ProcessPoolExecutor(jobs, get_context("spawn"), begin, given)
    for _ in range(jobs):
        pool.submit(_nothing)
    return pool


def submitted(pool: ProcessPoolExecutor, work: Callable[P, R], *given: P.args, **named: P.kwargs) -> Future[R]:
    """Return what ``work`` will give in a process of ``pool``, or what raises ``BrokenProcessPool`` if that is broken."""
    try:
        return pool.submit(work, *given, **named)
    except BrokenProcessPool as broken:
        lost: Future[R] = Future()
        lost.set_exception(broken)
        return lost


def _nothing() -> None: ...

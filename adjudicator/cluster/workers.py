"""Use the workers of a running cluster, or some on this machine; the end of a worker loses no task."""

from __future__ import annotations

import logging
import multiprocessing
import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import CancelledError
from contextlib import ExitStack, contextmanager
from importlib import import_module
from itertools import islice
from typing import Any, Final, TypeVar

from adjudicator import __version__
from adjudicator.core.problem import AdjudicatorError
from adjudicator.processes import Done, Lost, Pool

T = TypeVar("T")
_LOCAL: Final = "local"
"""The address of workers that are started on this machine, and end with the command."""
_AHEAD: Final = 3
_PATIENCE: Final = 20
_KEPT: Final = threading.local()
"""The pool of each thread of a worker: its process stays for the next task."""
_GONE: Final = "the scheduler has gone, or has dropped a task; results in the folder are kept, and `resume` continues"


class ClusterError(AdjudicatorError):
    """Report that a cluster cannot be used; the message says why, and what to do."""


@contextmanager
def connect(address: str, workers: int) -> Iterator[Any]:
    """Yield a client of dask at ``address``; for `local` with that many ``workers`` here. Raises ``ClusterError``."""
    dask = _dask()
    with ExitStack() as stack:
        place: Any = address
        if address == _LOCAL:
            # The profiler looks at every worker a hundred times a second, for a page that the command does not show.
            stack.enter_context(import_module("dask").config.set({"distributed.worker.profile.enabled": False}))
            quiet = {"silence_logs": logging.CRITICAL, "dashboard_address": "127.0.0.1:0", "memory_limit": None}
            place = stack.enter_context(
                dask.LocalCluster(n_workers=workers, threads_per_worker=1, host="127.0.0.1", **quiet)
            )
        try:
            client = stack.enter_context(dask.Client(place, timeout=_PATIENCE))
            if address != _LOCAL:
                for name in logging.root.manager.loggerDict:  # `ClusterError` says what matters in dask's own log
                    for handler in logging.getLogger(name).handlers if name.split(".")[0] == "distributed" else ():
                        handler.setLevel(logging.CRITICAL)
                client.wait_for_workers(1, timeout=_PATIENCE)
        except (OSError, ValueError, TimeoutError) as error:
            raise ClusterError(f"no cluster with workers answers at {address}: {error}") from error
        try:
            versions = client.run(_version_here)
        except Exception as error:  # a worker that does not have the program fails in many ways
            raise ClusterError(f"a worker cannot run adjudicator {__version__}: {type(error).__name__}: {error}") from error
        for worker, version in versions.items():
            if version != __version__:  # its verdicts could differ
                raise ClusterError(f"the worker {worker} has adjudicator {version}, here it is {__version__}")
        yield client


def run_on(client: Any, work: Callable[..., Any], tasks: Iterable[Any], *how: Any) -> Iterator[Done]:
    """Yield the result of ``work(task, *how)`` for each of ``tasks`` as soon as it is done; take few of them ahead."""
    more, under_way, completed = iter(tasks), dict[Any, Any](), _dask().as_completed(loop=client.loop)
    most = max(1, sum(client.nthreads().values())) * _AHEAD
    while True:
        for task in islice(more, most - len(under_way)):
            future = client.submit(work, task, *how, pure=False)
            under_way[future] = task
            completed.add(future)
        if not under_way:
            return
        future = next(completed)
        # A worker that ends takes its results with it. Its tasks are done once more, so wait, whatever the status is now.
        error = future.exception()
        if future.status == "cancelled":
            raise ClusterError(_GONE)
        if error is None:
            try:
                result = future.result()  # a worker holds it until it is asked for it
            except (OSError, CancelledError) as broken:
                raise ClusterError(_GONE) from broken
        elif type(error).__name__ == "KilledWorker":
            result = Lost("the workers that tried have ended, one after the other")
        else:
            result = Lost(f"the worker failed over it: {type(error).__name__}: {error}")
        future.release()
        yield Done(under_way.pop(future), result)


def in_order(numbered: Iterable[tuple[int, T]]) -> Iterator[T]:
    """Yield the ``numbered`` values in the order of their numbers, which begin with 0."""
    waiting, number = dict[int, T](), 0
    for at, value in numbered:
        waiting[at] = value
        while number in waiting:
            yield waiting.pop(number)
            number += 1


def thread_pool(how: Any, start: Callable[[Any], Pool]) -> Pool:
    """Return a pool of one process that ``start`` returns for ``how``, the same one as long as this thread asks for it."""
    kept = getattr(_KEPT, "pool", None)
    if kept is None or kept[0] != how:
        if kept is not None:
            kept[1].__exit__()
        # Daemon processes must not have children, but those of a pool end with it.
        multiprocessing.current_process().daemon = False
        kept = _KEPT.pool = (how, start(how))
    found: Pool = kept[1]
    return found


def _dask() -> Any:
    try:
        return import_module("distributed")
    except ImportError:
        raise ClusterError("clusters need the extra `cluster`: pip install 'pbem-adjudicator[cluster]'") from None


def _version_here() -> str:
    return __version__

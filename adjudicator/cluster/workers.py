"""Use the workers of a running cluster, or some on this machine; the end of a worker loses no shard."""

from __future__ import annotations

import logging
import multiprocessing
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError
from contextlib import ExitStack, contextmanager
from importlib import import_module
from itertools import islice
from typing import Any, Final

from adjudicator import __version__
from adjudicator.core.problem import AdjudicatorError
from adjudicator.processes import Done, Lost, Pool

LOCAL: Final = "local"
"""The address of workers that are started on this machine, and end with the command."""
_AHEAD: Final = 3
_PATIENCE: Final = 20
_KEPT: Final = threading.local()
"""The pool of each thread of a worker: its process stays for the next shard."""
_GONE: Final = "the scheduler has gone, or has dropped a task; results in the folder are kept, and `resume` continues"


class ClusterError(AdjudicatorError):
    """Report that a cluster cannot be used; the message says why, and what to do."""


class Workers:
    """The workers of a cluster, which a client of dask knows."""

    def __init__(self, client: Any) -> None:
        """Use the ``client``."""
        self._client = client

    @property
    def threads(self) -> int:
        """The number of tasks that the workers can do at once."""
        threads: dict[str, int] = self._client.nthreads()
        return max(1, sum(threads.values()))

    def run(self, work: Callable[..., Any], tasks: Iterator[Any], *how: Any) -> Iterator[Done]:
        """Yield the result of ``work(task, *how)`` for each of ``tasks`` as soon as it is done; take few of them ahead."""
        under_way: dict[Any, Any] = {}
        completed = _dask().as_completed(loop=self._client.loop)

        def submit(most: int) -> None:
            for task in islice(tasks, most):
                future = self._client.submit(work, task, *how, pure=False)
                under_way[future] = task
                completed.add(future)

        submit(self.threads * _AHEAD)
        while under_way:
            future = next(completed)
            task = under_way.pop(future)
            done = self._done(future, task)
            future.release()
            submit(1)
            yield done

    def _done(self, future: Any, task: Any) -> Done:
        # A worker that ends takes its results with it. Its tasks are done once more, so wait, whatever the status is now.
        error = future.exception()
        if future.status == "cancelled":
            raise ClusterError(_GONE)
        if error is None:
            return Done(task, self._result(future))
        if type(error).__name__ == "KilledWorker":
            return Done(task, Lost("the workers that tried have ended, one after the other"))
        return Done(task, Lost(f"the worker failed over it: {type(error).__name__}: {error}"))

    def _result(self, future: Any) -> Any:
        """Return what ``future`` has come to, which a worker holds until it is asked for it."""
        try:
            return future.result()
        except (OSError, CancelledError) as error:  # the connection has broken over it
            raise ClusterError(_GONE) from error


@contextmanager
def connect(address: str, workers: int) -> Iterator[Workers]:
    """Yield the workers at ``address``; for ``LOCAL`` that many ``workers`` on this machine. Raises ``ClusterError``."""
    dask = _dask()
    with ExitStack() as stack:
        place: Any = address
        if address == LOCAL:
            # The profiler looks at every worker a hundred times a second, for a page that the command does not show.
            stack.enter_context(import_module("dask").config.set({"distributed.worker.profile.enabled": False}))
            quiet = {"silence_logs": logging.CRITICAL, "dashboard_address": "127.0.0.1:0", "memory_limit": None}
            place = stack.enter_context(
                dask.LocalCluster(n_workers=workers, threads_per_worker=1, host="127.0.0.1", **quiet)
            )
        try:
            client = stack.enter_context(dask.Client(place, timeout=_PATIENCE))
            if address != LOCAL:
                _silence()
                client.wait_for_workers(1, timeout=_PATIENCE)
        except (OSError, ValueError, TimeoutError) as error:
            raise ClusterError(f"no cluster with workers answers at {address}: {error}") from error
        _require_same_version(client)
        yield Workers(client)


def _dask() -> Any:
    try:
        return import_module("distributed")
    except ImportError:
        raise ClusterError("clusters need the extra `cluster`: pip install 'pbem-adjudicator[cluster]'") from None


def _silence() -> None:
    """Keep dask's own log off the terminal: ``ClusterError`` says what matters, without the stack."""
    for name in logging.root.manager.loggerDict:
        for handler in logging.getLogger(name).handlers if name.split(".")[0] == "distributed" else ():
            handler.setLevel(logging.CRITICAL)


def _require_same_version(client: Any) -> None:
    """Raise ``ClusterError`` if a worker runs another version of this program, whose verdicts could differ."""
    try:
        versions = client.run(_version_here)
    except Exception as error:  # a worker that does not have the program fails in many ways
        raise ClusterError(f"a worker cannot run adjudicator {__version__}: {type(error).__name__}: {error}") from error
    for worker, version in versions.items():
        if version != __version__:
            raise ClusterError(f"the worker {worker} has adjudicator {version}, here it is {__version__}")


def _version_here() -> str:
    return __version__


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

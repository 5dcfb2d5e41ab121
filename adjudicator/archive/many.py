"""Run work over many tasks, in processes of this machine or on the workers of a cluster."""

from __future__ import annotations

import logging
import multiprocessing
import pickle
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import CancelledError
from contextlib import ExitStack, contextmanager
from importlib import import_module
from typing import Any, Final, TypeVar

from adjudicator import __version__
from adjudicator.core.problem import AdjudicatorError
from adjudicator.processes import TIMEOUT, Done, Errand, Lost, Pool

T = TypeVar("T")
_LOCAL: Final = "local"
"""The address of workers that are started on this machine, and end with the command."""
_Shard = list[tuple[Errand, bytes]]
"""Tasks, packed, that a worker gets at once."""
_MOST_TASKS: Final = 16
"""The most tasks that a worker gets at once: the last ones finish at nearly the same time."""
_MOST_BYTES: Final = 4_000_000
"""The bytes of tasks with which a shard is full."""
_AHEAD: Final = 3
"""The number of shards that each thread of a worker has, so that it never waits for work."""
_WAITING: Final = 1024
"""The number of tasks for each thread that may be done before their turn."""
_PATIENCE: Final = 20
"""The seconds within which a cluster answers."""
_KEPT: Final = threading.local()
"""The pool of each thread of a worker: its process stays for the next shard."""
_GONE: Final = "the scheduler has gone, or has dropped a task; use `resume` to continue"


class ClusterError(AdjudicatorError):
    """Report that a cluster cannot be used; the message says why, and what to do."""


def run(
    work: Callable[[T], Any],
    tasks: Iterable[T | Done],
    *,
    jobs: int = 1,
    timeout: float | None = TIMEOUT,
    cluster: str = "",
    label: Callable[[T], Any] = lambda task: task,
) -> Iterator[Done]:
    """Yield the result of ``work`` for each of ``tasks``, in their order; take only a few of them ahead.

    Up to ``jobs`` processes work, each for up to ``timeout`` seconds at a task (``None``: no limit); with 0 this process
    does, as long as it takes. ``cluster`` is the address of a dask scheduler whose workers work instead; `local` starts
    ``jobs`` of them. A task that takes too long or ends its process is `Lost`, and all others are done. The function must
    return what goes wrong as a value. A `Done` has the ``label`` of its task; one among the tasks comes back in its place.
    Raises ``ClusterError``.
    """
    if cluster:
        with _connected(cluster, jobs) as client:
            yield from _run_on(client, pickle.dumps((work, timeout)), tasks, label)
    else:
        with Pool(work, jobs, timeout) as pool:
            yield from pool.run(tasks, label)


@contextmanager
def _connected(address: str, workers: int) -> Iterator[Any]:
    """Yield a client of dask at ``address``; for `local` with that many ``workers`` here. Raises ``ClusterError``."""
    try:
        dask = import_module("distributed")
    except ImportError:
        raise ClusterError("clusters need the extra `cluster`: pip install 'pbem-adjudicator[cluster]'") from None
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
            if version != __version__:  # its results could differ
                raise ClusterError(f"the worker {worker} has adjudicator {version}, here it is {__version__}")
        yield client


def _run_on(client: Any, how: bytes, tasks: Iterable[Any], label: Callable[[Any], Any]) -> Iterator[Done]:
    """Yield the results of ``tasks`` in their order from the workers of ``client``, which do as the pickle ``how`` says."""
    errands, under_way, is_more = deque[Errand](), dict[Any, _Shard](), True
    more, threads = _shards(tasks, label, errands), max(1, sum(client.nthreads().values()))

    def send(shard: _Shard) -> None:
        under_way[client.submit(_do_shard, how, [packed for _, packed in shard], pure=False)] = shard

    while is_more or errands:
        while is_more and len(under_way) < threads * _AHEAD and len(errands) < threads * _WAITING:
            shard = next(more, None)
            is_more = shard is not None
            if shard:
                send(shard)
        while errands and errands[0].done is not None:
            yield errands.popleft().done  # type: ignore[misc]
        if under_way:
            import_module("distributed").wait(list(under_way), return_when="FIRST_COMPLETED")
        for future in [future for future in under_way if future.done()]:
            shard, results = under_way.pop(future), _results_of(future)
            if isinstance(results, Lost) and len(shard) > 1:  # the one task that ends its workers must not cost the others
                for one in shard:
                    send([one])
            else:
                for (errand, _), result in zip(shard, [results] if isinstance(results, Lost) else results, strict=True):
                    errand.end(result)


def _shards(tasks: Iterable[Any], label: Callable[[Any], Any], errands: deque[Errand]) -> Iterator[_Shard]:
    """Yield the ``tasks`` that are to be done in shards, and add all to ``errands``."""
    shard, size = _Shard(), 0
    for number, task in enumerate(tasks, 1):
        errands.append(errand := Errand(task, label))
        if errand.done is None:
            shard.append((errand, packed := pickle.dumps(task)))
            size += len(packed)
        if number % _MOST_TASKS == 0 or size >= _MOST_BYTES:
            yield shard
            shard, size = _Shard(), 0
    yield shard


def _results_of(future: Any) -> list[Any] | Lost:
    """Return the results of the shard ``future``, or why it has none. Raises ``ClusterError``."""
    # A worker that ends takes its results with it. Its tasks are done once more, so wait, whatever the status is now.
    error = future.exception()
    if future.status == "cancelled":
        raise ClusterError(_GONE)
    try:
        if error is None:
            found: list[Any] = future.result()  # a worker holds it until it is asked for it
            return found
    except (OSError, CancelledError) as broken:
        raise ClusterError(_GONE) from broken
    finally:
        future.release()
    if type(error).__name__ == "KilledWorker":
        return Lost("the workers that tried have ended, one after the other")
    return Lost(f"the worker failed over it: {type(error).__name__}: {error}")


def _do_shard(how: bytes, tasks: list[bytes]) -> list[Any]:
    """Return the results of ``tasks``, on the worker that calls this; a process of its own may hang or end."""
    kept = getattr(_KEPT, "pool", None)
    if kept is None or kept[0] != how:
        if kept is not None:
            kept[1].__exit__()
        # Daemon processes must not have children, but those of a pool end with it.
        multiprocessing.current_process().daemon = False
        work, timeout = pickle.loads(how)
        kept = _KEPT.pool = (how, Pool(work, 1, timeout))
    return [done.result for done in kept[1].run(map(pickle.loads, tasks))]


def _version_here() -> str:
    return __version__

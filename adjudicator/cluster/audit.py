"""Audit on a cluster with the same results as on one machine, even if workers, shards or games fail."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import closing
from pathlib import Path

from adjudicator.audit.run import AuditOptions, audit_in, audit_pool
from adjudicator.cluster.results import Results
from adjudicator.cluster.shards import Shard, shards_of, sources_of
from adjudicator.cluster.workers import Workers, connect, thread_pool
from adjudicator.core.values import replace
from adjudicator.processes import TIMEOUT, Done, Lost
from adjudicator.verdict import AuditResult, Kind, undecided


def audit_on_cluster(
    paths: Iterable[str | Path],
    address: str,
    *,
    jobs: int = 1,
    impact: bool = False,
    timeout: float = TIMEOUT,
    out: str | None = None,
    resume: bool = False,
    parquet: bool = False,
    notify: Callable[[int], None] | None = None,
) -> Generator[AuditResult, None, None]:
    """Yield the results of ``audit_files`` from a cluster at ``address``, a dask scheduler; `local` starts ``jobs`` workers.

    The folder ``out`` keeps the results, as JSON lines or as ``parquet``. With ``resume`` a stopped run continues
    there, and ``notify`` gets the number of its finished shards. Raises ``ClusterError``, ``CannotRead``, ``CannotWrite``.
    """
    how, shards = AuditOptions(impact, timeout), shards_of(map(str, paths), f"{impact} {timeout}")
    if out is None:
        with connect(address, jobs) as pool, closing(in_order(audit_shards(pool, shards, how))) as found:
            yield from found
        return
    results = Results(out, is_resumed=resume, is_parquet=parquet, is_impact=impact)
    with connect(address, jobs) as pool:
        for _ in audit_into(results, pool, shards, how):
            pass
    if results.resumed and notify is not None:
        notify(results.resumed)
    results.finish()
    yield from results.results()


def audit_shard(shard: Shard, how: AuditOptions) -> tuple[AuditResult, ...]:
    """Return the results of the sources of ``shard``, in order, on the worker that calls this."""
    return tuple(audit_in(thread_pool(how, audit_pool), sources_of(shard), how))


def audit_shards(
    pool: Workers, shards: Iterable[Shard], how: AuditOptions
) -> Iterator[tuple[Shard, tuple[AuditResult, ...]]]:
    """Yield each of ``shards`` with the results of its sources, as soon as it is done.

    A shard that ends its workers is cut up, until the one game is found that does it.
    """
    for done in pool.run(audit_shard, iter(shards), how):
        yield done.task, _results(pool, done, how)


def _results(pool: Workers, done: Done, how: AuditOptions) -> tuple[AuditResult, ...]:
    lost = done.result
    if not isinstance(lost, Lost):
        results: tuple[AuditResult, ...] = done.result
        return results
    candidates = tuple(sources_of(done.task))
    if len(candidates) > 1:
        alone = [replace(done.task, number=at, path="", candidates=(one,)) for at, one in enumerate(candidates)]
        each = sorted(pool.run(audit_shard, iter(alone), how), key=lambda one: one.task.number)
        return tuple(result for one in each for result in _results(pool, one, how))
    return tuple(undecided(one.name, Kind.UNREAD, lost.words) for one in candidates)


def audit_into(results: Results, pool: Workers, shards: Iterable[Shard], how: AuditOptions) -> Iterator[int]:
    """Audit the ``shards`` that ``results`` does not contain yet, write their results, and yield the counts."""
    wanted = (shard for shard in shards if not results.has(shard))
    for shard, found in audit_shards(pool, wanted, how):
        results.write(shard, found)
        yield len(found)


def in_order(done: Iterator[tuple[Shard, tuple[AuditResult, ...]]]) -> Generator[AuditResult, None, None]:
    """Yield the results of all shards, in the order of the shards."""
    waiting: dict[int, tuple[AuditResult, ...]] = {}
    number = 0
    for shard, results in done:
        waiting[shard.number] = results
        while number in waiting:
            yield from waiting.pop(number)
            number += 1

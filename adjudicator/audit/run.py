"""Audit many games in this process or in a pool of processes, with the same results in the same order."""

from __future__ import annotations

import multiprocessing
import signal
from collections import deque
from collections.abc import Generator, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from itertools import chain, islice
from multiprocessing.synchronize import Event
from typing import Final

from adjudicator import rulesets
from adjudicator.audit.archives import Opener
from adjudicator.audit.audit_source import audit_source
from adjudicator.audit.candidates import Candidate, Source
from adjudicator.audit.verdict import AuditResult, Divergence, Kind, Verdict
from adjudicator.audit.warden import TIMEOUT, TimeIsUpError, Warden, not_finished, time_limit
from adjudicator.core.frozen import frozen
from adjudicator.processes import spawned, submitted

_FIRST: Final = 8
_LARGEST: Final = 256
_AHEAD: Final = 3

Shard = list[Candidate]
Results = tuple["AuditResult | _Foreign", ...]


@frozen
class _How:
    """How games are audited: ``is_impact`` by today's rules, in ``timeout`` seconds each."""

    is_impact: bool
    timeout: float


@frozen
class _Foreign:
    """A ``source`` that asks for the ``ruleset`` of another package, and has not been audited yet."""

    source: Source
    ruleset: str


def audit_sources(
    candidates: Iterable[Candidate], *, jobs: int = 1, is_impact: bool = False, timeout: float = TIMEOUT
) -> Generator[AuditResult, None, None]:
    """Yield what comes of each of ``candidates``, in its order; with several ``jobs``, that many processes work.

    ``is_impact`` decides every game by today's rules, whichever version of them it was played by. One that takes longer
    than ``timeout`` seconds is not decided. Those by rulesets of other packages are audited by a `Warden`.
    """
    how = _How(is_impact, timeout)
    with Warden(timeout, is_impact=is_impact) as warden:
        for result in _own_results(iter(candidates), jobs, how):
            if isinstance(result, _Foreign):
                yield from warden.audit(result.source, result.ruleset)
            else:
                yield result


def _own_results(sources: Iterator[Candidate], jobs: int, how: _How) -> Iterator[AuditResult | _Foreign]:
    first = list(islice(sources, 2)) if jobs > 1 else []
    if len(first) < 2:  # starting processes takes longer than one game
        with Opener() as opener:
            yield from (_audit_own(source, opener, how) for source in chain(first, sources))
        return
    with _Pool(jobs, how) as pool:
        for results in pool.run(_shards(chain(first, sources))):
            yield from results


def _audit_own(source: Candidate, opener: Opener, how: _How) -> AuditResult | _Foreign:
    """Return what comes of ``source`` if it is a game by this program's own rules, or by which others it is."""
    try:
        with rulesets.own_only(), time_limit(how.timeout):
            return audit_source(source, opener, is_impact=how.is_impact)
    except rulesets.ForeignRuleset as foreign:
        assert isinstance(source, Source)
        return _Foreign(source, foreign.ruleset)
    except TimeIsUpError:
        assert isinstance(source, Source)
        return not_finished(source, how.timeout)


def _audit_shard(shard: Shard, how: _How) -> Results:
    """Return the results of the sources of ``shard``: one task of the pool, which ends early if it is given up."""
    with Opener() as opener:
        return tuple(_audit_own(source, opener, how) for source in shard if not _is_given_up())


def _shards(sources: Iterator[Candidate]) -> Iterator[Shard]:
    """Cut ``sources`` into shards: small ones first, so that every process has work soon, then larger ones."""
    size = _FIRST
    while shard := list(islice(sources, size)):
        yield shard
        size = min(2 * size, _LARGEST)


class _Pool:
    """A pool of processes that survives the death of one, and names the game that caused it."""

    def __init__(self, jobs: int, how: _How) -> None:
        self._jobs, self._how = jobs, how
        self._executor: ProcessPoolExecutor | None = None
        self._context = multiprocessing.get_context("spawn")
        self._given_up = self._context.Event()

    def __enter__(self) -> _Pool:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is not None and self._executor is not None:  # interrupted, or the output was closed: stop at once
            for process in list((self._executor._processes or {}).values()):
                process.kill()
        # A thread that Python does not wait for may close a resource twice at the end, which Python prints as an error.
        self._stop(is_waited_for=kind is None)

    def run(self, shards: Iterator[Shard]) -> Iterator[Results]:
        """Yield the results of each shard in order, with only enough shards in work to keep the processes busy."""
        first = list(islice(shards, self._jobs + _AHEAD))
        self._jobs = min(self._jobs, len(first))
        under_way = deque((shard, self._submit(shard)) for shard in first)
        while under_way:
            shard, future = under_way.popleft()
            try:
                results = future.result()
            except BrokenProcessPool:
                # All work is lost with the pool: audit the games of this shard one by one, and repeat the other shards.
                self._stop()
                results = tuple(self._alone(source) for source in shard)
                under_way = deque((other, self._submit(other)) for other, _ in under_way)
            under_way.extend((more, self._submit(more)) for more in islice(shards, 1))
            yield results

    def _alone(self, source: Candidate) -> AuditResult | _Foreign:
        """Return the result of ``source``, which may end the process that audits it."""
        try:
            return self._submit([source]).result()[0]
        except BrokenProcessPool:
            self._stop()
            return Verdict(source.name, divergence=Divergence(Kind.FAULT, recomputed="its audit has ended the process"))

    def _submit(self, shard: Shard) -> Future[Results]:
        return submitted(self._started(), _audit_shard, shard, self._how)

    def _started(self) -> ProcessPoolExecutor:
        if self._executor is None:
            self._given_up = self._context.Event()
            self._executor = spawned(self._jobs, _begin_process, self._given_up)
        return self._executor

    def _stop(self, *, is_waited_for: bool = False) -> None:
        if self._executor is not None:
            self._given_up.set()
            self._executor.shutdown(wait=is_waited_for, cancel_futures=True)
            self._executor = None


_given_up: Event | None = None
"""In a process of the pool: whether its work is given up."""


def _begin_process(given_up: Event) -> None:
    """Prepare a process of the pool: it ignores Ctrl-C, which its parent handles."""
    global _given_up
    _given_up = given_up
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _is_given_up() -> bool:
    return _given_up is not None and _given_up.is_set()

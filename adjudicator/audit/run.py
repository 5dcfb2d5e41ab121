"""Audit many games in a pool of processes, with the same results in the same order however many there are."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator
from functools import partial
from typing import Final

from adjudicator.audit.audit_source import audit_source
from adjudicator.core.values import Value
from adjudicator.processes import TIMEOUT, Lost, Pool
from adjudicator.sources.archives import Opener
from adjudicator.sources.candidates import Candidate
from adjudicator.verdict import AuditResult, Kind, Verdict, revised, undecided


class AuditOptions(Value):
    """How games are audited: ``is_impact`` by today's rules, whatever their version, in ``timeout`` seconds each.

    ``compare`` returns the final result from the first one, as with publications of a game (``None``: compare nothing).
    """

    is_impact: bool = False
    timeout: float = TIMEOUT
    compare: Callable[[AuditResult], AuditResult] | None = None


USUAL: Final = AuditOptions()
"""How games are usually audited."""


def _audit(how: AuditOptions, opener: Opener, candidate: Candidate) -> AuditResult:
    found = audit_source(candidate, opener, is_impact=how.is_impact)
    if how.compare is not None:
        found = how.compare(found)
    return revised(found, is_impact=True) if how.is_impact and isinstance(found, Verdict) else found


def audit_pool(how: AuditOptions, jobs: int = 1) -> Pool:
    """Return a pool of processes that audit games."""
    return Pool(partial(_audit, how, Opener()), jobs, how.timeout)


def audit_sources(
    candidates: Iterable[Candidate], how: AuditOptions = USUAL, jobs: int = 1
) -> Generator[AuditResult, None, None]:
    """Yield the result for each of ``candidates``, in their order, from up to ``jobs`` processes.

    A game that takes too long is not decided. With no ``jobs`` this process decides all, as long as it takes: a browser has
    no other.
    """
    if not jobs:
        yield from map(partial(_audit, how, Opener()), candidates)
        return
    with audit_pool(how, jobs) as pool:
        yield from audit_in(pool, candidates, how)


def audit_in(pool: Pool, candidates: Iterable[Candidate], how: AuditOptions) -> Iterator[AuditResult]:
    """Yield the results of ``audit_sources`` with a pool of ``audit_pool``."""
    for done in pool.run(candidates):
        lost: AuditResult | Lost = done.result
        if not isinstance(lost, Lost):
            yield lost
        elif lost.is_late:
            words = f"the rules have not decided it within {how.timeout:g} seconds; a longer `timeout` gives it more time"
            yield undecided(done.task.name, Kind.UNREAD, words)
        else:
            yield undecided(done.task.name, Kind.FAULT, f"its audit {lost.words}")

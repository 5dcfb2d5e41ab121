"""Audit a shard on a worker: each game in a separate process, which may hang, print or end."""

from __future__ import annotations

import multiprocessing
import threading
from typing import Final

from adjudicator import __version__
from adjudicator.audit.archives import Opener
from adjudicator.audit.audit_source import audit_source
from adjudicator.audit.candidates import Source
from adjudicator.audit.verdict import AuditResult
from adjudicator.audit.warden import Warden
from adjudicator.cluster.shards import Shard, sources_of
from adjudicator.core.frozen import frozen

_KEPT: Final = threading.local()
"""The warden of each thread of a worker: its process stays for the next shard."""


@frozen
class How:
    """How games are audited: ``is_impact`` by today's rules, in ``timeout`` seconds each."""

    is_impact: bool
    timeout: float


def audit_shard(shard: Shard, how: How) -> tuple[AuditResult, ...]:
    """Return the results of the sources of ``shard``, in order."""
    warden, results = _warden(how), list[AuditResult]()
    with Opener() as opener:
        for candidate in sources_of(shard):
            if isinstance(candidate, Source):
                results.extend(warden.audit(candidate, ""))
            else:
                results.append(audit_source(candidate, opener))
    return tuple(results)


def version_here() -> str:
    """Return the version of the program that a worker runs."""
    return __version__


def _warden(how: How) -> Warden:
    kept = getattr(_KEPT, "warden", None)
    if kept is None or kept[0] != how:
        if kept is not None:
            kept[1].__exit__()
        # Daemon processes must not have children, but those of a warden end with it.
        multiprocessing.current_process().daemon = False
        kept = _KEPT.warden = (how, Warden(how.timeout, is_impact=how.is_impact))
    found: Warden = kept[1]
    return found

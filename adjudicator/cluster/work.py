"""Audit a shard on a worker: each game in a separate process, which may hang, print or end."""

from __future__ import annotations

import multiprocessing
import threading
from collections.abc import Callable
from typing import Any, Final

from adjudicator import __version__
from adjudicator.audit.run import AuditOptions, audit_in, audit_pool
from adjudicator.cluster.shards import Shard, sources_of
from adjudicator.processes import Pool
from adjudicator.verdict import AuditResult

_KEPT: Final = threading.local()
"""The pool of each thread of a worker: its process stays for the next shard."""


def audit_shard(shard: Shard, how: AuditOptions) -> tuple[AuditResult, ...]:
    """Return the results of the sources of ``shard``, in order."""
    return tuple(audit_in(thread_pool(how, audit_pool), sources_of(shard), how))


def version_here() -> str:
    """Return the version of the program that a worker runs."""
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

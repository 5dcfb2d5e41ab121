"""Run audits on a cluster, and write their results into a folder so that a stopped run can continue."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING, Annotated

import typer

from adjudicator.cli.output import MisuseError, warn
from adjudicator.core.frozen import frozen

if TYPE_CHECKING:
    from adjudicator.cluster.workers import Workers
    from adjudicator.reports.audits import Tally
    from adjudicator.verdict import AuditResult

Cluster = Annotated[
    str | None,
    typer.Option(
        "--cluster", metavar="ADDRESS", help="the dask scheduler to use; `local` starts --jobs workers on this computer"
    ),
]
Out = Annotated[
    str | None, typer.Option("--out", metavar="DIR", help="with --cluster: the folder for the results and a summary")
]
Resume = Annotated[bool, typer.Option("--resume", help="with --out: continue a run that was stopped")]
Parquet = Annotated[bool, typer.Option("--parquet", help="with --out: write Parquet instead of JSON lines")]


@frozen
class Distributed:
    """The options of an audit on a cluster: its address, the folder for results (``out``), whether to continue a run."""

    cluster: str | None
    out: str | None
    is_resumed: bool = False
    is_parquet: bool = False

    def require_sense(self) -> None:
        """Raise ``MisuseError`` if the options contradict each other."""
        if self.cluster is None and (self.out is not None or self.is_resumed or self.is_parquet):
            raise MisuseError("use --out, --resume and --parquet with --cluster (on this computer: --cluster local)")
        if self.out is None and (self.is_resumed or self.is_parquet):
            raise MisuseError("use --resume and --parquet with --out, which names the folder for the results")


@contextmanager
def workers(address: str, jobs: int) -> Generator[Workers, None, None]:
    """Yield the workers at ``address``. Raises ``MisuseError`` if no worker answers."""
    from adjudicator.cluster.workers import ClusterError, connect

    try:
        with connect(address, jobs) as pool:
            yield pool
    except ClusterError as error:
        raise MisuseError(str(error)) from error


def audit_distributed(
    paths: Sequence[str],
    over: Distributed,
    jobs: int,
    *,
    is_impact: bool,
    timeout: float,
    tell: Callable[[AuditResult], None],
) -> Tally:
    """Audit the games at ``paths``, ``tell`` each result in order, and return the counts. Raises ``MisuseError``."""
    from adjudicator.audit.run import AuditOptions
    from adjudicator.cluster.audit import audit_into, audit_shards, in_order
    from adjudicator.cluster.results import Results
    from adjudicator.cluster.shards import shards_of
    from adjudicator.reports.audits import Tally

    how, shards = AuditOptions(is_impact, timeout), shards_of(paths, f"{is_impact} {timeout}")
    if over.out is None:
        tally = Tally(is_impact=is_impact)
        with workers(over.cluster or "", jobs) as pool, closing(in_order(audit_shards(pool, shards, how))) as found:
            for result in found:
                tally.add(result)
                tell(result)
        return tally
    results = Results(over.out, is_resumed=over.is_resumed, is_parquet=over.is_parquet, is_impact=is_impact)
    with workers(over.cluster or "", jobs) as pool:
        for _ in audit_into(results, pool, shards, how):
            pass
    if results.resumed:
        warn(f"adjudicator: {results.resumed:,} parts (shards) were already done by an earlier run")
    tally = results.finish()
    for result in results.results():
        tell(result)
    return tally

"""The command `audit`: archived games decided again, and compared with what they say."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from contextlib import closing
from functools import partial
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

from adjudicator.cli.arguments import Json
from adjudicator.cli.audit_cluster import Cluster, Distributed, Out, Parquet, Resume, audit_distributed
from adjudicator.cli.audit_published import held_against, texts_given
from adjudicator.cli.failures import explained
from adjudicator.cli.files import only_one_stdin
from adjudicator.cli.output import BUG, DONE, MISUSE, PROBLEMS, UNTRUSTED, MisuseError, fail, leave, say, say_json

if TYPE_CHECKING:
    from adjudicator.reports.audit import Tally
    from adjudicator.reports.verdict import AuditResult

T = TypeVar("T")

Paths = Annotated[
    list[str],
    typer.Argument(
        metavar="PATH...",
        help="game files, folders, archives (zip, tar, .jsonl.zst), URLs; `-` is standard input",
        show_default=False,
    ),
]
Jobs = Annotated[int, typer.Option("--jobs", "-j", metavar="N", min=1, max=256, help="how many processes work")]


def audit(
    paths: Paths,
    jobs: Jobs = 1,
    published: Annotated[
        list[str] | None,
        typer.Option(
            "--published",
            metavar="FILE|DIR...",
            help="hold the one game, named first, against earlier logs, reports and receipts [repeatable]",
        ),
    ] = None,
    impact: Annotated[
        bool,
        typer.Option(
            "--impact", help="say which games today's rules would decide differently, whatever version it was played by"
        ),
    ] = False,
    timeout: Annotated[
        float,
        typer.Option("--timeout", metavar="SECONDS", min=0.01, help="a game that takes longer is not decided"),
    ] = 300,
    cluster: Cluster = None,
    out: Out = None,
    resume: Resume = False,
    parquet: Parquet = False,
    verbose: Annotated[bool, typer.Option("--verbose", "-v", help="also name the files that are passed over")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="say nothing of games that are as they should be")] = False,
    as_json: Json = False,
) -> None:
    """Decide archived games again, and compare with the record.

    Each game has one line: verified, or the first thing that is not as the rules have it, with the entry, what is recorded,
    what it should be, and the rule. A damaged file is told and stops nothing.

    With --published the game must also be as it was told while it was played. The first thing is named that it contradicts.

    Examples:
      adjudicator audit race.json
      adjudicator audit race.json --published reports/ mail.eml
      adjudicator audit archive/ old-games.zip --jobs 4 --quiet
      adjudicator audit s3://games/ --cluster tcp://10.0.0.1:8786 --out found
      adjudicator audit games.jsonl.zst --cluster local --out found --resume

    Exit codes: 0 all are verified, 1 a game diverges, 2 there is no game. If none diverges but some could not be decided:
    70 a bug in the program or in a ruleset, 3 a file is damaged, was not opened, or is of another version of the rules.
    With --impact 1 means: decided differently.
    """
    with explained(as_json=as_json):
        from adjudicator.audit.run import audit_sources
        from adjudicator.audit.sources import find_sources
        from adjudicator.reports.audit import Tally, audit_end, tally_text

        only_one_stdin(*paths)
        over, tell = (
            Distributed(cluster, out, resume, parquet),
            partial(_tell, is_impact=impact, is_quiet=quiet, is_verbose=verbose, as_json=as_json),
        )
        over.require_sense()
        if verbose and quiet:
            raise MisuseError("--verbose names more, --quiet less: give one of them")
        if cluster is not None and published:
            raise MisuseError("--published holds one game against its reports: no cluster is needed")
        texts = texts_given(paths, published, is_impact=impact) if published else ()
        games = paths[:1] if texts else paths
        tally = Tally(is_impact=impact)
        if cluster is not None:
            tally = audit_distributed(paths, over, jobs, is_impact=impact, timeout=timeout, tell=tell)
        else:
            with closing(audit_sources(find_sources(games), jobs=jobs, is_impact=impact, timeout=timeout)) as results:
                judged = held_against(results, games[0], texts, timeout) if texts else results
                for result in with_progress(judged, is_quiet=quiet):
                    tally.add(result)
                    tell(result)
        if not tally.judged and not as_json:
            fail(MISUSE, "no-game", f"there is no game in {' '.join(paths)}")
        if as_json:
            say_json(audit_end(tally))
        else:
            say(tally_text(tally))
        leave(audit_code(tally))


def _tell(result: AuditResult, *, is_impact: bool, is_quiet: bool, is_verbose: bool, as_json: bool) -> None:
    from adjudicator.reports.audit import advice, audited, result_text
    from adjudicator.reports.verdict import Skipped

    if is_quiet and (isinstance(result, Skipped) or result.divergence is None):
        return
    if as_json:
        say_json(audited(result, is_impact=is_impact))
        return
    line, next_step = result_text(result, is_impact=is_impact, is_verbose=is_verbose), advice(result, is_impact=is_impact)
    if line:
        say(f"{line}\n  next: {next_step}" if next_step else line)


def audit_code(tally: Tally) -> int:
    """Return the exit code of a command that has audited what is counted in ``tally``."""
    if not tally.judged:
        return MISUSE
    if tally.diverged:
        return PROBLEMS
    if tally.faults:
        return BUG
    return UNTRUSTED if tally.undecided else DONE


def with_progress(items: Iterator[T], *, is_quiet: bool, what: str = "audited") -> Iterable[T]:
    """Return ``items``, counted on standard error while they come, where somebody looks on and no lines tell as much."""
    if not sys.stderr.isatty() or (sys.stdout.isatty() and not is_quiet):
        return items
    return _counted(items, what)


def _counted(items: Iterator[T], what: str) -> Iterator[T]:
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (TextColumn(f"{{task.completed:,.0f}} {what}"), BarColumn(), TimeElapsedColumn())
    # The streams stay as they are: what is said goes to standard output untouched.
    with Progress(
        *columns, console=Console(stderr=True), transient=True, redirect_stdout=False, redirect_stderr=False
    ) as progress:
        task = progress.add_task("", total=None)
        for item in items:
            yield item
            progress.advance(task)

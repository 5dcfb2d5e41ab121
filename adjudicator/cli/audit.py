"""The command `audit`: check recorded games against the rules."""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import closing
from functools import partial
from typing import TYPE_CHECKING, Annotated, Final

import typer

from adjudicator.cli.arguments import Json
from adjudicator.cli.failures import explained
from adjudicator.cli.files import only_one_stdin
from adjudicator.cli.output import (
    BUG,
    DONE,
    MISUSE,
    PROBLEMS,
    UNTRUSTED,
    MisuseError,
    fail,
    leave,
    say,
    say_json,
    say_outcome,
    warn,
)
from adjudicator.cli.progress import with_progress

if TYPE_CHECKING:
    from adjudicator.audit import PublishedText
    from adjudicator.reports.cli.audits import Tally
    from adjudicator.verdict import AuditResult

Paths = Annotated[
    list[str],
    typer.Argument(
        metavar="PATH...",
        help="game files, folders, archives (zip, tar, .jsonl.zst) or URLs; `-` for standard input",
        show_default=False,
    ),
]
_JSON_LOG: Final = "for a log as text, give the lines of `adjudicator log --json`"
Cluster = Annotated[
    str | None,
    typer.Option(
        "--cluster", metavar="ADDRESS", help="the dask scheduler to use; `local` starts --jobs workers on this computer"
    ),
]
Jobs = Annotated[int, typer.Option("--jobs", "-j", metavar="N", min=1, max=256, help="the number of parallel processes")]


def audit(
    paths: Paths,
    jobs: Jobs = 1,
    published: Annotated[
        list[str] | None,
        typer.Option(
            "--published",
            metavar="FILE|DIR...",
            help="compare one game, named first, with its published logs, reports and receipts [repeatable]",
        ),
    ] = None,
    impact: Annotated[
        bool,
        typer.Option("--impact", help="find games of any rules version that today's rules would decide differently"),
    ] = False,
    timeout: Annotated[
        float,
        typer.Option("--timeout", metavar="SECONDS", min=0.01, help="the time limit for one game"),
    ] = 300,
    cluster: Cluster = None,
    out: Annotated[
        str | None, typer.Option("--out", metavar="DIR", help="with --cluster: the folder for the results and a summary")
    ] = None,
    resume: Annotated[bool, typer.Option("--resume", help="with --out: continue a run that was stopped")] = False,
    parquet: Annotated[bool, typer.Option("--parquet", help="with --out: write Parquet instead of JSON lines")] = False,
    verbose: Annotated[bool, typer.Option("--verbose", "-v", help="also list ignored files")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="hide verified games")] = False,
    as_json: Json = False,
) -> None:
    """Check recorded games: decide them again by the rules.

    You get one line for each game: it is verified, or the line shows the first difference, with the entry, the recorded
    value, the right value and the rule. Damaged files are reported, and the audit continues.

    With --published the game must also agree with the published logs, reports and receipts; you get the first contradiction.

    Examples:
      adjudicator audit race.json
      adjudicator audit race.json --published reports/ mail.eml
      adjudicator audit archive/ old-games.zip --jobs 4 --quiet
      adjudicator audit s3://games/ --cluster tcp://10.0.0.1:8786 --out found
      adjudicator audit games.jsonl.zst --cluster local --out found --resume

    Exit codes: 0 all games are verified, 1 a game differs, 2 no game was found. If no game differs but some could not be
    decided: 70 for a bug in the program or in a ruleset, 3 for files that are damaged, cannot be opened, or need another
    version of the rules. With --impact, 1 means that a game would be decided differently.
    """
    with explained(as_json=as_json):
        from adjudicator import audit_files
        from adjudicator.reports.cli.audits import Tally, audit_end, tally_text

        only_one_stdin(*paths)
        if cluster is None and (out is not None or resume or parquet):
            raise MisuseError("use --out, --resume and --parquet with --cluster (on this computer: --cluster local)")
        if out is None and (resume or parquet):
            raise MisuseError("use --resume and --parquet with --out, which names the folder for the results")
        if verbose and quiet:
            raise MisuseError("use --verbose or --quiet, not both")
        if cluster is not None and published:
            raise MisuseError("use --published without --cluster: it checks only one game")
        texts = _published_texts(paths, published, is_impact=impact) if published else ()
        if cluster is None:
            run = partial(audit_files, paths[:1] if texts else paths, published=texts)
        else:
            from adjudicator.cluster import audit_on_cluster

            run = partial(audit_on_cluster, paths, cluster, out=out, resume=resume, parquet=parquet, notify=_warn_resumed)
        tally = Tally(is_impact=impact)
        with closing(run(jobs=jobs, impact=impact, timeout=timeout)) as results:
            for result in with_progress(results, "audited", is_quiet=quiet):
                tally.add(result)
                _tell(result, is_impact=impact, is_quiet=quiet, is_verbose=verbose, as_json=as_json)
        if not tally.judged and not as_json:
            fail(MISUSE, "no-game", f"no game was found in {' '.join(paths)}")
        if as_json:
            say_json(audit_end(tally))
        else:
            say(tally_text(tally))
        leave(audit_code(tally))


def _tell(result: AuditResult, *, is_impact: bool, is_quiet: bool, is_verbose: bool, as_json: bool) -> None:
    from adjudicator.reports.cli.audits import advice, audit_row, comparison_text, result_text
    from adjudicator.verdict import Skipped

    if is_quiet and (isinstance(result, Skipped) or result.divergence is None):
        return
    if as_json:
        say_json(audit_row(result, is_impact=is_impact))
        return
    line, next_step = result_text(result, is_impact=is_impact, is_verbose=is_verbose), advice(result, is_impact=is_impact)
    if isinstance(result, Skipped):
        if line:
            say(line)
    elif line:
        say_outcome(line, is_good=result.divergence is None)
    if compared := comparison_text(result):
        say(compared)
    if next_step:
        say(f"  next: {next_step}")


def _warn_resumed(shards: int) -> None:
    warn(f"adjudicator: {shards:,} parts (shards) were already done by an earlier run")


def audit_code(tally: Tally) -> int:
    """Return the exit code of a command that has audited the games in ``tally``."""
    if not tally.judged:
        return MISUSE
    if tally.diverged:
        return PROBLEMS
    if tally.faults:
        return BUG
    return UNTRUSTED if tally.undecided else DONE


def _published_texts(paths: Sequence[str], published: Sequence[str], *, is_impact: bool) -> tuple[PublishedText, ...]:
    """Return the published texts: from the files and folders ``published``, and from ``paths`` after the first.

    A shell turns ``--published out/*.txt`` into one value and many paths. Raises ``MisuseError``, ``CannotRead``,
    ``Untrusted``.
    """
    from adjudicator.audit import read_published

    if is_impact:
        raise MisuseError("use --published or --impact, not both: one checks the past, the other the rules of today")
    if not os.path.isfile(paths[0]):
        raise MisuseError(f"name one game file first with --published; “{paths[0]}” is not a file")
    texts = read_published([*published, *paths[1:]])
    for text in texts:
        if text.is_named and not text.says_something:
            raise MisuseError(f"{text.name} contains no head, no commitment and no JSON log: {_JSON_LOG}")
    if not any(text.says_something for text in texts):
        raise MisuseError(f"{' '.join(published)} contains no head, no commitment and no JSON log: {_JSON_LOG}")
    return texts

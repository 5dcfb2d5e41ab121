"""The command `audit`: check recorded games against the rules."""

from __future__ import annotations

import json
import os
from collections.abc import Generator, Sequence
from contextlib import closing, suppress
from functools import partial
from pathlib import Path
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
from adjudicator.cli.progress import progress, with_progress

if TYPE_CHECKING:
    from adjudicator.audit import PublishedText
    from adjudicator.reports.cli.audits import Tally
    from adjudicator.verdict import AuditResult

_PATHS: Final = typer.Argument(
    metavar="PATH...",
    help="game files, folders, archives (zip, tar, .jsonl.zst) or URLs; `-` for standard input",
    show_default=False,
)
Paths = Annotated[list[str], _PATHS]
_JSON_LOG: Final = "for a log as text, give the lines of `adjudicator log --json`"
Cluster = Annotated[
    str | None,
    typer.Option(
        "--cluster", metavar="ADDRESS", help="the dask scheduler to use; `local` starts --jobs workers on this computer"
    ),
]
Jobs = Annotated[int, typer.Option("--jobs", "-j", metavar="N", min=1, max=256, help="the number of parallel processes")]


def audit(
    paths: Annotated[list[str] | None, _PATHS] = None,
    jobs: Jobs = 1,
    published: Annotated[
        list[str] | None,
        typer.Option(
            "--published",
            metavar="FILE|DIR...",
            help="compare one game, named first, with its published logs, reports and receipts; without a game, decide it "
            "again from its logs as JSON and the secret of chance [repeatable]",
        ),
    ] = None,
    reveal: Annotated[
        str | None,
        typer.Option("--reveal", metavar="SECRET", help="without a game: the secret of chance, if no log contains it"),
    ] = None,
    components: Annotated[
        str | None, typer.Option(metavar="FILE", help="without a game: the moderator's own component set")
    ] = None,
    setup: Annotated[
        str | None, typer.Option(metavar="FILE", help="without a game: the file with the first position")
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
    Without the game file, the program decides the game again from the published logs (as JSON) and the secret of chance, and
    lists what it could not check.

    Examples:
      adjudicator audit race.json
      adjudicator audit race.json --published reports/ mail.eml
      adjudicator audit --published public.jsonl red.jsonl --reveal 0f0f…
      adjudicator audit archive/ old-games.zip --jobs 4 --quiet
      adjudicator audit s3://games/ --cluster tcp://10.0.0.1:8786 --out found
      adjudicator audit games.jsonl.zst --cluster local --out found --resume

    Exit codes: 0 all games are verified, 1 a game differs, 2 no game was found. If no game differs but some could not be
    decided: 70 for a bug in the program or in a ruleset, 3 for files that are damaged, cannot be opened, or need another
    version of the rules, and for logs that tell only a part of a game. With --impact, 1 means that a game would be decided
    differently.
    """
    with explained(as_json=as_json):
        from adjudicator import audit_files
        from adjudicator.audit import audit_published
        from adjudicator.reports.cli.audits import Tally, audit_end, tally_text

        named, told = list(paths or ()), list(published or ())
        only_one_stdin(*named, *told, *filter(None, (components, setup)))
        if cluster is None and (out is not None or resume or parquet):
            raise MisuseError("use --out, --resume and --parquet with --cluster (on this computer: --cluster local)")
        if out is None and (resume or parquet):
            raise MisuseError("use --resume and --parquet with --out, which names the folder for the results")
        if verbose and quiet:
            raise MisuseError("use --verbose or --quiet, not both")
        if cluster is not None and told:
            raise MisuseError("use --published without --cluster: it checks only one game")
        if told and impact:
            raise MisuseError("use --published or --impact, not both: one checks the past, the other the rules of today")
        if not named and not told:
            raise MisuseError("name the games to audit, or the published texts of one with --published")
        game, texts = _published(named, told) if told else (None, ())
        if (game or not told) and not (reveal is components is setup is None):
            raise MisuseError("use --reveal, --components and --setup without a game file: it contains all three")
        tally = Tally(is_impact=impact)
        results: Generator[AuditResult]
        if told and game is None:
            with progress("entries checked:") as advance:
                results = (one for one in [audit_published(texts, reveal, components, setup, advance)])
        elif cluster is None:
            results = audit_files(game or named, published=texts, jobs=jobs, impact=impact, timeout=timeout)
        else:
            from adjudicator.cluster import audit_on_cluster

            run = partial(audit_on_cluster, named, cluster, jobs=jobs, impact=impact, timeout=timeout)
            results = run(out=out, resume=resume, parquet=parquet, notify=_warn_resumed)
        with closing(results):
            for result in with_progress(results, "audited", is_quiet=quiet):
                tally.add(result)
                _tell(result, is_quiet=quiet, is_verbose=verbose, as_json=as_json)
        if not tally.judged and not as_json:
            fail(MISUSE, "no-game", f"no game was found in {' '.join(named)}")
        if as_json:
            say_json(audit_end(tally))
        else:
            say(tally_text(tally))
        leave(audit_code(tally))


def _tell(result: AuditResult, *, is_quiet: bool, is_verbose: bool, as_json: bool) -> None:
    from adjudicator.reports.cli.audits import comparison_text, result_text
    from adjudicator.verdict import Skipped

    if is_quiet and (isinstance(result, Skipped) or result.divergence is None):
        return
    if as_json:
        say_json(result)
        return
    line = result_text(result, is_verbose=is_verbose)
    if isinstance(result, Skipped):
        if line:
            say(line)
    elif line:
        say_outcome(line, is_good=result.divergence is None)
    if compared := comparison_text(result):
        say(compared)
    if not isinstance(result, Skipped) and result.advice:
        say(f"  next: {result.advice}")


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


def _published(paths: Sequence[str], published: Sequence[str]) -> tuple[str | None, tuple[PublishedText, ...]]:
    """Return the game file that ``paths`` begin with, and the published texts: in ``published`` and in other ``paths``.

    A shell turns ``--published out/*.txt`` into one value and many paths. ``None``: all files are published texts, since the
    first path is a log or another text. Raises ``MisuseError``, ``CannotRead``, ``Untrusted``.
    """
    from adjudicator.audit import read_published

    if paths and not os.path.isfile(paths[0]):
        raise MisuseError(f"name one game file first with --published; “{paths[0]}” is not a file")
    game = paths[0] if paths and not _is_text(paths[0]) else None
    texts = read_published([*published, *(paths if game is None else paths[1:])])
    for text in texts:
        if text.is_named and not text.says_something:
            raise MisuseError(f"{text.name} contains no head, no commitment and no JSON log: {_JSON_LOG}")
    if not any(text.says_something for text in texts):
        raise MisuseError(f"{' '.join(published)} contains no head, no commitment and no JSON log: {_JSON_LOG}")
    return game, texts


def _is_text(path: str) -> bool:
    """Return whether the file at ``path`` is a log or another text, and not a game file, even a damaged one."""
    data = Path(path).read_bytes().removeprefix(b"\xef\xbb\xbf").lstrip()
    if not data.startswith(b"{"):
        return b"\0" not in data and Path(path).suffix.lower() != ".json"
    for text in (data, data.partition(b"\n")[0]):  # a document, or lines
        with suppress(ValueError, RecursionError):
            return not ("journal" in (document := json.loads(text)) or {"format", "ruleset"} <= document.keys())
    return False

"""The commands `audit` and `archive`: check many recorded games, and keep them in one file."""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Generator, Sequence
from contextlib import closing, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

from adjudicator.archive.add import Copied, GameCopy, check_archive, extract_games, misnamed, problem, write_archive
from adjudicator.archive.many import Memory, audit_files, keep_results
from adjudicator.archive.store import ENDING, OLD, open_archive
from adjudicator.audit import PublishedText, audit_published, read_published
from adjudicator.audit.judge import Tally, comparison_text, result_text, tally_text
from adjudicator.cli.ui import BUG, DONE, MISUSE, PROBLEMS, UNTRUSTED, MisuseError, Ui, argument, is_same, option
from adjudicator.files.errors import Untrusted
from adjudicator.reports.texts import count_of, printable
from adjudicator.results import ArchiveEnd
from adjudicator.verdict import Kind, Skipped

if TYPE_CHECKING:
    from adjudicator.verdict import AuditResult

_ROW: Final = "{:>7}  {:>10}  {:<18}  {:<20}  {}"
"""A row of the list of an archive; each column has room for most games."""
_PATHS: Final = ("PATH...", "game files, folders, archives (zip, tar, .adjudicator.db) or URLs; `-` for standard input")
Paths = Annotated[list[str], argument(..., *_PATHS)]
Cluster = Annotated[
    str | None,
    option(..., "--cluster", "ADDRESS", "the dask scheduler to use; `local` starts --jobs workers on this computer"),
]
Jobs = Annotated[int, option(..., "--jobs", "-j", "N", "the number of parallel processes", min=1, max=256)]


def audit(
    ui: Ui,
    paths: list[str] | None = argument(None, *_PATHS),
    jobs: Jobs = 1,
    published: list[str] | None = option(
        None,
        "--published",
        "FILE|DIR...",
        "compare one game, named first, with its published logs, reports and receipts; without a game, decide it "
        "again from its logs as JSON and the secret of chance [repeatable]",
    ),
    reveal: str | None = option(None, "--reveal", "SECRET", "without a game: the secret of chance, if no log contains it"),
    components: str | None = option(None, "FILE", "without a game: the moderator's own component set"),
    setup: str | None = option(None, "FILE", "without a game: the file with the first position"),
    impact: bool = option(False, "--impact", "find games of any rules version that today's rules would decide differently"),
    timeout: float = option(300, "--timeout", "SECONDS", "the time limit for one game", min=0.01),
    cluster: Cluster = None,
    output: str | None = option(None, "-o", "--output", "DIR", "also write the results and a summary to this folder"),
    resume: bool = option(False, "--resume", "with -o: continue a run that was stopped"),
    parquet: bool = option(False, "--parquet", "with -o: also write the results as a Parquet table"),
    again: bool = option(False, "--again", "also decide games again that are unchanged since an earlier audit"),
    verbose: bool = option(False, "--verbose", "-v", "also list ignored files"),
    quiet: bool = option(False, "--quiet", "-q", "hide verified games"),
) -> None:
    """Check recorded games: decide them again by the rules.

    You get one line for each game: it is verified, or the line shows the first difference, with the entry, the recorded
    value, the right value and the rule. Damaged files are reported, and the audit continues. The command remembers the
    verdicts on this computer: a game that is unchanged is not decided again, unless you use --again.

    With --published the game must also agree with the published logs, reports and receipts; you get the first contradiction.
    Without the game file, the program decides the game again from the published logs (as JSON) and the secret of chance, and
    lists what it could not check.

    Examples:
      adjudicator audit race.json
      adjudicator audit race.json --published reports/ mail.eml
      adjudicator audit --published public.jsonl red.jsonl --reveal 0f0f…
      adjudicator audit archive/ old-games.zip --jobs 4 --quiet
      adjudicator audit s3://games/ --cluster tcp://10.0.0.1:8786 -o found
      adjudicator audit games.adjudicator.db --cluster local -o found --resume

    Exit codes: 0 all games are verified, 1 a game differs, 2 no game was found. If no game differs but some could not be
    decided: 70 for a bug in the program or in a ruleset, 3 for files that are damaged, cannot be opened, or need another
    version of the rules, and for logs that tell only a part of a game. With --impact, 1 means that a game would be decided
    differently.
    """
    named, told = list(paths or ()), list(published or ())
    ui.guard((*named, *told, components, setup))
    if output is None and (resume or parquet):
        raise MisuseError("use --resume and --parquet with -o, which names the folder for the results")
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
    with Memory(is_new=again) as memory:
        if told and game is None:
            with ui.progress("entries checked:") as advance:
                verdict = audit_published(texts, reveal, components, setup, advance)
            found: Generator[AuditResult, None, None] = (one for one in (verdict,))
        else:
            found = audit_files(
                game or named,
                published=texts,
                jobs=jobs,
                impact=impact,
                timeout=timeout,
                cluster=cluster or "",
                memory=memory,
            )
        if output is not None:
            found = keep_results(found, output, resume=resume, impact=impact, parquet=parquet)
        with closing(found):
            for result in ui.each(found, "audited", is_quiet=quiet):
                tally.add(result)
                if quiet and (isinstance(result, Skipped) or result.divergence is None):
                    continue
                line = result_text(result, is_verbose=verbose)
                if isinstance(result, Skipped):
                    ui.show(result, line)
                    continue
                ui.show(result)
                ui.say_outcome(line, is_good=result.divergence is None)
                if compared := comparison_text(result):
                    ui.say(compared)
                if result.advice:
                    ui.say(f"  next: {result.advice}")
    if memory.known:
        words = count_of(memory.known, "game is", "games are")
        ui.warn(f"adjudicator: {words} unchanged since an earlier audit on this computer (--again decides all again)")
    ui.code = audit_code(ui, tally, named)
    ui.show(lambda: tally.end, lambda: tally_text(tally))


def audit_code(ui: Ui, tally: Tally, paths: Sequence[str]) -> int:
    """Return the exit code of a command that has audited the games in ``paths``; ``tally`` counts them.

    Raises ``MisuseError`` if there is no game, unless the summary says so to a program.
    """
    if not tally.judged and not ui.as_json:
        raise MisuseError(f"no game was found in {' '.join(paths)}", "no-game")
    if not tally.judged:
        return MISUSE
    if tally.diverged:
        return PROBLEMS
    if tally.kinds[Kind.FAULT]:
        return BUG
    return UNTRUSTED if tally.undecided else DONE


def _published(paths: Sequence[str], published: Sequence[str]) -> tuple[str | None, tuple[PublishedText, ...]]:
    """Return the game file that ``paths`` begin with, and the published texts: in ``published`` and in other ``paths``.

    A shell turns ``--published out/*.txt`` into one value and many paths. ``None``: all files are published texts, since the
    first path is a log or another text. Raises ``MisuseError``, ``CannotRead``, ``Untrusted``.
    """
    if paths and not os.path.isfile(paths[0]):
        raise MisuseError(f"“{paths[0]}” is not a file: with --published, name one game file first, or only published texts")
    game = paths[0] if paths and not _is_text(paths[0]) else None
    texts = read_published([*published, *(paths if game is None else paths[1:])])
    silent = [text.name for text in texts if text.is_named and not text.says_something]
    if silent or not any(text.says_something for text in texts):
        which = silent[0] if silent else " ".join(published)
        raise MisuseError(
            f"{which} contains no head, no commitment and no JSON log:"
            " for a log as text, give the lines of `adjudicator log --json`"
        )
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


_MEGABYTE: Final = 1_000_000


def archive(
    ui: Ui,
    file: Annotated[str, argument(..., "ARCHIVE", "the archive, NAME.adjudicator.db")],
    paths: list[str] | None = argument(None, "[PATH]...", "the games to archive: files, folders, archives"),
    add: bool = option(False, "--add", "add the games to an archive, or make it"),
    check: bool = option(False, "--check", "check the file, unpack every game and compare it with its row"),
    extract: str | None = option(None, "--extract", "DIR", "write the games as files into this folder"),
    game: list[str] | None = option(
        None, "--game", "GAME", "with --extract: only this game, by name, id or number [repeatable]"
    ),
    output: str | None = option(
        None, "-o", "--output", "NEW", "convert ARCHIVE, such as one of version 1.0.0 (.jsonl.zst), into this new archive"
    ),
    force: bool = option(False, "--force", "replace an existing archive or existing files"),
    quiet: bool = option(False, "--quiet", "-q", "list only games with problems"),
) -> None:
    """Keep many games in one small file.

    The file is an SQLite database. With PATHs the command makes an archive of all games that it finds there, byte for byte;
    with --add it adds the new ones to an existing archive. Without PATHs it lists the archive. `audit` and `replay` can
    read a game in an archive as ARCHIVE#GAME. An interrupted run leaves the archive unchanged.

    Examples:
      adjudicator archive games.adjudicator.db archive/ old-games.zip
      adjudicator archive games.adjudicator.db more/ --add
      adjudicator archive games.adjudicator.db
      adjudicator archive games.adjudicator.db --check --quiet
      adjudicator archive games.adjudicator.db --extract out --game rally-042
      adjudicator archive old-games.jsonl.zst -o games.adjudicator.db

    Exit codes: 0 done, 2 wrong use, 3 a game was left out or is damaged.
    """
    ui.guard(paths or ())
    if output is not None and (paths or add or check or extract is not None):
        raise MisuseError("use -o without PATHs and without --add, --check and --extract: it converts the whole ARCHIVE")
    sources, target = ([file], output) if output is not None else (paths or [], file)
    if words := misnamed(target):
        is_kept = target.lower().endswith(OLD) and not sources
        hint = f"convert this archive first: `adjudicator archive {file} -o {file[: -len(OLD)]}{ENDING}`"
        raise MisuseError(hint if is_kept else words)
    if add and not paths:
        raise MisuseError("name the files or folders whose games --add should add")
    if paths and (check or extract is not None or game):
        raise MisuseError("leave out the PATHs: --check, --extract and --game work on an existing archive")
    if check and extract is not None:
        raise MisuseError("leave out --check: --extract also compares every game with its hash")
    if game and extract is None:
        raise MisuseError("use --game only with --extract; `replay` and `audit` read ARCHIVE#GAME")
    if any(is_same(path, target) for path in sources):
        raise MisuseError("leave the archive itself out of the PATHs: it cannot contain itself")
    counts: Counter[str] = Counter()

    def note(one: Copied) -> None:
        if isinstance(one, GameCopy):
            counts["same" if one.is_same else "changed"] += 1
        else:
            counts["problems"] += 1
            ui.show(one, printable(f"problem  {one.source}  {one.wrong}"))

    if sources:
        with ui.progress("archived") as advance:

            def notify(one: Copied) -> None:
                note(one)
                advance()

            write_archive(target, sources, notify, add=add, force=force)
    with open_archive(target) as opened:
        games, loose = opened.totals()
        if sources:
            done = "added" if add else "made"
        elif check or extract is not None:
            done = "checked" if check else "extracted"
            found = check_archive(opened) if check else extract_games(opened, extract or "", game or [], force=force)
            for one in ui.each(found, "games", games):
                note(one)
        else:
            done = "listed"
            if games and not quiet:
                ui.say(_ROW.format("number", "bytes", "ruleset", "game", "name"))
            for row in () if quiet else opened.rows():
                if isinstance(row, Untrusted):
                    note(problem(row))
                else:
                    about = (f"{row.n:,}", f"{row.size:,}", row.ruleset or "–", row.game or "–", row.name)
                    ui.show(row, printable(_ROW.format(*about)))
        end = ArchiveEnd(
            file=target,
            task=done,
            games=games,
            taken=counts["changed"] if done in ("made", "added", "extracted") else 0,
            same=counts["same"],
            unsound=counts["problems"],
            size=opened.size,
            loose=loose,
            folder=extract or "",
        )
    times = f": {end.loose / end.size:.1f} times smaller than its games, {_size(end.loose)}" if end.loose > end.size else ""
    lines = [f"{end.file}: {count_of(end.games, 'game')}, {_size(end.size)}{times}"]
    same = f", {end.same:,} there already" if end.same else ""
    if done in ("made", "added"):
        lines.append(f"{count_of(end.taken, 'game')} put in{same}")
    if done == "extracted":
        lines.append(f"{count_of(end.taken, 'game')} written to {end.folder}{same}")
    if end.unsound:
        lines.append(f"{end.unsound:,} could not be added or read: see above")
    elif done == "checked":
        lines.append("every game agrees with its row and with its hash")
    ui.show(end, "\n".join(lines))
    if counts["problems"]:
        ui.code = UNTRUSTED


def _size(size: int) -> str:
    return f"{size / _MEGABYTE:,.1f} MB" if size >= _MEGABYTE else f"{size:,} bytes"

"""The commands `archive` and `site`: many games in one file, and as pages."""

from __future__ import annotations

import os
from collections import Counter
from contextlib import closing
from typing import Annotated, Final

from adjudicator.archive import GameCopy, Omission, check_archive, extract_games, is_archive, open_archive, write_archive
from adjudicator.audit.texts import Tally, audit_end, divergence_text, result_text, tally_text
from adjudicator.cli.audit import Jobs, Paths, audit_code
from adjudicator.cli.results import ArchiveProblem, SiteProblem, WrittenSite
from adjudicator.cli.ui import PROBLEMS, UNTRUSTED, MisuseError, Ui, argument, is_same, option
from adjudicator.reports.png import require_png
from adjudicator.reports.texts import count_of
from adjudicator.results import ArchiveEnd
from adjudicator.site import SiteFolder, UnmadePage, build_site
from adjudicator.site.fault import unmade_text
from adjudicator.site.list_page import INDEX
from adjudicator.verdict import Skipped

_MEGABYTE: Final = 1_000_000
_MOST_JOBS: Final = 64


def archive(
    ui: Ui,
    file: Annotated[str, argument(..., "ARCHIVE", "the archive, NAME.jsonl.zst")],
    paths: list[str] | None = argument(None, "[PATH]...", "the games to archive: files, folders, archives"),
    add: bool = option(False, "--add", "add the games to an existing archive"),
    check: bool = option(False, "--check", "unpack every game and compare it with its hash"),
    extract: str | None = option(None, "--extract", "DIR", "write the games as files into this folder"),
    game: list[str] | None = option(
        None, "--game", "GAME", "with --extract: only this game, by name, id or number [repeatable]"
    ),
    force: bool = option(False, "--force", "replace an existing archive or existing files"),
    quiet: bool = option(False, "--quiet", "-q", "list only games with problems"),
) -> None:
    """Keep many games in one small file.

    With PATHs the command makes an archive of all games that it finds there, byte for byte; with --add it adds the new ones
    to an existing archive. Without PATHs it lists the archive. `audit` and `replay` can read a game in an archive as
    ARCHIVE#GAME. An interrupted run leaves the archive unchanged.

    Examples:
      adjudicator archive games.jsonl.zst archive/ old-games.zip
      adjudicator archive games.jsonl.zst more/ --add
      adjudicator archive games.jsonl.zst
      adjudicator archive games.jsonl.zst --check --quiet
      adjudicator archive games.jsonl.zst --extract out --game rally-042

    Exit codes: 0 done, 2 wrong use, 3 a game was left out or is damaged.
    """
    ui.guard(paths or ())
    if not is_archive(file):
        raise MisuseError(f"give the archive a name like NAME.jsonl.zst, not {file}")
    if add and not paths:
        raise MisuseError("name the files or folders whose games --add should add")
    if paths and (check or extract is not None or game):
        raise MisuseError("leave out the PATHs: --check, --extract and --game work on an existing archive")
    if check and extract is not None:
        raise MisuseError("leave out --check: --extract also compares every game with its hash")
    if game and extract is None:
        raise MisuseError("use --game only with --extract; `replay` and `audit` read ARCHIVE#GAME")
    if any(is_same(path, file) for path in paths or ()):
        raise MisuseError("leave the archive itself out of the PATHs: it cannot contain itself")
    counts: Counter[str] = Counter()

    def note(one: GameCopy | Omission) -> None:
        if not isinstance(one, Omission):
            counts["same" if one.is_same else "changed"] += 1
        elif one.is_wrong:
            counts["problems"] += 1
            ui.show(ArchiveProblem(source=one.source, wrong=one.why), f"problem  {one.source}  {one.why}")

    if paths:
        with ui.progress("archived") as advance:

            def notify(one: GameCopy | Omission) -> None:
                note(one)
                advance()

            write_archive(file, paths, notify, add=add, force=force)
    with closing(open_archive(file)) as opened:
        if paths:
            done = "added" if add else "made"
        elif check or extract is not None:
            done = "checked" if check else "extracted"
            found = check_archive(opened) if check else extract_games(opened, extract or "", game or [], force=force)
            for one in ui.each(found, "games", opened.games if check else None):
                note(one)
        else:
            done = "listed"
            if opened.damage:
                note(Omission(opened.name, f"{opened.damage}; games that could be read: {opened.games:,}"))
            for row in () if quiet else opened.rows():
                ui.show(row, f"{row.n:>7,}  {row.size:>10,}  {row.ruleset or '–'}  {row.game or '–'}  {row.name}")
        end = ArchiveEnd(
            file=file,
            task=done,
            games=opened.games,
            taken=counts["changed"] if done in ("made", "added", "extracted") else 0,
            same=counts["same"],
            unsound=counts["problems"],
            size=opened.size,
            loose=sum(row.size for row in opened.rows()),
            folder=extract or "",
        )
    ui.show(end, _end_text(end))
    if counts["problems"]:
        ui.code = UNTRUSTED


def _end_text(end: ArchiveEnd) -> str:
    """Return the size of the archive, and the results of the command."""
    times = f": {end.loose / end.size:.1f} times smaller than its games, {_size(end.loose)}" if end.loose else ""
    lines = [f"{end.file}: {count_of(end.games, 'game')}, {_size(end.size)}{times}"]
    same = f", {end.same:,} there already" if end.same else ""
    if end.task in ("made", "added"):
        lines.append(f"{count_of(end.taken, 'game')} put in{same}")
    if end.task == "extracted":
        lines.append(f"{count_of(end.taken, 'game')} written to {end.folder}{same}")
    if end.unsound:
        lines.append(f"{end.unsound:,} could not be added or read: see above")
    elif end.task == "checked":
        lines.append("every game agrees with the index and with its hash")
    return "\n".join(lines)


def _size(size: int) -> str:
    return f"{size / _MEGABYTE:,.1f} MB" if size >= _MEGABYTE else f"{size:,} bytes"


def site(
    ui: Ui,
    paths: Paths,
    folder: Annotated[str, option(..., "--output", "-o", "DIR", "the folder for the site", show_default=False)],
    jobs: Jobs = 1,
    unfinished: bool = option(False, "--unfinished", "also show unfinished games, as bystanders see them"),
    timeout: float = option(300, "--timeout", "SECONDS", "the time limit for one game", min=0.01),
    url: str | None = option(
        None, "--url", "URL", "the address of the site, for previews of links (needs the extra `png`) and the feed"
    ),
    force: bool = option(False, "--force", "write into a folder that contains other files"),
    quiet: bool = option(False, "--quiet", "-q", "print only the summary"),
) -> None:
    """Make a web site of an archive of games.

    Every finished game gets a page to replay it, with the verdict of the audit. Lists of games, rulesets and players, with
    search, plots and ratings, link to these pages. The site needs no server and no network. A damaged game gets a page that
    says so. If a page cannot be made, its place says so, and the command prints the cause and writes all other pages. The
    site leaves out unfinished games; with --unfinished it shows what everybody may know about them.

    Examples:
      adjudicator site archive/ -o public/
      adjudicator site archive/ old-games.zip -o public/ --jobs 4
      adjudicator site archive/ -o public/ --url https://example.org/games/

    Exit codes: those of `audit`, and 1 if a page cannot be made. Only with 2 the site is not written.
    """
    ui.guard(paths)
    if url is not None:
        if not url.startswith(("https://", "http://")):
            raise MisuseError(f"give --url an address that begins with https:// or http://, not “{url}”")
        require_png()
        url = url if url.endswith("/") else f"{url}/"
    tally, pages, index = Tally(), SiteFolder(folder, force=force), os.path.join(folder, INDEX)
    shown = left_out = private = 0
    problems: list[SiteProblem] = []
    unmade: list[UnmadePage] = []
    with ui.progress("games audited, pages written:") as advance:
        for item in build_site(
            paths, pages, jobs=jobs, timeout=timeout, unfinished=unfinished, url=url or "", notify=advance
        ):
            if isinstance(item, UnmadePage):
                unmade.append(item)
                ui.say(unmade_text(item))
                continue
            result = item.result
            tally.add(result)
            if isinstance(result, Skipped):
                line = "" if quiet else result_text(result)
                if line:
                    ui.say(line)
                continue
            shown += item.game is not None
            private += bool(result.forked_from)
            left_out += item.game is None and not result.forked_from
            if result.divergence is not None:
                reason = divergence_text(result.divergence)
                problems.append(SiteProblem(source=result.source, game=result.game, status=result.status, reason=reason))
                if not quiet:
                    ui.say_outcome(result_text(result), is_good=False)
    ui.code = audit_code(ui, tally, paths)
    if unmade:
        ui.code = PROBLEMS
        count = count_of(len(unmade), "page")
        ui.say(f"{count} could not be made; all others are written. Please report each bug listed above")
    also = f"; {left_out:,} unfinished left out (--unfinished shows them)" if left_out else ""
    also += f"; {count_of(private, 'private game')} left out" if private else ""
    ui.show(
        lambda: WrittenSite(
            folder=folder,
            index=index,
            games=shown,
            pages=pages.count,
            left_out=left_out,
            problems=tuple(problems),
            unmade=tuple(unmade),
            summary=audit_end(tally).summary,
        ),
        lambda: f"{tally_text(tally)}\n{index}: {shown:,} shown on {count_of(pages.count, 'page')}{also}",
    )

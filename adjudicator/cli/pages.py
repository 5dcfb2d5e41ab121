"""The commands `site` and `desk`: an archive as web pages, and the program as one."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

from adjudicator.audit.judge import Tally, divergence_text, result_text, tally_text
from adjudicator.cli.audit import Cluster, Jobs, Paths, audit_code
from adjudicator.cli.ui import PROBLEMS, MisuseError, Ui, option
from adjudicator.core.values import Value
from adjudicator.reports.images import require_png
from adjudicator.reports.texts import count_of
from adjudicator.site import SiteFolder, UnmadePage, build_site
from adjudicator.site.build import unmade_text
from adjudicator.site.page import INDEX
from adjudicator.verdict import AuditSummary, Skipped


class SiteProblem(Value, kw_only=True):
    """A ``source`` whose audit has another ``status`` than verified, and the ``reason``."""

    source: str
    game: str
    status: str
    reason: str


class WrittenSite(Value, kw_only=True):
    """A site in ``folder`` with its first page ``index``: ``games`` counts games with a page, ``pages`` all pages.

    ``left_out`` counts unfinished games, without private ones. ``problems`` are the games that the audit did not verify,
    ``unmade`` the pages that could not be made. ``summary`` is the summary of the audit.
    """

    folder: str
    index: str
    games: int
    pages: int
    left_out: int
    problems: tuple[SiteProblem, ...]
    unmade: tuple[UnmadePage, ...]
    summary: AuditSummary


class WrittenDesk(Value, kw_only=True):
    """A desk in ``folder``: its ``release``, the ``file_count``, and the ``size`` of all files in bytes."""

    folder: str
    release: str
    file_count: int
    size: int


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
    cluster: Cluster = None,
    again: bool = option(False, "--again", "audit all games and make all pages anew"),
    force: bool = option(False, "--force", "write into a folder that contains other files"),
    quiet: bool = option(False, "--quiet", "-q", "print only the summary"),
) -> None:
    """Make a web site of an archive of games.

    Every finished game gets a page to replay it, with the verdict of the audit. Lists of games, rulesets and players, with
    search, plots and ratings, link to these pages. The site needs no server and no network. A damaged game gets a page that
    says so. If a page cannot be made, its place says so, and the command prints the cause and writes all other pages. The
    site leaves out unfinished games; with --unfinished it shows what everybody may know about them. Games that have not
    changed since the last run on this computer keep their pages.

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
    with ui.progress("pages written:") as advance:
        for item in build_site(
            paths,
            pages,
            jobs=jobs,
            timeout=timeout,
            cluster=cluster or "",
            again=again,
            unfinished=unfinished,
            url=url or "",
            notify=advance,
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
            summary=tally.end.summary,
        ),
        lambda: f"{tally_text(tally)}\n{index}: {shown:,} shown on {count_of(pages.count, 'page')}{also}",
    )


def desk(
    ui: Ui,
    folder: Annotated[str, option(..., "--output", "-o", "DIR", "the folder for the desk", show_default=False)],
    serve: bool = option(False, "--serve", "also serve the desk on this computer, until Ctrl+C"),
    port: int = option(8000, "N", "the port of --serve; 0: any free one", min=0, max=65535),
) -> None:
    """Write the desk, a web page for playing and moderating.

    Players open their own file, click on the board and write orders, and see every mistake while they type. Moderators
    open the game, drop mails, adjudicate, read the reports and save the file. The files never leave the computer of the
    person who opens them: the page needs a place for static files, but no program on a server. After the first visit it
    works offline.

    To build the desk you need Node.js 20 or newer, and the registries of npm and of Python packages.

    Examples:
      adjudicator desk -o desk/
      adjudicator desk -o desk/ --serve
    """
    from adjudicator.desk.build import build, server_of  # `site` does not need what builds a desk

    with ui.progress("building"):
        release = build(Path(folder))
    size, files = sum(release.sizes.values()), len(release.sizes)
    ui.show(
        WrittenDesk(folder=folder, release=release.name, file_count=files, size=size),
        f"{folder}: the desk, release {release.name}, {size / 1_000_000:.1f} MB in {files} files",
    )
    if not serve:
        return
    try:
        server = server_of(Path(folder), port)
    except OSError as error:
        raise MisuseError(f"choose another --port: {port} cannot be used ({error.strerror})") from None
    address = f"http://127.0.0.1:{server.server_port}/"
    (ui.warn if ui.as_json else ui.say)(f"open {address} in your browser; Ctrl+C ends the server")
    ui.flush()
    with server:
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            ui.say("the server has stopped")

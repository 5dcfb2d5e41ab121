"""The command `site`: make a static web site of an archive of games."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Annotated

import typer

from adjudicator.cli.arguments import Json
from adjudicator.cli.audit import Jobs, Paths, audit_code
from adjudicator.cli.failures import explained
from adjudicator.cli.files import only_one_stdin
from adjudicator.cli.output import MISUSE, PROBLEMS, MisuseError, fail, leave, say, say_json, say_outcome, say_safely
from adjudicator.cli.progress import progress

if TYPE_CHECKING:
    from adjudicator.cli.results import SiteProblem
    from adjudicator.reports.cli.audits import Tally
    from adjudicator.site import SiteListing, UnmadePage


def site(
    paths: Paths,
    folder: Annotated[
        str, typer.Option("--output", "-o", metavar="DIR", help="the folder for the site", show_default=False)
    ],
    jobs: Jobs = 1,
    unfinished: Annotated[
        bool, typer.Option("--unfinished", help="also show unfinished games, as bystanders see them")
    ] = False,
    timeout: Annotated[
        float, typer.Option("--timeout", metavar="SECONDS", min=0.01, help="the time limit for one game")
    ] = 300,
    url: Annotated[
        str | None,
        typer.Option(
            "--url",
            metavar="URL",
            help="the address of the site, for previews of links (needs the extra `png`) and the feed",
        ),
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="write into a folder that contains other files")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="print only the summary")] = False,
    as_json: Json = False,
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

    Exit codes: those of `audit`, and 1 if a page cannot be made. Only with 2 the site is not
    written.
    """
    with explained(as_json=as_json):
        from adjudicator.reports.cli.audits import Tally
        from adjudicator.site import SiteFolder, UnmadePage, build_site

        only_one_stdin(*paths)
        address = _address(url)
        tally, output = Tally(), _Output(folder)
        pages = SiteFolder(folder, force=force)
        with progress("games audited, pages written:") as advance:
            made = build_site(paths, pages, jobs=jobs, timeout=timeout, unfinished=unfinished, url=address, notify=advance)
            for item in made:
                if isinstance(item, UnmadePage):
                    output.add_unmade(item, as_json=as_json)
                else:
                    tally.add(item.result)
                    output.add(item, is_quiet=quiet or as_json)
        if not tally.judged and not as_json:
            fail(MISUSE, "no-game", f"no game was found in {' '.join(paths)}")
        output.end(tally, pages.count, as_json=as_json)
        leave(PROBLEMS if output.unmade else audit_code(tally))


def _address(url: str | None) -> str:
    """Return the address ``url`` of a site with a `/` at its end, empty for ``None``. Raises ``MisuseError``."""
    from adjudicator.reports.pictures.png import NoPictureError, require_png

    if url is None:
        return ""
    if not url.startswith(("https://", "http://")):
        raise MisuseError(f"give --url an address that begins with https:// or http://, not “{url}”")
    try:
        require_png()
    except NoPictureError as error:
        raise MisuseError(str(error)) from error
    return url if url.endswith("/") else f"{url}/"


class _Output:
    """Print each game with a problem, each page that cannot be made, and the counts of a site in ``folder``."""

    def __init__(self, folder: str) -> None:
        self._folder = folder
        self._games = self._left_out = 0
        self._problems: list[SiteListing] = []
        self.unmade: list[UnmadePage] = []

    def add(self, listed: SiteListing, *, is_quiet: bool) -> None:
        """Count a source, and print its problem unless it ``is_quiet``."""
        from adjudicator.reports.cli.audits import result_text
        from adjudicator.verdict import Skipped

        if isinstance(listed.result, Skipped):
            line = result_text(listed.result)
        else:
            self._games += listed.game is not None
            self._left_out += listed.game is None
            is_wrong = listed.result.divergence is not None
            if is_wrong:
                self._problems.append(listed)
            line = result_text(listed.result) if is_wrong else ""
        if line and not is_quiet and isinstance(listed.result, Skipped):
            say_safely(line)
        elif line and not is_quiet:
            say_outcome(line, is_good=False)

    def add_unmade(self, page: UnmadePage, *, as_json: bool) -> None:
        """Count a page that cannot be made, and print its name and the cause."""
        self.unmade.append(page)
        if not as_json:
            say_safely(f"not made   {page.page}  {page.cause}{f'  {page.source}' if page.source else ''}")

    def end(self, tally: Tally, pages: int, *, as_json: bool) -> None:
        """Print the counts and the first page of the site."""
        from adjudicator.cli.results import WrittenSite
        from adjudicator.reports.cli.audits import audit_end, tally_text
        from adjudicator.reports.pages.list_page import INDEX
        from adjudicator.reports.text.table import count_of

        index = os.path.join(self._folder, INDEX)
        if as_json:
            site_ = WrittenSite(
                folder=self._folder,
                index=index,
                games=self._games,
                pages=pages,
                left_out=self._left_out,
                problems=tuple(map(_problem, self._problems)),
                unmade=tuple(self.unmade),
                summary=audit_end(tally).summary,
            )
            say_json(site_)
            return
        if self.unmade:
            unmade = count_of(len(self.unmade), "page")
            say(f"{unmade} could not be made; all others are written. Please report each bug listed above")
        left_out = f"; {self._left_out:,} unfinished left out (--unfinished shows them)" if self._left_out else ""
        say_safely(f"{tally_text(tally)}\n{index}: {self._games:,} shown on {count_of(pages, 'page')}{left_out}")


def _problem(listed: SiteListing) -> SiteProblem:
    from adjudicator.cli.results import SiteProblem
    from adjudicator.reports.cli.audits import divergence_text
    from adjudicator.verdict import Verdict

    result = listed.result
    assert isinstance(result, Verdict)
    words = divergence_text(result.divergence) if result.divergence is not None else ""
    return SiteProblem(source=result.source, game=result.game, status=result.status, reason=words)

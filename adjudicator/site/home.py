"""Build the site of games in files: running games with their deadlines, finished ones, rules; names only by consent.

A page of the last run stays if nothing has changed on which it depends, and the audit decides only the other games again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from typing import Final

from adjudicator.audit.files import AuditOptions, audit_sources
from adjudicator.core.phrases import listed
from adjudicator.core.values import Seat, Value, replace
from adjudicator.files.errors import FileProblem
from adjudicator.library.seat_records import SeatRecord
from adjudicator.processes import TIMEOUT, usual_jobs
from adjudicator.reports.png import NoPictureError, require_png
from adjudicator.resources import rules_page as rules_text
from adjudicator.results import UnmadePage
from adjudicator.rulebook.page import read_page
from adjudicator.rulesets import meta
from adjudicator.site.build import GAMES, keep_page, make_pages, write_list, write_page
from adjudicator.site.folder import CachedGame, SiteFolder
from adjudicator.site.game_page import GamePage, Task, file_key
from adjudicator.site.list_page import Cell, ListTable, row_of, rules_page
from adjudicator.site.lists import Home, PlannedPage, list_pages, start_of_row
from adjudicator.site.site_game import SiteGame, page_name
from adjudicator.sources.archives import Opener
from adjudicator.sources.candidates import Source
from adjudicator.verdict import Verdict, verdict

_HEADINGS: Final = ("game", "ruleset", "players", "orders", "deadline")
_VACANT: Final = "seats without a player"


class HomeGame(Value, kw_only=True):
    """A game for a site: its id, and the ``path`` of its file.

    Its pages name the players of the seats ``named``, and no others. It counts for the standing of the players ``agreed``,
    pairs of seat and name. ``deadline`` is the text about it (empty: none), ``stand_in`` how to take over a seat without a
    player (empty: no player can).
    """

    game: str
    path: str
    named: tuple[Seat, ...] = ()
    agreed: frozenset[tuple[Seat, str]] = frozenset()
    deadline: str = ""
    stand_in: str = ""

    @property
    def file(self) -> str:
        """The file of its page on the site."""
        return f"{GAMES}/{page_name(self.game, self._shown)}"

    @property
    def _shown(self) -> str:
        return f"{self.game}.json"

    def public_records(self, listed: SiteGame) -> Iterator[SeatRecord]:
        """Yield the records in ``listed`` with only the names of the players who agreed."""
        for one in listed.records:
            yield one if (one.seat, one.player) in self.agreed else replace(one, player="")

    def task(self, number: int, url: str) -> Task:
        """Return the task to make its page; ``url`` is the address of the site (empty: without pictures for previews)."""
        source, facts = Source(self.path, self.path, is_named=True), (("deadline", self.deadline),) if self.deadline else ()
        return Task(
            source,
            number,
            verdict(self.path, game=self.game),
            self.file,
            self._shown,
            True,
            url,
            named=self.named,
            facts=facts,
        )


def build_home(
    games: Sequence[HomeGame],
    folder: SiteFolder,
    title: str,
    *,
    url: str = "",
    open_games: ListTable | None = None,
    links: Iterable[tuple[str, str]] = (),
    notify: Callable[[], object] = lambda: None,
) -> Iterator[SiteGame | UnmadePage]:
    """Write a site of ``games`` into ``folder``; yield each game in order, and each page that cannot be made.

    A page that says so takes its place, and the others are made as usual. ``title``, the table of ``open_games`` and
    ``links`` (pairs of words and file) are those of the first page, ``url`` is the address of the site, which ends in `/`.
    Each page calls ``notify``. Call ``folder.finish()`` afterwards. Raises ``CannotWrite``.
    """
    tasks = [game.task(number, url if _has_png() else "") for number, game in enumerate(games)]
    shown: list[SiteGame] = []
    for task, page in _pages(tasks, folder):
        shown.append(keep_page(page, task, folder) if isinstance(page, CachedGame) else write_page(page, folder))
        yield shown[-1]
        if isinstance(page, GamePage) and page.fault is not None:
            yield UnmadePage(page=task.file, source=task.source.name, cause=page.fault.cause)
        notify()
    shown = [replace(one, records=tuple(game.public_records(one))) for game, one in zip(games, shown, strict=True)]
    running, rules = _running(games, shown), tuple(_rules_table(shown))
    home = Home(title, open_games, running, rules, tuple(Cell(*link) for link in links))
    for planned in (*_rules_pages(shown, url), *list_pages(shown, url, home)):
        yield from write_list(planned, shown, folder)
        notify()


def _has_png() -> bool:
    try:
        require_png()
    except NoPictureError:
        return False
    return True


def _pages(tasks: Sequence[Task], folder: SiteFolder) -> Iterator[tuple[Task, GamePage | CachedGame]]:
    """Yield each of ``tasks`` with its new page, or with the game of the last run if nothing has changed."""
    kept: dict[str, CachedGame] = {}
    opener = Opener()
    for task in tasks:
        found = folder.kept(task.file)
        with suppress(FileProblem):
            if found is not None and found.key == file_key(task, opener.read(task.source)):
                kept[task.file] = found
    changed = [task for task in tasks if task.file not in kept]
    results = audit_sources([task.source for task in changed], AuditOptions(timeout=TIMEOUT), usual_jobs())
    verdicts = {result.source: result for result in results if isinstance(result, Verdict)}
    made = make_pages([replace(task, verdict=verdicts[task.source.name]) for task in changed], usual_jobs(), TIMEOUT)
    for task in tasks:
        page = kept.get(task.file) or next(made)
        assert isinstance(page, (GamePage, CachedGame))  # the tasks include unfinished games, and name no earlier key
        yield task, page


def _running(games: Sequence[HomeGame], shown: Sequence[SiteGame]) -> ListTable:
    """Return the table of running games with their deadlines and, where people can take them over, their vacant seats."""
    running = [(game, one) for game, one in zip(games, shown, strict=True) if one.tally is not None and not one.is_over]
    has_vacant = any(game.stand_in and one.vacant for game, one in running)
    rows = [
        row_of(
            *start_of_row(one),
            one.tally.orders if one.tally else 0,
            game.deadline or "–",
            *([f"{listed(one.vacant)}: {game.stand_in}" if one.vacant else ""] if has_vacant else []),
        )
        for game, one in running
    ]
    headings = (*_HEADINGS, _VACANT) if has_vacant else _HEADINGS
    return ListTable("Running games", headings, tuple(rows), count=len(rows))


def _rulesets(shown: Iterable[SiteGame]) -> list[tuple[str, str]]:
    return sorted({(game.ruleset, game.name) for game in shown if game.ruleset})


def _rules_table(shown: Iterable[SiteGame]) -> Iterator[ListTable]:
    rows = tuple(row_of(Cell(name, page_name(ruleset, "rules"))) for ruleset, name in _rulesets(shown))
    if rows:
        yield ListTable("Rules", ("ruleset",), rows)


def _rules_pages(shown: Iterable[SiteGame], url: str) -> Iterator[PlannedPage]:
    """Yield the page of rules of each ruleset."""
    for ruleset, name in _rulesets(shown):
        file = page_name(ruleset, "rules")
        yield PlannedPage(file, f"{name}: rules", partial(_rules_page, ruleset, url and f"{url}{file}"))


def _rules_page(ruleset: str, url: str) -> str:
    about = meta(ruleset)
    return rules_page(read_page(rules_text(about)), about, url)

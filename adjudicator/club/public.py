"""Write the public pages of a club: games as bystanders see them, rules, a feed of results, and calendars of deadlines.

The pages are those of a site (``adjudicator/site``). What the next run needs in order to keep unchanged pages is in the
folder of the club, because it depends on secrets: hashes of game files, and the names of the players' calendars.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial

from adjudicator.audit.run import AuditOptions, audit_sources
from adjudicator.club.calendars import ALL_GAMES, SUFFIX, calendar_of_all, player_calendars
from adjudicator.club.deadlines import moment
from adjudicator.club.failures import Failure, contain
from adjudicator.club.folder import ClubFolder
from adjudicator.club.ledger import GameRow, Ledger
from adjudicator.club.tokens import is_page_name
from adjudicator.core.canonical import digest
from adjudicator.core.ids import Seat
from adjudicator.files.errors import FileProblem
from adjudicator.files.reading import read
from adjudicator.library.rulesets import meta_of, rules_of
from adjudicator.outputs.clubs import ClubPublished
from adjudicator.outputs.sites import UnmadePage
from adjudicator.processes import TIMEOUT
from adjudicator.reports.pages.game_list import start_of_row
from adjudicator.reports.pages.list_page import INDEX, Cell, ListTable
from adjudicator.reports.pages.rules_page import rules_page
from adjudicator.reports.pages.site import Home, PlannedPage, list_pages
from adjudicator.reports.pages.site_game import SiteGame, page_name
from adjudicator.reports.pictures.png import NoPictureError, require_png
from adjudicator.site.build import GAMES, keep_page, make_pages, write_list, write_page
from adjudicator.site.folder import SiteFolder
from adjudicator.site.game_page import GamePage, Task, file_key
from adjudicator.site.kept import KeptGame
from adjudicator.sources.candidates import Source
from adjudicator.verdict import Verdict


def write_public_pages(
    club: ClubFolder, ledger: Ledger, path: str, *, force: bool = False, notify: Callable[[], object] = lambda: None
) -> ClubPublished:
    """Write the public pages of ``club`` into the folder ``path``, without pages that have not changed.

    A page that cannot be made says so, and the others are made as usual. Each page calls ``notify``. Raises ``CannotWrite``,
    ``NotASite`` if the folder contains something else, unless with ``force``.
    """
    mark = digest(os.path.abspath(path).encode("utf-8", "surrogateescape"))[:16]
    folder = SiteFolder(path, force=force, manifest=str(club.folder / f"published-{mark}.json"))
    known = ledger.games()
    rows = [known.get(game, GameRow(id=game)) for game in club.games]
    troubles: list[str] = []
    tasks = [_task(club, row, number, troubles) for number, row in enumerate(rows)]
    games, unmade = list[SiteGame](), list[UnmadePage]()
    for task, page in _pages(tasks, folder):
        games.append(keep_page(page, task, folder) if isinstance(page, KeptGame) else write_page(page, folder))
        if isinstance(page, GamePage) and page.fault is not None:
            unmade.append(UnmadePage(page=task.file, source=task.source.name, cause=page.fault.cause))
        notify()
    for planned in (*_rules_pages(games, _address(club)), *list_pages(games, _address(club), _home(club, rows, games))):
        unmade += write_list(planned, games, folder)
        notify()
    _write_calendars(club, ledger, folder, path, rows, tasks)
    folder.finish()
    finished = sum(game.is_over for game in games)
    return ClubPublished(
        folder=path,
        index=os.path.join(path, INDEX),
        running=len(games) - finished,
        finished=finished,
        written=folder.written,
        removed=folder.removed,
        unmade=tuple(unmade),
        troubles=tuple(troubles),
    )


def _address(club: ClubFolder) -> str:
    """Return the address of the public pages with a `/` at its end; empty if the club has none."""
    address = club.settings.public.address
    return f"{address.rstrip('/')}/" if address else ""


def _task(club: ClubFolder, row: GameRow, number: int, troubles: list[str]) -> Task:
    """Return the task to make the page of a game; add to ``troubles`` if its settings cannot be read."""
    named: list[Seat] = []

    def fail(failure: Failure) -> None:
        troubles.append(f"{row.id}: its page names no player, because its settings cannot be read: {failure.cause}")

    with contain(fail):
        usual = club.settings.public.names
        for seat, settings in club.settings_of(row.id).seats.items():
            if usual if settings.public_name is None else settings.public_name:
                named.append(Seat(seat))
    path, shown = str(club.game_file(row.id)), f"{row.id}.json"
    return Task(
        Source(path, path, is_named=True),
        number,
        Verdict(path, game=row.id),
        f"{GAMES}/{page_name(row.id, shown)}",
        shown,
        has_unfinished=True,
        url=_address(club) if _has_png() else "",  # only pictures need it
        named=tuple(named),
        facts=(("deadline", _deadline(club, row)),) if row.due and not row.is_over else (),
    )


def _has_png() -> bool:
    try:
        require_png()
    except NoPictureError:
        return False
    return True


def _deadline(club: ClubFolder, row: GameRow) -> str:
    if row.is_paused:
        return "paused"
    return moment(row.due, club.settings.time_zone) if row.due else "–"


def _pages(tasks: Sequence[Task], folder: SiteFolder) -> Iterator[tuple[Task, GamePage | KeptGame]]:
    """Yield each of ``tasks`` with its new page, or with the game of the last run if nothing has changed."""
    kept: dict[str, KeptGame] = {}
    for task in tasks:
        found = folder.kept(task.file)
        with suppress(FileProblem):
            if found is not None and found.key == file_key(task, read(task.source.path)[1]):
                kept[task.file] = found
    changed = [task for task in tasks if task.file not in kept]
    results = audit_sources([task.source for task in changed], AuditOptions(timeout=TIMEOUT))
    verdicts = {result.source: result for result in results if isinstance(result, Verdict)}
    changed = [replace(task, verdict=verdicts[task.source.name]) for task in changed]
    made = make_pages(changed, 1, TIMEOUT)
    for task in tasks:
        page = kept.get(task.file) or next(made)
        assert isinstance(page, (GamePage, KeptGame))  # the tasks include unfinished games, and name no earlier key
        yield task, page


def _rules_pages(games: Sequence[SiteGame], url: str) -> Iterator[PlannedPage]:
    """Yield the page of rules of each ruleset of ``games``."""
    for ruleset, name in _rulesets(games):
        file = page_name(ruleset, "rules")
        yield PlannedPage(file, f"{name}: rules", partial(_rules_text, ruleset, url and f"{url}{file}"))


def _rules_text(ruleset: str, url: str) -> str:
    return rules_page(rules_of(ruleset), meta_of(ruleset), url)


def _rulesets(games: Sequence[SiteGame]) -> list[tuple[str, str]]:
    return sorted({(game.ruleset, game.name) for game in games if game.ruleset})


def _home(club: ClubFolder, rows: Sequence[GameRow], games: Sequence[SiteGame]) -> Home:
    """Return the first page: running games with their deadlines before the lists of a site, rules after them."""
    running = [
        (*start_of_row(game), (Cell(str(game.tally.orders)),), (Cell(_deadline(club, row)),))
        for game, row in zip(games, rows, strict=True)
        if game.tally is not None and not game.is_over
    ]
    headings = ("game", "ruleset", "players", "orders", "deadline")
    rules = tuple(((Cell(name, page_name(ruleset, "rules")),),) for ruleset, name in _rulesets(games))
    return Home(
        title=club.settings.name,
        running=ListTable("Running games", headings, tuple(running), count=len(running)),
        more=(ListTable("Rules", ("ruleset",), rules),) if rules else (),
        links=(Cell("Calendar of deadlines", ALL_GAMES),),
    )


def _write_calendars(
    club: ClubFolder, ledger: Ledger, folder: SiteFolder, path: str, rows: Sequence[GameRow], tasks: Sequence[Task]
) -> None:
    """Write all calendars, and remove those of earlier players. Raises ``CannotWrite``."""
    url, secret = _address(club), ledger.secret()
    pages = {row.id: f"{url}{task.file}" for row, task in zip(rows, tasks, strict=True) if url}
    folder.write(ALL_GAMES, calendar_of_all(club, rows, pages))
    failures: list[Failure] = []
    due: list[GameRow] = []
    for row in rows:
        with contain(failures.append):
            club.settings_of(row.id)
            due.append(row)
    own = player_calendars(club, due, secret, pages)
    for name, data in own.items():
        folder.write_unlisted(name, data)  # the name is a secret of the player
    if failures:
        return  # the players of a game are unknown, so all earlier calendars stay
    for name in os.listdir(path):
        if name.endswith(SUFFIX) and name not in own and is_page_name(secret, name.removesuffix(SUFFIX)):
            os.unlink(os.path.join(path, name))

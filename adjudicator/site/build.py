"""Build a site: audit every game, make and write its page in parallel, then write the lists, with the index last."""

from __future__ import annotations

import os
from collections import Counter, defaultdict, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import Final

from adjudicator.audit.files import AuditOptions, audit_sources
from adjudicator.core.values import Value, replace
from adjudicator.processes import TIMEOUT, Lost, Pool
from adjudicator.results import UnmadePage
from adjudicator.site.fault import NOT_MADE, Fault, contain
from adjudicator.site.folder import CachedGame, SiteFolder
from adjudicator.site.game_page import GamePage, Task, Unchanged, make_page, page_in_place
from adjudicator.site.list_page import trouble_page
from adjudicator.site.lists import PlannedPage, list_pages, ruleset_links
from adjudicator.site.site_game import SiteGame, page_name
from adjudicator.sources.archives import Opener
from adjudicator.sources.candidates import Source, public_name
from adjudicator.sources.find import find_sources
from adjudicator.verdict import AuditResult, Skipped

GAMES: Final = "games"
"""The folder of the pages of games."""


class SiteListing(Value):
    """One source of the site: the ``result`` of its audit, and its ``game`` in the lists (``None``: they leave it out)."""

    result: AuditResult
    game: SiteGame | None


def build_site(
    paths: Iterable[str],
    folder: SiteFolder,
    *,
    jobs: int = 1,
    timeout: float = TIMEOUT,
    unfinished: bool = False,
    url: str = "",
    notify: Callable[[], object] = lambda: None,
) -> Iterator[SiteListing | UnmadePage]:
    """Write a site of the games at ``paths`` into ``folder``; yield each source in order, and each page that cannot be made.

    A page that says so takes its place, and the other pages are made as usual. Up to ``jobs`` processes work on games, each
    game within ``timeout`` seconds. The site shows ``unfinished`` games as bystanders see them, and no private games that
    go on from others. With the address ``url`` of the site, which ends in `/`, links to its pages have a preview with a
    picture; this needs the extra `png`. Each audit and each page calls ``notify``. Raises ``CannotWrite``.
    """
    paths = tuple(paths)
    candidates = list(find_sources(paths))
    results = []
    for result in audit_sources(candidates, AuditOptions(timeout=timeout), jobs):
        results.append(result)
        notify()
    tasks = list(_tasks(paths, candidates, results, has_unfinished=unfinished, url=url))
    kept = {task.file: found for task in tasks if task is not None and (found := folder.kept(task.file)) is not None}
    tasks = [replace(task, kept=kept[task.file].key) if task and task.file in kept else task for task in tasks]
    made = make_pages([task for task in tasks if task is not None], jobs, timeout)
    games = []
    for result, task in zip(results, tasks, strict=True):
        page = next(made) if task is not None else None
        notify()
        if task is None or page is None:
            yield SiteListing(result, None)
            continue
        game = keep_page(kept[task.file], task, folder) if isinstance(page, Unchanged) else write_page(page, folder)
        games.append(game)
        yield SiteListing(result, game)
        if isinstance(page, GamePage) and page.fault is not None:
            yield UnmadePage(page=game.file, source=result.source, cause=page.fault.cause)
    for planned in list_pages(games, url):
        yield from write_list(planned, games, folder)
        notify()
    folder.finish()


def write_list(planned: PlannedPage, games: Sequence[SiteGame], folder: SiteFolder) -> Iterator[UnmadePage]:
    """Write the ``planned`` page about ``games``; yield it if it cannot be made. Raises ``CannotWrite``."""
    text = contain(planned.make)
    if isinstance(text, Fault):
        yield UnmadePage(page=planned.name, source="", cause=text.cause)
        text = trouble_page(planned.title, (NOT_MADE,), ruleset_links(games))
    folder.write(planned.name, text.encode())


def write_page(page: GamePage, folder: SiteFolder) -> SiteGame:
    """Write the files of ``page``, and return its game."""
    for name, data in page.files:
        folder.write(name, data)
    if page.key:
        folder.note(CachedGame(page.key, page.game))
    return page.game


def keep_page(kept: CachedGame, task: Task, folder: SiteFolder) -> SiteGame:
    """Keep the files of ``task`` from the last run, and return its game with its present number."""
    assert kept.game.tally is not None
    game = replace(kept.game, tally=replace(kept.game.tally, number=task.number))
    folder.keep(CachedGame(kept.key, game))
    return game


def _tasks(
    paths: Sequence[str], candidates: Sequence[object], results: Sequence[AuditResult], *, has_unfinished: bool, url: str
) -> Iterator[Task | None]:
    """Yield the task for each of ``results`` that is the verdict on a game; others may be notes on a ruleset."""
    taken = Counter[str]()
    sources = defaultdict[str, deque[Source]](deque)
    for candidate in candidates:
        if isinstance(candidate, Source):
            sources[candidate.name].append(candidate)
    for number, result in enumerate(results):
        source = sources[result.source].popleft() if sources[result.source] else Source(result.source, "")
        if isinstance(result, Skipped) or result.forked_from:
            yield None
            continue
        shown = public_name(result.source, paths)
        name = page_name(result.game or os.path.basename(shown), shown)
        taken[name] += 1
        if taken[name] > 1:
            name = f"{name.removesuffix('.html')}-{taken[name]}.html"
        yield Task(source, number, result, f"{GAMES}/{name}", shown, has_unfinished, url)


def make_pages(tasks: Sequence[Task], jobs: int, timeout: float) -> Iterator[GamePage | Unchanged | None]:
    """Yield the page of each of ``tasks``, in their order."""
    with Pool(partial(make_page, Opener()), jobs, timeout) as pool:
        for done in pool.run(tasks):
            if not isinstance(done.result, Lost):
                yield done.result
            else:
                late = f"the page was not finished within {timeout:g} seconds"
                yield page_in_place(done.task, Fault(late if done.result.is_late else f"the game {done.result.words}"))

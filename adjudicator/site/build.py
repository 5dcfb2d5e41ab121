"""Build a site: audit every game, make and write its page in parallel, then write the lists, with the index last."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Final

from adjudicator.audit.run import AuditOptions, audit_sources
from adjudicator.core.frozen import frozen
from adjudicator.processes import TIMEOUT, Lost, Pool
from adjudicator.reports.site import SiteGame, list_pages, page_name, ruleset_links, trouble_page
from adjudicator.site.fault import NOT_MADE, Fault, contain
from adjudicator.site.game_page import GamePage, Task, make_page, page_in_place
from adjudicator.sources.archives import Opener
from adjudicator.sources.candidates import Source, public_name
from adjudicator.sources.find import find_sources
from adjudicator.store.site import SiteFolder
from adjudicator.verdict import AuditResult, Skipped, Verdict

GAMES: Final = "games"
"""The folder of the pages of games."""


@frozen(kw_only=True)
class Plan:
    """The options of a site: the ``paths`` of the archive, ``jobs`` processes, ``timeout`` seconds for each game.

    Games that go on are shown only if it ``has_unfinished``, as bystanders see them.
    """

    paths: tuple[str, ...]
    jobs: int = 1
    has_unfinished: bool = False
    timeout: float = TIMEOUT


@frozen
class Listing:
    """One source of the site: the ``result`` of its audit, and its ``game`` in the lists (``None``: they leave it out)."""

    result: AuditResult
    game: SiteGame | None


@frozen
class PageFailure:
    """A ``page`` that cannot be made, with the ``cause``, and for the page of a game its ``source``."""

    page: str
    cause: str
    source: str = ""


def build_site(plan: Plan, folder: SiteFolder) -> Iterator[Listing | PageFailure]:
    """Write the site of ``plan`` into ``folder``; yield each source in order, and each page that cannot be made.

    A page that says so takes its place, and the other pages are made as usual. Raises ``CannotWrite``.
    """
    candidates = list(find_sources(plan.paths))
    results = list(audit_sources(candidates, AuditOptions(timeout=plan.timeout), plan.jobs))
    tasks = list(_tasks(plan, candidates, results))
    made = _made([task for task in tasks if task is not None], plan)
    games = []
    for result, task in zip(results, tasks, strict=True):
        page = next(made) if task is not None else None
        if page is not None:
            folder.write(page.game.file, page.text)
            games.append(page.game)
        yield Listing(result, None if page is None else page.game)
        if page is not None and page.fault is not None:
            yield PageFailure(page.game.file, page.fault.cause, result.source)
    for planned in list_pages(games):
        text = contain(planned.make)
        if isinstance(text, Fault):
            yield PageFailure(planned.name, text.cause)
            text = trouble_page(planned.title, (NOT_MADE,), ruleset_links(games))
        folder.write(planned.name, text)
    folder.finish()


def _tasks(plan: Plan, candidates: Sequence[object], results: Sequence[AuditResult]) -> Iterator[Task | None]:
    """Yield the task for each source that is a game."""
    taken = Counter[str]()
    for number, (candidate, result) in enumerate(zip(candidates, results, strict=True)):
        if isinstance(result, Skipped):
            yield None
            continue
        assert isinstance(result, Verdict)
        shown = public_name(result.source, plan.paths)
        name = page_name(result.game or os.path.basename(shown), shown)
        taken[name] += 1
        if taken[name] > 1:
            name = f"{name.removesuffix('.html')}-{taken[name]}.html"
        source = candidate if isinstance(candidate, Source) else Source(result.source, "")
        yield Task(source, number, result, f"{GAMES}/{name}", shown, plan.has_unfinished)


def _made(tasks: Sequence[Task], plan: Plan) -> Iterator[GamePage | None]:
    """Yield the page of each of ``tasks``, in their order."""
    with Pool(partial(make_page, Opener()), plan.jobs, plan.timeout) as pool:
        for done in pool.run(tasks):
            if not isinstance(done.result, Lost):
                yield done.result
            elif done.result.is_late:
                yield page_in_place(done.task, Fault(f"the page was not finished within {plan.timeout:g} seconds"))
            else:
                yield page_in_place(done.task, Fault(f"{done.by('the game')} {done.result.words}"))

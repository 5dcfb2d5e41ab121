"""Build a site: audit every game, make and write its page in parallel, then write the lists, with the index last."""

from __future__ import annotations

import os
from collections import Counter, deque
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from itertools import islice
from typing import Final

from adjudicator.audit.archives import Opener
from adjudicator.audit.candidates import Source, public_name
from adjudicator.audit.run import audit_sources
from adjudicator.audit.sources import find_sources
from adjudicator.audit.verdict import AuditResult, Skipped, Verdict
from adjudicator.audit.warden import TIMEOUT
from adjudicator.core.frozen import frozen
from adjudicator.processes import spawned, submitted
from adjudicator.reports.site import SiteGame, list_pages, page_name, ruleset_links, trouble_page
from adjudicator.site.fault import NOT_MADE, Fault, contained
from adjudicator.site.game_page import MadePage, Task, make_page, page_in_place
from adjudicator.store.site import SiteFolder

_SHARD: Final = 8
_AHEAD: Final = 2
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
class Listed:
    """One source of the site: the ``result`` of its audit, and its ``game`` in the lists (``None``: they leave it out)."""

    result: AuditResult
    game: SiteGame | None


@frozen
class NotMade:
    """A ``page`` that cannot be made, with the ``cause``, and for the page of a game its ``source``."""

    page: str
    cause: str
    source: str = ""


def build_site(plan: Plan, folder: SiteFolder) -> Iterator[Listed | NotMade]:
    """Write the site of ``plan`` into ``folder``; yield each source in order, and each page that cannot be made.

    A page that says so takes its place, and the other pages are made as usual. Raises ``CannotWrite``.
    """
    candidates = list(find_sources(plan.paths))
    results = list(audit_sources(candidates, jobs=plan.jobs, timeout=plan.timeout))
    tasks = list(_tasks(plan, candidates, results))
    made = _made([task for task in tasks if task is not None], plan.jobs)
    games = []
    for result, task in zip(results, tasks, strict=True):
        page = next(made) if task is not None else None
        if page is not None:
            folder.write(page.game.file, page.text)
            games.append(page.game)
        yield Listed(result, None if page is None else page.game)
        if page is not None and page.fault is not None:
            yield NotMade(page.game.file, page.fault.cause, result.source)
    for planned in list_pages(games):
        text = contained(planned.make)
        if isinstance(text, Fault):
            yield NotMade(planned.name, text.cause)
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
        yield Task(source, number, result, f"{GAMES}/{name}", shown, plan.has_unfinished, plan.timeout)


def _made(tasks: Sequence[Task], jobs: int) -> Iterator[MadePage | None]:
    """Yield the page of each of ``tasks``, in their order."""
    if jobs == 1 or len(tasks) < 2:
        yield from _make_shard(tasks)
        return
    every = [tasks[at : at + _SHARD] for at in range(0, len(tasks), _SHARD)]
    shards = iter(every)
    with _Pool(min(jobs, len(every))) as pool:
        under_way = deque((shard, pool.submit(shard)) for shard in islice(shards, jobs + _AHEAD))
        while under_way:
            shard, future = under_way.popleft()
            try:
                made = future.result()
            except (
                BrokenProcessPool
            ):  # one game of the shard may have ended its process: repeat it one by one, the others as shards
                pool.renew()
                made = [pool.alone(task) for task in shard]
                under_way = deque((other, pool.submit(other)) for other, _ in under_way)
            under_way.extend((more, pool.submit(more)) for more in islice(shards, 1))
            yield from made


def _make_shard(tasks: Sequence[Task]) -> list[MadePage | None]:
    with Opener() as opener:
        return [make_page(task, opener) for task in tasks]


class _Pool:
    """Processes that make pages; if a game ends one of them, it is reported and the other pages continue."""

    def __init__(self, jobs: int) -> None:
        self._jobs = jobs
        self._executor = self._new()

    def __enter__(self) -> _Pool:
        return self

    def __exit__(self, *_: object) -> None:
        self._executor.shutdown(wait=True, cancel_futures=True)

    def _new(self) -> ProcessPoolExecutor:
        return spawned(self._jobs)

    def renew(self) -> None:
        self._executor.shutdown(wait=False, cancel_futures=True)
        self._executor = self._new()

    def submit(self, shard: Sequence[Task]) -> Future[list[MadePage | None]]:
        return submitted(self._executor, _make_shard, shard)

    def alone(self, task: Task) -> MadePage | None:
        try:
            return self.submit([task]).result()[0]
        except BrokenProcessPool:
            self.renew()
            return page_in_place(task, Fault("it ended the process that tried to make it"))

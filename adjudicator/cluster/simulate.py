"""Simulate games on a cluster: each worker plays some and writes them into a separate archive."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Final

from adjudicator.archive.writer import archive_of, blocks_of
from adjudicator.cluster.workers import ClusterError, connect, in_order, run_on, thread_pool
from adjudicator.core.values import Value, Whole, canonical_bytes, digest, replace
from adjudicator.files.atomic import write_atomic
from adjudicator.library.errors import RequestError
from adjudicator.library.game import Game
from adjudicator.processes import Done, Lost
from adjudicator.rulesets import meta
from adjudicator.simulate.plan import Plan, name_of
from adjudicator.simulate.run import Job, PlayedGame, folder_for, game_pool, require_playable, sound_games
from adjudicator.simulate.statistics import GameTally, tally_game
from adjudicator.sources.archive_reader import open_archive
from adjudicator.sources.candidates import GAMES, is_archive

SHARD: Final = 16
"""The number of games that a worker plays before it reports."""


class Task(Value):
    """The games of a ``job`` to play, from number ``first`` to ``last``, and the archive for them (empty: none)."""

    job: Job
    first: Whole
    last: Whole
    archive: str = ""


def tally_on_cluster(
    address: str,
    plan: Plan,
    *,
    jobs: int = 1,
    out: str | None = None,
    audit: bool = False,
    force: bool = False,
    notify: Callable[[], object] = lambda: None,
) -> Iterator[GameTally]:
    """Play the games of ``plan`` as ``tally_games`` does, on the workers of a dask scheduler at ``address`` (or `local`).

    They write archives into the folder ``out``, and play no game again that is there. Raises also ``ClusterError``.
    """
    if out is not None and is_archive(out):
        raise RequestError("name a folder for the games: each worker of a cluster writes its own archives there")
    return _tallies(address, jobs, Job(plan, is_audited=audit), folder_for(out, force=force), notify)


def _tallies(address: str, workers: int, job: Job, folder: Path | None, notify: Callable[[], object]) -> Iterator[GameTally]:
    # The name of an archive depends on all that decides its games, so that a resumed run takes none of another simulation.
    of = (replace(job.plan, games=0), meta(job.plan.ruleset).version, job.is_audited)
    mark = digest(canonical_bytes(of))[:16]

    def tasks() -> Iterator[Task]:
        for first in range(1, job.plan.games + 1, SHARD):
            last = min(first + SHARD - 1, job.plan.games)
            name = f"{name_of(job.plan, first)}-{last:05d}-{mark}{GAMES}"
            yield Task(job, first, last, "" if folder is None else str(folder.absolute() / name))

    def played() -> Iterator[tuple[int, list[Done]]]:
        for done in run_on(client, _play_task, tasks()):
            if isinstance(done.result, Lost):
                raise ClusterError(f"games {done.task.first} to {done.task.last} could not be played: {done.result.words}")
            yield done.task.first // SHARD, done.result

    with connect(address, workers) as client:
        require_playable(job.plan)
        for games in in_order(played()):
            yield from (game.tally for game in sound_games(job, games, notify))


def _play_task(task: Task) -> list[Done]:
    """Play the games of ``task``, or read those archived before, and return their counts, but no games."""
    numbers = range(task.first, task.last + 1)
    if task.archive and os.path.exists(task.archive):
        with closing(open_archive(task.archive)) as archive:
            files = [archive.read(at, f"{name_of(task.job.plan, number)}.json")[1] for at, number in enumerate(numbers, 1)]
        games = zip(numbers, map(Game.load, files), strict=True)
        return [Done(number, PlayedGame(tally_game(game, number), None)) for number, game in games]
    job = replace(task.job, archive=os.path.dirname(task.archive) if task.archive else None)
    done = list(thread_pool(job, game_pool).run(numbers))
    played = {one.task: one.result for one in done if isinstance(one.result, PlayedGame)}
    packed = [game.packed for game in played.values() if game.packed is not None]
    if task.archive and len(packed) == len(done):
        write_atomic(task.archive, archive_of(task.archive, blocks_of(packed)))
    return [replace(one, result=replace(one.result, packed=None)) if one.task in played else one for one in done]

"""Plays many games in several processes; their number does not change the games."""

from __future__ import annotations

import traceback
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from adjudicator.archive.lines import PackedGame, pack_game
from adjudicator.archive.writer import archive_of, blocks_of
from adjudicator.audit.decide import audit_game
from adjudicator.core.frozen import frozen
from adjudicator.processes import spawned
from adjudicator.reports.statistics import GameTally
from adjudicator.reports.verdict import Divergence
from adjudicator.session import open_session
from adjudicator.simulate.plan import Plan, name_of, require_sound
from adjudicator.simulate.play import play_game
from adjudicator.simulate.tally import tally_game
from adjudicator.store.atomic import sweep_folder, write_atomic
from adjudicator.store.load import load_game
from adjudicator.store.save import dump_game, locked

_SHARD: Final = 16
"""The largest number of games that a process plays before it reports."""
_ROUNDS: Final = 4
"""A shard is at most this part of a process's remaining games, so that all processes are busy to the end."""


class SimulationFaultError(Exception):
    """Reports a bug that a game showed, with the seed and the number that reproduce it."""

    def __init__(self, plan: Plan, number: int, why: str, details: str = "") -> None:
        """Say that game ``number`` of ``plan`` failed and ``why``; ``details`` say where in the program."""
        again = f"simulate {plan.ruleset} --players {plan.players} --player {plan.player} --seed {plan.seed}"
        options = "".join(f" --option {name}={value}" for name, value in plan.options.items())
        super().__init__(f"game {number} of `{again}{options}`: {why}")
        self.number, self.details = number, details


@frozen
class Job:
    """A plan and what to do with its games: write them to the folder ``out`` or into one ``archive``, audit each."""

    plan: Plan
    out: Path | None = None
    is_audited: bool = False
    archive: str | None = None


@frozen
class PlayedGame:
    """The tally of a game, and the packed game if it goes into an archive."""

    tally: GameTally
    packed: PackedGame | None


@frozen
class Fault:
    """A bug that game ``number`` showed."""

    number: int
    why: str
    details: str


def simulate(job: Job, jobs: int = 1) -> Iterator[GameTally]:
    """Play the games of ``job`` in ``jobs`` processes; yield the tally of each, in the order of their numbers.

    Raises ``SetupError`` if the plan makes no sense, ``CannotWrite``, and ``SimulationFaultError`` at the first bug.
    """
    require_sound(job.plan)
    play_setup_check(job.plan)
    if job.out is not None:
        sweep_folder(job.out)
    numbers = job.plan.numbers
    shards = list(shards_of(numbers, jobs))
    results = map(play_shard, [job] * len(shards), shards) if jobs == 1 else _over_processes(job, shards, jobs)
    games = sound_games(job, results)
    if job.archive is None:
        yield from (game.tally for game in games)
        return
    tallies: list[GameTally] = []
    with locked(job.archive):
        write_atomic(job.archive, archive_of(job.archive, blocks_of(_to_archive(games, tallies))))
    yield from tallies


def sound_games(job: Job, results: Iterable[list[PlayedGame | Fault]]) -> Iterator[PlayedGame]:
    """Yield the games in ``results``. Raises ``SimulationFaultError`` at the first bug."""
    for result in results:
        for game in result:
            if isinstance(game, Fault):
                raise SimulationFaultError(job.plan, game.number, game.why, game.details)
            yield game


def _to_archive(games: Iterable[PlayedGame], tallies: list[GameTally]) -> Iterator[PackedGame]:
    for game in games:
        assert game.packed is not None
        tallies.append(game.tally)
        yield game.packed


def play_setup_check(plan: Plan) -> None:
    """Raise ``SetupError`` if ``plan`` cannot set up a game; call it before starting processes."""
    from adjudicator.begin import begin_game
    from adjudicator.simulate.plan import wish_of

    begin_game(wish_of(plan, 1))


def shards_of(numbers: range, jobs: int) -> Iterator[range]:
    """Cut ``numbers`` into shards for ``jobs`` processes: large ones first, in the end single games."""
    at = 0
    while at < len(numbers):
        size = max(1, min(_SHARD, (len(numbers) - at) // (_ROUNDS * jobs)))
        yield numbers[at : at + size]
        at += size


def _over_processes(job: Job, shards: list[range], jobs: int) -> Iterator[list[PlayedGame | Fault]]:
    pool = spawned(min(jobs, len(shards)))
    try:
        yield from pool.map(play_shard, [job] * len(shards), shards)
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def play_shard(job: Job, numbers: range) -> list[PlayedGame | Fault]:
    """Play games ``numbers``; a bug ends the shard and is returned as a value, since some exceptions cannot be sent."""
    from adjudicator.store.errors import FileProblem

    done: list[PlayedGame | Fault] = []
    for number in numbers:
        try:
            done.append(_play_one(job, number))
        except FileProblem:
            raise
        except Exception as error:
            done.append(Fault(number, f"{type(error).__name__}: {error}", traceback.format_exc()))
            break
    return done


def _play_one(job: Job, number: int) -> PlayedGame:
    played, packed = play_game(job.plan, number), None
    if job.out is not None or job.is_audited or job.archive is not None:
        name, data = f"{name_of(job.plan, number)}.json", dump_game(played.session.game)
        if job.out is not None:
            write_atomic(job.out / name, data, sweeps=False)
        if job.archive is not None:
            packed = pack_game(name, data)
        if job.is_audited:
            _require_verified(data)
    return PlayedGame(tally_game(played.session, number), packed)


class DivergedError(Exception):
    """Says that the audit does not verify a game that was just played: a bug."""

    def __init__(self, found: Divergence) -> None:
        """Describe the first divergence."""
        recorded, recomputed = found.recorded[:200], found.recomputed[:200]
        where = f"entry {found.entry}, {found.field}" if found.field else f"entry {found.entry}"
        super().__init__(f"{found.kind.value}, {where}: recorded {recorded}, recomputed {recomputed} {found.rule}".rstrip())


def _require_verified(data: bytes) -> None:
    """Load the game in ``data`` in bulk, and audit it. Raises ``DivergedError``, ``Untrusted``."""
    verdict = audit_game(open_session(load_game(data)))
    if verdict.divergence is not None:
        raise DivergedError(verdict.divergence)

"""Play many games in several processes; their number does not change the games."""

from __future__ import annotations

import os
import traceback
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path

from adjudicator.archive.writer import archive_of, blocks_of
from adjudicator.audit.decide import audit_game
from adjudicator.core.problem import SetupError
from adjudicator.core.values import Value
from adjudicator.files.atomic import write_atomic
from adjudicator.files.errors import FileProblem
from adjudicator.files.lock import locked
from adjudicator.library.begin import begin_game
from adjudicator.library.errors import RequestError
from adjudicator.library.game import Game
from adjudicator.processes import TIMEOUT, Done, Lost, Pool
from adjudicator.rulesets import own_meta
from adjudicator.simulate.plan import Plan, choices_for, name_of, require_sound
from adjudicator.simulate.play import play_game
from adjudicator.simulate.statistics import GameTally, tally_game
from adjudicator.sources.archive_lines import PackedGame, pack_game
from adjudicator.sources.candidates import is_archive
from adjudicator.store.game_file import dump_game, load_game
from adjudicator.verdict import Divergence


class SimulationFaultError(Exception):
    """Report a bug that a game showed, with the seed and the number that reproduce it."""

    def __init__(self, plan: Plan, number: int, why: str, details: str = "") -> None:
        """Say that game ``number`` of ``plan`` failed and ``why``; ``details`` say where in the program."""
        again = f"simulate {plan.ruleset} --players {plan.players} --player {plan.player} --seed {plan.seed}"
        options = "".join(f" --option {name}={value}" for name, value in plan.options.items())
        super().__init__(f"game {number} of `{again}{options}`: {why}")
        self.number, self.details = number, details
        self.ruleset = "" if own_meta(plan.ruleset) else plan.ruleset  # its bug, and not one of this program


class Job(Value):
    """A plan and what to do with its games: write them to the folder ``out`` or into one ``archive``, audit each."""

    plan: Plan
    out: Path | None = None
    is_audited: bool = False
    archive: str | None = None


class PlayedGame(Value):
    """The tally of a game, and the packed game if it goes into an archive."""

    tally: GameTally
    packed: PackedGame | None


class Fault(Value):
    """A bug that a game showed."""

    why: str
    details: str


def tally_games(
    plan: Plan,
    *,
    jobs: int = 1,
    out: str | None = None,
    audit: bool = False,
    force: bool = False,
    notify: Callable[[], object] = lambda: None,
) -> Iterator[GameTally]:
    """Play the games of ``plan`` in ``jobs`` processes; yield the counts of each, which ``statistics`` adds up.

    ``out`` is an empty or new folder for the games, or a new archive NAME.jsonl.zst; with ``force`` it can have contents.
    ``audit`` checks each game. Each game calls ``notify``. Raises ``RequestError``, ``SetupError``, ``CannotWrite``.
    """
    if out is None or not is_archive(out):
        return simulate(Job(plan, folder_for(out, force=force), is_audited=audit), jobs, notify)
    if os.path.lexists(out) and not force:
        raise RequestError(f"use `force` to replace {out}, which already exists")
    return simulate(Job(plan, is_audited=audit, archive=out), jobs, notify)


def folder_for(out: str | None, *, force: bool) -> Path | None:
    """Return the folder for the games, and make it if it does not exist. Raises ``RequestError``."""
    if out is None:
        return None
    folder = Path(out)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        is_filled = next(os.scandir(folder), None) is not None
    except FileExistsError:
        raise RequestError(f"name a folder for the games: {out} is a file") from None
    except (OSError, ValueError) as error:
        cause = getattr(error, "strerror", None) or error
        raise RequestError(f"name another folder for the games: {out} cannot be used: {cause}") from error
    if is_filled and not force:
        raise RequestError(f"name another folder for the games, or use `force`: {out} is not empty")
    return folder


def simulate(job: Job, jobs: int = 1, notify: Callable[[], object] = lambda: None) -> Iterator[GameTally]:
    """Play the games of ``job`` in ``jobs`` processes; yield the tally of each, in the order of their numbers.

    Each game calls ``notify`` when it is over, because with an archive all tallies come at the end.
    Raises ``SetupError`` if the plan makes no sense, ``CannotWrite``, and ``SimulationFaultError`` at the first bug.
    """
    require_playable(job.plan)
    with game_pool(job, jobs) as pool:
        games = sound_games(job, pool.run(job.plan.numbers), notify)
        if job.archive is None:
            yield from (game.tally for game in games)
            return
        tallies: list[GameTally] = []
        with locked(job.archive):
            write_atomic(job.archive, archive_of(job.archive, blocks_of(_to_archive(games, tallies))))
    yield from tallies


def game_pool(job: Job, jobs: int = 1) -> Pool:
    """Return a pool of processes that play the games of ``job``, whose tasks are the numbers of games.

    Rulesets of this program have no time limit.
    """
    return Pool(partial(_play_contained, job), jobs, None if own_meta(job.plan.ruleset) else TIMEOUT)


def require_playable(plan: Plan) -> None:
    """Raise ``SetupError`` if ``plan`` cannot set up a game, ``SimulationFaultError`` if a bug shows."""
    require_sound(plan)
    try:
        begin_game(choices_for(plan, 1))
    except SetupError:
        raise
    except Exception as error:
        raise _fault_error(plan, 1, _fault(error)) from error


def sound_games(job: Job, games: Iterable[Done], notify: Callable[[], object]) -> Iterator[PlayedGame]:
    """Yield the played ``games``, and call ``notify`` for each.

    Raises ``SimulationFaultError`` at the first bug, ``CannotWrite``.
    """
    for done in games:
        if isinstance(done.result, FileProblem):
            raise done.result
        if not isinstance(done.result, PlayedGame):
            raise _fault_error(job.plan, done.task, done.result)
        notify()
        yield done.result


def _fault_error(plan: Plan, number: int, found: Fault | Lost) -> SimulationFaultError:
    if isinstance(found, Fault):
        return SimulationFaultError(plan, number, found.why, found.details)
    words = f"did not finish within {TIMEOUT} seconds" if found.is_late else found.words
    return SimulationFaultError(plan, number, f"the ruleset “{plan.ruleset}” {words}")


def _to_archive(games: Iterable[PlayedGame], tallies: list[GameTally]) -> Iterator[PackedGame]:
    for game in games:
        assert game.packed is not None
        tallies.append(game.tally)
        yield game.packed


def _play_contained(job: Job, number: int) -> PlayedGame | Fault | FileProblem:
    """Play game ``number``; return a bug as a value, since some exceptions cannot be sent to another process."""
    try:
        game, packed = play_game(job.plan, number), None
        if job.out is not None or job.is_audited or job.archive is not None:
            name, data = f"{name_of(job.plan, number)}.json", dump_game(game.record)
            if job.out is not None:
                write_atomic(job.out / name, data)
            if job.archive is not None:
                packed = pack_game(name, data)
            found = audit_game(Game.of(load_game(data))).divergence if job.is_audited else None
            if found is not None:
                raise DivergedError(found)
        return PlayedGame(tally_game(game, number), packed)
    except FileProblem as error:
        return error
    except Exception as error:
        return _fault(error)


def _fault(error: Exception) -> Fault:
    return Fault(f"{type(error).__name__}: {error}", traceback.format_exc())


class DivergedError(Exception):
    """Report that the audit does not verify a game that was just played: a bug."""

    def __init__(self, found: Divergence) -> None:
        """Describe the first divergence."""
        recorded, recomputed = found.recorded[:200], found.recomputed[:200]
        where = f"entry {found.n}, {found.field}" if found.field else f"entry {found.n}"
        super().__init__(f"{found.kind.value}, {where}: recorded {recorded}, recomputed {recomputed} {found.rule}".rstrip())

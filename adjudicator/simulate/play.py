"""Play games with simulated players: their orders go through the adjudicator like a player's, and no bug goes unnoticed."""

from __future__ import annotations

import os
import traceback
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from random import Random

from adjudicator.archive.many import run
from adjudicator.archive.writer import archive_of, blocks_of
from adjudicator.audit.decide import audit_game
from adjudicator.audit.texts import divergence_text
from adjudicator.core.engine import adjudicate
from adjudicator.core.order import Instruction, Sheet
from adjudicator.core.problem import SetupError
from adjudicator.core.step import committed_chance
from adjudicator.core.values import Seat, Value, Whole
from adjudicator.files.atomic import write_atomic
from adjudicator.files.errors import CannotWrite, FileProblem
from adjudicator.files.lock import locked
from adjudicator.files.reading import read
from adjudicator.library.begin import begin_game
from adjudicator.library.errors import RequestError
from adjudicator.library.game import Game
from adjudicator.processes import TIMEOUT, Lost
from adjudicator.rulesets import own_meta
from adjudicator.simulate.bots import chosen
from adjudicator.simulate.plan import Plan, simulation_plan
from adjudicator.simulate.statistics import GameTally, tally_game
from adjudicator.sources.archive_lines import PackedGame, pack_game
from adjudicator.sources.candidates import is_archive
from adjudicator.store.game_file import dump_game, load_game


class FoulPlayError(Exception):
    """Report a bug: the adjudicator refused an order that was listed as legal, or the audit does not verify the game."""


class SimulationFaultError(Exception):
    """Report a bug that a game showed, with the seed and the number that reproduce it."""

    def __init__(self, plan: Plan, number: int, why: str, details: str = "") -> None:
        """Say that game ``number`` of ``plan`` failed and ``why``; ``details`` say where in the program."""
        again = f"simulate {plan.ruleset} --players {plan.players} --player {plan.player} --seed {plan.seed}"
        options = "".join(f" --option {name}={value}" for name, value in plan.options.items())
        super().__init__(f"game {number} of `{again}{options}`: {why}")
        self.number, self.details = number, details
        self.ruleset = "" if own_meta(plan.ruleset) else plan.ruleset  # its bug, and not one of this program


def simulate_games(
    ruleset: str,
    games: int = 1,
    *,
    players: int = 0,
    player: str = "random",
    seed: int = 1,
    options: Mapping[str, str | int] | None = None,
    most_orders: int = 5_000,
) -> Iterator[Game]:
    """Play ``games`` between simulated players; yield each game as soon as it is over.

    The arguments and errors are those of ``simulation_plan``.
    """
    plan = simulation_plan(
        ruleset, games, players=players, player=player, seed=seed, options=options, most_orders=most_orders
    )
    yield from (_play(plan, number, begin_game(plan.choices_for(number))) for number in plan.numbers)


def _play(plan: Plan, number: int, begun: Game) -> Game:
    return play_on(begun, begun.players, plan.luck_of(number), plan.most_orders)


def play_on(game: Game, players: Mapping[Seat, str], luck: Random, most_orders: int) -> Game:
    """Continue ``game`` by up to ``most_orders`` orders of the simulated ``players``, by their seats.

    It ends where none of these seats is due. The game has no pending orders.

    Raises ``FoulPlayError``, or whatever a bug in the rules raises.
    """
    chance = committed_chance(game.record, game.record.journal[-1].entry.drawn)
    for number in range(1, most_orders + 1):
        seat = next((ask.seat for ask in game.rules.due(game.record.state) if ask.seat in players), None)
        if seat is None:
            break
        order = chosen(game, seat, players[seat], luck)
        sheet = Sheet(seat, (Instruction(order),))
        outcome = adjudicate(game.rules, game.record, [sheet], chance=chance)
        # What is left of an order of several steps may be refused: its first step may end the game.
        if all(link.entry.seat != seat for link in outcome.accepted):
            words = "; ".join(diagnostic.problem.message for diagnostic in outcome.diagnostics)
            raise FoulPlayError(f"order {number}, {seat}: {game.rules.language.text(order)}: {words or 'not taken'}")
        game = game.with_record(outcome.record)
    return game


class _Task(Value):
    """The ``number`` of a game to play, and the ``data`` of its file, if an earlier run has written one."""

    number: Whole
    data: bytes = b""


class _Played(Value):
    """The ``tally`` of a game, and the ``data`` of its file, if it is to be written."""

    tally: GameTally
    data: bytes = b""


class _Fault(Value):
    """A bug that a game showed; some exceptions cannot be sent to another process."""

    words: str
    details: str = ""


def tally_games(
    plan: Plan,
    *,
    jobs: int = 1,
    cluster: str = "",
    out: str | None = None,
    audit: bool = False,
    force: bool = False,
    resume: bool = False,
    notify: Callable[[], object] = lambda: None,
) -> Iterator[GameTally]:
    """Play the games of ``plan``; yield the counts of each in the order of their numbers, for ``statistics``.

    ``jobs`` processes play, or the workers of the dask scheduler at the address ``cluster`` (`local`: as many on this
    machine). ``out`` is an empty or new folder for the games; with ``force`` it can have contents, with ``resume`` it has
    games of an earlier run, which are kept. ``audit`` checks each game. Each game calls ``notify``.

    Raises ``SetupError``, ``RequestError``, ``FileProblem``, ``ClusterError``, ``SimulationFaultError`` at the first bug.
    """
    try:
        begin_game(plan.choices_for(1))
    except SetupError:
        raise
    except Exception as error:
        raise SimulationFaultError(plan, 1, f"{type(error).__name__}: {error}", traceback.format_exc()) from error
    folder = None if out is None or is_archive(out) else _folder(out, is_filled=force or resume)
    if out is not None and folder is None and os.path.lexists(out) and not force:
        raise RequestError(f"use `force` to replace {out}, which already exists")

    def tasks() -> Iterator[_Task]:
        for number in plan.numbers:
            path = None if folder is None else folder / f"{plan.name_of(number)}.json"
            yield _Task(number, read(str(path))[1] if resume and path is not None and path.exists() else b"")

    def played() -> Iterator[tuple[str, _Played]]:
        work = partial(_work, plan, is_audited=audit, is_written=out is not None)
        seconds = None if own_meta(plan.ruleset) else TIMEOUT  # rulesets of this program need no limit
        for done in run(work, tasks(), jobs=jobs, timeout=seconds, cluster=cluster):
            found = done.result
            if isinstance(found, FileProblem):
                raise found
            if isinstance(found, Lost):
                words = f"did not finish within {TIMEOUT} seconds" if found.is_late else found.words
                found = _Fault(f"the ruleset “{plan.ruleset}” {words}")
            if isinstance(found, _Fault):
                raise SimulationFaultError(plan, done.task.number, found.words, found.details)
            notify()
            yield f"{plan.name_of(done.task.number)}.json", found

    if out is None or folder is not None:
        for name, game in played():
            if folder is not None and game.data:
                write_atomic(folder / name, game.data)
            yield game.tally
        return
    tallies = list[GameTally]()

    def packed() -> Iterator[PackedGame]:
        for name, game in played():
            tallies.append(game.tally)
            yield pack_game(name, game.data)

    with locked(out):
        write_atomic(out, archive_of(out, blocks_of(packed())))
    yield from tallies


def _folder(out: str, *, is_filled: bool) -> Path:
    """Return the folder ``out``, and make it if it does not exist; it ``is_filled`` or empty. Raises ``RequestError``."""
    folder = Path(out)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if next(os.scandir(folder), None) is not None and not is_filled:
            raise RequestError(f"name another folder for the games, or use `force`: {out} is not empty")
    except FileExistsError:
        raise RequestError(f"name a folder for the games: {out} is a file") from None
    except (OSError, ValueError) as error:
        cause = getattr(error, "strerror", None) or error
        raise RequestError(f"name another folder for the games: {out} cannot be used: {cause}") from error
    return folder


def _work(plan: Plan, task: _Task, *, is_audited: bool, is_written: bool) -> _Played | _Fault | FileProblem:
    """Play the game of ``task``, unless an earlier run has; return a bug as a value."""
    try:
        begun, name = begin_game(plan.choices_for(task.number)), f"{plan.name_of(task.number)}.json"
        game = _earlier(plan, begun, name, task.data) if task.data else None
        is_new = game is None
        if game is None:
            game = _play(plan, task.number, begun)
        data = dump_game(game.record) if is_audited or (is_new and is_written) else b""
        divergence = audit_game(Game.of(load_game(data))).divergence if is_audited else None
        if divergence is not None:
            raise FoulPlayError(divergence_text(divergence))
        return _Played(tally_game(game, task.number), data if is_new else b"")
    except FileProblem as error:
        return error
    except Exception as error:
        return _Fault(f"{type(error).__name__}: {error}", traceback.format_exc())


def _earlier(plan: Plan, begun: Game, name: str, data: bytes) -> Game | None:
    """Return the game in ``data``, which an earlier run has written, ``None`` if it stopped before it was over.

    Raises ``CannotWrite`` if this is another game than the one that has ``begun``, ``Untrusted``.
    """
    try:
        game = Game.load(data)
    except FileProblem as error:
        error.rename(name)
        raise
    orders = len(game.record.journal) - 1
    if orders > plan.most_orders or game.record.journal[0].hash != begun.record.journal[0].hash:
        raise CannotWrite(
            name, "this is not a game of this simulation: name another folder, or use `force` instead of `resume`"
        )
    return game if game.is_over or orders == plan.most_orders else None

"""Plan and play games: orders of simulated players go through the adjudicator like a player's, and no bug goes unnoticed.

A fork is a private game that goes on from a position of another one.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from functools import partial
from pathlib import Path
from random import Random
from secrets import token_hex
from typing import Any, Final

from adjudicator.archive.add import File, misnamed, write_games
from adjudicator.archive.many import run
from adjudicator.archive.store import OLD, is_archive, open_archive
from adjudicator.audit.decide import audit_game
from adjudicator.audit.judge import divergence_text
from adjudicator.core.advice import seen
from adjudicator.core.chance import ChanceRecord, commitment
from adjudicator.core.corrections import Forked, Undone
from adjudicator.core.engine import adjudicate, begin
from adjudicator.core.game import Record
from adjudicator.core.order import Instruction, Sheet
from adjudicator.core.problem import Problem, SetupError
from adjudicator.core.ruleset import Player
from adjudicator.core.step import committed_chance
from adjudicator.core.step import fork as begin_fork
from adjudicator.core.values import MODERATOR, USUAL_SEATS, Seat, Value, digest, field, json_value, replace
from adjudicator.files.errors import CannotWrite, FileProblem
from adjudicator.files.reading import read
from adjudicator.files.typed import Misfit, convert
from adjudicator.files.writing import sync_folder, write_atomic
from adjudicator.library.begin import BAD_ID, GAME_ID
from adjudicator.library.begin import new as new_game
from adjudicator.library.errors import RequestError
from adjudicator.library.game import Game, open_game
from adjudicator.library.reader import Reader, Step
from adjudicator.library.results import Result
from adjudicator.processes import TIMEOUT, Lost
from adjudicator.results import ArchivedGame
from adjudicator.rulesets import meta, own_meta, place_of_bug
from adjudicator.simulate.bots import PLAYERS, choose_order, chosen
from adjudicator.simulate.statistics import GameStatistics, GameTally, tally_game
from adjudicator.store.game_file import dump_game, load_game

MIXED: Final = "mixed"
"""Players alternate game by game: odd seats random and even ones greedy, then the other way round."""
STRATEGIES: Final = (*PLAYERS, MIXED)
"""The possible values of ``Plan.player``."""
MOST_GAMES: Final = 1_000_000


class Plan(Value, kw_only=True):
    """The plan of a simulation: the number of ``games`` and ``players``, the ``options``, and the kind of ``player``.

    ``seed`` fixes everything. A game stays unfinished after ``most_orders`` orders.
    """

    ruleset: str
    games: int
    players: int
    seed: int = 1
    player: str = "random"
    options: Mapping[str, str] = field(default_factory=dict)
    most_orders: int = 5_000

    @property
    def numbers(self) -> range:
        """The numbers of the games, from 1."""
        return range(1, self.games + 1)

    def name_of(self, number: int) -> str:
        """Return the id of game ``number``."""
        return f"{self.ruleset}-{number:05d}"

    def file_of(self, number: int) -> str:
        """Return the name of the file of game ``number``."""
        return f"{self.name_of(number)}.json"

    def secret_of(self, number: int) -> str:
        """Return the secret of chance of game ``number``, 64 hexadecimal digits: SHA-256 over the seed and the number."""
        return digest(b"adjudicator simulate 1\n", f"{self.seed}\n{number}\n".encode())

    def luck_of(self, number: int) -> Random:
        """Return the generator for the players' choices in game ``number``, independent of the game's chance."""
        return Random(f"adjudicator players 1\n{self.seed}\n{number}")

    def begin(self, number: int) -> Game:
        """Begin game ``number``: each seat's holder is the simulated player that plays it. Raises ``SetupError``."""
        names = tuple(PLAYERS)
        players = (names[(number + at) % len(names)] if self.player == MIXED else self.player for at in range(self.players))
        holders = dict(zip(USUAL_SEATS, players, strict=False))
        seed = self.secret_of(number)
        return new_game(self.ruleset, holders, id=self.name_of(number), options=self.options, seed=seed)


def simulation_plan(
    ruleset: str,
    games: int = 1,
    *,
    players: int = 0,
    player: str = "random",
    seed: int = 1,
    options: Mapping[str, str | int] | None = None,
    most_orders: int = 5_000,
) -> Plan:
    """Return a plan of ``games`` between simulated players, for ``tally_games``; the same ``seed`` gives the same games.

    ``players`` is the number of seats (0: the fewest), ``player`` is ``random``, ``greedy`` or ``mixed``. A game stops
    unfinished after ``most_orders`` orders. Raises ``SetupError``, ``UnknownRuleset``.
    """
    about = meta(ruleset.lower())
    fewest, most = about.players
    players = players or fewest
    wrong = []
    if not fewest <= players <= min(most, len(USUAL_SEATS)):
        wrong.append(Problem("simulate/players", f"{about.name} is for {about.players_words}, not {players}"))
    if not 1 <= games <= MOST_GAMES:
        wrong.append(Problem("simulate/games", f"the number of games is 1 to {MOST_GAMES:,}, not {games:,}"))
    if player not in STRATEGIES:
        known = f"{', '.join(STRATEGIES[:-1])} or {STRATEGIES[-1]}"
        wrong.append(Problem("simulate/player", f"a player is {known}, not “{player}”"))
    if most_orders < 1:
        wrong.append(Problem("simulate/most-orders", f"a game has at least 1 order, not {most_orders}"))
    if wrong:
        raise SetupError(tuple(wrong))
    return Plan(
        ruleset=about.id,
        games=games,
        players=players,
        seed=seed,
        player=player,
        options={name: str(value) for name, value in (options or {}).items()},
        most_orders=most_orders,
    )


class Simulation(GameStatistics, kw_only=True):
    """Statistics of simulated games, with their plan, and the number of ``audited`` games."""

    plan: Plan
    audited: int


class FoulPlayError(Exception):
    """Report a bug: the adjudicator refused an order that was listed as legal, or the audit does not verify the game."""


class SimulationFaultError(Exception):
    """Report a bug that a game showed, with the seed and the number that reproduce it."""

    def __init__(self, plan: Plan, number: int, why: str) -> None:
        """Say that game ``number`` of ``plan`` failed and ``why``."""
        super().__init__(plan, number, why)  # another process makes the same error from them
        self.ruleset = "" if own_meta(plan.ruleset) else plan.ruleset  # its bug, and not one of this program

    @classmethod
    def of(cls, plan: Plan, number: int, error: Exception) -> SimulationFaultError:
        """Return the report of ``error``, with its place in the rules or in the program."""
        return cls(plan, number, f"{type(error).__name__}: {error} ({place_of_bug(error)})")

    def __str__(self) -> str:
        """Return the words for people."""
        plan, number, why = self.args
        again = f"simulate {plan.ruleset} --players {plan.players} --player {plan.player} --seed {plan.seed}"
        options = "".join(f" --option {name}={value}" for name, value in plan.options.items())
        return f"game {number} of `{again}{options}`: {why}"


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
    yield from (_play(plan, number, plan.begin(number)) for number in plan.numbers)


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


_Task = tuple[int, bytes]
"""The number of a game to play, and its file if an earlier run has written one."""
_Played = tuple[str, GameTally, bytes]
"""The name of a game's file, its counts, and the file, if it is to be written."""


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
    machine). ``out`` is an empty or new folder for the games, or a new archive NAME.adjudicator.db, which gets all of them
    at the end. With ``force`` it can have contents; with ``resume`` it has games of an earlier run, which are kept.
    ``audit`` checks each game. Each game calls ``notify``.

    Raises ``SetupError``, ``RequestError``, ``FileProblem``, ``ClusterError``, ``SimulationFaultError`` at the first bug.
    """
    try:
        plan.begin(1)
    except SetupError:
        raise
    except Exception as error:
        raise SimulationFaultError.of(plan, 1, error) from error

    def played(numbers: Iterable[int], earlier: Callable[[str], bytes] = lambda _: b"") -> Iterator[_Played]:
        tasks = ((number, earlier(plan.file_of(number))) for number in numbers)
        work = partial(_work, plan, is_audited=audit, is_written=out is not None)
        seconds = None if own_meta(plan.ruleset) else TIMEOUT  # rulesets of this program need no limit
        for done in run(work, tasks, jobs=jobs, timeout=seconds, cluster=cluster, label=lambda task: task[0]):
            if isinstance(done.result, Exception):
                raise done.result
            if isinstance(done.result, Lost):
                words = f"did not finish within {TIMEOUT} seconds" if done.result.is_late else done.result.words
                raise SimulationFaultError(plan, done.task, f"the ruleset “{plan.ruleset}” {words}")
            notify()
            yield plan.file_of(done.task), *done.result

    if out is not None and out.lower().endswith(OLD):
        raise CannotWrite(out, misnamed(out))
    if out is None:
        yield from (tally for _, tally, _ in played(plan.numbers))
    elif is_archive(out):
        yield from _archived(plan, played, out, force=force, resume=resume)
    else:
        folder = Path(out)
        try:
            folder.mkdir(parents=True, exist_ok=True)
            if next(os.scandir(folder), None) is not None and not (force or resume):
                raise RequestError(f"name another folder for the games, or use `force`: {out} is not empty")
        except FileExistsError:
            raise RequestError(f"name a folder for the games: {out} is a file") from None
        except (OSError, ValueError) as error:
            cause = getattr(error, "strerror", None) or error
            raise RequestError(f"name another folder for the games: {out} cannot be used: {cause}") from error

        def earlier(name: str) -> bytes:
            return read(str(folder / name))[1] if resume and (folder / name).exists() else b""

        for name, tally, data in played(plan.numbers, earlier):
            if data:
                write_atomic(folder / name, data, syncs_folder=False)
            yield tally
        sync_folder(str(folder))


def _archived(
    plan: Plan, played: Callable[..., Iterator[_Played]], out: str, *, force: bool, resume: bool
) -> list[GameTally]:
    """Put the games of ``plan``, which ``played`` yields, into the archive ``out``, all at once; return their counts.

    Games of an earlier run are counted before: while an archive is written, nobody can read it.
    """
    is_there, tallies, kept = os.path.lexists(out), list[GameTally](), set[str]()
    if is_there and not (force or resume):
        raise RequestError(f"use `force` to replace {out}, which already exists")
    if is_there and resume:
        with open_archive(out) as archive:
            kept.update(row.name for row in archive.rows() if isinstance(row, ArchivedGame))
            there = (number for number in plan.numbers if plan.file_of(number) in kept)
            for name, tally, data in played(there, lambda name: archive.read(name)[1]):
                if data:
                    raise CannotWrite(f"{out}#{name}", "this game was not over: name another archive")
                tallies.append(tally)

    def new() -> Iterator[File]:
        for name, tally, data in played(number for number in plan.numbers if plan.file_of(number) not in kept):
            tallies.append(tally)
            yield None, name, data

    write_games(out, new(), add=resume, force=force)
    return sorted(tallies, key=lambda tally: tally.number)


def _work(plan: Plan, task: _Task, *, is_audited: bool, is_written: bool) -> tuple[GameTally, bytes] | Exception:
    """Play the game of ``task``, unless an earlier run has; return its tally, and its file if that is to be written."""
    number, data = task
    try:
        begun, kept = plan.begin(number), None
        if data:
            kept = open_game(data, name=plan.file_of(number), whole=True)
            orders = len(kept.record.journal) - 1
            if orders > plan.most_orders or kept.record.journal[0].hash != begun.record.journal[0].hash:
                words = "this is not a game of this simulation: name another folder, or use `force` instead of `resume`"
                raise CannotWrite(plan.file_of(number), words)
            kept = kept if kept.is_over or orders == plan.most_orders else None  # it stopped before it was over
        game = _play(plan, number, begun) if kept is None else kept
        if kept is None:
            data = dump_game(game.record) if is_audited or is_written else b""
        divergence = audit_game(Game.of(load_game(data))).divergence if is_audited else None
        if divergence is not None:
            raise FoulPlayError(divergence_text(divergence))
        return tally_game(game, number), data if kept is None else b""
    except FileProblem as error:
        return error
    except Exception as error:
        return SimulationFaultError.of(plan, number, error)


# Forks ----------------------------------------------------------------------------------------------------------------


_PLAYER: Final = "greedy"
"""The simulated players of a fork."""
_TRIES: Final = 50
"""How often the unknown is dealt until it fits what the seat knows."""
_MOST_ORDERS: Final = 500
"""The number of orders that simulated players give at most until the person must decide."""
_SPARE: Final = 40
"""The number of orders that a simulated player may need more than twice as many as the player whom it stands for."""


def fork_game(reader: Reader, n: int, *, id: str = "", secret: str | None = None) -> Game:  # noqa: A002 - as for `new`
    """Return a private game that goes on from the position after entry ``n``, as ``reader`` saw it then.

    For a seat, all that it did not know is dealt anew, and simulated players have the other seats (see ``play_others``). For
    the moderator, the game has the whole position of that moment. It has another ``id`` (by default with the words ``fork``,
    the number and the beginning of its commitment) and another ``secret`` of chance (``None``: a random one).

    Raises ``RequestError`` for the public, for the end of a game, and if no position fits; ``NoSuchEntryError``.
    """
    game, viewer = reader.game, reader.viewer
    if id and not GAME_ID.fullmatch(id):
        raise RequestError(BAD_ID.format(id[:80]))
    if viewer is None:
        raise RequestError("name a seat, whose knowledge the private game has, or the moderator, who knows everything")
    steps = list[Step]()
    for step in reader.replay(0, n):
        if step.events and isinstance(undone := step.events[0], Undone):
            steps = [one for one in steps if one.n <= undone.to]
        steps.append(step)
    if id in (game.id, *(one.game for one in steps[0].events if isinstance(one, Forked))):
        raise RequestError(f"give the private game another id than {id}, which a game before it has")
    secret = token_hex(32) if secret is None else secret
    committed, luck = commitment(bytes.fromhex(secret)), Random(f"adjudicator fork 1\n{secret}")
    seat = None if viewer == MODERATOR else viewer
    setup = game.record.setup
    record = Record(
        id=id or f"{game.id[:55] if GAME_ID.fullmatch(game.id) else 'game'}-fork-{n}-{committed[:6]}",
        ruleset=game.record.ruleset,
        components=game.record.components,
        chance=ChanceRecord(source="committed", commitment=committed, secret=secret),
        setup=replace(
            setup,
            players=tuple(
                Player(one, steps[-1].holders[one] if seat in (one, None) else "simulated") for one in setup.seats
            ),
            position=setup.position if seat is None else game.rules.known_position(setup.position),
        ),
        journal=(),
        pending=(),
        state=None,
        languages=game.record.languages,
    )
    begun = Game.of(record)
    if begun.rules.is_over(steps[-1].view):
        raise RequestError(f"the game is over after entry {n}: name an earlier one")
    if seat is None:
        return begun.with_record(begin_fork(begun.rules, record, Forked(game=game.id, n=n, seat=None, state=steps[-1].view)))
    rules = begun.rules
    known = seen(rules.pieces, rules.config, seat, [(step.events, step.view) for step in steps])
    for _ in range(_TRIES):
        with suppress(SetupError):  # impossible after all, such as cards that none of them fits
            whole = steps[-1].view
            if rules.config.seats_are_independent:
                for part in getattr(whole, whole.own_in):
                    if part.seat != seat and not _is_whole(type(part), part):
                        whole = whole.with_own(_played_anew(begun, seat, part, steps, luck))
            whole = rules.suppose(replace(rules.view(whole, seat), state=whole), known, luck)
            if not _is_whole(rules.types.state, whole):  # as of a game that does not say how to suppose its secrets
                continue
            state = rules.amended(whole)
            if rules.view(state, seat).state == steps[-1].view:
                event = Forked(game=game.id, n=n, seat=seat, state=state)
                return begun.with_record(begin_fork(begun.rules, record, event))
    raise RequestError(f"no position was found that fits what {seat} knew after entry {n}: name another one")


def _is_whole(kind: Any, value: Any) -> bool:
    """Return whether ``value`` is a ``kind`` without placeholders."""
    try:
        return bool(convert(kind, json_value(value)) == value)
    except Misfit:
        return False


def _played_anew(begun: Game, viewer: Seat, shown: Any, steps: list[Step], luck: Random) -> Any:
    """Return the part of an independent seat of which ``viewer`` sees only what is in ``shown``.

    A simulated player has that seat from the beginning, until the viewer would see the same: after as many orders as
    the log has, or nearly so. Raises ``SetupError`` if it does not come there.
    """
    rules, seat, found = begun.rules, shown.seat, list[tuple[int, Any]]()
    orders = sum(row.seat == seat and row.order != "" for step in steps for row in step.rows)
    secret = luck.randbytes(32)
    chance = ChanceRecord(source="committed", commitment=commitment(secret), secret=secret.hex())
    game = begun.with_record(begin(rules, replace(begun.record, chance=chance)))
    for number in range(2 * orders + _SPARE):
        state = game.record.state
        if rules.view(state, viewer).state.of(seat) == shown:
            found.append((abs(number - orders), state.of(seat)))
        elif found:
            break
        game = play_on(game, {seat: _PLAYER}, luck, 1)
    if not found:
        rules.refuse("unknown-secrets", [f"{seat} is not where a simulated player comes"])
    return min(found, key=lambda one: one[0])[1]


def play_others(game: Game, person: str) -> Game:
    """Return ``game`` after orders of simulated players for all others, up to where the seat ``person`` must act."""
    for _ in range(_MOST_ORDERS):
        due = game.due_seats
        if not due or person in due:
            break
        result = game.apply({due[0]: choose_order(game, due[0], _PLAYER, None)})
        if not result.accepted:
            raise FoulPlayError(f"{due[0]}: {'; '.join(one.message for one in result.problems) or 'not taken'}")
        # Nobody has sent these orders, so they have no receipts.
        game = result.game.with_record(replace(result.game.record, receipts=game.record.receipts))
    return game


def others_answering(result: Result) -> Result:
    """Return the ``result`` of orders in a fork of what a seat knew, with what simulated players ordered after them."""
    before, fork = result.game, result.game.fork
    if fork is None or fork.seat is None:
        return result
    after = play_others(before, fork.seat)
    new = after.record.journal[len(before.record.journal) :]
    return replace(result, game=after, is_changed=True, accepted=(*result.accepted, *new)) if new else result

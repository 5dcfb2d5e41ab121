"""Simulate games: as games, or as counts for statistics, in several processes or on a cluster."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from adjudicator.library.game import Game
from adjudicator.library.texts import RequestError

if TYPE_CHECKING:  # each function loads only what it needs: the command line starts for each command
    from adjudicator.reports.data.statistics import GameTally, Plan


def simulation_plan(
    ruleset: str,
    games: int = 1,
    *,
    players: int = 0,
    player: str = "random",
    seed: int = 1,
    options: Mapping[str, str] | None = None,
    most_orders: int = 5_000,
) -> Plan:
    """Return a plan of ``games`` between simulated players, for ``tally_games``; the same ``seed`` gives the same games.

    ``players`` is the number of seats (0: the fewest), ``player`` is ``random``, ``greedy`` or ``mixed``. A game stops
    unfinished after ``most_orders`` orders. Raises ``SetupError``, ``UnknownRuleset``.
    """
    from adjudicator.reports.data.statistics import Plan
    from adjudicator.rulesets import meta
    from adjudicator.simulate.plan import require_sound

    plan = Plan(
        ruleset=ruleset.lower(),
        games=games,
        players=players or meta(ruleset.lower()).players[0],
        seed=seed,
        player=player,
        options=dict(options or {}),
        most_orders=most_orders,
    )
    require_sound(plan)
    return plan


def simulate_games(
    ruleset: str,
    games: int = 1,
    *,
    players: int = 0,
    player: str = "random",
    seed: int = 1,
    options: Mapping[str, str] | None = None,
    most_orders: int = 5_000,
) -> Iterator[Game]:
    """Play ``games`` between simulated players; yield each game as soon as it is over.

    The arguments and errors are those of ``simulation_plan``.
    """
    from adjudicator.simulate.play import play_game

    plan = simulation_plan(
        ruleset, games, players=players, player=player, seed=seed, options=options, most_orders=most_orders
    )
    yield from (Game(play_game(plan, number).game) for number in plan.numbers)


def tally_games(
    plan: Plan,
    *,
    jobs: int = 1,
    out: str | None = None,
    audit: bool = False,
    force: bool = False,
    cluster: str | None = None,
    notify: Callable[[], object] = lambda: None,
) -> Iterator[GameTally]:
    """Play the games of ``plan`` in ``jobs`` processes; yield the counts of each, which ``statistics`` adds up.

    ``out`` is an empty or new folder for the games, or a new archive NAME.jsonl.zst; with ``force`` it can have contents.
    ``audit`` checks each game. With ``cluster``, the address of a dask scheduler or `local`, its workers play, and write
    archives into the folder; they play no game again that is there. Each game calls ``notify``. Raises ``RequestError``,
    ``SetupError``, ``CannotWrite``, ``ClusterError``.
    """
    from adjudicator.simulate.run import Job, simulate

    archive = out if out is not None and out.endswith(".jsonl.zst") else None
    if cluster is not None:
        from adjudicator.cluster.simulate import simulate_on

        if archive is not None:
            raise RequestError("name a folder for the games: each worker of a cluster writes its own archives there")
        return simulate_on(cluster, jobs, Job(plan, is_audited=audit), _folder(out, force=force), notify)
    if archive is None:
        return simulate(Job(plan, _folder(out, force=force), is_audited=audit), jobs, notify)
    if os.path.lexists(archive) and not force:
        raise RequestError(f"use `force` to replace {archive}, which already exists")
    return simulate(Job(plan, is_audited=audit, archive=archive), jobs, notify)


def _folder(out: str | None, *, force: bool) -> Path | None:
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

"""The command `simulate`: play whole games with simulated players, for statistics, archives and stress tests."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from adjudicator.cli.arguments import Json, pairs
from adjudicator.cli.audit_cluster import Cluster
from adjudicator.cli.failures import explained
from adjudicator.cli.files import is_picture, spare_other_files
from adjudicator.cli.output import MisuseError, say, say_json, warn

if TYPE_CHECKING:
    from adjudicator.outputs.simulations import SimulationPlan
    from adjudicator.reports.statistics import GameTally
    from adjudicator.simulate.plan import Plan
    from adjudicator.simulate.run import Job

_MOST_JOBS = 64
RulesetId = Annotated[
    str, typer.Argument(metavar="RULESET", help="the game to play, such as checkpoint-rally", show_default=False)
]
Games = Annotated[int, typer.Option("--games", metavar="N", help="the number of games")]
Players = Annotated[int, typer.Option("--players", metavar="P", help="the number of seats; 0 for the fewest possible")]
Seed = Annotated[int, typer.Option("--seed", metavar="S", help="a number; the same seed gives the same games")]
Jobs = Annotated[int, typer.Option("--jobs", metavar="J", help="the number of processes; it does not change the games")]
HowPlayed = Annotated[str, typer.Option("--player", metavar="HOW", help="the players: random, greedy or mixed")]
Options = Annotated[
    list[str] | None,
    typer.Option(
        "--option", metavar="NAME=VALUE", help="an option of the game; `adjudicator games` lists them [repeatable]"
    ),
]
MostOrders = Annotated[
    int, typer.Option("--most-orders", metavar="M", help="the number of orders after which a game stops unfinished")
]
Folder = Annotated[
    str | None,
    typer.Option("--out", "-o", metavar="DIR", help="the folder for the game files, or an archive NAME.jsonl.zst"),
]
Force = Annotated[
    bool, typer.Option("--force", help="write into a folder that is not empty, and replace files that are not plots")
]
Resume = Annotated[bool, typer.Option("--resume", help="with --cluster: keep the games in the folder and play the others")]
Audited = Annotated[bool, typer.Option("--audit", help="audit each game")]
Plotted = Annotated[
    str | None, typer.Option("--plot", metavar="FILE", help="also write a plot, .png or .svg (needs the extra `plot`)")
]


def simulate(
    ruleset: RulesetId,
    games: Games = 100,
    players: Players = 0,
    seed: Seed = 1,
    jobs: Jobs = 1,
    player: HowPlayed = "random",
    option: Options = None,
    most_orders: MostOrders = 5_000,
    out: Folder = None,
    force: Force = False,
    audit: Audited = False,
    plot: Plotted = None,
    cluster: Cluster = None,
    resume: Resume = False,
    as_json: Json = False,
) -> None:
    """Play games with simulated players, and print statistics.

    The players know the rules, but they do not play well. If a bug in the rules
    appears, the run stops with the seed and the number of the game.

    Examples:
      adjudicator simulate checkpoint-rally --games 100 --players 4 --jobs 2
      adjudicator simulate checkpoint-rally --player greedy --out archive
      adjudicator simulate checkered-flag --games 1000 -o games.jsonl.zst
      adjudicator simulate great-race --cluster local --jobs 4 --out archive
    """
    with explained(as_json=as_json):
        from adjudicator.rulesets import meta
        from adjudicator.simulate.plan import Plan

        plan = Plan(
            ruleset=ruleset.lower(),
            games=games,
            players=players or meta(ruleset.lower()).players[0],
            seed=seed,
            player=player,
            options=pairs(option or (), "an option"),
            most_orders=most_orders,
        )
        tallies = _played(plan, _Wanted(jobs, out, force, audit, plot, cluster, resume))
        _tell(plan, tallies, len(tallies) if audit else 0, as_json=as_json)


class _Wanted(NamedTuple):
    """The options of a run: processes, folder, audit, plot, ``cluster``, and whether to keep the games of an earlier run."""

    jobs: int
    out: str | None
    force: bool
    audit: bool
    plot: str | None
    cluster: str | None
    resume: bool


def _played(plan: Plan, wanted: _Wanted) -> tuple[GameTally, ...]:
    """Return the counts of each game of ``plan``, and draw the plot. Raises ``MisuseError``."""
    from adjudicator.core.problem import SetupError
    from adjudicator.rulesets import meta
    from adjudicator.simulate.plan import require_sound
    from adjudicator.simulate.plot import CannotPlotError, draw_plot, require_plot
    from adjudicator.simulate.run import simulate as play_all

    if wanted.resume and (wanted.cluster is None or wanted.out is None):
        raise MisuseError("use --resume with --cluster and --out, which names the folder of an earlier run")
    if not 1 <= wanted.jobs <= _MOST_JOBS:
        raise MisuseError(f"--jobs must be from 1 to {_MOST_JOBS}, not {wanted.jobs}")
    try:
        require_sound(plan)
        if wanted.plot is not None:
            require_plot(Path(wanted.plot))
            if not wanted.force:
                spare_other_files(wanted.plot, "a picture", is_picture, "name another file, or use --force")
        if wanted.cluster is None:
            tallies = tuple(play_all(_job(plan, wanted), wanted.jobs))
        else:
            tallies = _played_on_cluster(plan, wanted, wanted.cluster)
        if wanted.plot is not None:
            draw_plot(tallies, meta(plan.ruleset), Path(wanted.plot))
    except CannotPlotError as error:
        raise MisuseError(str(error)) from error
    except SetupError as error:
        raise MisuseError("; ".join(problem.message for problem in error.problems)) from error
    return tallies


def _played_on_cluster(plan: Plan, wanted: _Wanted, address: str) -> tuple[GameTally, ...]:
    """Return the counts of each game of ``plan``, played by the workers at ``address``. Raises ``MisuseError``."""
    from adjudicator.cli.audit_cluster import workers
    from adjudicator.cluster.simulate import simulate_on
    from adjudicator.simulate.run import Job

    if wanted.out is not None and wanted.out.endswith(".jsonl.zst"):
        raise MisuseError("name a folder with --out: with --cluster each worker writes its own archives there")
    folder = _folder(wanted.out, force=wanted.force or wanted.resume)
    with workers(address, wanted.jobs) as pool:
        return tuple(simulate_on(pool, Job(plan, is_audited=wanted.audit), folder))


def _job(plan: Plan, wanted: _Wanted) -> Job:
    """Return the work for the games of ``plan``. Raises ``MisuseError``."""
    from adjudicator.simulate.run import Job

    if wanted.out is None or not wanted.out.endswith(".jsonl.zst"):
        return Job(plan, _folder(wanted.out, force=wanted.force), is_audited=wanted.audit)
    if os.path.lexists(wanted.out) and not wanted.force:
        raise MisuseError(f"use --force to replace {wanted.out}, which already exists")
    return Job(plan, is_audited=wanted.audit, archive=wanted.out)


def _tell(plan: Plan, tallies: tuple[GameTally, ...], audited: int, *, as_json: bool) -> None:
    """Print the statistics of the games, and how many of them were ``audited``."""
    from adjudicator.reports.statistics import simulation, statistics, statistics_text
    from adjudicator.rulesets import meta

    found = statistics(tallies)
    if as_json:
        say_json(simulation(found, _plan_data(plan), audited))
        return
    say(statistics_text(found, meta(plan.ruleset)))
    if audited:
        say(f"\naudited: {audited:,}, all of them verified")
    if found.unfinished:
        warn(f"adjudicator: {found.unfinished} of the games were not over after {plan.most_orders:,} orders")


def _folder(out: str | None, *, force: bool) -> Path | None:
    """Return the folder for the archives, and make it if it does not exist. Raises ``MisuseError``."""
    if out is None:
        return None
    folder = Path(out)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        is_filled = next(os.scandir(folder), None) is not None
    except FileExistsError:
        raise MisuseError(f"name a folder with --out: {out} is a file") from None
    except (OSError, ValueError) as error:
        cause = getattr(error, "strerror", None) or error
        raise MisuseError(f"name another folder with --out: {out} cannot be used: {cause}") from error
    if is_filled and not force:
        raise MisuseError(f"name another folder with --out, or use --force: {out} is not empty")
    return folder


def _plan_data(plan: Plan) -> SimulationPlan:
    from adjudicator.outputs.simulations import SimulationPlan

    return SimulationPlan(
        ruleset=plan.ruleset,
        games=plan.games,
        players=plan.players,
        seed=plan.seed,
        player=plan.player,
        options=plan.options,
        most_orders=plan.most_orders,
    )

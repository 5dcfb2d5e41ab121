"""The command `simulate`: whole games by seeded players, for statistics, archives and stress."""

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
    str, typer.Argument(metavar="RULESET", help="what is played, such as checkpoint-rally", show_default=False)
]
Games = Annotated[int, typer.Option("--games", metavar="N", help="how many games")]
Players = Annotated[int, typer.Option("--players", metavar="P", help="how many seats a game; 0: the fewest")]
Seed = Annotated[int, typer.Option("--seed", metavar="S", help="the same seed gives the same games")]
Jobs = Annotated[int, typer.Option("--jobs", metavar="J", help="how many processes; the games do not change")]
HowPlayed = Annotated[str, typer.Option("--player", metavar="HOW", help="random, greedy or mixed")]
Options = Annotated[
    list[str] | None, typer.Option("--option", metavar="KEY=VALUE", help="see `adjudicator games` [repeatable]")
]
MostOrders = Annotated[int, typer.Option("--most-orders", metavar="M", help="a game is left unfinished after so many")]
Folder = Annotated[
    str | None,
    typer.Option("--out", "-o", metavar="DIR", help="write each game file there; NAME.jsonl.zst: into an archive"),
]
Force = Annotated[
    bool, typer.Option("--force", help="write also into a folder that is not empty, and over a file that is no plot")
]
Resume = Annotated[bool, typer.Option("--resume", help="with --cluster: do not play again what is in the folder")]
Audited = Annotated[bool, typer.Option("--audit", help="audit each game as soon as it is played")]
Plotted = Annotated[str | None, typer.Option("--plot", metavar="FILE", help="a plot, .png or .svg (extra `plot`)")]


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
    """Play whole games by seeded players, with statistics.

    The players know the rules and nothing of how to play well. A bug in the
    rules ends the run with the seed and the number of the game that shows it.

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
    """How the games are played: over how many processes, into which folder, audited or not; and where a plot goes.

    Or over which ``cluster``, and whether what is in the folder already need not be played again.
    """

    jobs: int
    out: str | None
    force: bool
    audit: bool
    plot: str | None
    cluster: str | None
    resume: bool


def _played(plan: Plan, wanted: _Wanted) -> tuple[GameTally, ...]:
    """Return what is counted of each game of ``plan``, and draw the plot. Raises ``MisuseError``."""
    from adjudicator.core.problem import SetupError
    from adjudicator.rulesets import meta
    from adjudicator.simulate.plan import require_sound
    from adjudicator.simulate.plot import CannotPlotError, draw_plot, require_plot
    from adjudicator.simulate.run import simulate as play_all

    if wanted.resume and (wanted.cluster is None or wanted.out is None):
        raise MisuseError("--resume goes with --cluster and --out, which names the folder of an earlier run")
    if not 1 <= wanted.jobs <= _MOST_JOBS:
        raise MisuseError(f"--jobs is 1 to {_MOST_JOBS}, not {wanted.jobs}")
    try:
        require_sound(plan)
        if wanted.plot is not None:
            require_plot(Path(wanted.plot))
            if not wanted.force:
                spare_other_files(wanted.plot, "a picture", is_picture, "name another file, or replace it with --force")
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
    """Return what is counted of each game of ``plan``, played by the workers at ``address``. Raises ``MisuseError``."""
    from adjudicator.cli.audit_cluster import workers
    from adjudicator.cluster.simulate import simulate_on
    from adjudicator.simulate.run import Job

    if wanted.out is not None and wanted.out.endswith(".jsonl.zst"):
        raise MisuseError("with --cluster, --out is a folder: each worker writes archives of its own there")
    folder = _folder(wanted.out, force=wanted.force or wanted.resume)
    with workers(address, wanted.jobs) as pool:
        return tuple(simulate_on(pool, Job(plan, is_audited=wanted.audit), folder))


def _job(plan: Plan, wanted: _Wanted) -> Job:
    """Return what is to be done with the games of ``plan``. Raises ``MisuseError``."""
    from adjudicator.simulate.run import Job

    if wanted.out is None or not wanted.out.endswith(".jsonl.zst"):
        return Job(plan, _folder(wanted.out, force=wanted.force), is_audited=wanted.audit)
    if os.path.lexists(wanted.out) and not wanted.force:
        raise MisuseError(f"--out: {wanted.out} is there already; --force replaces it")
    return Job(plan, is_audited=wanted.audit, archive=wanted.out)


def _tell(plan: Plan, tallies: tuple[GameTally, ...], audited: int, *, as_json: bool) -> None:
    """Print the statistics of the games played, and how many of them were ``audited``."""
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
    """Return the folder for the archives, made if it is not there. Raises ``MisuseError``."""
    if out is None:
        return None
    folder = Path(out)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        is_filled = next(os.scandir(folder), None) is not None
    except (OSError, ValueError) as error:
        raise MisuseError(f"--out: {out} cannot be a folder for archives: {error}") from error
    if is_filled and not force:
        raise MisuseError(f"--out: {out} is not empty; --force writes into it all the same")
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

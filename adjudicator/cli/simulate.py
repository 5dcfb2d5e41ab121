"""The command `simulate`: play whole games with simulated players, for statistics, archives and stress tests."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Annotated

import typer

from adjudicator.cli.arguments import Json, RulesetId, pairs
from adjudicator.cli.audit import Cluster
from adjudicator.cli.failures import explained
from adjudicator.cli.files import spare_other_pictures
from adjudicator.cli.output import MisuseError, say, say_json, terminal_width, warn
from adjudicator.cli.progress import progress

if TYPE_CHECKING:
    from adjudicator.simulate import GameTally, Plan

_MOST_JOBS = 64
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
        from adjudicator import SetupError
        from adjudicator.cluster import tally_on_cluster
        from adjudicator.library.rulesets import meta_of
        from adjudicator.simulate import draw_plot, require_plot, simulation_plan, tally_games

        options = pairs(option or (), "an option")
        if resume and (cluster is None or out is None):
            raise MisuseError("use --resume with --cluster and --out, which names the folder of an earlier run")
        if not 1 <= jobs <= _MOST_JOBS:
            raise MisuseError(f"--jobs must be from 1 to {_MOST_JOBS}, not {jobs}")
        try:
            plan = simulation_plan(
                ruleset, games, players=players, player=player, seed=seed, options=options, most_orders=most_orders
            )
            if plot is not None:
                require_plot(plot)
                if not force:
                    spare_other_pictures(plot)
            force = force or resume
            with progress("played", games) as advance:
                play = tally_games if cluster is None else partial(tally_on_cluster, cluster)
                found = play(plan, jobs=jobs, out=out, audit=audit, force=force, notify=advance)
                tallies = tuple(found)
        except SetupError as error:
            raise MisuseError("; ".join(problem.message for problem in error.problems)) from error
        if plot is not None:
            draw_plot(tallies, meta_of(plan.ruleset), plot)
        _tell(plan, tallies, len(tallies) if audit else 0, as_json=as_json)


def _tell(plan: Plan, tallies: tuple[GameTally, ...], audited: int, *, as_json: bool) -> None:
    """Print the statistics of the games, and how many of them were ``audited``."""
    from adjudicator.library.rulesets import meta_of
    from adjudicator.reports.data.statistics import simulation, statistics_text
    from adjudicator.simulate import statistics

    found = statistics(tallies)
    if as_json:
        say_json(simulation(found, plan, audited))
        return
    say(statistics_text(found, meta_of(plan.ruleset), terminal_width()))
    if audited:
        say(f"\naudited: {audited:,}, all of them verified")
    if found.unfinished:
        warn(f"adjudicator: {found.unfinished} of the games were not over after {plan.most_orders:,} orders")

"""The command `simulate`: games of simulated players, and their statistics."""

from __future__ import annotations

from typing import Final

import adjudicator as adj
from adjudicator.cli.arguments import RulesetId, pairs
from adjudicator.cli.audit import Cluster
from adjudicator.cli.ui import MisuseError, Ui, option
from adjudicator.library.rulesets import meta_of
from adjudicator.reports.texts import count_of
from adjudicator.results import gathered
from adjudicator.simulate import draw_plot, require_plot, simulation_plan, statistics, tally_games
from adjudicator.simulate.play import Simulation
from adjudicator.simulate.statistics import statistics_text

_MOST_JOBS: Final = 64


def simulate(
    ui: Ui,
    ruleset: RulesetId,
    games: int = option(100, "--games", "N", "the number of games"),
    players: int = option(0, "--players", "P", "the number of seats; 0 for the fewest possible"),
    seed: int = option(1, "--seed", "S", "a number; the same seed gives the same games"),
    jobs: int = option(1, "--jobs", "J", "the number of processes; it does not change the games"),
    player: str = option("random", "--player", "HOW", "the players: random, greedy or mixed"),
    option: list[str] | None = option(
        None, "--option", "NAME=VALUE", "an option of the game; `adjudicator games` lists them [repeatable]"
    ),
    most_orders: int = option(5_000, "--most-orders", "M", "the number of orders after which a game stops unfinished"),
    output: str | None = option(
        None, "-o", "--output", "DIR", "the folder for the game files, or an archive NAME.adjudicator.db"
    ),
    force: bool = option(False, "--force", "write into a folder that is not empty, and replace files that are not plots"),
    audit: bool = option(False, "--audit", "audit each game"),
    plot: str | None = option(None, "--plot", "FILE", "also write a plot, .png or .svg (needs the extra `plot`)"),
    cluster: Cluster = None,
    resume: bool = option(False, "--resume", "keep the games that -o has, and play the others"),
) -> None:
    """Play games with simulated players, and print statistics.

    The players know the rules, but they do not play well. If a bug in the rules appears, the run stops with the seed and the
    number of the game.

    Examples:
      adjudicator simulate checkpoint-rally --games 100 --players 4 --jobs 2
      adjudicator simulate checkpoint-rally --player greedy -o archive
      adjudicator simulate checkered-flag --games 1000 -o games.adjudicator.db
      adjudicator simulate great-race --cluster local --jobs 4 -o archive
    """
    ui.guard([], {"--plot": plot, "-o": output}, force)
    options = pairs(option or (), "an option")
    if resume and output is None:
        raise MisuseError("use --resume with -o, which names the games of an earlier run")
    if not 1 <= jobs <= _MOST_JOBS:
        raise MisuseError(f"--jobs must be from 1 to {_MOST_JOBS}, not {jobs}")
    try:
        plan = simulation_plan(
            ruleset, games, players=players, player=player, seed=seed, options=options, most_orders=most_orders
        )
        if plot is not None:
            require_plot(plot)
            ui.spare_picture(plot)
        with ui.progress("played", games) as advance:
            found = tally_games(
                plan, jobs=jobs, cluster=cluster or "", out=output, audit=audit, force=force, resume=resume, notify=advance
            )
            tallies = tuple(found)
    except adj.SetupError as error:
        raise MisuseError("; ".join(problem.message for problem in error.problems)) from error
    meta, counts, audited = meta_of(plan.ruleset), statistics(tallies), len(tallies) if audit else 0
    if plot is not None:
        draw_plot(tallies, meta, plot)
    also = f"\n\naudited: {audited:,}, all of them verified" if audited else ""
    ui.show(
        lambda: gathered(Simulation, counts, plan=plan, audited=audited),
        lambda: statistics_text(counts, meta, ui.width) + also,
    )
    if counts.unfinished and not ui.as_json:
        unfinished = count_of(counts.unfinished, "unfinished game")
        ui.warn(f"adjudicator: {unfinished} stopped after {plan.most_orders:,} orders (--most-orders)")

"""The command `simulate`: whole games by seeded players, for statistics, archives and stress."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from adjudicator.cli.arguments import Json, pairs
from adjudicator.cli.failures import explained
from adjudicator.cli.output import MisuseError, say, say_json, warn

if TYPE_CHECKING:
    from adjudicator.simulate.plan import Plan

_MOST_JOBS = 64


def simulate(
    ruleset: Annotated[
        str, typer.Argument(metavar="RULESET", help="what is played, such as checkpoint-rally", show_default=False)
    ],
    games: Annotated[int, typer.Option("--games", metavar="N", help="how many games")] = 100,
    players: Annotated[int, typer.Option("--players", metavar="P", help="how many seats a game; 0: the fewest")] = 0,
    seed: Annotated[int, typer.Option("--seed", metavar="S", help="the same seed gives the same games")] = 1,
    jobs: Annotated[int, typer.Option("--jobs", metavar="J", help="how many processes; the games do not change")] = 1,
    player: Annotated[str, typer.Option("--player", metavar="HOW", help="random, greedy or mixed")] = "random",
    option: Annotated[
        list[str] | None, typer.Option("--option", metavar="KEY=VALUE", help="see `adjudicator games`; repeat it")
    ] = None,
    most_orders: Annotated[
        int, typer.Option("--most-orders", metavar="M", help="a game is left unfinished after so many")
    ] = 5_000,
    out: Annotated[str | None, typer.Option("--out", metavar="DIR", help="write each game file there")] = None,
    force: Annotated[bool, typer.Option("--force", help="write also into a folder that is not empty")] = False,
    audit: Annotated[bool, typer.Option("--audit", help="audit each game as soon as it is played")] = False,
    plot: Annotated[str | None, typer.Option("--plot", metavar="FILE", help="a plot, .png or .svg (extra `plot`)")] = None,
    as_json: Json = False,
) -> None:
    """Play whole games by seeded players; print statistics of them.

    The players know the rules and nothing of how to play well. A bug in the
    rules ends the run with the seed and the number of the game that shows it.

    Examples:
      adjudicator simulate checkpoint-rally --games 100 --players 4 --jobs 2
      adjudicator simulate checkpoint-rally --player greedy --out archive
    """
    with explained(as_json=as_json):
        from adjudicator.core.problem import SetupError
        from adjudicator.reports.statistics import statistics, statistics_data, statistics_text
        from adjudicator.rulesets import meta
        from adjudicator.simulate.plan import Plan, require_sound
        from adjudicator.simulate.plot import CannotPlotError, draw_plot, require_plot
        from adjudicator.simulate.run import Job
        from adjudicator.simulate.run import simulate as play_all

        if not 1 <= jobs <= _MOST_JOBS:
            raise MisuseError(f"--jobs is 1 to {_MOST_JOBS}, not {jobs}")
        about = meta(ruleset)
        plan = Plan(
            ruleset=ruleset,
            games=games,
            players=players or about.players[0],
            seed=seed,
            player=player,
            options=pairs(option or (), "an option"),
            most_orders=most_orders,
        )
        try:
            require_sound(plan)
            if plot is not None:
                require_plot(Path(plot))
            tallies = tuple(play_all(Job(plan, _folder(out, force=force), is_audited=audit), jobs))
            if plot is not None:
                draw_plot(tallies, about, Path(plot))
        except CannotPlotError as error:
            raise MisuseError(str(error)) from error
        except SetupError as error:
            raise MisuseError("; ".join(problem.message for problem in error.problems)) from error
        found = statistics(tallies)
        if as_json:
            say_json({"plan": _plan_data(plan), "audited": len(tallies) if audit else 0, **statistics_data(found)})
            return
        say(statistics_text(found, about))
        if audit:
            say(f"\naudited: {len(tallies):,}, all of them verified")
        if found.unfinished:
            warn(f"adjudicator: {found.unfinished} of the games were not over after {most_orders:,} orders")


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


def _plan_data(plan: Plan) -> dict[str, object]:
    return {
        "ruleset": plan.ruleset,
        "games": plan.games,
        "players": plan.players,
        "seed": plan.seed,
        "player": plan.player,
        "options": dict(plan.options),
        "most_orders": plan.most_orders,
    }

"""The commands `simulate` and `fork`: games of simulated players, or against them from an earlier position of your own."""

from __future__ import annotations

import shlex
from typing import Annotated, Final

import adjudicator as adj
from adjudicator.cli.audit import Cluster
from adjudicator.cli.new import next_steps
from adjudicator.cli.orders import next_lines
from adjudicator.cli.ui import MisuseError, RulesetId, Ui, argument, complete_seat, option, pairs
from adjudicator.core.values import MODERATOR, Seat, Value
from adjudicator.library.rulesets import meta_of
from adjudicator.reports.log import log_text
from adjudicator.reports.texts import count_of
from adjudicator.results import Decision, LogRow, gathered
from adjudicator.simulate import draw_plot, require_plot, simulation_plan, statistics, tally_games
from adjudicator.simulate.play import Simulation, fork_game, play_others
from adjudicator.simulate.statistics import statistics_text

_MOST_JOBS: Final = 64


class ForkedGame(Value, kw_only=True):
    """A private game that was begun in ``file``: its id (``game``), and the game and the entry ``n`` after which it begins.

    ``seat`` is the player whose knowledge it has (``None``: it knows everything). ``happened`` are the entries that
    simulated players have added, as this player sees them, and ``due`` the decisions that are due then.
    """

    file: str
    game: str
    forked_from: str
    n: int
    seat: Seat | None
    happened: tuple[LogRow, ...]
    due: tuple[Decision, ...]


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


def fork(
    ui: Ui,
    file: Annotated[str, argument(..., "FILE", "your own file, a game file, or ARCHIVE#GAME; `-` is standard input")],
    at: Annotated[int, option(..., "--at", "N", "the entry of the log after which you play on; 0 is the set-up")],
    viewer: str | None = option(
        None,
        "--as",
        "SEAT",
        "of a game file: the seat that you play, with what it knew then; without it, you play all seats and know everything",
        autocompletion=complete_seat,
    ),
    output: str | None = option(None, "-o", "--output", "FILE", "the new game file; without it, ID.json"),
    game_id: str | None = option(None, "--id", "ID", "the id of the new game; without it, the old id with the entry number"),
    force: bool = option(False, "--force", "replace the file if it already exists"),
) -> None:
    """Play on privately from an earlier position.

    Use it to see what might have happened. The new game begins with the position after entry N as you knew it then. What
    you did not know, such as the hands of others, is dealt again, so that it fits everything that you had seen. Simulated
    players have the other seats: they decide when it is not your turn, here and after each `apply` or `turn`. `show`,
    `legal`, `replay` and the desk work as for any game.

    The game has another id and another secret of chance, and its first entry says where it comes from.

    A moderator can fork a game file: without --as, the new game has the whole position, and you order for all seats.

    Examples:
      adjudicator fork red.json --at 12
      adjudicator fork red.json --at 12 -o what-if.json
      adjudicator fork race.json --at 12 --as red -o what-if.json
    """
    ui.guard([file], {"-o": output}, force)
    shown = ui.open(file, whole=False)
    reader = shown.seen_by(viewer if viewer or shown.own_seat else MODERATOR)
    begun = fork_game(reader, at, id=game_id or "")
    event = begun.fork
    assert event is not None
    game = begun if event.seat is None else play_others(begun, event.seat)
    target = f"{game.id}.json" if output is None else output
    ui.write(target, game.to_bytes())
    if target == "-":
        return
    played = game.seen_by(event.seat or MODERATOR).log_since(begun)
    knows = f", as {event.seat} knew it" if event.seat else ""
    lines = [f"{target}: {game.meta.name}, game {game.id}, goes on after entry {at} of {event.game}{knows}"]
    if event.seat:
        others = ", ".join(seat for seat in game.seats if seat != event.seat)
        lines.append(f"  you play    {event.seat}; simulated players: {others}" if others else f"  you play    {event.seat}")
    if played:
        lines += ["", log_text(played, game.meta.unit, with_events=True, width=ui.width), ""]
    steps = {
        f"show {shlex.quote(target)}{f' --as {event.seat}' if event.seat else ''}": "the position",
        f"legal {shlex.quote(target)}": "what can be ordered, and what it costs",
        f"apply {shlex.quote(target)} ORDERS": "play on",
    }
    lines += [*next_lines(game), *([] if game.is_over else [next_steps(steps)])]
    made = ForkedGame(
        file=target, game=game.id, forked_from=event.game, n=at, seat=event.seat, happened=played, due=game.due
    )
    ui.show(made, "\n".join(lines))

"""The commands `archive`, `simulate` and `desk`: many games in one file, as statistics; in the browser."""

from __future__ import annotations

from collections import Counter
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Annotated, Final

import adjudicator as adj
from adjudicator.archive import GameCopy, Omission, check_archive, extract_games, is_archive, open_archive, write_archive
from adjudicator.cli.arguments import RulesetId, pairs
from adjudicator.cli.audit import Cluster
from adjudicator.cli.results import ArchiveProblem, WrittenDesk
from adjudicator.cli.ui import UNTRUSTED, MisuseError, Ui, argument, is_same, option
from adjudicator.cluster import tally_on_cluster
from adjudicator.library.rulesets import meta_of
from adjudicator.reports.texts import count_of
from adjudicator.results import ArchiveEnd, gathered
from adjudicator.simulate import draw_plot, require_plot, simulation_plan, statistics, tally_games
from adjudicator.simulate.statistics import Simulation, statistics_text

_MEGABYTE: Final = 1_000_000
_MOST_JOBS: Final = 64


def archive(
    ui: Ui,
    file: Annotated[str, argument(..., "ARCHIVE", "the archive, NAME.jsonl.zst")],
    paths: list[str] | None = argument(None, "[PATH]...", "the games to archive: files, folders, archives"),
    add: bool = option(False, "--add", "add the games to an existing archive"),
    check: bool = option(False, "--check", "unpack every game and compare it with its hash"),
    extract: str | None = option(None, "--extract", "DIR", "write the games as files into this folder"),
    game: list[str] | None = option(
        None, "--game", "GAME", "with --extract: only this game, by name, id or number [repeatable]"
    ),
    force: bool = option(False, "--force", "replace an existing archive or existing files"),
    quiet: bool = option(False, "--quiet", "-q", "list only games with problems"),
) -> None:
    """Keep many games in one small file.

    With PATHs the command makes an archive of all games that it finds there, byte for byte; with --add it adds the new ones
    to an existing archive. Without PATHs it lists the archive. `audit` and `replay` can read a game in an archive as
    ARCHIVE#GAME. An interrupted run leaves the archive unchanged.

    Examples:
      adjudicator archive games.jsonl.zst archive/ old-games.zip
      adjudicator archive games.jsonl.zst more/ --add
      adjudicator archive games.jsonl.zst
      adjudicator archive games.jsonl.zst --check --quiet
      adjudicator archive games.jsonl.zst --extract out --game rally-042

    Exit codes: 0 done, 2 wrong use, 3 a game was left out or is damaged.
    """
    ui.guard(paths or ())
    if not is_archive(file):
        raise MisuseError(f"give the archive a name like NAME.jsonl.zst, not {file}")
    if add and not paths:
        raise MisuseError("name the files or folders whose games --add should add")
    if paths and (check or extract is not None or game):
        raise MisuseError("leave out the PATHs: --check, --extract and --game work on an existing archive")
    if check and extract is not None:
        raise MisuseError("leave out --check: --extract also compares every game with its hash")
    if game and extract is None:
        raise MisuseError("use --game only with --extract; `replay` and `audit` read ARCHIVE#GAME")
    if any(is_same(path, file) for path in paths or ()):
        raise MisuseError("leave the archive itself out of the PATHs: it cannot contain itself")
    counts: Counter[str] = Counter()

    def note(one: GameCopy | Omission) -> None:
        if not isinstance(one, Omission):
            counts["same" if one.is_same else "changed"] += 1
        elif one.is_wrong:
            counts["problems"] += 1
            ui.show(ArchiveProblem(source=one.source, wrong=one.why), f"problem  {one.source}  {one.why}")

    if paths:
        with ui.progress("archived") as advance:

            def notify(one: GameCopy | Omission) -> None:
                note(one)
                advance()

            write_archive(file, paths, notify, add=add, force=force)
    with closing(open_archive(file)) as opened:
        if paths:
            done = "added" if add else "made"
        elif check or extract is not None:
            done = "checked" if check else "extracted"
            found = check_archive(opened) if check else extract_games(opened, extract or "", game or [], force=force)
            for one in ui.each(found, "games", opened.games if check else None):
                note(one)
        else:
            done = "listed"
            if opened.damage:
                note(Omission(opened.name, f"{opened.damage}; games that could be read: {opened.games:,}"))
            for row in () if quiet else opened.rows():
                ui.show(row, f"{row.n:>7,}  {row.size:>10,}  {row.ruleset or '–'}  {row.game or '–'}  {row.name}")
        end = ArchiveEnd(
            file=file,
            task=done,
            games=opened.games,
            taken=counts["changed"] if done in ("made", "added", "extracted") else 0,
            same=counts["same"],
            unsound=counts["problems"],
            size=opened.size,
            loose=sum(row.size for row in opened.rows()),
            folder=extract or "",
        )
    ui.show(end, _end_text(end))
    if counts["problems"]:
        ui.code = UNTRUSTED


def _end_text(end: ArchiveEnd) -> str:
    """Return the size of the archive, and the results of the command."""
    times = f": {end.loose / end.size:.1f} times smaller than its games, {_size(end.loose)}" if end.loose else ""
    lines = [f"{end.file}: {count_of(end.games, 'game')}, {_size(end.size)}{times}"]
    same = f", {end.same:,} there already" if end.same else ""
    if end.task in ("made", "added"):
        lines.append(f"{count_of(end.taken, 'game')} put in{same}")
    if end.task == "extracted":
        lines.append(f"{count_of(end.taken, 'game')} written to {end.folder}{same}")
    if end.unsound:
        lines.append(f"{end.unsound:,} could not be added or read: see above")
    elif end.task == "checked":
        lines.append("every game agrees with the index and with its hash")
    return "\n".join(lines)


def _size(size: int) -> str:
    return f"{size / _MEGABYTE:,.1f} MB" if size >= _MEGABYTE else f"{size:,} bytes"


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
        None, "-o", "--output", "DIR", "the folder for the game files, or an archive NAME.jsonl.zst"
    ),
    force: bool = option(False, "--force", "write into a folder that is not empty, and replace files that are not plots"),
    audit: bool = option(False, "--audit", "audit each game"),
    plot: str | None = option(None, "--plot", "FILE", "also write a plot, .png or .svg (needs the extra `plot`)"),
    cluster: Cluster = None,
    resume: bool = option(False, "--resume", "with --cluster: keep the games in the folder and play the others"),
) -> None:
    """Play games with simulated players, and print statistics.

    The players know the rules, but they do not play well. If a bug in the rules appears, the run stops with the seed and the
    number of the game.

    Examples:
      adjudicator simulate checkpoint-rally --games 100 --players 4 --jobs 2
      adjudicator simulate checkpoint-rally --player greedy -o archive
      adjudicator simulate checkered-flag --games 1000 -o games.jsonl.zst
      adjudicator simulate great-race --cluster local --jobs 4 -o archive
    """
    ui.guard([], {"--plot": plot, "-o": output}, force)
    options = pairs(option or (), "an option")
    if resume and (cluster is None or output is None):
        raise MisuseError("use --resume with --cluster and -o, which names the folder of an earlier run")
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
            play = tally_games if cluster is None else partial(tally_on_cluster, cluster)
            tallies = tuple(play(plan, jobs=jobs, out=output, audit=audit, force=force or resume, notify=advance))
    except adj.SetupError as error:
        raise MisuseError("; ".join(problem.message for problem in error.problems)) from error
    meta, found, audited = meta_of(plan.ruleset), statistics(tallies), len(tallies) if audit else 0
    if plot is not None:
        draw_plot(tallies, meta, plot)
    also = f"\n\naudited: {audited:,}, all of them verified" if audited else ""
    ui.show(
        lambda: gathered(Simulation, found, plan=plan, audited=audited),
        lambda: statistics_text(found, meta, ui.width) + also,
    )
    if found.unfinished and not ui.as_json:
        ui.warn(f"adjudicator: {found.unfinished} of the games were not over after {plan.most_orders:,} orders")


def desk(
    ui: Ui,
    folder: Annotated[str, option(..., "--output", "-o", "DIR", "the folder for the desk", show_default=False)],
    serve: bool = option(False, "--serve", "also serve the desk on this computer, until Ctrl+C"),
    port: int = option(8000, "N", "the port of --serve; 0: any free one", min=0, max=65535),
) -> None:
    """Write the desk, a web page for playing and moderating.

    Players open their own file, click on the board and write orders, and see every mistake while they type. Moderators
    open the game, drop mails, adjudicate, read the reports and save the file. The files never leave the computer of the
    person who opens them: the page needs a place for static files, but no program on a server. After the first visit it
    works offline.

    To build the desk you need Node.js 20 or newer, and the registries of npm and of Python packages.

    Examples:
      adjudicator desk -o desk/
      adjudicator desk -o desk/ --serve
    """
    from adjudicator.desk.build import build
    from adjudicator.desk.serve import server_of

    with ui.progress("building"):
        release = build(Path(folder))
    size, files = sum(release.sizes.values()), len(release.sizes)
    ui.show(
        WrittenDesk(folder=folder, release=release.name, file_count=files, size=size),
        f"{folder}: the desk, release {release.name}, {size / 1_000_000:.1f} MB in {files} files",
    )
    if not serve:
        return
    try:
        server = server_of(Path(folder), port)
    except OSError as error:
        raise MisuseError(f"choose another --port: {port} cannot be used ({error.strerror})") from None
    address = f"http://127.0.0.1:{server.server_port}/"
    (ui.warn if ui.as_json else ui.say)(f"open {address} in your browser; Ctrl+C ends the server")
    ui.flush()
    with server:
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            ui.say("the server has stopped")

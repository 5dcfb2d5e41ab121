"""Measures speed in ratios of CPU time and prints the tables: `python -m tests.benchmarks` (extra `bench`)."""

from __future__ import annotations

import argparse
import gc
import os
import platform
import shlex
import sys
import tempfile
import tracemalloc
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from datetime import date
from pathlib import Path
from statistics import median

import adjudicator as adj
from tests.benchmarks import works
from tests.benchmarks.measuring import Work, measure, table

PAGE = Path(__file__).with_name("measured.md")
SPREAD = "Each ratio is the median of all rounds, with the range of the middle half in brackets unless it is a single value."


def main() -> None:
    """Measure what the command line asks for, print each table when it is ready, and write all tables into a page."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks", description=__doc__)
    parser.add_argument("--rounds", type=int, default=15, metavar="N", help="how often to measure everything (15)")
    parser.add_argument("--recorded", type=int, default=12, metavar="N", help="recorded games of each ruleset (12)")
    parser.add_argument("--orders", type=_sizes, default=_sizes("100,1000,10000"), metavar="N,…", help="lengths of games")
    parser.add_argument("--games", type=_sizes, default=_sizes("10,100,1000"), metavar="N,…", help="sizes of folders")
    parser.add_argument("--crews", type=_sizes, default=_sizes("10,100,1000"), metavar="N,…", help="sizes of rallies")
    parser.add_argument("--only", nargs="*", choices=PARTS, default=list(PARTS), metavar="PART", help=", ".join(PARTS))
    parser.add_argument("--write", action="store_true", help="write the tables into tests/benchmarks/measured.md")
    wanted = parser.parse_args()
    gc.set_threshold(100_000)  # as the program itself has it
    tables = []
    print(SPREAD, flush=True)  # noqa: T201
    for part in wanted.only:
        for made in PARTS[part](wanted):
            tables.append(made)
            print(f"\n{made}", flush=True)  # noqa: T201
    if wanted.write:
        python = f"{platform.python_implementation()} {platform.python_version()}"
        machine = (
            f"{date.today():%Y-%m-%d}, {python}, {platform.system()} on {platform.machine()} with {os.cpu_count()} cores"
        )
        said = f"Measured {machine}, by `{shlex.join(['python', '-m', 'tests.benchmarks', *sys.argv[1:]])}`. {SPREAD}\n"
        PAGE.write_text("\n".join(("# Speed, as measured\n", said, *tables)), "utf-8")


def _sizes(words: str) -> list[int]:
    return [int(word) for word in words.split(",")]


def _adjudicate(wanted: argparse.Namespace) -> Iterator[str]:
    games = [works.adjudicating(ruleset, works.whole_games(ruleset, wanted.recorded)) for ruleset in works.RULESETS]
    note = (
        "Whole recorded games, from the text of all orders to the hashed game. The yardstick replays a hand from its text, "
        "position by position; its units are actions."
    )
    found = measure(games, [other := works.pokerkit()], wanted.rounds)
    rows = [(each.work.name, f"{1 / median(each.seconds):,.0f}", each.as_fast_as(other.name)) for each in found]
    yield table("Orders adjudicated", note, ["orders/s", f"× {other.name}"], rows)


def _players(wanted: argparse.Namespace) -> Iterator[str]:
    other = works.pokerkit()
    rows: dict[str, list[str]] = {}
    for each in measure(works.simulating(works.RULESETS), [other], max(3, wanted.rounds // 3)):
        rows.setdefault(each.work.name.partition(",")[0], []).append(each.as_fast_as(other.name))
    note = f"The first 60 orders of a simulated game, with their adjudication, × {other.name}."
    yield table("Simulated players", note, ["random", "greedy"], ((name, *found) for name, found in rows.items()))


def _files(wanted: argparse.Namespace) -> Iterator[str]:
    rows: dict[str, list[str]] = {}
    for ruleset in works.RULESETS:
        games = works.whole_games(ruleset, wanted.recorded)
        for each in measure(works.reading(games), [works.bare_json([game.data for game in games])], wanted.rounds):
            rows.setdefault(each.work.name, []).append(each.times("json"))
    note = "Files of whole recorded games: how many times as long as `json.loads` of the same bytes."
    yield table("Files", note, works.RULESETS, ((name, *found) for name, found in rows.items()))


def _commands(wanted: argparse.Namespace) -> Iterator[str]:
    with tempfile.TemporaryDirectory() as folder:
        bare = Work("python -c pass", lambda: works.run("-c", "pass"), 1, 3)
        found = measure(works.commands(Path(folder)), [bare], wanted.rounds)
    rows = (
        (each.work.name, f"{1000 * sorted(each.seconds)[len(each.seconds) // 2]:.1f}", each.times(bare.name))
        for each in found
    )
    note = (
        "Commands in separate processes, on a game of Checkpoint Rally, with all modules compiled to bytecode "
        "(`PYTHONDONTWRITEBYTECODE` is not set)."
    )
    yield table("Commands", note, ["ms of CPU", f"× {bare.name}"], rows)


def _growth(wanted: argparse.Namespace) -> Iterator[str]:
    rounds = max(1, wanted.rounds // 5)
    with tempfile.TemporaryDirectory() as folder:
        rows = [
            *_grown("order", wanted.orders, works.by_orders, rounds),
            *_grown("game", wanted.games, _in(Path(folder, "games"), works.by_games), rounds),
            *_grown("crew", wanted.crews, _in(Path(folder, "crews"), works.by_crews), 1),
        ]
    note = (
        "The cost of one order of a game, one game of a folder, one crew of a rally among so many, relative to the fewest."
    )
    yield table("Growth", note, ["cost of one"], rows)


def _in(folder: Path, make: Callable[[Path, int], Work]) -> Callable[[int], list[Work]]:
    return lambda size: [make(folder / str(size), size)]


def _grown(thing: str, sizes: Sequence[int], make: Callable[[int], list[Work]], rounds: int) -> Iterator[tuple[str, str]]:
    made = [make(size) for size in sizes]
    for same in zip(*made, strict=True):
        found = measure(same, [replace(same[0], name="smallest")], rounds)
        told = (f"{each.times('smallest')} of {size:,}" for size, each in zip(sizes, found, strict=True))
        yield f"{thing}: {same[0].name}", ", ".join(told)


def _memory(wanted: argparse.Namespace) -> Iterator[str]:
    before, turns = works.long_game(max(wanted.orders[:2]))
    game = before
    for turn in turns:
        game = game.apply(turn).game
    data = game.to_bytes()
    rows = []
    for name, work in (("open", lambda: adj.open(data)), ("open and audit", lambda: adj.open(data).audit())):
        work()  # what is loaded once, and remembered, is no part of it
        gc.collect()
        tracemalloc.start()
        work()
        rows.append((name, f"{tracemalloc.get_traced_memory()[1] / len(data):.1f}"))
        tracemalloc.stop()
    note = f"The memory that a game of {len(data) / 1e6:.1f} MB takes at most, as a multiple of its file."
    yield table("Memory", note, ["× its file"], rows)


PARTS = {
    "adjudicate": _adjudicate,
    "files": _files,
    "commands": _commands,
    "players": _players,
    "growth": _growth,
    "memory": _memory,
}

if __name__ == "__main__":
    main()

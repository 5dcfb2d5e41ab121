"""Measures speed in ratios of CPU time and prints the tables: `python tests/benchmarks` (extra `bench`)."""

from __future__ import annotations

import argparse
import gc
import shlex
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from measuring import growth, page, works, yardsticks
from measuring.clock import Measured, measure
from measuring.page import Table
from measuring.recorded import RULESETS, whole_games


def main() -> None:
    """Measure what the command line asks for, print each table when it is ready, and write all tables into the page."""
    parser = argparse.ArgumentParser(prog="python tests/benchmarks", description=__doc__)
    parser.add_argument("--rounds", type=int, default=15, metavar="N", help="how often to measure everything (15)")
    parser.add_argument("--recorded", type=int, default=12, metavar="N", help="recorded games of each ruleset (12)")
    parser.add_argument("--orders", type=_sizes, default=_sizes("100,1000,10000"), metavar="N,…", help="lengths of games")
    parser.add_argument("--games", type=_sizes, default=_sizes("10,100,1000"), metavar="N,…", help="sizes of folders")
    parser.add_argument("--only", nargs="*", choices=PARTS, default=list(PARTS), metavar="PART", help=", ".join(PARTS))
    parser.add_argument("--write", action="store_true", help="put the tables into docs/benchmarks.md")
    wanted = parser.parse_args()
    if hasattr(gc, "set_threshold"):
        gc.set_threshold(100_000)  # as the program itself has it
    tables = []
    print(page.SPREAD, flush=True)  # noqa: T201
    for part in wanted.only:
        for table in PARTS[part](wanted):
            tables.append(table)
            print(table.text(), flush=True)  # noqa: T201
    if wanted.write:
        page.write(tables, shlex.join(["python", "tests/benchmarks", *sys.argv[1:]]))


def _sizes(words: str) -> list[int]:
    return [int(word) for word in words.split(",")]


def _adjudicate(wanted: argparse.Namespace) -> Iterator[Table]:
    done = [works.adjudicating(ruleset, whole_games(ruleset, wanted.recorded)) for ruleset in RULESETS]
    note = (
        "Whole recorded games, from the text of all orders to the hashed game. The yardsticks replay a hand or a game from "
        "its text, position by position; their units are actions and moves."
    )
    yield page.rates("Orders adjudicated", note, "orders", measure(done, list(yardsticks.games()), wanted.rounds))


def _read(wanted: argparse.Namespace) -> Iterator[Table]:
    rows: dict[str, list[Measured]] = {}
    for ruleset in RULESETS:
        games = whole_games(ruleset, wanted.recorded)
        json = yardsticks.bare_json([game.data for game in games])
        for each in measure(works.reading(games), [json], wanted.rounds):
            rows.setdefault(each.work.name, []).append(each)
    note = "Files of whole recorded games: how many times as long as `json.loads` of the same bytes."
    table = [(name, [each.times("json") for each in found]) for name, found in rows.items()]
    yield page.matrix("Files", note, RULESETS, table)


def _start(wanted: argparse.Namespace) -> Iterator[Table]:
    with tempfile.TemporaryDirectory() as folder:
        found = measure(works.commands(Path(folder)), [yardsticks.bare_python()], wanted.rounds)
        note = (
            "Commands in separate processes, on a game of Checkpoint Rally, with all modules compiled to bytecode "
            "(`PYTHONDONTWRITEBYTECODE` is not set)."
        )
        yield page.costs("Commands", note, found)


def _simulate(wanted: argparse.Namespace) -> Iterator[Table]:
    found = measure(works.every_player(RULESETS), list(yardsticks.games())[:1], max(3, wanted.rounds // 3))
    note = f"The first {works.MOST_ORDERS} orders of a simulated game, with their adjudication."
    yield page.rates("Simulated players", note, "orders", found)


def _grow(wanted: argparse.Namespace) -> Iterator[Table]:
    rounds = max(1, wanted.rounds // 5)
    note = "The cost of one order in a game of Checkpoint Rally of this length, relative to the shortest."
    yield _growth("Orders of one game", note, "orders", wanted.orders, growth.by_orders(wanted.orders, rounds))
    with tempfile.TemporaryDirectory(dir=page.PAGE.parents[1]) as folder:  # on one disk with the games: they are linked
        found = growth.by_games(Path(folder), whole_games("checkpoint-rally", wanted.recorded), wanted.games, rounds)
        note = "The cost of auditing one game in a folder of this size, relative to the smallest."
        yield _growth("Games of an archive", note, "games", wanted.games, found)


def _growth(title: str, note: str, unit: str, sizes: list[int], found: Iterator[tuple[int, Measured]]) -> Table:
    rows: dict[str, list[page.Spread]] = {}
    for _, each in found:
        rows.setdefault(each.work.name, []).append(each.times("shortest"))
    return page.matrix(title, note, [f"{size:,} {unit}" for size in sizes], rows.items())


PARTS = {"adjudicate": _adjudicate, "files": _read, "commands": _start, "players": _simulate, "growth": _grow}

if __name__ == "__main__":
    main()

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

_SPREAD = "Of each ratio the median of all rounds, and in brackets what half of the rounds lie between."


def main() -> None:
    """Measure what the command line asks for, print each table as soon as it is made, and write them into the page."""
    parser = argparse.ArgumentParser(prog="python tests/benchmarks", description=__doc__)
    parser.add_argument("--rounds", type=int, default=15, metavar="N", help="how often everything is measured (15)")
    parser.add_argument("--recorded", type=int, default=12, metavar="N", help="recorded games of each ruleset (12)")
    parser.add_argument("--orders", type=_sizes, default=_sizes("100,1000,10000"), metavar="N,…", help="lengths of games")
    parser.add_argument("--games", type=_sizes, default=_sizes("10,100,1000"), metavar="N,…", help="sizes of folders")
    parser.add_argument("--only", nargs="*", choices=PARTS, default=list(PARTS), metavar="PART", help=", ".join(PARTS))
    parser.add_argument("--write", action="store_true", help="put the tables into docs/benchmarks.md")
    wanted = parser.parse_args()
    if hasattr(gc, "set_threshold"):
        gc.set_threshold(100_000)  # as the program itself has it
    tables = []
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
        "Whole recorded games: the text of all orders in, the hashed game out. The yardsticks read a hand or a game from "
        f"its text and replay it, position by position; their units are actions and moves. {_SPREAD}"
    )
    yield page.rates("Orders adjudicated", note, "orders", measure(done, list(yardsticks.games()), wanted.rounds))


def _read(wanted: argparse.Namespace) -> Iterator[Table]:
    rows: dict[str, list[Measured]] = {}
    for ruleset in RULESETS:
        games = whole_games(ruleset, wanted.recorded)
        json = yardsticks.bare_json([game.data for game in games])
        for each in measure(works.reading(games), [json], wanted.rounds):
            rows.setdefault(each.work.name, []).append(each)
    note = f"Files of whole recorded games, each time as many times as long as `json.loads` of the same bytes. {_SPREAD}"
    table = [(name, [each.times("json") for each in found]) for name, found in rows.items()]
    yield page.matrix("Files", note, RULESETS, table)


def _start(wanted: argparse.Namespace) -> Iterator[Table]:
    with tempfile.TemporaryDirectory() as folder:
        found = measure(works.commands(Path(folder)), [yardsticks.bare_python()], wanted.rounds)
        note = (
            "Commands as processes of their own, on a game of Checkpoint Rally, with everything compiled to bytecode "
            f"(`PYTHONDONTWRITEBYTECODE` is not set). {_SPREAD}"
        )
        yield page.costs("Commands", note, found)


def _simulate(wanted: argparse.Namespace) -> Iterator[Table]:
    found = measure(works.every_player(RULESETS), list(yardsticks.games())[:1], max(3, wanted.rounds // 3))
    note = f"The first {works.MOST_ORDERS} orders of a simulated game, adjudication included. {_SPREAD}"
    yield page.rates("Simulated players", note, "orders", found)


def _grow(wanted: argparse.Namespace) -> Iterator[Table]:
    rounds = max(1, wanted.rounds // 5)
    note = f"What one order costs in a game of Checkpoint Rally of so many orders, beside the shortest. {_SPREAD}"
    yield _growth("Orders of one game", note, "orders", wanted.orders, growth.by_orders(wanted.orders, rounds))
    with tempfile.TemporaryDirectory(dir=page.PAGE.parents[1]) as folder:  # on one disk with the games: they are linked
        found = growth.by_games(Path(folder), whole_games("checkpoint-rally", wanted.recorded), wanted.games, rounds)
        note = f"What the audit of one game costs in a folder of so many, beside the smallest. {_SPREAD}"
        yield _growth("Games of an archive", note, "games", wanted.games, found)


def _growth(title: str, note: str, unit: str, sizes: list[int], found: Iterator[tuple[int, Measured]]) -> Table:
    rows: dict[str, list[page.Spread]] = {}
    for _, each in found:
        rows.setdefault(each.work.name, []).append(each.times("shortest"))
    return page.matrix(title, note, [f"{size:,} {unit}" for size in sizes], rows.items())


PARTS = {"adjudicate": _adjudicate, "files": _read, "commands": _start, "players": _simulate, "growth": _grow}

if __name__ == "__main__":
    main()

"""What is measured, through the library and the commands, and what it is measured against."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import adjudicator as adj
from adjudicator.audit import decide
from adjudicator.library.rulesets import ruleset_ids
from adjudicator.orders.grammar import grammar_of
from adjudicator.rulesets import ruleset
from adjudicator.store.game_file import load_game
from tests.benchmarks.measuring import Work

GAMES = Path(__file__).parents[1] / "data" / "games"
RULESETS = ruleset_ids()
A_TURN = 100
"""So many orders of a long game arrive together."""
ENOUGH = 2_000
"""So many orders, or a fiftieth of it in games, a measurement has at least: small sizes are run several times."""


def forget() -> None:
    """Remember no line that was read: every measurement reads its own."""
    for name in RULESETS:
        grammar_of(ruleset(name)).parse.cache_clear()
    decide.read_order.cache_clear()


# --- yardsticks

HAND = """
variant = "NT"
antes = [0, 0, 0]
blinds_or_straddles = [2, 4, 0]
min_bet = 4
starting_stacks = [400, 400, 400]
actions = [
  "d dh p1 AcKd", "d dh p2 7h2s", "d dh p3 QhQs",
  "p3 cbr 12", "p1 cc", "p2 cc", "d db 5c6d9h",
  "p1 cc", "p2 cbr 30", "p3 cc", "p1 f", "d db Tc",
  "p2 cc", "p3 cbr 60", "p2 cc", "d db 2d", "p2 cc", "p3 cc",
  "p2 sm 7h2s", "p3 sm QhQs",
]
"""
"""A hand of poker in the notation that pokerkit reads: 20 actions."""


def pokerkit() -> Work:
    """Return the reading of a hand by pokerkit: text in, every position of the hand out."""
    from pokerkit import HandHistory

    return Work("pokerkit", lambda: [list(HandHistory.loads(HAND)) for _ in range(6)], 20 * 6)


def bare_json(files: Sequence[bytes]) -> Work:
    """Return the reading of ``files`` by the JSON reader of Python, often enough to be measured."""
    return Work("json", lambda: [json.loads(file) for file in files], len(files), _often(files))


def _often(files: Sequence[bytes]) -> int:
    """Return how often to read ``files``: a work must be as hot as its yardstick, and short ones run into each other."""
    return max(1, 4_000_000 // sum(map(len, files)))


def run(*arguments: object) -> None:
    """Run Python as it runs where a package is installed: its modules were compiled once (the first round does that)."""
    surroundings = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    subprocess.run([sys.executable, *map(str, arguments)], check=True, stdout=subprocess.DEVNULL, env=surroundings)


# --- whole recorded games


@dataclass(frozen=True)
class Whole:
    """A whole game: its bytes, as it was ``before`` the first order, and the text of all ``orders``."""

    data: bytes
    before: adj.Game
    text: str
    orders: int


def whole_games(ruleset: str, most: int) -> list[Whole]:
    """Return up to ``most`` recorded games of ``ruleset`` that come out again when their orders arrive all at once."""
    return [*islice(_whole(ruleset), most)]


def _whole(ruleset: str) -> Iterator[Whole]:
    paths = sorted((GAMES / ruleset).glob("*.json"))
    for path in (path for first in range(7) for path in paths[first::7]):  # all kinds of games, not only the first ones
        data = path.read_bytes()
        game = adj.open(data)
        entries = json.loads(data)["journal"][1:]
        if game.commitment is None or not all(link["entry"]["seat"] in game.seats for link in entries):
            continue  # there is more to it than orders
        script = game.script("game", with_secret=True)
        with TemporaryDirectory() as folder:
            for beside, content in script.files.items():
                Path(folder, beside).write_bytes(content)
            before = adj.play_script(script.text.partition("\nturn ")[0] + "\n", folder=folder).game
        assert before is not None
        sheets: dict[str, list[str]] = {}
        for link in entries:
            sheets.setdefault(link["entry"]["seat"], []).append(link["entry"]["written"] or link["entry"]["order"])
        text = "\n".join(line for seat, orders in sheets.items() for line in (f"{seat}:", *orders))
        if _events(before.apply(text).game.to_bytes()) == _events(data):
            yield Whole(data, before, text, len(entries))


def _events(data: bytes) -> list[Any]:
    """Return what has happened in a game, whichever turn it happened in."""
    return [link["entry"]["events"] for link in json.loads(data)["journal"]]


def adjudicating(ruleset: str, games: Sequence[Whole]) -> Work:
    """Return the adjudication of whole games, text in and hashed game out; its units are orders."""

    def play() -> None:
        forget()
        for game in games:
            game.before.apply(game.text)

    return Work(ruleset, play, sum(game.orders for game in games))


def reading(games: Sequence[Whole]) -> list[Work]:
    """Return what is done with the files of games; its units are files."""
    files = [game.data for game in games]
    opened, units, times = [adj.open(file) for file in files], len(files), _often(files)

    def audit() -> None:
        forget()
        for file in files:
            verdict = adj.audit_bytes(file, "game")
            assert isinstance(verdict, adj.Verdict)
            assert verdict.divergence is None

    return [
        Work("load", lambda: [load_game(file) for file in files], units, times),
        Work("open", lambda: [adj.open(file) for file in files], units, times),
        Work("replay", lambda: [sum(1 for _ in game.seen_by("moderator").replay()) for game in opened], units, times),
        Work("audit", audit, units, times // 4 + 1),
        Work("write", lambda: [game.to_bytes() for game in opened], units, times),
    ]


def simulating(rulesets: Sequence[str], orders: int = 60) -> list[Work]:
    """Return every player of ``rulesets`` in the first ``orders`` orders of a game; its units are orders."""

    def play(ruleset: str, player: str) -> int:
        game = adj.new(ruleset, ["red", "blue", "green"][: 2 if ruleset == "checkered-flag" else 3], seed=1)
        for number in range(orders):
            if not game.due_seats:
                return number
            seat = game.due_seats[0]
            game = game.apply({seat: adj.choose_order(game, seat, player, seed=number)}).game
        return orders

    return [
        Work(f"{ruleset}, {player}", lambda ruleset=ruleset, player=player: play(ruleset, player), play(ruleset, player))
        for ruleset in rulesets
        for player in ("random", "greedy")
    ]


def commands(folder: Path, orders: int = 40) -> list[Work]:
    """Return commands from their start, on a game of Checkpoint Rally in ``folder`` with so many orders to come."""
    game, (text,) = long_game(orders)
    begun, over, sheet = folder / "begun.json", folder / "over.json", folder / "orders.txt"
    game.save(begun)
    game.apply(text).game.save(over)
    sheet.write_text(text, "utf-8")
    told: dict[str, tuple[object, ...]] = {
        "--version": ("--version",),
        "--help": ("--help",),
        "show": ("show", over),
        f"check of {orders} orders": ("check", begun, sheet),
        f"apply of {orders} orders": ("apply", begun, sheet, "-o", folder / "new.json", "--force"),
    }
    return [Work(name, lambda words=words: run("-m", "adjudicator", *words)) for name, words in told.items()]


# --- growth


def long_game(orders: int) -> tuple[adj.Game, list[str]]:
    """Return a race of Checkpoint Rally that nobody ever finishes, before its first order, and its turns as texts."""
    game = before = adj.new("checkpoint-rally", ["red", "blue", "green", "yellow"], seed=1)
    turns: list[dict[str, list[str]]] = []
    for number in range(orders):
        if number % A_TURN == 0:
            turns.append({})
        seat = game.due_seats[0]
        order = game.seen_by(seat).example or ""
        turns[-1].setdefault(seat, []).append(order)
        game = game.apply({seat: order}).game
    return before, ["\n".join(line for seat, lines in turn.items() for line in (f"{seat}:", *lines)) for turn in turns]


def by_orders(size: int) -> list[Work]:
    """Return what an order costs in a game of ``size`` orders; one more order is a work of its own."""
    before, turns = long_game(size)

    def play() -> adj.Game:
        forget()
        game = before
        for turn in turns:
            game = game.apply(turn).game
        return game

    after = play()
    data = after.to_bytes()
    seat = after.due_seats[0]
    order = {seat: after.seen_by(seat).example or ""}

    def audit() -> None:
        forget()
        assert after.audit().divergence is None

    times = max(1, ENOUGH // size)
    return [
        Work("adjudicate", play, size, times),
        Work("audit", audit, size, times),
        Work("open", lambda: adj.open(data), size, times),
        Work("one more order", lambda: after.apply(order), 1, 200),
    ]


def by_games(folder: Path, size: int) -> Work:
    """Return the audit of a folder that is made of ``size`` games, with two games each many times."""
    folder.mkdir(parents=True)
    files = [game.data for game in whole_games("checkered-flag", 2)]
    for number in range(size):
        if number < len(files):
            (folder / f"{number:06}.json").write_bytes(files[number])
        else:  # one file under many names: ten thousand games take no room
            os.link(folder / f"{number % len(files):06}.json", folder / f"{number:06}.json")

    def audit() -> None:
        forget()
        verdicts = adj.audit_files(folder, jobs=0)
        assert sum(isinstance(one, adj.Verdict) and one.divergence is None for one in verdicts) == size

    return Work("audit of a folder", audit, size, max(1, ENOUGH // 50 // size))


def by_crews(folder: Path, size: int) -> Work:
    """Return `apply` of an internet rally in which ``size`` crews send a whole sheet at once; its units are crews."""
    sheets = []
    for number in range(min(size, 10)):
        game, lines = adj.new("rally-round", ["crew0"], seed=number), list[str]()
        while not game.is_over:
            lines.append(adj.choose_order(game, "crew0", "random", seed=number))
            game = game.apply({"crew0": lines[-1]}).game
        sheets.append(lines)
    folder.mkdir(parents=True)
    adj.new("rally-round", [f"crew{number}" for number in range(size)], seed=1).save(folder / "rally.json")
    text = "\n".join(line for number in range(size) for line in (f"crew{number}:", *sheets[number % len(sheets)]))
    (folder / "sheets.txt").write_text(text, "utf-8")
    words = ("apply", folder / "rally.json", folder / "sheets.txt", "-o", folder / "new.json", "--force")
    return Work("apply of a rally", lambda: run("-m", "adjudicator", *words), size)

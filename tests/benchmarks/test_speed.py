"""Speed against yardsticks, measured in one run: `pytest -m benchmark tests/benchmarks` (extra `bench`).

Within a group the yardstick stands beside the work; compare the medians. Nothing here is asserted in a timed test. Ratios
over whole recorded games, and of commands, are in the tables of docs/benchmarks.md, which `python tests/benchmarks` makes.
"""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest
from lark_oracle import value_parser
from measuring.yardsticks import HAND

from adjudicator.core.engine import adjudicate, fold
from adjudicator.core.journal import Journal
from adjudicator.core.order import Instruction, Sheet
from adjudicator.orders.submission import Addressee
from adjudicator.orders.turnfile import read_turn_files
from adjudicator.store.load import load_game
from adjudicator.store.save import dump_game

pytestmark = pytest.mark.benchmark


def distinct_lines() -> list[str]:
    cells = [f"{column}{row}" for column in "ABCDE" for row in range(1, 6)]
    places = [f"PLACE H{tile} at {cell} rot {rot}" for tile in range(1, 15) for cell in cells for rot in (0, 90, 180, 270)]
    moves = [f"MOVE {first} {second}" for first in cells for second in cells if first != second]
    return places + moves


@pytest.mark.benchmark(group="parse distinct lines")
def test_parse_yardstick_lark_alone(benchmark: Any, played: Any) -> None:
    parse, lines = value_parser(played.before.rules).parse, distinct_lines()
    assert len(benchmark(lambda: [parse(line) for line in lines])) == len(lines)


@pytest.mark.benchmark(group="parse distinct lines")
def test_parse_turn_file(benchmark: Any, played: Any) -> None:
    rules, lines = played.before.rules, distinct_lines()
    text = ("red:\n" + "\n".join(lines)).encode()
    addressee = Addressee("bench", 1, played.before.seats)

    def read() -> Any:
        from adjudicator.orders import parser as module

        module.reader.forget()  # Nothing is remembered from the round before.
        return read_turn_files(rules, addressee, [("bench", text)])

    assert len(benchmark(read).sheets[0].instructions) == len(lines)


@pytest.mark.benchmark(group="300 orders or actions")
def test_adjudicate_yardstick_pokerkit(benchmark: Any) -> None:
    pokerkit = pytest.importorskip("pokerkit")
    assert benchmark(lambda: [len(list(pokerkit.HandHistory.loads(HAND))) for _ in range(15)])  # 15 hands of 20 actions


@pytest.mark.benchmark(group="300 orders or actions")
def test_adjudicate_yardstick_diplomacy(benchmark: Any) -> None:
    diplomacy = pytest.importorskip("diplomacy")
    orders = {
        "FRANCE": ["A PAR - BUR", "A MAR - SPA", "F BRE - MAO"],
        "ENGLAND": ["F LON - NTH", "F EDI - NWG", "A LVP - YOR"],
    }

    def play() -> int:
        for _ in range(14):  # 14 phases of 22 units
            game = diplomacy.Game()
            for power, given in orders.items():
                game.set_orders(power, given)
            game.process()
        return 1

    assert benchmark.pedantic(play, rounds=3)


@pytest.mark.benchmark(group="300 orders or actions")
def test_adjudicate_everything(benchmark: Any, played: Any) -> None:
    session = played.before

    def play() -> Any:
        received = read_turn_files(session.rules, played.addressee, [("bench", played.text)])
        return adjudicate(session.rules, session.config, session.game, received.sheets)

    assert benchmark(play).game.head != session.game.head
    assert len(play().accepted) == played.orders


@pytest.mark.benchmark(group="a game of 300 orders in its file")
def test_load_yardstick_json(benchmark: Any, played: Any) -> None:
    data = dump_game(played.after.game)
    assert benchmark(lambda: json.loads(data))


@pytest.mark.benchmark(group="a game of 300 orders in its file")
def test_load(benchmark: Any, played: Any) -> None:
    data = dump_game(played.after.game)
    assert benchmark(lambda: load_game(data)).head == played.after.game.head


@pytest.mark.benchmark(group="a game of 300 orders in its file")
def test_load_carefully(benchmark: Any, played: Any) -> None:
    data = dump_game(played.after.game)
    assert benchmark(lambda: load_game(data)).head == played.after.game.head


@pytest.mark.benchmark(group="a game of 300 orders in its file")
def test_fold(benchmark: Any, played: Any) -> None:
    session = played.after
    events = [event for link in session.game.journal for event in link.entry.events]
    assert benchmark(lambda: fold(session.rules, session.config, events)) == session.game.state


@pytest.mark.benchmark(group="one order in a long game")
@pytest.mark.parametrize("orders", [100, 1_000, 10_000])
def test_one_order(benchmark: Any, play_orders: Any, orders: int) -> None:
    session = play_orders(orders).after
    seat = session.rules.awaiting(session.config, session.game.state)[0].seat
    order = next(iter(session.rules.legal(session.config, session.game.state, seat)))
    sheets = [Sheet(seat, (Instruction(order),))]

    def as_loaded() -> tuple[tuple[Any, ...], dict[str, Any]]:
        return (session.rules, session.config, replace(session.game, journal=Journal(session.game.journal)), sheets), {}

    assert benchmark.pedantic(adjudicate, setup=as_loaded, rounds=1_000).accepted

"""Games played by a seeded random player, as the benchmarks need them: text in, the same game out."""

from __future__ import annotations

import random
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from play import begin

from adjudicator.core.engine import adjudicate
from adjudicator.core.order import Instruction, Sheet
from adjudicator.orders.submission import Addressee
from adjudicator.session import Session

sys.path.insert(0, str(Path(__file__).parent))


@dataclass(frozen=True)
class Played:
    """A game before its first order and after its last, with all orders between as one turn file."""

    before: Session
    after: Session
    orders: int
    text: bytes
    addressee: Addressee


def begun(seats: int = 4, seed: int = 1) -> Session:
    return begin("checkpoint-rally", " ".join(("red", "blue", "green", "yellow")[:seats]), id="bench", secret=f"{seed:064x}")


def play(orders: int, seed: int = 1) -> Played:
    """Play ``orders`` orders; one random order that never finishes the race after another."""
    before = session = begun(seed=seed)
    chosen = random.Random(seed)
    sheets: dict[str, list[str]] = {seat: [] for seat in before.seats}
    for _ in range(orders):
        order = _next_order(session, chosen)
        seat = session.rules.awaiting(session.config, session.game.state)[0].seat
        outcome = adjudicate(session.rules, session.config, session.game, [Sheet(seat, (Instruction(order),))])
        assert not outcome.diagnostics
        session = session.with_game(outcome.game)
        sheets[seat].append(session.rules.language.text(order))
    text = "\n".join(line for seat, lines in sheets.items() for line in (f"{seat}:", *lines)).encode()
    return Played(before, session, orders, text, Addressee(before.game.id, before.game.turn, before.seats))


def _next_order(session: Session, chosen: random.Random) -> Any:
    rules, config, state = session.rules, session.config, session.game.state
    seat = rules.awaiting(config, state)[0].seat
    racer = state.racer(seat)
    left = set(config.maps[racer.card]) - set(racer.marked)
    legal = [order for order in rules.legal(config, state, seat) if not left <= set(getattr(order, "path", ()))]
    moves = [order for order in legal if hasattr(order, "path")]
    return chosen.choice(moves if moves and chosen.random() < 0.3 else legal)


@pytest.fixture(scope="session")
def played() -> Played:
    """A game of 300 orders."""
    return play(300)


@pytest.fixture(scope="session")
def play_orders() -> Any:
    return play

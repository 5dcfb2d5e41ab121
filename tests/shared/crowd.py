"""Rallies of any number of crews, each with a whole sheet of its own: some 125 turns, driven by a seeded player."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

from play import begin

from adjudicator.core.chance import RecordedChance
from adjudicator.core.step import carry_out
from adjudicator.games.rally_round.components import Rally
from adjudicator.games.rally_round.driving import speeds_here
from adjudicator.games.rally_round.kits import Pick
from adjudicator.games.rally_round.rules import RULESET
from adjudicator.games.rally_round.state import Position
from adjudicator.games.rally_round.turns import Speed
from adjudicator.session import Session

FAST = 20
"""Nobody drives faster, if it can be helped: so the house rally of 164 squares takes more than 120 turns."""


def begun(crews: int, rally: Rally | None = None) -> Session:
    """Return a rally of so many crews, before anybody has sent anything; without one it is the first of the house map."""
    seats = " ".join(f"crew{number}" for number in range(crews))
    return begin(
        "rally-round", seats, id="crowd", position=None if rally is None else Position(rally=rally), secret="55" * 32
    )


def sheets(crews: int) -> bytes:
    """Return a turn file with the whole sheet of each crew, no two alike."""
    alone = begun(1)
    texts = (f"crew{number}:\n" + "\n".join(_sheet(alone, random.Random(number))) for number in range(crews))
    return "\n".join(texts).encode()


def _sheet(alone: Session, chosen: random.Random) -> Iterator[str]:
    config, state = alone.config, alone.game.state
    kinds: dict[str, list[Any]] = {}
    for card in config.components.kit:
        kinds.setdefault(card.kind, []).append(card.id)
    kit = [chosen.choice(cards) for cards in kinds.values()]
    yield f"KIT {' '.join(kit)}"
    state = _after(alone, state, Pick(kit[0], tuple(kit[1:])))
    for number, section in enumerate(config.sections):
        while len(state.crews[0].lines) == number:
            legal = speeds_here(config, state.crews[0])
            slow = [speed for speed in legal if speed <= FAST] or [legal[0]]
            state = _after(alone, state, Speed(chosen.choice((*slow, slow[0], slow[-1]))))
        yield f"{section.end.name}: {' '.join(map(str, state.crews[0].lines[number].speeds))}"


def _after(alone: Session, state: Any, order: Any) -> Any:
    return carry_out(RULESET, alone.config, state, alone.seats[0], order, RecordedChance(())).state

"""What happens without anybody's order: the spins for the first turn, lost turns, the end (CF-S1, CF-X1, CF-V1)."""

from __future__ import annotations

from collections.abc import Generator

from adjudicator.core.chance import Chance
from adjudicator.games.checkered_flag.config import Config
from adjudicator.games.checkered_flag.decide import spin
from adjudicator.games.checkered_flag.events import Event, GameEnded, RaceStarted, StartSpun, StartTied, TurnLost, TurnPassed
from adjudicator.games.checkered_flag.state import Stage, State


def proceed(config: Config, state: State, chance: Chance) -> Generator[Event, State, None]:
    """Yield what happens next without an order, or nothing; to be handed the state after each event."""
    if state.stage is Stage.STARTING:
        yield from _spin_for_start(config, chance)
    elif state.stage is Stage.RACING and state.turn is not None:
        winner = next((racer.seat for racer in state.racers if racer.driven > config.distance), None)
        if winner is not None:
            yield GameEnded(winner=winner)
        elif state.racer(state.turn).lost:
            yield TurnLost(seat=state.turn, left=state.racer(state.turn).lost - 1)
            yield TurnPassed(seat=config.other(state.turn))


def _spin_for_start(config: Config, chance: Chance) -> Generator[Event, State, None]:
    """CF-S1: both spin both wheels; the higher total goes first, equal totals are spun again."""
    totals = []
    for seat in config.seats:
        a, b = spin(chance, config, seat, "the first turn")
        yield StartSpun(seat=seat, a=a, b=b)
        totals.append(a + b)
    if totals[0] == totals[1]:
        yield StartTied(total=totals[0])
    else:
        yield RaceStarted(seat=config.seats[totals.index(max(totals))])

"""The order of play: what each phase of a turn asks, and what follows (CF-V1, CF-S1, CF-X1, CF-B2, CF-G1)."""

from __future__ import annotations

from typing import Final

from adjudicator.game import Chance, Moves, Phase
from adjudicator.games.checkered_flag import events as happened
from adjudicator.games.checkered_flag.braking import BRAKE, drive_of
from adjudicator.games.checkered_flag.orders import GEAR
from adjudicator.games.checkered_flag.state import Here


def _spin_for_start(at: Here, chance: Chance) -> Moves:
    """CF-S1: both spin both wheels; the higher total goes first, equal totals are spun again."""
    totals = []
    for seat in at.config.seats:
        a, b = (at.config.spin(chance, seat, "the first turn", wheel) for wheel in "AB")
        yield happened.StartSpun(seat=seat, a=a, b=b)
        totals.append(a + b)
    if totals[0] == totals[1]:
        yield happened.StartTied(total=totals[0])
    else:
        yield happened.RaceStarted(seat=at.config.seats[totals.index(max(totals))])


def _lose_turn(at: Here, _chance: Chance) -> Moves:
    assert at.state.turn is not None
    yield happened.TurnLost(seat=at.state.turn, left=at.of(at.state.turn).lost - 1)
    yield happened.TurnPassed(seat=at.config.after(at.state.turn))


PHASES: Final = (
    Phase("CF-V1", lambda at: at.state.winner(at.config) is not None),
    Phase("CF-S1", lambda at: at.state.turn is None, follow=_spin_for_start),
    Phase("CF-X1", lambda at: at.of(at.state.turn).lost, follow=_lose_turn),
    Phase("CF-B2", lambda at: drive_of(at.config, at.state) is not None, lambda at: BRAKE.to(at.state.turn)),
    Phase("CF-G1", lambda _at: True, lambda at: GEAR.to(at.state.turn)),
)

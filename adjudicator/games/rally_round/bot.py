"""A guess of what a crew has still before it, in seconds: what a simulated player that plans ahead goes by."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from adjudicator.game import View
from adjudicator.games.rally_round.config import Config
from adjudicator.games.rally_round.moving import legal_speeds
from adjudicator.games.rally_round.orders import Speed
from adjudicator.games.rally_round.state import Crew, State, course
from adjudicator.games.rally_round.steering import way_ahead
from adjudicator.games.rally_round.timing import MINUTE

_A_SQUARE: Final = 12
"""Seconds that a square to come counts for: between a stage and a road section."""
_STANDING: Final = 20
_A_TURN: Final = 15
"""Seconds that a turn taken counts for, so that one that leads nowhere is none to choose."""


def estimate(config: Config, view: View[State]) -> int:
    """Return what the viewer's crew has still before it by a guess: squares to drive, minutes it will be late."""
    crew = next((crew for crew in view.state.crews if crew.seat == view.viewer), None)
    config = course(config, view.state)
    if crew is None or crew.is_done(config) or not config.sections:
        return 0
    section, ahead = config.sections[len(crew.lines)], config.sections[len(crew.lines) + 1 :]
    left = section.distance - (section.way.index(crew.trail[-1]) if crew.trail[-1] in section.way else 0)
    late = max(0, MINUTE * len(crew.speeds) + 15 * left - section.target)
    squares = left + sum(other.distance for other in ahead)
    return _A_SQUARE * squares + _A_TURN * len(crew.speeds) + late + (0 if crew.speed else _STANDING)


def likely(config: Config, view: View[State]) -> Callable[[Any], bool]:
    """Return which orders are worth a look: speeds that are legal."""
    crew: Crew | None = next((crew for crew in view.state.crews if crew.seat == view.viewer), None)
    config = course(config, view.state)
    if crew is None or crew.is_done(config) or not crew.has_kit() or not config.sections:
        return lambda _order: True
    car = crew.car(config)
    ahead = way_ahead(config, car, 1)

    def is_likely(order: Any) -> bool:
        if not isinstance(order, Speed):
            return False
        return order.speed in legal_speeds(config, car, crew.rights(config, order.using), ahead[0] if ahead else None)

    return is_likely

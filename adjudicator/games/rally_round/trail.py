"""The squares that a car came over, the last the one it stands on, and what a roll makes of them (RR-F9)."""

from __future__ import annotations

from adjudicator.games.rally_round.components import SquareId
from adjudicator.games.rally_round.ways import Way


def behind_on(trail: Way) -> SquareId | None:
    """Return the square behind a car on ``trail``, ``None`` where it may leave in any direction."""
    return trail[-2] if len(trail) > 1 else None


def rolled_trail(trail: Way, rolled: Way) -> Way:
    """Return the ``trail`` of a car after it has ``rolled``: back along it, or on."""
    is_back = rolled[:1] == trail[-2:-1]
    for square in rolled:
        back = trail[:-1] if trail[-2:-1] == (square,) else (square,)
        trail = back if is_back else (*trail, square)
    return trail

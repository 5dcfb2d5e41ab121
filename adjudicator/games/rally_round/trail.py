"""Handle a car's trail: the squares it drove over, the last its own, and the effect of a roll (RR-F9)."""

from __future__ import annotations

from adjudicator.games.rally_round.components import SquareId
from adjudicator.games.rally_round.ways import Way


def behind_on(trail: Way) -> SquareId | None:
    """Return the square that a car on ``trail`` came from, ``None`` if it may leave in any direction."""
    return trail[-2] if len(trail) > 1 else None


def rolled_trail(trail: Way, rolled: Way) -> Way:
    """Return the ``trail`` of a car after it ``rolled``: back along it, or forward."""
    is_back = rolled[:1] == trail[-2:-1]
    for square in rolled:
        back = trail[:-1] if trail[-2:-1] == (square,) else (square,)
        trail = back if is_back else (*trail, square)
    return trail

"""Simulated players, which decide from what their seat knows."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random
from typing import Any, Final

from adjudicator.core.ids import Seat
from adjudicator.core.planner import any_order, best_order
from adjudicator.session import Session

Choose = Callable[[Session, Seat, Random], Any]
"""A player: returns one of the legal orders of a seat that is due."""


def choose_random(session: Session, seat: Seat, luck: Random) -> Any:
    """Return any legal order of ``seat`` (see ``any_order``)."""
    return any_order(session.rules, session.config, session.game.state, seat, luck)


def choose_greedily(session: Session, seat: Seat, luck: Random) -> Any:
    """Return the best of some legal orders of ``seat`` (see ``best_order``)."""
    return best_order(session.rules, session.config, session.game.state, seat, luck)


PLAYERS: Final[Mapping[str, Choose]] = {"random": choose_random, "greedy": choose_greedily}
"""The players by name."""

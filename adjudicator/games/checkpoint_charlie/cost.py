"""What orders cost: nothing. Points come from markers alone, and they are turned over at the end (CC-K3)."""

from __future__ import annotations

from typing import Any

from adjudicator.core.event import Part
from adjudicator.core.ids import Seat
from adjudicator.games.checkpoint_charlie.check import check
from adjudicator.games.checkpoint_charlie.config import Config
from adjudicator.games.checkpoint_charlie.state import State


def cost(config: Config, state: State, seat: Seat, order: Any) -> tuple[Part, ...] | None:
    """Return no parts at all for an order that is legal now, ``None`` for one that is not."""
    return () if check(config, state, seat, order) is None else None

"""The colours of pictures: grounds in pale ones, seats in strong ones, each always the same within a drawing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

_PALE: Final = ("#f4c7b4", "#dcdce6", "#d3e8bd", "#f5e9b4", "#cfe3f2", "#e6d3ec")
_STRONG: Final = ("#c0392b", "#2563a8", "#2e8b57", "#d4a017", "#7d3c98", "#d35400", "#117a8b", "#555555")
_NAMED: Final = {
    "red": "#c0392b",
    "blue": "#2563a8",
    "green": "#2e8b57",
    "yellow": "#d4a017",
    "purple": "#7d3c98",
    "orange": "#d35400",
    "white": "#9a9a9a",
    "black": "#222222",
}


def ground_ink(ground: str, grounds: Sequence[str]) -> str:
    """Return the colour of ``ground``, one of ``grounds``; white for one that is not worth telling."""
    return _PALE[grounds.index(ground) % len(_PALE)] if ground in grounds else "#ffffff"


def seat_ink(seat: str, seats: Sequence[str]) -> str:
    """Return the colour of ``seat``: its own where it is called like one, else one by its place among ``seats``."""
    own = _NAMED.get(seat.casefold())
    return own or (_STRONG[seats.index(seat) % len(_STRONG)] if seat in seats else "#222222")

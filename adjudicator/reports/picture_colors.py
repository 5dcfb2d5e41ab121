"""The colours of pictures: grounds in pale ones, seats in strong ones, each always the same within a drawing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from adjudicator.reports.seat_colors import seat_color

_PALE: Final = ("#f4c7b4", "#dcdce6", "#d3e8bd", "#f5e9b4", "#cfe3f2", "#e6d3ec")
_ROADS: Final = {"red": "#e0897a", "orange": "#f2bd73", "yellow": "#f8ef9d", "white": "#ffffff"}
"""Grounds that are called by a colour have it, each lighter than the one before: so they are told apart in grey, too."""
_INKS: Final = {
    "red": "#c0392b",
    "blue": "#2563a8",
    "green": "#2e8b57",
    "yellow": "#d4a017",
    "purple": "#7d3c98",
    "cyan": "#117a8b",
    "orange": "#d35400",
    "grey": "#6f6f6f",
    "pink": "#d6559b",
    "brown": "#7b4a22",
    "white": "#a8a8a8",
    "black": "#222222",
}
_COUNTERS: Final = {"gold": ("#e3b23c", "#000000"), "white": ("#ffffff", "#000000"), "black": ("#222222", "#ffffff")}


def ground_ink(ground: str, grounds: Sequence[str]) -> str:
    """Return the colour of ``ground``, one of ``grounds``; white for one that is not worth telling."""
    if ground in grounds and ground in _ROADS:
        return _ROADS[ground]
    return _PALE[grounds.index(ground) % len(_PALE)] if ground in grounds else "#ffffff"


def counter_inks(ground: str) -> tuple[str, str]:
    """Return the colour of a counter of that ``ground``, and that of what stands on it."""
    return _COUNTERS.get(ground, ("#ffffff", "#000000"))


def seat_ink(seat: str, seats: Sequence[str]) -> str:
    """Return the colour of ``seat``, one of ``seats``."""
    return _INKS[seat_color(seat, seats)]

"""The colours of pictures: grounds in pale ones, seats in strong ones, each always the same within a drawing.

They are chosen to stay apart for the colour-blind and in grey: ``tests/reports/test_color_vision.py`` says by how much.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from adjudicator.reports.seat_colors import seat_color

_PALE: Final = ("#ea9f8b", "#dde0ef", "#b9df90", "#fbf3c8", "#9dc8e8", "#c98fd4")
_ROADS: Final = {"red": "#e0897a", "orange": "#f2bd73", "yellow": "#f8ef9d", "white": "#ffffff"}
"""Grounds that are called by a colour have it, each lighter than the one before: so they are told apart in grey, too."""
_INKS: Final = {
    "red": "#c0392b",
    "blue": "#1c4c9d",
    "green": "#1f9c6c",
    "yellow": "#efb410",
    "purple": "#4e1d71",
    "cyan": "#1db1cb",
    "orange": "#f26e35",
    "grey": "#5f5f5f",
    "pink": "#ce43a2",
    "brown": "#69341e",
    "white": "#b2b2b2",
    "black": "#191919",
}
_BRIGHT: Final = frozenset(_INKS[name] for name in ("green", "yellow", "cyan", "orange", "pink", "white"))
_COUNTERS: Final = {"gold": ("#e3b23c", "#000000"), "white": ("#ffffff", "#000000"), "black": ("#222222", "#ffffff")}


def ground_ink(ground: str, grounds: Sequence[str]) -> str:
    """Return the colour of ``ground``, one of ``grounds``; white for one that is not worth telling."""
    if ground in grounds and ground in _ROADS:
        return _ROADS[ground]
    return _PALE[grounds.index(ground) % len(_PALE)] if ground in grounds else "#ffffff"


def letter_ink(ink: str) -> str:
    """Return the colour of letters that are read on ``ink``: white, or black where that is too bright for it."""
    return "#000000" if ink in _BRIGHT else "#ffffff"


def counter_inks(ground: str) -> tuple[str, str]:
    """Return the colour of a counter of that ``ground``, and that of what stands on it."""
    return _COUNTERS.get(ground, ("#ffffff", "#000000"))


def seat_ink(seat: str, seats: Sequence[str]) -> str:
    """Return the colour of ``seat``, one of ``seats``."""
    return _INKS[seat_color(seat, seats)]

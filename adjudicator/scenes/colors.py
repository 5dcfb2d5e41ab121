"""Choose the colours of pictures: pale ones for grounds, strong ones for seats, constant within a drawing.

They remain distinguishable in grey and for colour-blind readers (``tests/pages/test_pictures.py``).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

GIVEN: Final = ("red", "blue", "green", "yellow", "purple", "cyan", "orange", "grey")
"""The colours for seats whose name is not a colour, in the order of their use."""
_OTHER_WORDS: Final = {"gray": "grey", "violet": "purple", "teal": "cyan"}
_PALE: Final = ("#ea9f8b", "#dde0ef", "#b9df90", "#fbf3c8", "#9dc8e8", "#c98fd4")
_ROADS: Final = {"red": "#e0897a", "orange": "#f2bd73", "yellow": "#f8ef9d", "white": "#ffffff"}
"""The colours of grounds that are named after a colour, each lighter than the previous one, so that they differ in grey."""
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


def ground_ink(ground: str, grounds: Sequence[str]) -> str:
    """Return the colour of ``ground``, one of ``grounds``; white for an empty ground."""
    if ground in grounds and ground in _ROADS:
        return _ROADS[ground]
    return _PALE[grounds.index(ground) % len(_PALE)] if ground in grounds else "#ffffff"


def letter_ink(ink: str) -> str:
    """Return the colour of letters on ``ink``: white, or black if ``ink`` is too bright for white."""
    return "#000000" if ink in _BRIGHT else "#ffffff"


def seat_ink(seat: str, seats: Sequence[str]) -> str:
    """Return the colour of ``seat``, one of ``seats``."""
    return _INKS[seat_color(seat, seats)]


def seat_color(seat: str, seats: Sequence[str]) -> str:
    """Return the colour of ``seat``: its name if that is a colour, else one that no other of ``seats`` has.

    With more seats than colours, some have the same colour. A seat that is not one of ``seats`` is black.
    """
    return _named(seat) or _given(tuple(seats)).get(seat, "black")


@lru_cache(maxsize=64)  # each badge asks, and a search through thousands of seats is slow
def _given(seats: tuple[str, ...]) -> dict[str, str]:
    """Return the colours of those of ``seats`` whose name is not a colour."""
    taken = {_named(seat) for seat in seats}
    free = [color for color in GIVEN if color not in taken] or GIVEN
    unnamed = [seat for seat in dict.fromkeys(seats) if _named(seat) is None]
    return {seat: free[at % len(free)] for at, seat in enumerate(unnamed)}


def _named(seat: str) -> str | None:
    word = _OTHER_WORDS.get(seat.casefold(), seat.casefold())
    return word if word in _INKS else None

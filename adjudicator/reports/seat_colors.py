"""The colour of each seat, by its name, the same on a terminal and in a picture."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

GIVEN: Final = ("red", "blue", "green", "yellow", "purple", "cyan", "orange", "grey")
"""The colours for seats that are not called like one, in the order in which they are given."""
COLORS: Final = (*GIVEN, "pink", "brown", "white", "black")
_OTHER_WORDS: Final = {"gray": "grey", "violet": "purple", "teal": "cyan"}


def seat_color(seat: str, seats: Sequence[str]) -> str:
    """Return the colour of ``seat``: its own where it is called like one, else one that no other of ``seats`` has.

    Where there are more seats than colours, some have the same; of a seat that is none of ``seats`` it is black.
    """
    own = _named(seat)
    if own is not None:
        return own
    if seat not in seats:
        return "black"
    taken = {_named(other) for other in seats}
    free = [color for color in GIVEN if color not in taken] or GIVEN
    unnamed = [other for other in dict.fromkeys(seats) if _named(other) is None]
    return free[unnamed.index(seat) % len(free)]


def _named(seat: str) -> str | None:
    word = _OTHER_WORDS.get(seat.casefold(), seat.casefold())
    return word if word in COLORS else None

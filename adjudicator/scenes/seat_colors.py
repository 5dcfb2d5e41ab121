"""Choose the colour of each seat by its name, the same on a terminal and in a picture."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from adjudicator.scenes.kept import Kept

GIVEN: Final = ("red", "blue", "green", "yellow", "purple", "cyan", "orange", "grey")
"""The colours for seats whose name is not a colour, in the order of their use."""
COLORS: Final = (*GIVEN, "pink", "brown", "white", "black")
_OTHER_WORDS: Final = {"gray": "grey", "violet": "purple", "teal": "cyan"}


def seat_color(seat: str, seats: Sequence[str]) -> str:
    """Return the colour of ``seat``: its name if that is a colour, else one that no other of ``seats`` has.

    With more seats than colours, some have the same colour. A seat that is not one of ``seats`` is black.
    """
    own = _named(seat)
    if own is not None:
        return own
    return _COLORS.of(len(seats), tuple(seats)).get(seat, "black")


def _given(seats: tuple[str, ...]) -> dict[str, str]:
    """Return the colours of those of ``seats`` whose name is not a colour."""
    taken = {_named(seat) for seat in seats}
    free = [color for color in GIVEN if color not in taken] or GIVEN
    unnamed = [seat for seat in dict.fromkeys(seats) if _named(seat) is None]
    return {seat: free[at % len(free)] for at, seat in enumerate(unnamed)}


_COLORS: Final = Kept(_given)
"""The number of cached results: each badge needs one, and a search through thousands of seats is slow."""


def _named(seat: str) -> str | None:
    word = _OTHER_WORDS.get(seat.casefold(), seat.casefold())
    return word if word in COLORS else None

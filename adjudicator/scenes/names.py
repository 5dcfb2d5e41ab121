"""Shorten the names of seats so that they stay different."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from typing import Final

_MOST_ALIKE: Final = 8
"""Names with a longer common beginning are distinguished by their ends."""
_BEGINNING: Final = 3


def short_name(name: str, names: Sequence[str], longest: int) -> str:
    """Return ``name`` cut to ``longest`` characters, or to more if it would be identical to others of ``names``, sorted.

    For names with a long common beginning, return the beginning and a unique end.
    """
    # In sorted order, names with the same beginning are neighbours: a search in thousands of crews would be slow.
    at = bisect_left(names, name)
    beside = [other for other in names[max(at - 1, 0) : at + 2] if other != name]
    least = next((n for n in range(1, len(name)) if not any(o.startswith(name[:n]) for o in beside)), len(name))
    if least <= max(longest, _MOST_ALIKE):
        return name[: max(least, longest)]
    others = [other for other in names if other != name]
    end = next((n for n in range(1, len(name)) if not any(o.endswith(name[-n:]) for o in others)), len(name))
    cut = f"{name[:_BEGINNING]}…{name[-end:]}"
    return cut if len(cut) < least else name[:least]


def initial(name: str, names: Sequence[str], seat: str, seats: Sequence[str]) -> str:
    """Return the letters for ``name`` on a token of ``seat``: one or two unique letters, else the number of the seat."""
    short = short_name(name, names, 1).upper()
    return short if len(short) < 3 or seat not in seats else str(seats.index(seat) + 1)

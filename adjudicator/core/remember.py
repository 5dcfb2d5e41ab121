"""What was found out about a value, remembered for the next one who asks about the same."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

V = TypeVar("V")
R = TypeVar("R")


def remember_last(find: Callable[[V], R]) -> Callable[[V], R]:
    """Return the function ``find``, which remembers what it found for the value that it was asked about last.

    About one position the engine asks the same again and again: who is due, whether that seat may do this, what comes of
    it. ``find`` follows from the value alone, which never changes; another value that is equal is looked at anew.
    """
    last: tuple[V, R] | None = None

    def found(value: V) -> R:
        nonlocal last
        known = last
        if known is None or known[0] is not value:
            last = known = value, find(value)
        return known[1]

    found.__doc__, found.__wrapped__ = find.__doc__, find  # type: ignore[attr-defined]
    return found

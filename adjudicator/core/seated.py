"""What belongs to seats: found by its seat, and exchanged for what it has become."""

from __future__ import annotations

from typing import Protocol, TypeVar

from adjudicator.core.ids import Seat


class Seated(Protocol):
    """Something that belongs to a seat."""

    @property
    def seat(self) -> Seat:
        """Whose it is."""
        ...


X = TypeVar("X", bound=Seated)


def of_seat(things: tuple[X, ...], seat: Seat) -> X:
    """Return the one of ``things`` that belongs to ``seat``. Raises ``KeyError`` if none does."""
    for thing in things:
        if thing.seat == seat:
            return thing
    raise KeyError(seat)


def exchanged(things: tuple[X, ...], thing: X) -> tuple[X, ...]:
    """Return ``things`` with ``thing`` in the place of the one of its seat."""
    return tuple([thing if other.seat == thing.seat else other for other in things])

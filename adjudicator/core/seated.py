"""What belongs to seats: found by its seat, and exchanged for what it has become."""

from __future__ import annotations

from typing import Final, Protocol, TypeVar

from adjudicator.core.ids import Seat


class Seated(Protocol):
    """Something that belongs to a seat."""

    @property
    def seat(self) -> Seat:
        """Whose it is."""
        ...


X = TypeVar("X", bound=Seated)


_places: dict[Seat, int] = {}
"""Where a seat was found last. Tables hardly ever change their order, and with a thousand seats a search is felt."""
_MOST_PLACES: Final = 10_000


def of_seat(things: tuple[X, ...], seat: Seat) -> X:
    """Return the one of ``things`` that belongs to ``seat``. Raises ``KeyError`` if none does."""
    at = _place(things, seat)
    if at < 0:
        raise KeyError(seat)
    return things[at]


def exchanged(things: tuple[X, ...], thing: X) -> tuple[X, ...]:
    """Return ``things`` with ``thing`` in the place of the one of its seat."""
    at = _place(things, thing.seat)
    return things if at < 0 else (*things[:at], thing, *things[at + 1 :])


def _place(things: tuple[X, ...], seat: Seat) -> int:
    """Return the index of the one of ``things`` that belongs to ``seat``, -1 if none does."""
    at = _places.get(seat, 0)
    if at < len(things) and things[at].seat == seat:
        return at
    for at, thing in enumerate(things):
        if thing.seat == seat:
            if len(_places) >= _MOST_PLACES:
                _places.clear()
            _places[seat] = at
            return at
    return -1

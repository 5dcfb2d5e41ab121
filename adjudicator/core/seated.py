"""What belongs to seats: found by its seat, and exchanged for what it has become."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, Final, Protocol, TypeVar, cast, get_args, get_type_hints

from adjudicator.core.change import change
from adjudicator.core.codegen import generate_function
from adjudicator.core.ids import Seat


class Seated(Protocol):
    """Something that belongs to a seat."""

    @property
    def seat(self) -> Seat:
        """Whose it is."""
        ...


X = TypeVar("X", bound=Seated)
X_co = TypeVar("X_co", bound=Seated, covariant=True)
S = TypeVar("S")


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


def clockwise(seats: tuple[Seat, ...], seat: Seat) -> tuple[Seat, ...]:
    """Return all ``seats`` in their order, beginning with ``seat``: the second is the next after it."""
    at = seats.index(seat)
    return seats[at:] + seats[:at]


class Finder(Protocol[X_co]):
    """A method of a state: asked with a seat, it gives what belongs to that."""

    def __get__(self, state: Any, kind: Any, /) -> Callable[[Seat], X_co]:
        """Return the method of one state."""
        ...


class Changer(Protocol):
    """A method of a state: asked with a seat and changes, it gives the state with what belongs to that seat changed."""

    def __get__(self, state: S, kind: Any, /) -> Callable[..., S]:
        """Return the method of one state."""
        ...


def each_seats(field: str, kind: type[X]) -> tuple[Finder[X], Changer]:
    """Return two methods for a class of states whose ``field`` has a ``kind`` for each seat.

    The first finds what belongs to a seat, the second gives the state with that changed: with ``racer, with_racer =
    each_seats("racers", Racer)`` in the class, ``state.racer(seat).gear`` and ``state.with_racer(seat, gear=2)``. What else
    becomes different in the state may come before: ``state.with_racer(seat, {"turn": other}, gear=2)``.
    """
    del kind  # It is for type checkers.
    names = {"of_seat": of_seat, "exchanged": exchanged, "change": change, "none": {}}
    find = generate_function("state, seat", (f"return of_seat(state.{field}, seat)",), names)
    lines = (
        f"changed = change(of_seat(state.{field}, seat), **changes)",
        f"return change(state, {field}=exchanged(state.{field}, changed), **beside)",
    )
    return cast("Finder[X]", find), cast(
        "Changer", generate_function("state, seat, beside=none, /, **changes", lines, names)
    )


def own_of(state: Any, seat: Seat) -> Any:
    """Return what belongs to ``seat`` in the first field of ``state`` that has something for each."""
    return of_seat(getattr(state, _first_field(state)), seat)


def with_own(state: S, seat: Seat, beside: Mapping[str, Any], /, **changes: Any) -> S:
    """Return ``state`` with that changed, and other fields of it as ``beside`` says."""
    field = _first_field(state)
    things = getattr(state, field)
    return change(state, **{field: exchanged(things, change(of_seat(things, seat), **changes))}, **beside)


def _first_field(state: Any) -> str:
    kind: type = type(state)
    return next(iter(seated_fields(kind)))


@cache
def seated_fields(kind: type) -> Mapping[str, type]:
    """Return the fields of the dataclass ``kind`` that are tuples of things that each belong to a seat, and their class."""
    things = {name: next(iter(get_args(hint)), None) for name, hint in get_type_hints(kind).items()}
    return {name: thing for name, thing in things.items() if isinstance(thing, type) and "seat" in get_type_hints(thing)}

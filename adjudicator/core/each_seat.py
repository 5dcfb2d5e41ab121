"""Find and replace the thing that belongs to a seat, in a tuple with one for each seat."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from itertools import chain
from operator import attrgetter
from typing import Annotated, Any, Final, Protocol, TypeVar, cast, get_args, get_origin, overload

from adjudicator.core.values import Seat, hints_of, replace


class HasSeat(Protocol):
    """Something that belongs to a seat."""

    @property
    def seat(self) -> Seat:
        """The seat that it belongs to."""
        ...


X = TypeVar("X", bound=HasSeat)
X_co = TypeVar("X_co", bound=HasSeat, covariant=True)
S = TypeVar("S")


_places: dict[Seat, int] = {}
"""The index at which a seat was found last: tables rarely change their order, and a search among many seats is slow."""
_MOST_PLACES: Final = 20_000
_MANY: Final = 64
"""The size of a block. Up to twice as many things are copied at once when one is replaced; more are kept in blocks."""


class _Blocks(Sequence[X]):
    """A sequence of things of many seats, equal to a tuple; replacing one copies its block and shares the others.

    With a plain tuple, each event of each of ten thousand seats would copy the whole tuple.
    """

    __slots__ = ("_blocks", "_length")

    def __init__(self, blocks: tuple[tuple[X, ...], ...], length: int) -> None:
        self._blocks, self._length = blocks, length

    def exchanged(self, at: int, thing: X) -> _Blocks[X]:
        """Return these things with ``thing`` at index ``at``."""
        which, place = divmod(at, _MANY)
        block = self._blocks[which]
        changed = (*block[:place], thing, *block[place + 1 :])
        return _Blocks((*self._blocks[:which], changed, *self._blocks[which + 1 :]), self._length)

    def __len__(self) -> int:
        return self._length

    @overload
    def __getitem__(self, index: int) -> X: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[X, ...]: ...
    def __getitem__(self, index: int | slice) -> X | tuple[X, ...]:
        if type(index) is slice:
            return tuple(self)[index]
        at = index if 0 <= index < self._length else range(self._length)[index]
        return self._blocks[at // _MANY][at % _MANY]

    def __iter__(self) -> Iterator[X]:
        return chain.from_iterable(self._blocks)

    def __reversed__(self) -> Iterator[X]:
        return chain.from_iterable(map(reversed, reversed(self._blocks)))

    def __eq__(self, other: object) -> bool:
        return tuple(self) == tuple(other) if isinstance(other, (tuple, _Blocks)) else NotImplemented

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __repr__(self) -> str:
        return repr(tuple(self))


def of_seat(things: Sequence[X], seat: Seat) -> X:
    """Return the one of ``things`` that belongs to ``seat``. Raises ``KeyError`` if none does."""
    at = _index(things, seat)
    if at < 0:
        raise KeyError(seat)
    return things[at]


def exchanged(things: Sequence[X], thing: X) -> Sequence[X]:
    """Return ``things`` with the one of the same seat replaced by ``thing``.

    For very many seats the result is a sequence that equals the tuple; replacing takes no longer for more seats.
    """
    at = _index(things, thing.seat)
    return things if at < 0 else _replaced(things, at, thing)


def _changed(things: Sequence[Any], seat: Seat, changes: Mapping[str, Any]) -> Sequence[Any]:
    """Return ``things`` with ``changes`` in the one that belongs to ``seat``. Raises ``KeyError`` if none does."""
    at = _index(things, seat)
    if at < 0:
        raise KeyError(seat)
    return _replaced(things, at, replace(things[at], **changes))


def _replaced(things: Sequence[Any], at: int, thing: Any) -> Sequence[Any]:
    """Return ``things`` with ``thing`` at index ``at``."""
    if len(things) <= 2 * _MANY:
        return (*things[:at], thing, *things[at + 1 :])
    if type(things) is _Blocks:
        return things.exchanged(at, thing)
    starts = range(0, len(things), _MANY)
    return _Blocks(tuple(tuple(things[start : start + _MANY]) for start in starts), len(things)).exchanged(at, thing)


def _index(things: Sequence[HasSeat], seat: Seat) -> int:
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


class Finder(Protocol[X_co]):
    """A method of a state that takes a seat and returns the thing that belongs to it."""

    def __get__(self, state: Any, kind: Any, /) -> Callable[[Seat], X_co]:
        """Return the method of one state."""
        ...


class Changer(Protocol):
    """A method of a state that takes a seat and changes, and returns the state with that seat's thing changed."""

    def __get__(self, state: S, kind: Any, /) -> Callable[..., S]:
        """Return the method of one state."""
        ...


def each_seats(field: str, kind: type[X]) -> tuple[Finder[X], Changer]:
    """Return two methods for a class of states whose ``field`` has a ``kind`` for each seat.

    The first finds a seat's thing, the second returns the state with that thing changed: with ``racer, with_racer =
    each_seats("racers", Racer)`` in the class, ``state.racer(seat).gear`` and ``state.with_racer(seat, gear=2)``. Other
    changes of the state may come before: ``state.with_racer(seat, {"turn": other}, gear=2)``. A whole thing may replace
    that of its seat: ``state.with_racer(racer)``.
    """
    del kind  # It is for type checkers.
    things_of: Callable[[Any], Sequence[X]] = attrgetter(field)

    def find(state: Any, seat: Seat) -> X:
        things = things_of(state)
        try:  # as `of_seat`, but without another call, since nothing is called as often
            thing = things[_places.get(seat, 0)]
        except IndexError:
            return of_seat(things, seat)
        return thing if thing.seat == seat else of_seat(things, seat)

    def with_changes(state: Any, seat: Seat | X, beside: Mapping[str, Any] = _NOTHING, /, **changes: Any) -> Any:
        things = things_of(state)
        changed = _changed(things, seat, changes) if isinstance(seat, str) else exchanged(things, seat)
        return replace(state, **{field: changed}, **beside)

    return cast("Finder[X]", find), cast("Changer", with_changes)


_NOTHING: Final[Mapping[str, Any]] = {}


def own_changed(state: Any, seat: Seat, own: Mapping[str, Any], **changes: Any) -> Any:
    """Return ``state`` with ``changes``, and with the changes ``own`` in the part of ``seat`` (see ``first_seat_field``)."""
    kind: Any = type(state)
    field, _ = first_seat_field(kind)
    changes[field] = _changed(getattr(state, field), seat, own)
    return replace(state, **changes)


def own_of(state: Any, seat: Seat) -> Any:
    """Return the thing of ``seat`` in the first field of ``state`` with one thing for each seat."""
    kind: Any = type(state)
    return of_seat(getattr(state, first_seat_field(kind)[0]), seat)


@cache
def first_seat_field(kind: type) -> tuple[str, type]:
    """Return the first field of the class of states ``kind`` with one thing for each seat, and the class of the things.

    Raises ``NotImplementedError`` without such a field: then the game must define the hooks that need it.
    """
    for field, thing in seat_fields(kind).items():
        return field, thing
    raise NotImplementedError(f"{kind.__name__} has no field with something for each seat")


@cache
def seat_fields(kind: type) -> Mapping[str, type]:
    """Return the fields of the class ``kind`` that are tuples of things with a seat, and the class of the things."""
    tuples = {name: _bare(hint) for name, hint in hints_of(kind).items() if get_origin(_bare(hint)) is tuple}
    things = {name: next(map(_bare, get_args(hint)), None) for name, hint in tuples.items()}
    return {name: thing for name, thing in things.items() if isinstance(thing, type) and hasattr(thing, "seat")}


def fill(thing: X, at: Any) -> X:
    """Return ``thing`` with the values of the same fields of ``at``, a seat's place in a position, that are not ``None``."""
    part: Any = thing
    shared = set(part.__struct_fields__).intersection(at.__struct_fields__)
    return cast("X", replace(part, **{name: value for name in shared if (value := getattr(at, name)) is not None}))


def seats_in(state: Any) -> Iterator[tuple[str, tuple[Seat, ...]]]:
    """Yield each tuple in ``state`` whose things belong to one seat each, as its name and their seats."""
    kind: type = type(state)
    for name in seat_fields(kind):
        yield name, tuple(thing.seat for thing in getattr(state, name))


def _bare(hint: Any) -> Any:
    """Return the type ``hint`` without its annotations."""
    return get_args(hint)[0] if get_origin(hint) is Annotated else hint

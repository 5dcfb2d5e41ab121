"""Positions: a state with a part for each seat, the context in which a seat acts or looks at it, and what it is asked."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any, ClassVar, Final, Generic, Protocol, Self, TypeVar, cast, overload

from adjudicator.core.problem import Problem
from adjudicator.core.values import MODERATOR, Seat, Value, replace


class HasSeat(Protocol):
    """Something that belongs to a seat."""

    @property
    def seat(self) -> Seat:
        """The seat that it belongs to."""
        ...


C = TypeVar("C")
"""A game's configuration, which never changes during a game (see ``Configuration``)."""
S = TypeVar("S")
"""A game's state: everything that changes."""
P = TypeVar("P", bound=HasSeat)
"""The part of a state that belongs to a seat."""

_MANY: Final = 128
"""The size of a block. Up to twice as many parts are copied at once when one is replaced; more are kept in blocks."""


class _Blocks(Sequence[P]):
    """A sequence of parts of many seats, equal to a tuple; replacing one copies its block and shares the others.

    With a plain tuple, each event of each of ten thousand seats would copy the whole tuple.
    """

    __slots__ = ("_blocks", "_length")

    def __init__(self, blocks: tuple[tuple[P, ...], ...], length: int) -> None:
        self._blocks, self._length = blocks, length

    def exchanged(self, at: int, part: P) -> _Blocks[P]:
        which, place = divmod(at, _MANY)
        block = self._blocks[which]
        changed = (*block[:place], part, *block[place + 1 :])
        return _Blocks((*self._blocks[:which], changed, *self._blocks[which + 1 :]), self._length)

    def __len__(self) -> int:
        return self._length

    @overload
    def __getitem__(self, index: int) -> P: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[P, ...]: ...
    def __getitem__(self, index: int | slice) -> P | tuple[P, ...]:
        if type(index) is slice:
            return tuple(self)[index]
        at = index if 0 <= index < self._length else range(self._length)[index]
        return self._blocks[at // _MANY][at % _MANY]

    def __iter__(self) -> Iterator[P]:
        return chain.from_iterable(self._blocks)

    def __eq__(self, other: object) -> bool:
        return tuple(self) == tuple(other) if isinstance(other, (tuple, _Blocks)) else NotImplemented

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __repr__(self) -> str:
        return repr(tuple(self))


_places: Final[dict[str, int]] = {}
"""The index at which a seat was found last: parts rarely change their order, and a search among many seats is slow."""
_MOST_PLACES: Final = 20_000


def _place_of(parts: Sequence[HasSeat], seat: str) -> int:
    at = _places.get(seat, 0)
    if at < len(parts) and parts[at].seat == seat:
        return at
    for at, part in enumerate(parts):
        if part.seat == seat:
            if len(_places) >= _MOST_PLACES:
                _places.clear()
            _places[seat] = at
            return at
    raise KeyError(seat)


def of_seat(parts: Sequence[P], seat: str) -> P:
    """Return the one of ``parts`` that belongs to ``seat``. Raises ``KeyError`` if none does."""
    return parts[_place_of(parts, seat)]


def fill(part: P, at: Any) -> P:
    """Return ``part``, of a seat or a whole state, with the values of the same fields of ``at`` that are not ``None``."""
    shared = {*cast("Any", part).__struct_fields__}.intersection(at.__struct_fields__)
    return cast(
        "P", replace(cast("Any", part), **{name: value for name in shared if (value := getattr(at, name)) is not None})
    )


_NOTHING: Final[Mapping[str, Any]] = {}


class State(Value, Generic[P]):
    """The base of states: ``class State(game.State[Racer])``.

    ``own_in`` names its field with one part for each seat, ``account`` the field of a part that holds the seat's sum of
    costs (empty: no field does).
    """

    own_in: ClassVar[str] = ""
    account: ClassVar[str] = ""

    if TYPE_CHECKING:

        @property
        def _parts(self) -> Sequence[P]: ...

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        if cls.own_in:  # a second name of that field: nothing is read as often
            cast("Any", cls)._parts = getattr(cls, cls.own_in, None)

    def of(self, seat: str) -> P:
        """Return the part of ``seat``. Raises ``KeyError`` for another name."""
        parts = self._parts
        try:  # as `of_seat`, but without another call, since nothing is called as often
            part = parts[_places.get(seat, 0)]
        except IndexError:
            return of_seat(parts, seat)
        return part if part.seat == seat else of_seat(parts, seat)

    def with_own(self, seat: str | P, beside: Mapping[str, Any] = _NOTHING, /, **changes: Any) -> Self:
        """Return the state with ``changes`` in the part of ``seat``, and with the changes of other fields ``beside``.

        A whole part may replace that of its seat. Raises ``KeyError`` if the state has no such seat.
        """
        parts: Any = self._parts
        name = seat if isinstance(seat, str) else seat.seat
        at, count = _places.get(name, 0), len(parts)
        own = parts[at] if at < count else None
        if own is None or own.seat != name:
            at = _place_of(parts, name)
            own = parts[at]
        part = replace(own, **changes) if name is seat else seat
        if count <= 2 * _MANY:
            parts = [*parts]
            parts[at] = part
            parts = tuple(parts)
        else:
            if type(parts) is not _Blocks:
                starts = range(0, count, _MANY)
                parts = _Blocks(tuple(tuple(parts[start : start + _MANY]) for start in starts), count)
            parts = parts.exchanged(at, part)
        return replace(self, **{self.own_in: parts, **beside})

    def spent(self, seat: str, after: int) -> Self:
        """Return the state with the account of ``seat`` at ``after``; a game may do more."""
        return self.with_own(seat, **{self.account: after}) if self.account else self


class At(Value, Generic[C, S, P], gc=False):
    """A position: the constants of the game, its state, and the ``seat`` that acts or looks (``None``: none, the public)."""

    # Without `gc`, because the engine makes one after each event; nothing that a position holds leads back to it.
    config: C
    state: S
    seat: Any = None

    @property
    def own(self) -> P:
        """The part of the state that belongs to the seat. The public and the moderator have none: ``None``."""
        seat = self.seat
        if seat is None or seat == MODERATOR:
            return None  # type: ignore[return-value]
        return self.state.of(seat)  # type: ignore[attr-defined,no-any-return]

    def of(self, seat: str) -> P:
        """Return the part of another ``seat``."""
        part: P = self.state.of(seat)  # type: ignore[attr-defined]
        return part

    def after(self, event: Any) -> At[C, S, P]:
        """Return the position after ``event``."""
        return At(self.config, event.apply(self.config, self.state), self.seat)


Here = At[Any, Any, Any]
"""A position of any game."""


class Ask(Value):
    """What the game asks a seat: the ``kind`` of question, its ``rule`` and ``words``, and the ``orders`` that answer it.

    The ``words`` and the ``refusal`` of other orders may be functions of the position. While an ask ``interrupts`` its seat,
    orders that do not answer it wait. A seat that has answered may change its answer in the state that ``answered_in`` gives
    from the position (``None``: the seat has yet to answer, so its answer is due); the events of the new answer, applied to
    the present state, must lead to the same state. Make an ask once, and put it ``to`` seats in a phase; its ``key`` there
    tells it apart from another of its kind and rule, such as the number of a window that opens while the last answers count.
    """

    kind: str
    rule: str
    words: str | Callable[[Any], str]
    orders: tuple[type[Any], ...]
    refusal: Problem | Callable[[Any], Problem]
    interrupts: bool = False
    seat: Seat = Seat("")
    answered_in: Callable[[Any], Any] | None = None
    key: Any = None

    def to(self, *seats: Seat, key: Any = None) -> tuple[Ask, ...]:
        """Return this question to each of ``seats``."""
        return tuple([replace(self, seat=seat, key=key) for seat in seats])

    @property
    def is_due(self) -> bool:
        """Whether the seat has yet to answer."""
        return self.answered_in is None

    def text(self, config: Any, state: Any) -> str:
        """Return the words of the question."""
        return self.words if isinstance(self.words, str) else self.words(At(config, state, self.seat))

    @property
    def identity(self) -> tuple[str, str, Any]:
        """The kind, the rule and the key: while they stay, it is the same question."""
        return self.kind, self.rule, self.key

    def refuse(self, at: Here) -> Problem:
        """Return why an order that does not answer the question is refused."""
        return self.refusal if isinstance(self.refusal, Problem) else self.refusal(at)


class View(At[C, S, P]):
    """A position as the viewer ``seat`` may know it, without secrets, and the questions that are ``due``."""

    due: tuple[Ask, ...] = ()

    def is_due(self, seat: str) -> bool:
        """Return whether ``seat`` has a question to answer."""
        return any(ask.seat == seat for ask in self.due)

"""Remember what functions return: the last call of one, in a ``Memo`` what follows from the configuration of a game.

A ``Recall`` remembers what was found about each of many texts in one position.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import wraps
from typing import Any, Concatenate, Final, ParamSpec, TypeVar, cast

P = ParamSpec("P")
R = TypeVar("R")
Owner = TypeVar("Owner")
MOST: Final = 2048
"""How many results a ``Memo`` or a ``Recall`` holds before it forgets them."""
_NONE: Final = object()


class Memo(dict[Any, Any]):
    """A cache of values that follow from its owner: a game's configuration has one in its field ``memo``.

    Declare it as ``memo: Memo = field(default_factory=Memo)``, and mark the functions that use it as ``remembered``. It is
    no part of the owner's value: all are equal, and a copy of it is empty.
    """

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Memo)

    def __hash__(self) -> int:  # type: ignore[override]
        return 0

    def __repr__(self) -> str:
        return "Memo()"

    def __reduce__(self) -> tuple[type[Memo], tuple[()]]:
        """Return an empty memo to copy or pickle."""
        return Memo, ()


def remembered(find: Callable[Concatenate[Owner, P], R]) -> Callable[Concatenate[Owner, P], R]:
    """Return ``find`` with a cache: its results stay in the ``memo`` of its first argument, by its other arguments.

    ``find`` must be pure, and its other arguments few and hashable.
    """

    @wraps(find)
    def found(owner: Any, *values: Any) -> Any:
        memo = owner.memo
        last = memo.get(find)
        if last is not None and last[0] == values:  # the same objects mostly: faster than hashing them
            return last[1]
        known = memo.get((find, values), _NONE)
        if known is _NONE:
            known = cast(Any, find)(owner, *values)
            if len(memo) >= MOST:
                memo.clear()
            memo[find, values] = known
        memo[find] = values, known
        return known

    return cast("Callable[Concatenate[Owner, P], R]", found)


class Recall(dict[Any, Any]):
    """Remembers a result for each of many keys, as long as what it was ``found_in`` stays the same."""

    def result(self, key: Hashable, found_in: object, find: Callable[..., R], *given: Any) -> R:
        """Return what ``find`` has returned for ``key`` in ``found_in``, or returns now for what is ``given``."""
        known = self.get(key)
        if known is None or known[0] != found_in:
            if len(self) >= MOST:
                self.clear()
            known = self[key] = found_in, find(*given)
        found: R = known[1]
        return found


def remember_last(find: Callable[P, R]) -> Callable[P, R]:
    """Return the function ``find`` of one or two arguments with a cache of its last call.

    The engine asks the same about one position again and again: which seats are due, whether an order is legal, what it
    leads to. ``find`` must be pure, and its arguments immutable. They are compared by identity, so an equal but different
    object is computed again.
    """
    find_any: Any = find
    last: tuple[Any, Any, Any] = _NONE, _NONE, _NONE

    def of_one(value: Any) -> Any:
        nonlocal last
        known = last
        if known[0] is not value:
            last = known = value, _NONE, find_any(value)
        return known[2]

    def of_two(value: Any, other: Any) -> Any:
        nonlocal last
        known = last
        if known[0] is not value or known[1] is not other:
            last = known = value, other, find_any(value, other)
        return known[2]

    made: Any = of_two if find_any.__code__.co_argcount > 1 else of_one
    made.__doc__, made.__wrapped__ = find.__doc__, find
    return cast("Callable[P, R]", made)

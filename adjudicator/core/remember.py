"""Cache the last call of a function."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ParamSpec, TypeVar, cast

P = ParamSpec("P")
R = TypeVar("R")


def remember_last(find: Callable[P, R]) -> Callable[P, R]:
    """Return the function ``find`` of one or two arguments with a cache of its last call.

    The engine asks the same about one position again and again: which seats are due, whether an order is legal, what it
    leads to. ``find`` must be pure, and its arguments immutable. They are compared by identity, so an equal but different
    object is computed again.
    """
    made = (_of_two if cast(Any, find).__code__.co_argcount > 1 else _of_one)(find)
    made.__doc__, made.__wrapped__ = find.__doc__, find
    return cast("Callable[P, R]", made)


def _of_one(find: Callable[..., Any]) -> Any:
    last: tuple[Any, Any] | None = None

    def found(value: Any) -> Any:
        nonlocal last
        known = last
        if known is None or known[0] is not value:
            last = known = value, find(value)
        return known[1]

    return found


def _of_two(find: Callable[..., Any]) -> Any:
    last: tuple[Any, Any, Any] | None = None

    def found(value: Any, other: Any) -> Any:
        nonlocal last
        known = last
        if known is None or known[0] is not value or known[1] is not other:
            last = known = value, other, find(value, other)
        return known[2]

    return found

"""What was made of a thing, kept for the next time: a replay shows hundreds of positions, each nearly the one before."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any, Final, Generic, TypeVar

T = TypeVar("T")
_MOST: Final = 1 << 11


class Kept(Generic[T]):
    """Gives what ``make`` returns, without making it again while what it is made of under one name stays equal.

    A cache that is searched by the thing itself would hash all its parts each time; to compare them with those of the last
    time takes much less, since most are the same objects. So what is made must follow from what is given, and from it alone.
    """

    def __init__(self, make: Callable[..., T], most: int = _MOST) -> None:
        """Keep what ``make`` returns under at most so many names; with one more all is forgotten."""
        self._make, self._most = make, most
        self._made: dict[Hashable, tuple[tuple[Any, ...], T]] = {}

    def of(self, name: Hashable, *given: Any) -> T:
        """Return ``make(*given)``, or what it was the last time under this ``name`` if the same was given."""
        known = self._made.get(name)
        if known is not None and known[0] == given:
            return known[1]
        if len(self._made) >= self._most:
            self.clear()
        made = self._make(*given)
        self._made[name] = given, made
        return made

    def clear(self) -> None:
        """Forget all."""
        self._made.clear()

"""Cache results under names: a replay shows hundreds of positions, each nearly identical to the previous one."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any, Final, Generic, TypeVar

T = TypeVar("T")
_MOST: Final = 1 << 11


class Kept(Generic[T]):
    """Returns the last result of ``make`` for a name as long as the arguments stay equal.

    A cache with the arguments as keys would hash all their parts each time; comparing them with the last arguments is much
    faster, because most parts are the same objects. The result of ``make`` must depend on its arguments only.
    """

    def __init__(self, make: Callable[..., T], most: int = _MOST) -> None:
        """Cache the results of ``make`` for at most ``most`` names; one more name empties the cache."""
        self._make, self._most = make, most
        self._made: dict[Hashable, tuple[tuple[Any, ...], T]] = {}

    def of(self, name: Hashable, *arguments: Any) -> T:
        """Return ``make(*given)``, or the last result for ``name`` if its arguments were equal."""
        known = self._made.get(name)
        if known is not None and known[0] == arguments:
            return known[1]
        if len(self._made) >= self._most:
            self.clear()
        made = self._make(*arguments)
        self._made[name] = arguments, made
        return made

    def clear(self) -> None:
        """Empty the cache."""
        self._made.clear()

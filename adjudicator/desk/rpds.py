"""Collections that never change: in the browser a stand-in for `rpds`, which has no wheel for WebAssembly.

The build of the desk copies this file there as `rpds.py`. It has what `referencing` and `jsonschema` use, and no more.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Self


class HashTrieMap(dict[Any, Any]):
    """A mapping: each change makes a new one."""

    @classmethod
    def convert(cls, value: Any) -> Self:
        """Return ``value`` as such a mapping."""
        return value if isinstance(value, cls) else cls(value)

    def insert(self, key: Any, value: Any) -> Self:
        """Return a mapping in which ``key`` has this ``value``."""
        return type(self)({**self, key: value})

    def remove(self, key: Any) -> Self:
        """Return a mapping without ``key``. Raises ``KeyError``."""
        made = type(self)(self)
        del made[key]
        return made

    def update(self, *others: Any, **named: Any) -> Self:  # type: ignore[override]
        """Return a mapping with the pairs of all."""
        made = dict(self)
        made.update(*others, **named)
        return type(self)(made)

    def __hash__(self) -> int:  # type: ignore[override]
        return hash(frozenset(self.items()))


class HashTrieSet(frozenset[Any]):
    """A set: each change makes a new one."""

    def insert(self, value: Any) -> HashTrieSet:
        """Return a set with ``value``."""
        return HashTrieSet(self | {value})

    def update(self, *others: Iterable[Any]) -> HashTrieSet:
        """Return a set with the values of all."""
        return HashTrieSet(self.union(*others))


class List(tuple[Any, ...]):
    """A list: each change makes a new one."""

    __slots__ = ()

    def push_front(self, value: Any) -> List:
        """Return a list that begins with ``value``."""
        return List((value, *self))

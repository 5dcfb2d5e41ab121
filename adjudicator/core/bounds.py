"""Bounds of numbers and lengths in the types of fields: ``Annotated[int, Ge(0)]``.

They are those of ``annotated_types``, which pydantic needs for schemas, under the names that msgspec has for them. Most
commands need no schema, and loading that library takes longer than loading the rules of a game.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Final

LARGEST: Final = 2**53 - 1
"""The largest whole number that every reader of JSON takes exactly (RFC 8259, section 6)."""
_NAMES: Final = {"ge": "Ge", "gt": "Gt", "le": "Le", "lt": "Lt", "min_length": "MinLen", "max_length": "MaxLen"}
"""The name that ``annotated_types`` has for each bound."""


class Bound:
    """Bounds of a value or of its length; ``limits`` has each by its name."""

    __slots__ = ("limits",)
    # This tells readers of ``annotated_types`` to iterate over the object to find its bounds.
    __is_annotated_types_grouped_metadata__ = True

    def __init__(self, **limits: Any) -> None:
        """Keep the ``limits``."""
        self.limits = limits

    def __iter__(self) -> Iterator[Any]:
        """Yield the bounds as those of ``annotated_types``."""
        import annotated_types

        yield from (getattr(annotated_types, _NAMES[name])(limit) for name, limit in self.limits.items())

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Bound) and other.limits == self.limits

    def __hash__(self) -> int:
        return hash(tuple(self.limits.items()))

    def __repr__(self) -> str:
        return f"Bound({', '.join(f'{name}={limit}' for name, limit in self.limits.items())})"


def Ge(limit: Any) -> Bound:  # noqa: N802
    """Return a lower bound: the value is at least ``limit``."""
    return Bound(ge=limit)


def Le(limit: Any) -> Bound:  # noqa: N802
    """Return an upper bound: the value is at most ``limit``."""
    return Bound(le=limit)


def Len(least: int, most: int | None = None) -> Bound:  # noqa: N802
    """Return a bound of the length: at least ``least``, and at most ``most`` if it is given."""
    return Bound(**({"min_length": least} if least else {}), **({} if most is None else {"max_length": most}))


def limits_of(notes: Iterable[Any]) -> dict[str, Any]:
    """Return the bounds among the ``notes`` of an annotated type, by name; those of ``annotated_types`` count, too."""
    found: dict[str, Any] = {}
    for note in notes:
        if isinstance(note, Bound):
            found |= note.limits
        elif getattr(note, "__is_annotated_types_grouped_metadata__", False):
            found |= limits_of(note)
        else:
            found |= {name: getattr(note, name) for name in _NAMES if hasattr(note, name)}
    return found

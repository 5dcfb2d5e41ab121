"""Bounds of numbers and lengths in the types of fields: ``Annotated[int, Ge(0)]``.

They mean the same as those of ``annotated_types`` and turn into them on demand: pydantic demands them for checks and
schemas. Most commands need neither, and loading that library takes longer than loading the rules of a game.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any


class Bound:
    """A bound of a value or of its length; ``limits`` holds the numbers as given."""

    __slots__ = ("limits",)
    # This tells readers of ``annotated_types`` to iterate over the object to find its bounds.
    __is_annotated_types_grouped_metadata__ = True

    def __init__(self, *limits: Any) -> None:
        """Keep the ``limits``."""
        self.limits = limits

    def __iter__(self) -> Iterator[Any]:
        """Yield the bound as one or two bounds of ``annotated_types``."""
        import annotated_types

        bound = getattr(annotated_types, type(self).__name__)(*self.limits)
        yield from bound if isinstance(bound, annotated_types.GroupedMetadata) else (bound,)

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and other.limits == self.limits

    def __hash__(self) -> int:
        return hash((type(self), self.limits))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(map(repr, self.limits))})"


class Ge(Bound):
    """A lower bound: the value is at least this."""

    __slots__ = ()


class Gt(Bound):
    """A strict lower bound: the value is more than this."""

    __slots__ = ()


class Le(Bound):
    """An upper bound: the value is at most this."""

    __slots__ = ()


class Lt(Bound):
    """A strict upper bound: the value is less than this."""

    __slots__ = ()


class Len(Bound):
    """A bound of the length: at least the first number, at most the second if there is one."""

    __slots__ = ()

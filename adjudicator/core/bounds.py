"""Bounds of numbers and lengths, as fields state them: ``Annotated[int, Ge(0)]``.

They mean what those of ``annotated_types`` mean, and become these for whoever asks: pydantic does, for checks and schemas.
Most commands ask for neither, and loading that library takes longer than loading the rules of a game.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any


class Bound:
    """What a value, or how many things are in it, may be; in ``limits`` as given."""

    __slots__ = ("limits",)
    # By this ``annotated_types`` has its readers take the bounds out of something else.
    __is_annotated_types_grouped_metadata__ = True

    def __init__(self, *limits: Any) -> None:
        """Keep the ``limits``."""
        self.limits = limits

    def __iter__(self) -> Iterator[Any]:
        """Yield the bound, or the two that it is made of, as ``annotated_types`` has them."""
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
    """At least so much."""

    __slots__ = ()


class Gt(Bound):
    """More than so much."""

    __slots__ = ()


class Le(Bound):
    """At most so much."""

    __slots__ = ()


class Lt(Bound):
    """Less than so much."""

    __slots__ = ()


class Len(Bound):
    """At least so many, and at most so many where a second number is given."""

    __slots__ = ()

"""Read JSON into frozen classes: msgspec checks every type and bound while it reads."""

from __future__ import annotations

from contextlib import suppress
from functools import cache
from threading import RLock
from typing import Any, Final, TypeVar, get_args

import msgspec

from adjudicator.core.problem import Violation
from adjudicator.core.values import resolve_types

IMPOSSIBLE: Final = "a name or a value is not possible here, or is missing"
"""The words for JSON that a class cannot hold."""
_MAKING: Final = RLock()

T = TypeVar("T")


class Misfit(ValueError):
    """Report JSON that a class cannot hold."""

    def __init__(self, violation: Violation) -> None:
        """Keep the first ``violation`` found."""
        super().__init__(str(violation))
        self.violation = violation


@cache
def decoder(kind: Any) -> msgspec.json.Decoder[Any]:
    """Return the decoder from JSON to ``kind``.

    Threads make decoders one after another: msgspec before 0.23 crashes if one uses a class that another is preparing.
    """
    with _MAKING:
        resolve_types(kind)
        return msgspec.json.Decoder(kind, dec_hook=_by_fields)


def read(kind: Any, data: bytes | str) -> Any:
    """Return the ``kind``, a frozen class or a type made of such, in the JSON ``data``.

    Raises ``Misfit``, and ``TypeError`` for a type that no file can hold, such as ``float``.
    """
    try:
        return decoder(kind).decode(data)
    except msgspec.DecodeError as error:
        raise _misfit(error) from error


def convert(kind: Any, value: Any) -> Any:
    """Return the ``kind`` made of the plain JSON ``value``; errors as ``read``."""
    decoder(kind)  # threads prepare a class one after another
    try:
        return msgspec.convert(value, kind, dec_hook=_by_fields)
    except msgspec.ValidationError as error:
        raise _misfit(error) from error


def recast(kind: type[T], value: Any, **changes: Any) -> T:
    """Return the ``kind``, a class of values, that has ``changes`` and for the rest the fields of ``value``."""
    names = kind.__struct_fields__  # type: ignore[attr-defined]
    return kind(**{name: getattr(value, name) for name in names if name not in changes}, **changes)


def _by_fields(hint: Any, value: Any) -> Any:
    """Return the ``value`` of a type ``ByFields`` as the class that has its fields. Raises ``TypeError`` without one."""
    for kind in get_args(hint.union):
        if isinstance(value, dict) and value.keys() == set(kind.__struct_fields__):
            with suppress(Misfit):
                return convert(kind, value)
    raise TypeError(IMPOSSIBLE)


def _misfit(error: msgspec.DecodeError) -> Misfit:
    """Return the same ``error`` with its place; only a class's own complaint is in plain English."""
    words, _, place = str(error).partition(" - at ")
    if type(error.__cause__) is not ValueError:
        words = IMPOSSIBLE
    path = place[place.find("$") : -1] if place else "$"
    return Misfit(Violation(path, words[:1].lower() + words[1:]))

"""Makes values that differ a little from given ones: new orders and states."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import MISSING, fields, is_dataclass, replace
from enum import Enum
from itertools import chain, combinations
from random import Random
from typing import Any

Seen = Mapping[tuple[type, str], Sequence[Any]]
"""The values seen in a field of a class."""


def values_seen(things: Sequence[Any]) -> dict[tuple[type, str], list[Any]]:
    """Collect the values of each field of the dataclasses ``things``, each value once."""
    found: dict[tuple[type, str], dict[Any, None]] = {}
    for thing in things:
        for field in fields(thing):
            found.setdefault((type(thing), field.name), {})[getattr(thing, field.name)] = None
    return {place: list(values) for place, values in found.items()}


def mutant(thing: Any, luck: Random, seen: Seen) -> Any:
    """Return the dataclass ``thing`` with one field changed, if it has any."""
    own = [field for field in fields(thing) if field.init]
    if not own:
        return thing
    field = luck.choice(own)
    value = altered(getattr(thing, field.name), luck, seen.get((type(thing), field.name), ()))
    return replace(thing, **{field.name: value})


def altered(value: Any, luck: Random, seen: Sequence[Any]) -> Any:
    """Return a replacement for ``value``: one ``seen`` at its place, or a similar one."""
    if seen and luck.random() < 0.5:
        return luck.choice(seen)
    if isinstance(value, bool):
        return not value
    if isinstance(value, Enum):
        return luck.choice(list(type(value)))
    if isinstance(value, int):
        return luck.choice((value - 1, value + 1, 0, 99))
    if isinstance(value, str):
        return "nowhere"
    if isinstance(value, tuple):
        return _altered_tuple(value, luck, seen)
    return mutant(value, luck, {}) if is_dataclass(value) else value


def _altered_tuple(value: tuple[Any, ...], luck: Random, seen: Sequence[Any]) -> tuple[Any, ...]:
    items = list(chain.from_iterable(other for other in seen if isinstance(other, tuple)))
    ways = [value[:-1], (*value, *value[:1]), value[::-1]]
    if items:
        ways.append((*value, luck.choice(items)))
        if value:
            at = luck.randrange(len(value))
            ways.append((*value[:at], luck.choice(items), *value[at + 1 :]))
    return luck.choice(ways)


def shortened(thing: Any) -> Iterator[Any]:
    """Yield the dataclass ``thing`` with some of its optional fields, or all, at their defaults."""
    optional = [field for field in fields(thing) if field.default is not MISSING]
    said = [field for field in optional if getattr(thing, field.name) != field.default]
    for count in range(1, len(said) + 1):
        for some in combinations(said, count):
            yield replace(thing, **{field.name: field.default for field in some})

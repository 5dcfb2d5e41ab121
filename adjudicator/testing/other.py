"""Values that differ a little from others: orders nobody gave, states nobody came to."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import MISSING, fields, is_dataclass, replace
from enum import Enum
from itertools import chain, combinations
from random import Random
from typing import Any

Seen = Mapping[tuple[type, str], Sequence[Any]]
"""The values that were met in a field of a class."""


def values_seen(things: Sequence[Any]) -> dict[tuple[type, str], list[Any]]:
    """Return what stands in each field of the dataclasses ``things``, each value once."""
    found: dict[tuple[type, str], dict[Any, None]] = {}
    for thing in things:
        for field in fields(thing):
            found.setdefault((type(thing), field.name), {})[getattr(thing, field.name)] = None
    return {place: list(values) for place, values in found.items()}


def mutant(thing: Any, luck: Random, seen: Seen) -> Any:
    """Return the dataclass ``thing`` with one of its fields changed, as far as it has any."""
    own = fields(thing)
    if not own:
        return thing
    field = luck.choice(own)
    value = altered(getattr(thing, field.name), luck, seen.get((type(thing), field.name), ()))
    return replace(thing, **{field.name: value})


def altered(value: Any, luck: Random, seen: Sequence[Any]) -> Any:
    """Return something else than ``value`` in its place: one ``seen`` there, or one that is near it."""
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
    """Yield the dataclass ``thing`` with some of its fields, or all, as they are where nothing is said of them."""
    optional = [field for field in fields(thing) if field.default is not MISSING]
    said = [field for field in optional if getattr(thing, field.name) != field.default]
    for count in range(1, len(said) + 1):
        for some in combinations(said, count):
            yield replace(thing, **{field.name: field.default for field in some})

"""Makes values that differ a little from given ones: new orders and states."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from enum import Enum
from itertools import chain, combinations
from random import Random
from typing import Any

from adjudicator.core.values import Value, defaults_of, replace

Seen = Mapping[tuple[type, str], Sequence[Any]]
"""The values seen in a field of a class."""


def values_seen(things: Sequence[Any]) -> dict[tuple[type, str], list[Any]]:
    """Collect the values of each field of the values ``things``, each value once."""
    found: dict[tuple[type, str], dict[Any, None]] = {}
    for thing in things:
        for name in thing.__struct_fields__:
            found.setdefault((type(thing), name), {})[getattr(thing, name)] = None
    return {place: list(values) for place, values in found.items()}


def mutant(thing: Any, luck: Random, seen: Seen) -> Any:
    """Return ``thing`` with one field changed, if it has any."""
    if not thing.__struct_fields__:
        return thing
    name = luck.choice(thing.__struct_fields__)
    value = altered(getattr(thing, name), luck, seen.get((type(thing), name), ()))
    return replace(thing, **{name: value})


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
    return mutant(value, luck, {}) if isinstance(value, Value) else value


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
    """Yield ``thing`` with some of its optional fields, or all, at their defaults."""
    kind: Any = type(thing)
    said = [(name, default) for name, default in defaults_of(kind).items() if getattr(thing, name) != default]
    for count in range(1, len(said) + 1):
        for some in combinations(said, count):
            yield replace(thing, **dict(some))

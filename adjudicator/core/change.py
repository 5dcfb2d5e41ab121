"""Frozen values with some fields changed: what ``dataclasses.replace`` does, in a quarter of the time."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields
from typing import Any, Final, TypeVar

from adjudicator.core.codegen import generate_function

D = TypeVar("D")


def change(value: D, **changes: Any) -> D:
    """Return a copy of the frozen, slotted dataclass ``value`` with ``changes``.

    States are copied several times an order, and much of an adjudication's time goes there. Nothing is checked but the
    names: raises ``KeyError`` for a field that is not there.
    """
    copied: D = _COPIERS[type(value)](value, changes)
    return copied


def changed(value: D, changes: Mapping[str, Any]) -> D:
    """Return the same for ``changes`` by name, which saves a copy of them."""
    copied: D = _COPIERS[type(value)](value, changes)
    return copied


class _Copiers(dict[type, Callable[[Any, Mapping[str, Any]], Any]]):
    """How values of each class are copied; for a class not met before it is worked out once."""

    def __missing__(self, kind: type) -> Callable[[Any, Mapping[str, Any]], Any]:
        self[kind] = _copier(kind)
        return self[kind]


_COPIERS: Final = _Copiers()


def _copier(kind: type) -> Callable[[Any, Mapping[str, Any]], Any]:
    """Return a function of a ``kind`` and its changes that copies it."""
    names = [field.name for field in fields(kind)]
    lines = (
        f"values = [{', '.join(f'value.{name}' for name in names)}]",
        "for name in changes: values[places[name]] = changes[name]",
        "copy = new(kind)",
        f"{', '.join(f'v_{name}' for name in names)}, = values",
        *(f"set_{name}(copy, v_{name})" for name in names),
        "return copy",
    )
    # The descriptors of the slots set what ``frozen`` forbids to set through the attribute.
    setters = {f"set_{name}": getattr(kind, name).__set__ for name in names}
    places = {name: place for place, name in enumerate(names)}
    return generate_function("value, changes", lines, {"new": object.__new__, "kind": kind, "places": places, **setters})

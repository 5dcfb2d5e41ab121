"""Frozen values with some fields changed: what ``dataclasses.replace`` does, in a quarter of the time."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields
from functools import cache
from typing import Any, Final, TypeVar

from adjudicator.core.codegen import generate_function
from adjudicator.core.frozen import blank_of

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


@cache
def copier(kind: type, *names: str) -> Callable[..., Any]:
    """Return a function of a ``kind`` and of new values for the fields ``names``, in their order, that copies it with them.

    For code that knows beforehand which fields it changes: it takes half the time of ``change``. Raises ``TypeError`` for a
    field that is not there.
    """
    lines, used = copying(kind, "value", "copy", {name: f"new_{name}" for name in names})
    parameters = ", ".join(("value", *(f"new_{name}" for name in names)))
    return generate_function(parameters, (*lines, "return copy"), used)


def copying(kind: type, value: str, copy: str, changes: Mapping[str, str]) -> tuple[list[str], dict[str, Any]]:
    """Return lines in which the variable ``copy`` becomes the ``value`` of a ``kind`` with ``changes``, and names in them.

    Of each field that changes ``changes`` has the words for its new value. Raises ``TypeError`` for one that is not there.
    """
    every = [field.name for field in fields(kind)]
    if not set(changes) <= set(every):
        raise TypeError(f"{kind.__name__} has no field {', '.join(sorted(set(changes).difference(every)))}")
    lines = [
        f"{copy} = new(blank_{copy})",
        *(f"{copy}.{name} = {changes.get(name, f'{value}.{name}')}" for name in every),
        f"{copy}.__class__ = kind_{copy}",
    ]
    return lines, {"new": object.__new__, f"blank_{copy}": blank_of(kind), f"kind_{copy}": kind}


class _Copiers(dict[type, Callable[[Any, Mapping[str, Any]], Any]]):
    """How values of each class are copied; for a class not met before it is worked out once."""

    def __missing__(self, kind: type) -> Callable[[Any, Mapping[str, Any]], Any]:
        self[kind] = _copier(kind)
        return self[kind]


_COPIERS: Final = _Copiers()


def _copier(kind: type) -> Callable[[Any, Mapping[str, Any]], Any]:
    """Return a function of a ``kind`` and its changes that copies it."""
    names, blank = [field.name for field in fields(kind)], blank_of(kind)
    lines = (
        "copy = new(blank)",
        *(f"copy.{name} = value.{name}" for name in names),
        "for name in changes: setters[name](copy, changes[name])",
        "copy.__class__ = kind",
        "return copy",
    )
    names_used = {"new": object.__new__, "blank": blank, "kind": kind}
    setters = {name: getattr(blank, name).__set__ for name in names}
    return generate_function("value, changes", lines, {**names_used, "setters": setters})

"""Read the view of a seat from plain JSON: a state with a placeholder for every value that the seat may not see."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from enum import Enum
from types import NoneType, UnionType
from typing import Annotated, Any, NewType, Union, get_args, get_origin

from adjudicator.core.values import Tagged, Value, hints_of
from adjudicator.core.visibility import PUBLIC, Mark, mark_of
from adjudicator.files import typed


def view_of(hint: Any, value: Any) -> Any:
    """Return the view in the plain JSON ``value``, for a game whose states have the type ``hint``.

    Every marked field may have a placeholder. Raises ``TypeError`` or ``ValueError`` if the JSON is not such a view.
    """
    while isinstance(hint, NewType) or get_origin(hint) is Annotated:
        hint = hint.__supertype__ if isinstance(hint, NewType) else get_args(hint)[0]
    inner = get_args(hint)
    if isinstance(value, list) and get_origin(hint) is tuple and inner[1:] == (...,):
        return tuple(view_of(inner[0], item) for item in value)
    if isinstance(value, dict) and get_origin(hint) in (Union, UnionType):
        classes = (kind for kind in inner if isinstance(kind, type) and issubclass(kind, Value))
        return view_of(next((kind for kind in classes if _is_of(kind, value)), dict), value)
    if value is None and NoneType in inner:
        return None
    if isinstance(value, dict) and isinstance(hint, type) and issubclass(hint, Value):
        hints = hints_of(hint)
        tag = {"kind"} if issubclass(hint, Tagged) else set()
        return hint(**{name: _field(hints.get(name), item) for name, item in value.items() if name not in tag})
    return typed.convert(hint, value)


def _is_of(kind: type[Value], value: dict[str, Any]) -> bool:
    """Return whether ``kind`` has the tag of ``value``, or without a tag, its fields."""
    return value.get("kind") == kind.kind if issubclass(kind, Tagged) else value.keys() == hints_of(kind).keys()


def _field(hint: Any, value: Any) -> Any:
    mark = mark_of(hint)
    if mark in (None, PUBLIC):
        return view_of(hint, value)
    with suppress(TypeError, ValueError):
        return _named(view_of(hint, value), _members(mark))
    return _named(value, _members(mark))


def _members(mark: Mark | None) -> Mapping[Any, Enum]:
    """Return the members of the enumeration that a hidden place may contain, by their values."""
    return {} if mark is None or mark.among is None else {member.value: member for member in mark.among}


def _named(value: Any, members: Mapping[Any, Enum]) -> Any:
    """Return ``value`` with tuples instead of lists, and ``members`` instead of their names."""
    if isinstance(value, (list, tuple)):
        return tuple(_named(item, members) for item in value)
    return members.get(value, value) if isinstance(value, str) else value

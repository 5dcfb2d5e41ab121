"""Build the view of a seat from plain JSON: a state with a placeholder for every value that the seat may not see."""

from __future__ import annotations

from contextlib import suppress
from enum import Enum
from functools import cache
from typing import Any, Final

from adjudicator.core.visibility import PUBLIC, Mark, mark_of
from adjudicator.store.builder import Build, Compiler

_UNFIT: Final = (AttributeError, KeyError, TypeError, ValueError)


@cache
def view_builder(state: type) -> Build:
    """Return a function that makes a view of plain JSON, for a game with this class of ``state``.

    Raises ``NotQuickError`` if the class has fields that only pydantic can build. The function raises ``KeyError``,
    ``TypeError`` or ``ValueError`` if the JSON is not such a view.
    """
    return _ViewCompiler({}).of_class(state)


class _ViewCompiler(Compiler):
    """Makes builders that accept a placeholder instead of a value in every marked field."""

    def of_field(self, kind: type, name: str, hint: Any) -> Build | None:
        build, mark = super().of_field(kind, name, hint), mark_of(hint)
        return build if mark in (None, PUBLIC) else _hidden(build, _members(mark))


def _members(mark: Mark | None) -> dict[Any, Enum]:
    """Return the members of the enumeration that a hidden place may contain, by their values."""
    return {} if mark is None or mark.among is None else {member.value: member for member in mark.among}


def _hidden(build: Build | None, members: dict[Any, Enum]) -> Build:
    def made(value: Any) -> Any:
        if build is not None:
            with suppress(*_UNFIT):
                return _named(build(value), members)
        return _named(value, members)

    return made


def _named(value: Any, members: dict[Any, Enum]) -> Any:
    """Return ``value`` with tuples instead of lists, and ``members`` instead of their names."""
    if isinstance(value, (list, tuple)):
        return tuple(_named(item, members) for item in value)
    return members.get(value, value) if isinstance(value, str) else value

"""Builds the view of a seat from plain JSON: a state in which what the seat does not see is as it is shown."""

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
    """Return what makes a view of plain JSON, for a game with this class of ``state``.

    Raises ``NotQuickError`` if it holds anything but what game files are built of quickly. The builder raises ``KeyError``,
    ``TypeError`` or ``ValueError`` for what is no such view.
    """
    return _ViewCompiler({}).of_class(state)


class _ViewCompiler(Compiler):
    """Makes builders in which every marked field may hold what hides it in the place of a value."""

    def of_field(self, kind: type, name: str, hint: Any) -> Build | None:
        build, mark = super().of_field(kind, name, hint), mark_of(hint)
        return build if mark in (None, PUBLIC) else _hidden(build, _members(mark))


def _members(mark: Mark | None) -> dict[Any, Enum]:
    """Return the members of the enumeration of which something may stand in a hidden place, by their values."""
    return {} if mark is None or mark.among is None else {member.value: member for member in mark.among}


def _hidden(build: Build | None, members: dict[Any, Enum]) -> Build:
    def made(value: Any) -> Any:
        if build is not None:
            with suppress(*_UNFIT):
                return _named(build(value), members)
        return _named(value, members)

    return made


def _named(value: Any, members: dict[Any, Enum]) -> Any:
    """Return ``value`` with lists as tuples, and the names of ``members`` as these."""
    if isinstance(value, (list, tuple)):
        return tuple(_named(item, members) for item in value)
    return members.get(value, value) if isinstance(value, str) else value

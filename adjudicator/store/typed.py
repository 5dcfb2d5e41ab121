"""Read JSON into the classes of the core and of a ruleset: msgspec checks every type and bound while it reads."""

from __future__ import annotations

from functools import cache
from typing import Annotated, Any, Union

import msgspec

from adjudicator.core.bounds import Len
from adjudicator.core.corrections import OUTSIDE, Amended
from adjudicator.core.frozen import typed_as
from adjudicator.core.journal import Entry, Link
from adjudicator.core.json_types import IMPOSSIBLE, by_fields, json_type
from adjudicator.core.ruleset import Setup, Types
from adjudicator.store.errors import Violation
from adjudicator.store.game import GameFile, PreparedFile
from adjudicator.store.kinds import FileKind


class Misfit(ValueError):
    """Report JSON that a class cannot hold."""

    def __init__(self, violation: Violation) -> None:
        """Keep the first ``violation`` found."""
        super().__init__(str(violation))
        self.violation = violation


def read(kind: Any, data: bytes | str) -> Any:
    """Return the ``kind``, a frozen class or a type made of such, in the JSON ``data``.

    Raises ``Misfit``, and ``TypeError`` for a type that no file can hold, such as ``float``.
    """
    try:
        return _decoder(kind).decode(data)
    except msgspec.DecodeError as error:
        raise _misfit(error) from error


def convert(kind: Any, value: Any) -> Any:
    """Return the ``kind`` made of the plain JSON ``value``; errors as ``read``."""
    try:
        return msgspec.convert(value, json_type(kind), dec_hook=by_fields)
    except msgspec.ValidationError as error:
        raise _misfit(error) from error


@cache
def type_of(types: Types, kind: FileKind) -> Any:
    """Return the type of files of ``kind`` of the ruleset with these ``types``."""
    if kind is FileKind.COMPONENTS:
        return types.components
    if kind is FileKind.POSITION:
        return types.position
    if kind is FileKind.PREPARED:
        return typed_as(PreparedFile, setup_type(types))
    corrections = (typed_as(one, types.state, types.state) if one is Amended else one for one in OUTSIDE)
    event: Any = Union[(*types.events, *corrections)]
    link: Any = typed_as(Link, typed_as(Entry, tuple[event, ...]))
    return typed_as(GameFile, setup_type(types), Annotated[tuple[link, ...], Len(1)], types.state)


def setup_type(types: Types) -> Any:
    """Return the type of the set-up in a file of the ruleset with these ``types``."""
    return typed_as(Setup, types.components | None, types.position | None)


@cache
def _decoder(kind: Any) -> msgspec.json.Decoder[Any]:
    return msgspec.json.Decoder(json_type(kind), dec_hook=by_fields)


def _misfit(error: msgspec.DecodeError) -> Misfit:
    """Return the same ``error`` with its place; only a class's own complaint is in plain English."""
    words, _, place = str(error).partition(" - at ")
    if type(error.__cause__) is not ValueError:
        words = IMPOSSIBLE
    path = place[place.find("$") : -1] if place else "$"
    return Misfit(Violation(path, words[:1].lower() + words[1:]))

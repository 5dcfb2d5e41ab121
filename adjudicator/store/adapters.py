"""pydantic adapters over the core's dataclasses, with a ruleset's own classes where the core says ``Any``."""

from __future__ import annotations

import copy
from functools import cache
from typing import Annotated, Any, Final, Union

from pydantic import ConfigDict, Field, GetCoreSchemaHandler, GetPydanticSchema, TypeAdapter
from pydantic_core import CoreSchema

from adjudicator.core.corrections import OUTSIDE, Amended
from adjudicator.core.journal import Entry, Link
from adjudicator.core.ruleset import Setup, Types
from adjudicator.store.game import GameFile, PreparedFile
from adjudicator.store.kinds import FileKind

_CONFIG: Final = ConfigDict(extra="forbid", strict=True)


def for_kind(types: Types, kind: FileKind) -> TypeAdapter[Any]:
    """Return the adapter for files of ``kind`` of the ruleset with these ``types``."""
    if kind is FileKind.GAME:
        return game_file(types)
    if kind is FileKind.PREPARED:
        return _strict(_substitution(PreparedFile, {"setup": _setup(types)}))
    return adapter(types.components if kind is FileKind.COMPONENTS else types.position)


@cache
def game_file(types: Types) -> TypeAdapter[GameFile]:
    """Return the adapter for game files of the ruleset with these ``types``."""
    amended = _with_types(Amended, before=types.state, after=types.state)
    corrections = (amended if kind is Amended else kind for kind in OUTSIDE)
    event: Any = Annotated[Union[(*types.events, *corrections)], Field(discriminator="kind")]
    entry = _with_types(Entry, events=tuple[event, ...])
    link = _with_types(Link, entry=entry)
    journal = Annotated[tuple[link, ...], Field(min_length=1)]  # type: ignore[valid-type]
    return _strict(_substitution(GameFile, {"setup": _setup(types), "journal": journal, "state": types.state}))


@cache
def seat_file(kind: type, types: Types) -> TypeAdapter[Any]:
    """Return the adapter for what is written of a game for a player, a ``kind`` of file, but for the view in it."""
    return _strict(_substitution(kind, {"setup": _setup(types)}))


def _setup(types: Types) -> Any:
    return _with_types(Setup, components=types.components | None, position=types.position | None)


@cache
def adapter(kind: Any) -> TypeAdapter[Any]:
    """Return a strict adapter for ``kind``, a dataclass or made of such, which refuses fields that it does not know."""
    return _strict(GetPydanticSchema(lambda _source, handler: handler.generate_schema(kind)))


def _strict(how: GetPydanticSchema) -> TypeAdapter[Any]:
    # pydantic takes no config beside a dataclass at the top; beside ``Any`` it does, and hands it down to all inside.
    return TypeAdapter(Annotated[Any, how], config=_CONFIG)


def _with_types(kind: type, **fields: Any) -> Any:
    return Annotated[kind, _substitution(kind, fields)]


def _substitution(kind: type, types: dict[str, Any]) -> GetPydanticSchema:
    """Return what makes pydantic take the class ``kind`` with other ``types`` for some of its fields."""

    def build(_source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        found: Any = copy.deepcopy(handler.resolve_ref_schema(handler.generate_schema(kind)))
        found.pop("ref", None)
        for field in found["schema"]["fields"]:
            if field["name"] in types:
                field["schema"] = handler.generate_schema(types[field["name"]])
        return found  # type: ignore[no-any-return]

    return GetPydanticSchema(build)

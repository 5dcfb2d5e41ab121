"""Emit JSON Schema from frozen classes with pydantic."""

from __future__ import annotations

import copy
from types import UnionType
from typing import Annotated, Any, Final, Union, get_args, get_origin

from pydantic import ConfigDict, GetCoreSchemaHandler, GetPydanticSchema, TypeAdapter
from pydantic_core import CoreSchema

from adjudicator.store.shape import Schema

_CONFIG: Final = ConfigDict(extra="forbid", strict=True)


def json_schema(kind: Any) -> Schema:
    """Return the schema that pydantic emits for ``kind``: a frozen class or a type made of such (see ``typed_as``)."""
    how = GetPydanticSchema(lambda _source, handler: handler.generate_schema(_filled(kind)))
    # pydantic takes no config beside a dataclass at the top; beside ``Any`` it does, and hands it down to all inside.
    return TypeAdapter(Annotated[Any, how], config=_CONFIG).json_schema()


def _filled(hint: Any) -> Any:
    """Return ``hint`` with the types of a game in the place of those that the core does not know."""
    origin, inner = get_origin(hint), get_args(hint)
    if origin is Annotated:
        return Annotated[(_filled(inner[0]), *inner[1:])]
    if origin is tuple:
        return tuple[tuple(map(_filled, inner))]  # type: ignore[misc]
    if origin in (Union, UnionType):
        return Union[tuple(map(_filled, inner))]  # noqa: UP007
    per_game = getattr(origin, "__per_game__", ())
    return Annotated[origin, _filling(dict(zip(per_game, map(_filled, inner), strict=True)))] if per_game else hint


def _filling(types: dict[str, Any]) -> GetPydanticSchema:
    """Return what makes pydantic take a class with other ``types`` for some of its fields."""

    def build(_source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        found: Any = copy.deepcopy(handler.resolve_ref_schema(handler.generate_schema(_source)))
        found.pop("ref", None)
        for field in found["schema"]["fields"]:
            if field["name"] in types:
                field["schema"] = handler.generate_schema(types[field["name"]])
        return found  # type: ignore[no-any-return]

    return GetPydanticSchema(build)

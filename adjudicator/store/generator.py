"""Generate JSON Schemas from frozen classes: pydantic's generator, with its methods overridden where ours differ."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from types import UnionType
from typing import Annotated, Any, Final, Union, get_args, get_origin

from pydantic import ConfigDict, GetCoreSchemaHandler, GetPydanticSchema, TypeAdapter
from pydantic.json_schema import GenerateJsonSchema
from pydantic_core import CoreSchema, core_schema

from adjudicator.core.bounds import LARGEST
from adjudicator.core.frozen import TAG, is_added_later
from adjudicator.core.ids import DIGEST_PATTERN

Schema = dict[str, Any]

_CONFIG: Final = ConfigDict(extra="forbid", strict=True, use_attribute_docstrings=True)
_COMPOUND: Final = frozenset(("$ref", "properties", "const", "anyOf", "allOf", "prefixItems"))


def json_schema(kind: Any, *, is_complete: bool = False) -> Schema:
    """Return the schema of ``kind``: a frozen class or a type made of such (see ``typed_as``).

    ``is_complete`` requires every field except those added later, as in files that the program itself writes; otherwise
    fields with a default are optional.
    """
    how = GetPydanticSchema(lambda _source, handler: handler.generate_schema(_with_types(kind)))
    # pydantic takes no config beside a dataclass at the top; beside ``Any`` it does, and hands it down to all inside.
    adapter: TypeAdapter[Any] = TypeAdapter(Annotated[Any, how], config=_CONFIG)
    return adapter.json_schema(schema_generator=_Complete if is_complete else _Generator)


class _Keyword(str):
    """A keyword that ``_Generator`` adds: it follows those of pydantic, which are in alphabetical order."""

    __slots__ = ()


class _Generator(GenerateJsonSchema):
    """Pydantic's generator with bounds for all numbers, a pattern for digests, and unions that dispatch on the tag."""

    _classes: Mapping[str, Any] = {}
    is_complete = False

    def int_schema(self, schema: core_schema.IntSchema) -> Schema:
        """Return the schema of a whole number; a missing bound is that of numbers that every reader takes exactly."""
        found = super().int_schema(schema)
        if not {"minimum", "exclusiveMinimum"} & found.keys():
            found[_Keyword("minimum")] = -LARGEST
        if not {"maximum", "exclusiveMaximum"} & found.keys():
            found[_Keyword("maximum")] = LARGEST
        return found

    def str_schema(self, schema: core_schema.StringSchema) -> Schema:
        """Return the schema of a text; one of 64 characters is a digest."""
        found = super().str_schema(schema)
        if found.get("minLength") == found.get("maxLength") == 64:
            found[_Keyword("pattern")] = DIGEST_PATTERN
        return found

    def nullable_schema(self, schema: core_schema.NullableSchema) -> Schema:
        """Return the schema of a value or null; a plain type and null are one list of types, so that messages name both."""
        found = self.generate_inner(schema["schema"])
        if not isinstance(found.get("type"), str) or _COMPOUND & found.keys():
            keyword = _Keyword("anyOf") if "allOf" in found else "anyOf"
            return {keyword: [*found.get("anyOf", [found]), {"type": "null"}]}
        nulls: Schema = {"enum": [*found["enum"], None]} if "enum" in found else {}
        found |= {"type": [found["type"], "null"], **nulls}
        return {_Keyword(name): found[name] for name in _in_order(found)}

    def definitions_schema(self, schema: core_schema.DefinitionsSchema) -> Schema:
        """Return the schema of a type with definitions."""
        self._classes = {definition["ref"]: definition for definition in schema["definitions"]}
        return super().definitions_schema(schema)

    def union_schema(self, schema: core_schema.UnionSchema) -> Schema:
        """Return the schema of a union; classes with tags are a choice by the tag, so that only the right one is checked."""
        choices = [choice[0] if isinstance(choice, tuple) else choice for choice in schema["choices"]]
        tags = [self._tag(choice) for choice in choices]
        if None in tags or len(set(tags)) < len(tags):
            return super().union_schema(schema)
        return {
            _Keyword("type"): "object",
            _Keyword("required"): [TAG],
            _Keyword("properties"): {TAG: {"enum": tags}},
            _Keyword("allOf"): [
                {"if": {"properties": {TAG: {"const": tag}}, "required": [TAG]}, "then": self.generate_inner(choice)}
                for tag, choice in zip(tags, choices, strict=True)
            ],
        }

    def _tag(self, choice: Any) -> str | None:
        kind = self._classes.get(choice.get("schema_ref"), choice).get("cls")
        tag = getattr(kind, TAG, None)
        return tag if isinstance(tag, str) else None

    def dataclass_schema(self, schema: core_schema.DataclassSchema) -> Schema:
        """Return the schema of a frozen class."""
        found = {**super().dataclass_schema(schema), "additionalProperties": False}
        for base in filter(is_dataclass, schema["cls"].__mro__[1:]):  # pydantic reads the docstrings of own fields alone
            for name, inherited in json_schema(base)["properties"].items():
                if "description" in inherited:
                    found["properties"][name].setdefault("description", inherited["description"])
        if self.is_complete:
            late = [field.name for field in fields(schema["cls"]) if is_added_later(field)]
            keyword = "required" if "required" in found else _Keyword("required")
            found[keyword] = [name for name in found["properties"] if name not in late]
            for name in found["required"]:
                found["properties"][name].pop("default", None)
        return found

    def sort(self, value: Schema, parent_key: str | None = None) -> Schema:
        """Return the schema in our order, without titles, which only repeat names, and with descriptions of one line."""
        value.setdefault(_Keyword("$defs"), {})
        found: Schema = _sorted(value, parent_key)
        return found


class _Complete(_Generator):
    """The generator for files that have every field."""

    is_complete = True


def _sorted(value: Any, parent_key: str | None) -> Any:
    if isinstance(value, list):
        return [_sorted(item, parent_key) for item in value]
    if parent_key == "description" and isinstance(value, str):
        return " ".join(value.split()).replace("``None``", "``null``")
    if not isinstance(value, dict) or parent_key == "default":
        return value
    if parent_key == "properties":
        return {name: _sorted(inner, None) for name, inner in value.items()}
    return {key: _sorted(value[key], key) for key in _in_order(value) if key != "title"}


def _in_order(schema: Schema) -> list[str]:
    return sorted(schema, key=lambda key: (True, "") if isinstance(key, _Keyword) else (False, key))


def _with_types(hint: Any) -> Any:
    """Return ``hint`` with the types of a game in the place of those that the core does not know."""
    origin, inner = get_origin(hint), get_args(hint)
    if origin is Annotated:
        return Annotated[(_with_types(inner[0]), *inner[1:])]
    if origin is tuple:
        return tuple[tuple(map(_with_types, inner))]  # type: ignore[misc]
    if origin in (Union, UnionType):
        return Union[tuple(map(_with_types, inner))]  # noqa: UP007
    per_game = getattr(origin, "__per_game__", ())
    return Annotated[origin, _fields(dict(zip(per_game, map(_with_types, inner), strict=True)))] if per_game else hint


def _fields(types: dict[str, Any]) -> GetPydanticSchema:
    """Return what makes pydantic take a class with other ``types`` for some of its fields."""

    def build(source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        found: Any = copy.deepcopy(handler.resolve_ref_schema(handler.generate_schema(source)))
        found["ref"] = f"{source.__module__}.{source.__qualname__}:{id(types)}"
        for field in found["schema"]["fields"]:
            if field["name"] in types:
                field["schema"] = handler.generate_schema(types[field["name"]])
        return found  # type: ignore[no-any-return]

    return GetPydanticSchema(build)

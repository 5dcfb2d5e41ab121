"""Generate JSON Schemas from values: bounds from their types, descriptions from docstrings."""

from __future__ import annotations

import ast
import inspect
import sys
from collections.abc import Mapping, Sequence
from enum import Enum
from functools import cache
from types import NoneType, UnionType
from typing import Annotated, Any, Final, Literal, NewType, TypeVar, Union, get_args, get_origin, get_type_hints

from msgspec import Meta

from adjudicator.core.values import LARGEST, Tagged, Value, added_later, defaults_of, hints_of, json_value

Schema = dict[str, Any]

_WHOLE: Final[Schema] = {"type": "integer", "minimum": -LARGEST, "maximum": LARGEST}
_SIMPLE: Final = {str: "string", int: "integer", bool: "boolean", NoneType: "null"}
_BOUNDS: Final = {"ge": "minimum", "gt": "exclusiveMinimum", "le": "maximum", "lt": "exclusiveMaximum", "pattern": "pattern"}
_COMPOUND: Final = frozenset(("$ref", "properties", "const", "anyOf", "allOf", "prefixItems"))


def json_schema(kind: Any, *, is_complete: bool = False) -> Schema:
    """Return the schema of ``kind``: a class of values or a type made of such.

    ``is_complete`` requires every field except those added later, as in files that the program itself writes; otherwise
    fields with a default are optional.
    """
    generator = _Generator(is_complete)
    found = generator.of(kind)
    if "$ref" in found:
        found = generator.definitions.pop(found["$ref"].rpartition("/")[2])
    return {"$defs": dict(sorted(generator.definitions.items())), **found}


class _Generator:
    """``definitions`` are the classes that were met, by their names, which are unique in a file."""

    def __init__(self, is_complete: bool) -> None:
        self.is_complete = is_complete
        self.definitions: dict[str, Schema] = {}

    def of(self, hint: Any, types: Mapping[Any, Any] | None = None) -> Schema:
        """Return the schema of ``hint``, with ``types`` for the type variables in it, with sorted keywords."""
        return dict(sorted(self._of(hint, types or {}).items()))

    def _of(self, hint: Any, types: Mapping[Any, Any]) -> Schema:
        if isinstance(hint, TypeVar):
            return self.of(types.get(hint, Any))
        if isinstance(hint, NewType):
            return self.of(hint.__supertype__, types)
        origin, inner = get_origin(hint) or hint, get_args(hint)
        if origin is Annotated:
            bounds = (note for note in hint.__metadata__ if isinstance(note, Meta))
            return self.of(inner[0], types) | {name: limit for meta in bounds for name, limit in _limits(meta, inner[0])}
        if origin in (Union, UnionType):
            return self._union([kind for kind in inner if kind is not NoneType], NoneType in inner, types)
        if origin is Literal:
            named = {"const": inner[0]} if len(inner) == 1 else {"enum": list(inner)}
            return {**named, "type": _SIMPLE[type(inner[0])]}
        if hint is int:
            return dict(_WHOLE)
        if hint in _SIMPLE:
            return {"type": _SIMPLE[hint]}
        if hint is None or hint is Any:
            return {} if hint is Any else {"type": "null"}
        if origin is tuple and inner[1:] != (...,):
            return _listed([self.of(part, types) for part in inner])
        if issubclass(origin, Enum):
            names = [one.value for one in origin]
            return self._defined(origin, lambda: {"enum": names, "type": _SIMPLE[type(names[0])]})
        if issubclass(origin, Value):
            variables = getattr(origin, "__parameters__", ())
            own = {variable: types.get(kind, kind) for variable, kind in zip(variables, inner, strict=False)}
            return self._defined(origin, lambda: self._fields(origin, own))
        if issubclass(origin, Mapping):
            values = inner[1:] or (Any,)
            return {"type": "object", "additionalProperties": self.of(values[0], types) or True}
        if hasattr(origin, "_fields"):  # a named tuple
            hints = get_type_hints(origin, include_extras=True)
            given = inspect.signature(origin).parameters.values()
            usual = {one.name: one.default for one in given if one.default is not one.empty}
            parts = [self.of(hints[one]) | ({"default": usual[one]} if one in usual else {}) for one in origin._fields]
            return self._defined(origin, lambda: _listed(parts, len(usual)))
        if issubclass(origin, Sequence):
            return {"type": "array", "items": self.of(inner[0], types)}
        raise TypeError(f"{origin.__name__} has no place in a file")

    def _union(self, kinds: list[Any], is_optional: bool, types: Mapping[Any, Any]) -> Schema:
        """Return the schema of one of ``kinds``; classes with tags are a choice by the tag, so that one is checked alone.

        A plain type and null are one list of types, so that messages name both.
        """
        tags = [getattr(get_origin(kind) or kind, "kind", None) for kind in kinds]
        parts = [self.of(kind, types) for kind in kinds]
        if len(parts) == 1:
            found = parts[0]
        elif all(isinstance(tag, str) for tag in tags):
            branches = zip(tags, parts, strict=True)
            found = {
                "type": "object",
                "required": ["kind"],
                "properties": {"kind": {"enum": tags}},
                "allOf": [
                    {"if": {"properties": {"kind": {"const": tag}}, "required": ["kind"]}, "then": part}
                    for tag, part in branches
                ],
            }
        else:
            found = {"anyOf": parts}
        if not is_optional:
            return found
        if not isinstance(found.get("type"), str) or _COMPOUND & found.keys():
            return {"anyOf": [*found.get("anyOf", [found]), {"type": "null"}]}
        nulls: Schema = {"enum": [*found["enum"], None]} if "enum" in found else {}
        return found | {"type": [found["type"], "null"]} | nulls

    def _defined(self, kind: type, make: Any) -> Schema:
        name = kind.__name__
        if name not in self.definitions:
            self.definitions[name] = {}  # a class may contain itself
            words = None if issubclass(kind, tuple) else vars(kind).get("__doc__")
            description: Schema = {"description": _line(words)} if words else {}
            self.definitions[name] = dict(sorted({**make(), **description}.items()))
        return {"$ref": f"#/$defs/{name}"}

    def _fields(self, kind: type[Value], types: Mapping[Any, Any]) -> Schema:
        usual, late = defaults_of(kind), added_later(kind)
        told = {name: words for base in reversed(kind.__mro__) for name, words in _told(base).items()}
        properties: dict[str, Schema] = {}
        required: list[str] = []
        for name, hint in hints_of(kind).items():
            found = self.of(hint, types)
            if name in told:
                found["description"] = _line(told[name])
            if name not in usual or (self.is_complete and name not in late):
                required.append(name)
            elif not isinstance(usual[name], dict):
                found["default"] = json_value(usual[name])
            properties[name] = dict(sorted(found.items()))
        if issubclass(kind, Tagged):
            properties["kind"] = {"const": kind.kind, "type": "string"}
            required.append("kind")
        closed: Schema = {"type": "object", "properties": properties, "additionalProperties": False}
        return closed | ({"required": required} if required else {})


def _limits(meta: Meta, kind: Any) -> list[tuple[str, Any]]:
    """Return the keywords for the bounds of ``meta``, those of the length by what is counted in ``kind``."""
    while get_origin(kind) is Annotated or isinstance(kind, NewType):
        kind = kind.__supertype__ if isinstance(kind, NewType) else get_args(kind)[0]
    counted = "Length" if kind is str else "Items"
    names = {**_BOUNDS, "min_length": f"min{counted}", "max_length": f"max{counted}"}
    return [(keyword, getattr(meta, name)) for name, keyword in names.items() if getattr(meta, name) is not None]


def _listed(parts: list[Schema], optional: int = 0) -> Schema:
    return {"type": "array", "prefixItems": parts, "minItems": len(parts) - optional, "maxItems": len(parts)}


def _line(words: str) -> str:
    return " ".join(words.split()).replace("``None``", "``null``")


@cache
def _told(kind: type) -> dict[str, str]:
    """Return the docstring below each field that ``kind`` itself declares."""
    if kind is Value or not issubclass(kind, Value):
        return {}
    (node,) = (
        one for one in ast.walk(_tree(kind.__module__)) if isinstance(one, ast.ClassDef) and one.name == kind.__name__
    )
    pairs = zip(node.body, node.body[1:], strict=False)
    return {
        field.target.id: words.value.value
        for field, words in pairs
        if isinstance(field, ast.AnnAssign)
        and isinstance(field.target, ast.Name)
        and isinstance(words, ast.Expr)
        and isinstance(words.value, ast.Constant)
        and isinstance(words.value.value, str)
    }


@cache
def _tree(module: str) -> ast.Module:
    return ast.parse(inspect.getsource(sys.modules[module]))

"""The types of the files that belong to a ruleset, and the published JSON Schemas, which are made of them.

The types are those of the record with what only a file has. ``.ci/schemas.py`` writes the schemas.
"""

from __future__ import annotations

import ast
import json
import sys
from collections.abc import Mapping
from enum import Enum, StrEnum
from functools import cache
from inspect import getsource
from itertools import pairwise
from typing import Annotated, Any, Final, Generic, Literal, Union, get_args, get_origin

import msgspec
from msgspec import Struct

from adjudicator import resources, rulesets
from adjudicator.core.corrections import OUTSIDE, Amended, Forked
from adjudicator.core.game import FORMAT, PreparedGame, Record
from adjudicator.core.journal import Entry, Link
from adjudicator.core.ruleset import GameMeta, Setup, Types
from adjudicator.core.values import (
    LARGEST,
    Digest,
    Meta,
    Tagged,
    TypeOf,
    Value,
    added_later,
    defaults_of,
    hints_of,
    json_value,
)
from adjudicator.core.visibility import bare_type

SetupT = TypeOf("SetupT", default=Any)
JournalT = TypeOf("JournalT", default=Any)
StateT = TypeOf("StateT", default=Any)


class GameFile(Record, Generic[SetupT, JournalT, StateT], kw_only=True, omit_defaults=True):
    """One game, as JSON.

    ``journal`` lists the accepted orders with their events, each chained to the one before by its hash. ``seal`` is the
    hash over what the chain does not cover. ``setup.components`` is null where the ruleset ships the component set.
    """

    format: Literal[2]
    setup: SetupT  # type: ignore[assignment]
    journal: JournalT  # type: ignore[assignment]
    state: StateT
    seal: Digest


class PreparedFile(PreparedGame, Generic[SetupT], kw_only=True):
    """One game that has not begun, as JSON.

    Once the words ``are_published`` they stay as they are. ``seal`` is the hash over all of it.
    """

    prepared: Literal[1]
    setup: SetupT  # type: ignore[assignment]
    are_published: bool
    seal: Digest


class FileKind(StrEnum):
    """A kind of file, as its schema is named."""

    GAME = "game-file"
    PREPARED = "prepared-game"
    COMPONENTS = "components"
    POSITION = "position"


@cache
def type_of(types: Types, kind: FileKind) -> Any:
    """Return the type of files of ``kind`` of the ruleset with these ``types``."""
    if kind is FileKind.COMPONENTS:
        return types.components
    if kind is FileKind.POSITION:
        return types.position
    if kind is FileKind.PREPARED:
        return typed_as(PreparedFile, setup_type(types))
    corrections = (typed_as(one, types.state) if one in (Amended, Forked) else one for one in OUTSIDE)
    event: Any = Union[(*types.events, *corrections)]
    link: Any = typed_as(Link, typed_as(Entry, tuple[event, ...]))
    return typed_as(GameFile, setup_type(types), Annotated[tuple[link, ...], Meta(min_length=1)], types.state)


def typed_as(kind: Any, *types: Any) -> Any:
    """Return the generic ``kind`` with the ``types`` that a game has in the place of its type variables."""
    return kind[types]


def setup_type(types: Types) -> Any:
    """Return the type of the set-up in a file of the ruleset with these ``types``."""
    return typed_as(Setup, types.components | None, types.position | None)


# Schemas --------------------------------------------------------------------------------------------------------------


Schema = dict[str, Any]

_DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"
_TITLES: Final = {
    FileKind.GAME: "game file",
    FileKind.PREPARED: "prepared game",
    FileKind.COMPONENTS: "component set",
    FileKind.POSITION: "explicit position",
}
_DEFINED: Final = "#/$defs/"
_TYPES: Final = {str: "string", int: "integer", bool: "boolean"}
_NESTED: Final = frozenset(("$ref", "properties", "const", "anyOf", "allOf", "prefixItems"))


def file_name(ruleset_id: str, kind: FileKind) -> str:
    """Return the name of a schema in ``schemas/``."""
    return f"{ruleset_id}.{kind}.json"


def schema(meta: GameMeta, types: Types, kind: FileKind, number: int = FORMAT) -> Schema:
    """Return the schema of files of ``kind``: the shipped one, or for a ruleset of another package a generated one.

    For game files of an older format, the ``number`` of this, it is the shipped one; for a ruleset of another package the
    common part of the schemas of all rulesets. Raises ``resources.MissingResource`` if a shipped schema is missing.
    """
    name = file_name(meta.id, kind) if meta.is_shipped else f"{kind}.json"
    if number < FORMAT:
        older = resources.folder("schemas").joinpath(f"format-{number}", name)
        return dict(json.loads(older.read_text(encoding="utf-8")))
    return dict(json.loads(text(name))) if meta.is_shipped else generate(meta, types, kind)


def text(name: str) -> str:
    """Return the text of the schema ``name``, one of ``names``, such as ``turn-log.json``.

    Raises ``resources.MissingResource`` for any other name, ``rulesets.UnusableRuleset``.
    """
    if name in _shipped_names():
        return resources.folder("schemas").joinpath(name).read_text(encoding="utf-8")
    if name not in names():
        raise resources.MissingResource(f"no schema has the name “{name}”; choose one of: {', '.join(names())}")
    ruleset_id, kind, _ = name.split(".")
    rules = rulesets.ruleset(ruleset_id)
    return text_of(generate(rules.meta, rules.types, FileKind(kind)))


def names() -> tuple[str, ...]:
    """Return the names of the shipped schemas, sorted, and of those generated on demand for rulesets of other packages."""
    others = (meta for meta in rulesets.installed_games() if not meta.is_shipped)
    return (*_shipped_names(), *(file_name(meta.id, kind) for meta in others for kind in FileKind))


def _shipped_names() -> list[str]:
    return sorted(file.name for file in resources.folder("schemas").iterdir() if file.name.endswith(".json"))


def generate(meta: GameMeta, types: Types, kind: FileKind) -> Schema:
    """Return the schema of files of ``kind`` made from the classes ``types`` of a ruleset."""
    return published(
        type_of(types, kind),
        f"{meta.id}:{kind}",
        f"{meta.name}: {_TITLES[kind]}",
        is_complete=kind in (FileKind.GAME, FileKind.PREPARED),
    )


def published(kind: Any, name: str, title: str, *, is_complete: bool = False) -> Schema:
    """Return the schema of ``kind`` (see ``json_schema``) as it is published under ``name``."""
    heading = {"$schema": _DIALECT, "$id": f"urn:adjudicator:{name}:{FORMAT}", "title": title}
    return {**heading, **json_schema(kind, is_complete=is_complete)}


def json_schema(kind: Any, *, is_complete: bool = False) -> Schema:
    """Return the schema of ``kind``: a class of values, a type made of such, or a tuple of several, of which it is one.

    ``is_complete`` requires every field except those added later, as in files that the program itself writes; otherwise
    fields with a default are optional. Descriptions are the docstrings of classes and of fields.
    """
    kinds = kind if isinstance(kind, tuple) else (kind,)
    classes = _classes_in(kinds)

    def by_fields(kind: Any) -> Schema:
        return {"anyOf": [{"$ref": _DEFINED + one.__name__} for one in get_args(kind.union)]}

    tops, raw = msgspec.json.schema_components((*kinds, *classes), schema_hook=by_fields)
    tops, refs = tops[: len(kinds)], tops[len(kinds) :]
    names, definitions = dict[str, str](), dict[str, Schema]()
    for one, ref in zip(classes, refs, strict=True):
        generic = get_origin(one)
        names[ref["$ref"]] = _DEFINED + generic.__name__ if generic else ref["$ref"]
    for one, ref in zip(classes, refs, strict=True):
        part = _tidy(raw[ref["$ref"].removeprefix(_DEFINED)], names)
        if issubclass(plain := get_origin(one) or one, Enum):
            part["enum"] = [member.value for member in plain]
        elif issubclass(plain, Struct):
            usual, late, told = defaults_of(plain), added_later(plain), _field_docs(plain)
            part |= {"additionalProperties": False, "required": []}
            if issubclass(plain, Tagged):  # the fields come first
                part["properties"]["kind"] = part["properties"].pop("kind")
            hints = hints_of(plain)
            for field, inner in part["properties"].items():
                hint = bare_type(hints.get(field))
                for literal in (get_args(one) for one in (hint, *get_args(hint)) if get_origin(one) is Literal):
                    if "enum" in inner:  # in the order of the class
                        inner["enum"] = [*literal, *inner["enum"][len(literal) :]]
                inner.pop("default", None)
                if field not in usual or (is_complete and field not in late):
                    part["required"].append(field)
                elif not isinstance(usual[field], dict):
                    inner["default"] = json_value(usual[field])
                if field in told:
                    inner["description"] = _line(told[field])
                part["properties"][field] = dict(sorted(inner.items()))
        definitions[names[ref["$ref"]].removeprefix(_DEFINED)] = dict(sorted(part.items()))
    found = _tidy({"anyOf": list(tops)} if tops[1:] else tops[0], names)
    if "$ref" in found:
        found = definitions.pop(found["$ref"].removeprefix(_DEFINED))
    return {"$defs": dict(sorted(definitions.items())), **found}


def _classes_in(kinds: tuple[Any, ...]) -> list[Any]:
    """Return the classes inside the types ``kinds``, each once: structs, named tuples and enumerations."""
    met, left = dict[Any, None](), list[Any](msgspec.inspect.multi_type_info(kinds))
    while left:
        info: Any = left.pop()
        if isinstance(info, msgspec.inspect.CustomType):
            left += msgspec.inspect.multi_type_info(get_args(info.cls.union))  # type: ignore[attr-defined]
        elif not hasattr(info, "cls") or info.cls not in met:
            met |= {info.cls: None} if hasattr(info, "cls") else {}
            for name in info.__struct_fields__:
                inner = getattr(info, name)
                left += [one for one in (inner if isinstance(inner, tuple) else (inner,)) if isinstance(one, Struct)]
    return list(met)


def _tidy(part: Schema, names: Mapping[str, str]) -> Schema:
    """Return a ``part`` of a schema of msgspec with bounds, short names and sorted keywords.

    Classes with tags become a choice by the tag, so that one is checked alone. A plain type and null become one list of
    types, so that messages name both.
    """
    part = {key: value for key, value in part.items() if key not in ("title", "propertyNames")}
    for key, inner in part.items():
        if key in ("anyOf", "prefixItems"):
            part[key] = [_tidy(one, names) for one in inner]
        elif key == "properties":
            part[key] = {name: _tidy(one, names) for name, one in inner.items()}
        elif isinstance(inner, dict) and key in ("items", "additionalProperties"):
            part[key] = _tidy(inner, names)
    if "$ref" in part:
        part["$ref"] = names[part["$ref"]]
    if "description" in part:
        part["description"] = _line(part["description"])
    if part.get("type") == "integer":
        part = {"minimum": -LARGEST, "maximum": LARGEST, **part}
    elif part.get("type") == "object":
        part.setdefault("additionalProperties", True)
    elif part.get("items") is False:  # a list of a fixed length, which its bounds say
        del part["items"]
    if "enum" in part:
        part["type"] = _TYPES[type(part["enum"][0])]
        if len(part["enum"]) == 1:
            part["const"] = part.pop("enum")[0]
    if "discriminator" in part:
        tags = list(part.pop("discriminator")["mapping"])
        part |= {"type": "object", "required": ["kind"], "properties": {"kind": {"enum": tags}}}
        part["allOf"] = [
            {"if": {"properties": {"kind": {"const": tag}}, "required": ["kind"]}, "then": one}
            for tag, one in zip(tags, part.pop("anyOf"), strict=True)
        ]
    if "anyOf" in part:
        inner = [one for branch in part.pop("anyOf") for one in branch.get("anyOf", [branch])]
        first, last = inner[0], inner[-1]
        if (
            len(inner) == 2
            and last == {"type": "null"}
            and isinstance(first.get("type"), str)
            and not _NESTED & first.keys()
        ):
            part |= first | {"type": [first["type"], "null"]}
            part |= {"enum": [*first["enum"], None]} if "enum" in first else {}
        else:
            part["anyOf"] = inner
    return dict(sorted(part.items()))


def _line(words: str) -> str:
    return " ".join(words.split()).replace("``None``", "``null``")


def _field_docs(kind: type) -> dict[str, str]:
    """Return the docstring below each field of ``kind``."""
    found: dict[str, str] = {}
    for base in reversed(kind.__mro__[: kind.__mro__.index(Value)]):
        for field, words in pairwise(_source_of(base.__module__).get(base.__name__, ())):
            match field, words:
                case ast.AnnAssign(target=ast.Name(name)), ast.Expr(ast.Constant(str(text))):
                    found[name] = text
    return found


@cache
def _source_of(module: str) -> dict[str, list[ast.stmt]]:
    """Return the body of each class of a module: `getsource` of a class would parse the whole module for each."""
    try:
        tree = ast.parse(getsource(sys.modules[module]))
    except (OSError, TypeError):  # the desk has the bytecode of classes, and no source
        return {}
    return {node.name: node.body for node in ast.walk(tree) if isinstance(node, ast.ClassDef)}


def text_of(schema_: Schema) -> str:
    """Return the text of a published schema."""
    return json.dumps(schema_, indent=1, ensure_ascii=False) + "\n"

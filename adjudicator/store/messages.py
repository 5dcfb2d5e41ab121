"""Translate the errors of jsonschema into plain English with JSON paths."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final

from adjudicator.core.problem import suggest
from adjudicator.core.values import DIGEST_PATTERN
from adjudicator.files.errors import Violation
from adjudicator.files.reading import quoted, trail

if TYPE_CHECKING:
    from jsonschema.exceptions import ValidationError as SchemaError

_TYPES: Final = {
    "array": "a list",
    "boolean": "true or false",
    "integer": "a whole number",
    "null": "null",
    "number": "a number",
    "object": "a group of names and values",
    "string": "text",
}
_LONGEST_NUMBER: Final = 30
_HINTED: Final = 80
"""The length of the longest name for which a message suggests another."""


def schema_messages(error: SchemaError) -> Iterator[Violation]:
    """Yield a violation for each problem that the ``error`` of jsonschema reports: several for a list of names."""
    path = trail(error.absolute_path)
    if error.validator in ("anyOf", "oneOf"):
        yield from _branch_words(path, error)
        return
    spell = _SPELLERS.get(str(error.validator))
    if spell is None:
        yield Violation(path, f"cannot be {shown(error.instance)}")
        return
    for words in spell(error):
        yield Violation(path, words)


def shown(value: Any) -> str:
    """Return a plain JSON ``value`` as messages quote it: short, on one line."""
    if isinstance(value, str):
        return quoted(value)
    if isinstance(value, dict):
        return _TYPES["object"]
    if isinstance(value, list):
        return _TYPES["array"]
    written = json.dumps(value)
    return written if len(written) <= _LONGEST_NUMBER else f"a number of {len(written)} digits"


def _branch_words(path: str, error: SchemaError) -> Iterator[Violation]:
    """Yield the problems of the branch that the author meant: the only one with the right type, if there is one."""
    branches: dict[Any, list[SchemaError]] = {}
    for inner in error.context or ():
        branches.setdefault(inner.relative_schema_path[0], []).append(inner)
    meant = [found for found in branches.values() if not any(_is_other_type(inner) for inner in found)]
    if len(meant) == 1:
        for inner in meant[0]:
            yield from schema_messages(inner)
    else:
        yield Violation(path, f"cannot be {shown(error.instance)}")


def _asked(error: SchemaError) -> Any:
    return error.validator_value


def _found(error: SchemaError) -> Any:
    return error.instance


def _is_other_type(error: SchemaError) -> bool:
    return error.validator == "type" and not error.path


def _type(error: SchemaError) -> Iterator[str]:
    asked = _asked(error)
    wanted = [asked] if isinstance(asked, str) else list(asked)
    yield f"must be {_either([_TYPES.get(name, name) for name in wanted])}, not {shown(error.instance)}"


def _required(error: SchemaError) -> Iterator[str]:
    yield from (f"{quoted(name)} is missing" for name in _asked(error) if name not in _found(error))


def _additional(error: SchemaError) -> Iterator[str]:
    schema: Any = error.schema
    known = schema.get("properties", {})
    for name in _found(error):
        if name not in known:
            missing = [other for other in known if other not in _found(error)]
            yield f"the name {quoted(name)} is unknown here{_hint(name, missing)}"


def _enum(error: SchemaError) -> Iterator[str]:
    choices = list(_asked(error))
    hint = _hint(error.instance, [choice for choice in choices if isinstance(choice, str)]) if len(choices) > 3 else ""
    yield f"must be {_either([shown(choice) for choice in choices])}, not {shown(error.instance)}{hint}"


def _const(error: SchemaError) -> Iterator[str]:
    yield f"must be {shown(error.validator_value)}, not {shown(error.instance)}"


def _length(error: SchemaError) -> Iterator[str]:
    limit, length = _asked(error), len(_found(error))
    noun = "character" if isinstance(error.instance, str) else "item"
    if error.validator in ("minLength", "minItems") and limit == 1:
        yield "must not be empty"
        return
    bound = "at least" if error.validator in ("minLength", "minItems") else "at most"
    yield f"must have {bound} {limit} {noun}{'' if limit == 1 else 's'}, but has {length}"


def _bound(words: str) -> Callable[[SchemaError], Iterator[str]]:
    def spell(error: SchemaError) -> Iterator[str]:
        yield f"must be {words.format(error.validator_value)}, not {shown(error.instance)}"

    return spell


def _pattern(error: SchemaError) -> Iterator[str]:
    if error.validator_value == DIGEST_PATTERN:
        yield f"must be 64 digits 0–9 and a–f, not {shown(error.instance)}"
    else:
        yield f"cannot be {shown(error.instance)}"


def _either(words: Sequence[str]) -> str:
    shown_words = [*words[:12], "…"] if len(words) > 13 else list(words)
    return shown_words[0] if len(shown_words) == 1 else f"{', '.join(shown_words[:-1])} or {shown_words[-1]}"


def _hint(written: Any, known: Sequence[str]) -> str:
    if not isinstance(written, str) or len(written) > _HINTED:
        return ""
    found = suggest(written, known, 1)
    return f"; did you mean {quoted(found[0])}?" if found else ""


_SPELLERS: Final[dict[str, Callable[[SchemaError], Iterator[str]]]] = {
    "additionalProperties": _additional,
    "const": _const,
    "enum": _enum,
    "exclusiveMaximum": _bound("less than {}"),
    "exclusiveMinimum": _bound("more than {}"),
    "maxItems": _length,
    "maxLength": _length,
    "maximum": _bound("{} or less"),
    "minItems": _length,
    "minLength": _length,
    "minimum": _bound("{} or more"),
    "pattern": _pattern,
    "required": _required,
    "type": _type,
}
"""The function that describes a violation, by the keyword of the schema."""

"""Say in plain English what is wrong with plain JSON: jsonschema finds every violation, this module words it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from itertools import islice
from typing import TYPE_CHECKING, Any, Final

from adjudicator.core.problem import Violation, suggest
from adjudicator.core.values import DIGEST_PATTERN
from adjudicator.files.reading import quoted, trail

if TYPE_CHECKING:
    from jsonschema import Draft202012Validator
    from jsonschema.exceptions import ValidationError as SchemaError

MOST: Final = 1000
"""The number of violations after which the search ends."""
_TYPES: Final = {
    "array": "a list",
    "boolean": "true or false",
    "integer": "a whole number",
    "null": "null",
    "number": "a number",
    "object": "a group of names and values",
    "string": "text",
}
_BOUNDS: Final = {
    "exclusiveMaximum": "less than {}",
    "exclusiveMinimum": "more than {}",
    "maximum": "{} or less",
    "minimum": "{} or more",
}
_LONGEST_NUMBER: Final = 30
_HINTED: Final = 80
"""The length of the longest name for which a message suggests another."""


def violations(document: Any, make: Callable[..., dict[str, Any]], *key: Any) -> tuple[Violation, ...]:
    """Return the violations in ``document`` of the schema that ``make`` returns for ``key``, each once, at most ``MOST``."""
    found: dict[Violation, None] = {}
    for error in islice(_validator(make, *key).iter_errors(document), MOST):
        found.update(dict.fromkeys(_violations(error)))
    return tuple(found)


@lru_cache(64)
def _validator(make: Callable[..., dict[str, Any]], *key: Any) -> Draft202012Validator:
    from jsonschema import Draft202012Validator  # slow to load, and sound files need no explanation
    from jsonschema.validators import extend

    def all_of(validator: Any, branches: list[Any], instance: Any, _schema: Any) -> Iterator[Any]:
        """Yield what ``allOf`` yields, but pass over the branches of other kinds: that is three times as quick."""
        kind = instance.get("kind") if isinstance(instance, dict) else None
        for index, branch in enumerate(branches):
            if "if" not in branch or branch["if"]["properties"]["kind"]["const"] == kind:
                yield from validator.descend(instance, branch, schema_path=index)

    checker: type[Draft202012Validator] = extend(Draft202012Validator, {"allOf": all_of})  # type: ignore[no-untyped-call]
    return checker(make(*key))


def _violations(error: SchemaError) -> Iterator[Violation]:
    """Yield a violation for each problem that the ``error`` of jsonschema reports: several for a list of names.

    Of several branches it takes the one that the author meant: the only one with the right type, if there is one.
    """
    if error.validator not in ("anyOf", "oneOf"):
        yield from (Violation(trail(error.absolute_path), words) for words in _messages(error))
        return
    branches: dict[Any, list[SchemaError]] = {}
    for inner in error.context or ():
        branches.setdefault(inner.relative_schema_path[0], []).append(inner)
    meant = [found for found in branches.values() if not any(one.validator == "type" and not one.path for one in found)]
    if len(meant) != 1:
        yield Violation(trail(error.absolute_path), f"cannot be {shown(error.instance)}")
        return
    for inner in meant[0]:
        yield from _violations(inner)


def _messages(error: SchemaError) -> Iterator[str]:
    """Yield why the value of the ``error`` does not obey the keyword of JSON Schema that it names, such as `maximum`."""
    keyword, schema_ = str(error.validator), error.schema
    asked: Any = error.validator_value
    found: Any = error.instance
    match keyword:
        case "type":
            wanted = [asked] if isinstance(asked, str) else list(asked)
            yield f"must be {_either([_TYPES.get(name, name) for name in wanted])}, not {shown(found)}"
        case "required":
            yield from (f"{quoted(name)} is missing" for name in asked if name not in found)
        case "additionalProperties":
            known = schema_.get("properties", {}) if isinstance(schema_, dict) else {}
            missing = [name for name in known if name not in found]
            yield from (
                f"the name {quoted(name)} is unknown here{_hint(name, missing)}" for name in found if name not in known
            )
        case "enum":
            choices = list(asked)
            hint = _hint(found, [one for one in choices if isinstance(one, str)]) if len(choices) > 3 else ""
            yield f"must be {_either([shown(one) for one in choices])}, not {shown(found)}{hint}"
        case "const":
            yield f"must be {shown(asked)}, not {shown(found)}"
        case "minLength" | "minItems" if asked == 1:
            yield "must not be empty"
        case "minLength" | "minItems" | "maxLength" | "maxItems":
            noun = "character" if isinstance(found, str) else "item"
            bound = "at least" if keyword.startswith("min") else "at most"
            yield f"must have {bound} {asked} {noun}{'' if asked == 1 else 's'}, but has {len(found)}"
        case "pattern" if asked == DIGEST_PATTERN:
            yield f"must be 64 digits 0–9 and a–f, not {shown(found)}"
        case _ if keyword in _BOUNDS:
            yield f"must be {_BOUNDS[keyword].format(asked)}, not {shown(found)}"
        case _:
            yield f"cannot be {shown(found)}"


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


def _either(words: Sequence[str]) -> str:
    shown_words = [*words[:12], "…"] if len(words) > 13 else list(words)
    return shown_words[0] if len(shown_words) == 1 else f"{', '.join(shown_words[:-1])} or {shown_words[-1]}"


def _hint(written: Any, known: Sequence[str]) -> str:
    if not isinstance(written, str) or len(written) > _HINTED:
        return ""
    found = suggest(written, known, 1)
    return f"; did you mean {quoted(found[0])}?" if found else ""

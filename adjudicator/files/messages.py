"""Say in plain English why a plain JSON value does not fit."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Sequence
from typing import Any, Final

from adjudicator.core.problem import suggest
from adjudicator.core.values import DIGEST_PATTERN
from adjudicator.files.reading import quoted

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


def messages(keyword: str, asked: Any, found: Any, known: Collection[str] = ()) -> Iterator[str]:
    """Yield why the value ``found`` does not obey a ``keyword`` of JSON Schema, such as `maximum`, with the value ``asked``.

    ``known`` are the names that an object may have.
    """
    match keyword:
        case "type":
            wanted = [asked] if isinstance(asked, str) else list(asked)
            yield f"must be {_either([_TYPES.get(name, name) for name in wanted])}, not {shown(found)}"
        case "required":
            yield from (f"{quoted(name)} is missing" for name in asked if name not in found)
        case "additionalProperties":
            missing = [name for name in known if name not in found]
            for name in found:
                if name not in known:
                    yield f"the name {quoted(name)} is unknown here{_hint(name, missing)}"
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

"""Read the documents that people write by hand: pydantic checks them, and finds every mistake at once."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Callable, Iterator, Sequence
from types import UnionType
from typing import Annotated, Any, Final, TypeVar, Union, get_args, get_origin

from pydantic import AfterValidator, BaseModel, ConfigDict, ValidationError

from adjudicator.files.errors import Untrusted, Violation
from adjudicator.files.explain import messages
from adjudicator.files.reading import TOO_DEEP, trail

_MOST_BYTES: Final = 1_000_000
_TYPES: Final = {
    "bool_type": "boolean",
    "dict_type": "object",
    "int_type": "integer",
    "model_type": "object",
    "string_type": "string",
    "tuple_type": "array",
}
"""The type of JSON Schema that is asked for, by the kind of error."""
_LIMITS: Final = {
    "greater_than_equal": ("minimum", "ge"),
    "less_than_equal": ("maximum", "le"),
    "string_too_long": ("maxLength", "max_length"),
    "string_too_short": ("minLength", "min_length"),
    "too_long": ("maxItems", "max_length"),
    "too_short": ("minItems", "min_length"),
}
"""The keyword of JSON Schema and the name of its limit, by the kind of error."""


class Document(BaseModel):
    """The base of documents that people write by hand, and of their parts."""

    model_config = ConfigDict(frozen=True, strict=True, extra="forbid")


D = TypeVar("D", bound=Document)


def checked(check: Callable[[str], object]) -> AfterValidator:
    """Return a note for the type of a text that is wrong if ``check`` raises ``ValueError``, whose message says why."""

    def keep(text: str) -> str:
        check(text)
        return text

    return AfterValidator(keep)


def parse_toml(name: str, data: bytes, kind: type[D]) -> D:
    """Return the settings in ``data``, the TOML file ``name``, as a ``kind``. Raises ``Untrusted`` with all mistakes."""
    words = "the file is too large" if len(data) > _MOST_BYTES else ""
    try:
        document = {} if words else tomllib.loads(data.decode())
        json.dumps(document)
    except UnicodeDecodeError:
        words = "save the file as text in UTF-8"
    except TypeError:
        words = "write dates and times in quotation marks"
    except (ValueError, RecursionError) as error:  # the messages of the TOML reader name the line
        words = f"this is not valid TOML: {error}"
    if words:
        raise Untrusted(name, [Violation("$", words)], "these settings cannot be read")
    return build(name, document, kind, "these settings cannot be used")


def build(name: str, document: Any, kind: type[D], words: str) -> D:
    """Return the ``kind`` in ``document``, the plain JSON of the file ``name``.

    Raises ``Untrusted`` with all mistakes, under the heading ``words``.
    """
    try:
        return kind.model_validate_json(json.dumps(document))  # a strict model takes lists as tuples only from JSON
    except ValidationError as error:
        raise Untrusted(name, dict.fromkeys(_violations(error, document, kind)), words) from None


def _violations(error: ValidationError, document: Any, kind: type[Document]) -> Iterator[Violation]:
    for one in error.errors(include_url=False):
        mistake, place, found, limits = one["type"], one["loc"], one["input"], one.get("ctx", {})
        keyword, known = "", tuple[str, ...]()
        asked: Any = None
        if mistake in ("missing", "extra_forbidden"):
            *above, name = place
            keyword = "required" if mistake == "missing" else "additionalProperties"
            place, asked, found, known = tuple(above), [name], document, _names(kind, above)
            for key in above:
                found = found[key]
        elif mistake in ("enum", "literal_error"):
            keyword, asked = "enum", limits["expected"].strip("'").replace("' or '", "', '").split("', '")
        elif mistake in _TYPES:
            keyword, asked = "type", _TYPES[mistake]
        elif mistake in _LIMITS:
            keyword, limit = _LIMITS[mistake]
            asked = limits[limit]
        own = {"value_error": str(limits.get("error")), "json_invalid": TOO_DEEP}.get(mistake)
        for words in [own] if own else messages(keyword, asked, found, known):
            yield Violation(trail(place), words)


def _names(hint: Any, place: Sequence[int | str]) -> tuple[str, ...]:
    """Return the names of the fields of the part at ``place`` in a document of the type ``hint``."""
    for key in place:
        hint = _plain(hint)
        fields = getattr(hint, "model_fields", None)
        hint = fields[key].annotation if fields else [one for one in get_args(hint) if one is not ...][-1]
    return tuple(field.alias or name for name, field in _plain(hint).model_fields.items())


def _plain(hint: Any) -> Any:
    """Return the class in ``hint`` without notes and without the choice of `None`."""
    return _plain(get_args(hint)[0]) if get_origin(hint) in (Annotated, Union, UnionType) else hint

"""Read the documents that people write by hand: pydantic checks them, and finds every mistake at once."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Callable
from typing import Any, Final, TypeVar

from pydantic import AfterValidator, BaseModel, ConfigDict, ValidationError

from adjudicator.core.problem import Violation
from adjudicator.files.errors import Untrusted
from adjudicator.files.explain import violations
from adjudicator.files.reading import TOO_DEEP, trail

_MOST_BYTES: Final = 1_000_000


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


def formed(form: str, how: str) -> AfterValidator:
    """Return a note for the type of a text that has the ``form`` of a pattern; ``how`` says how to write it."""

    def require(text: str) -> None:
        if not re.fullmatch(form, text):
            raise ValueError(how.format(text))

    return checked(require)


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
        wrong = list(violations(document, kind.model_json_schema))
        for one in error.errors(include_url=False):
            if one["type"] in ("value_error", "json_invalid"):  # the rest follows from the schema
                said = str(one["ctx"]["error"]) if one["type"] == "value_error" else TOO_DEEP
                wrong.append(Violation(trail(one["loc"]), said))
        raise Untrusted(name, sorted(set(wrong), key=lambda one: (one.path, one.message)), words) from None

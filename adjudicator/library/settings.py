"""Read the settings of a program as a typed value."""

from __future__ import annotations

import json
import tomllib
from typing import Any, Final, TypeVar

from adjudicator.files.errors import Untrusted, Violation
from adjudicator.store.parts import build_part

T = TypeVar("T")
_MOST_BYTES: Final = 1_000_000


def parse_settings(name: str, data: bytes, kind: type[T]) -> T:
    """Return the settings in ``data``, the TOML file ``name``, as a ``kind``, a frozen class.

    Raises ``Untrusted`` with all values that do not fit the fields of the class.
    """
    if len(data) > _MOST_BYTES:
        raise Untrusted(name, [Violation("$", "the file is too large")], "these settings cannot be read")
    try:
        document: Any = tomllib.loads(data.decode())
        text = json.dumps(document)
    except (ValueError, TypeError, RecursionError) as error:
        raise Untrusted(name, [Violation("$", _unreadable(error))], "these settings cannot be read") from None
    return build_part(kind, document, text.encode(), name, "these settings cannot be used")


def _unreadable(error: Exception) -> str:
    """Return why settings cannot be read; the messages of the TOML reader name the line."""
    if isinstance(error, UnicodeDecodeError):
        return "save the file as text in UTF-8"
    if isinstance(error, TypeError):
        return "write dates and times in quotation marks"
    return f"this is not valid TOML: {error}"

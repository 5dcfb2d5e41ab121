"""Values of a script in quotation marks: names and reasons that a line could not hold otherwise."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any


class BadQuoteError(ValueError):
    """A value begins with a quotation mark and is no text as in JSON."""


def unquoted(written: str) -> str:
    """Return the text that is ``written``: as it stands, or a text as in JSON. Raises ``BadQuoteError``."""
    if not written.startswith('"'):
        return written
    try:
        text: Any = json.loads(written)
    except (ValueError, RecursionError):
        raise BadQuoteError(written) from None
    if not isinstance(text, str) or any("\ud800" <= sign <= "\udfff" for sign in text):
        raise BadQuoteError(written)
    return text


def quoted_if_needed(text: str, read_back: Callable[[str], str | None]) -> str:
    """Return ``text`` as it may be written: as it stands if ``read_back`` finds it so on a line, else quoted."""
    return text if not text.startswith('"') and read_back(text) == text else without_comments(json.dumps(text))


def without_comments(written: str) -> str:
    """Return the JSON ``written`` with nothing in it that would begin a comment; these signs stand in its texts only."""
    return written.replace("#", "\\u0023").replace(";", "\\u003b")

"""Read and write quoted values of a script: names and reasons that need quotation marks."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any


class BadQuoteError(ValueError):
    """Report that a value begins with a quotation mark but is not a JSON string."""


def unquote(written: str) -> str:
    """Return the text that is ``written``, unquoted or as a JSON string. Raises ``BadQuoteError``."""
    if not written.startswith('"'):
        return written
    try:
        text: Any = json.loads(written)
    except (ValueError, RecursionError):
        raise BadQuoteError(written) from None
    if not isinstance(text, str) or any("\ud800" <= sign <= "\udfff" for sign in text):
        raise BadQuoteError(written)
    return text


def quote_if_needed(text: str, read_back: Callable[[str], str | None]) -> str:
    """Return ``text`` as a script writes it: unchanged if ``read_back`` returns it, else quoted."""
    return text if not text.startswith('"') and read_back(text) == text else without_comments(json.dumps(text))


def without_comments(written: str) -> str:
    """Return the JSON ``written`` with signs that begin a comment escaped; JSON has them only inside strings."""
    return written.replace("#", "\\u0023").replace(";", "\\u003b")

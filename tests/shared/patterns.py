"""Regular expressions proved to take linear time by their form, since nobody can count the steps of the library."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any


def given_back(pattern: re.Pattern[str]) -> list[str]:
    """Return the quantifiers of ``pattern`` without a limit that may give back what they took; they cost quadratic time."""
    return list(_given_back(re._parser.parse(pattern.pattern, pattern.flags)))  # type: ignore[attr-defined]


def _given_back(parsed: Any) -> Iterator[str]:
    for item in parsed if isinstance(parsed, (list, tuple, re._parser.SubPattern)) else ():  # type: ignore[attr-defined]
        if isinstance(item, tuple) and item and str(item[0]) in ("MAX_REPEAT", "MIN_REPEAT") and item[1][1] > 100:
            yield str(item)
        yield from _given_back(item)

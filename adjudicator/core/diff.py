"""Find the differences between two plain values, for corrections and audits."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

MISSING: Final = "nothing"
"""The value of a member that one side does not have."""


def differences(before: Any, after: Any, path: str = "") -> Iterator[tuple[str, Any, Any]]:
    """Yield the path, the value before and the value after of each smallest part that differs, in order.

    Lists with records in them are compared item by item if they have the same length, other lists as wholes. A member that
    only one side has is ``MISSING`` on the other.
    """
    if isinstance(before, dict) and isinstance(after, dict):
        for key in sorted({*before, *after}):
            inner = f"{path}.{key}" if path else str(key)
            yield from differences(before.get(key, MISSING), after.get(key, MISSING), inner)
    elif _are_records(before, after):
        for index, (left, right) in enumerate(zip(before, after, strict=True)):
            yield from differences(left, right, f"{path}[{index}]")
    elif before != after or type(before) is not type(after):
        yield path, before, after


def _are_records(before: Any, after: Any) -> bool:
    # Lists of names (a hand, a row) are easier to read as wholes than name by name.
    if not (isinstance(before, list) and isinstance(after, list) and len(before) == len(after)):
        return False
    return any(isinstance(item, (dict, list)) for item in (*before, *after))

"""Compute the assignments of `amend` that turn one state into another: as few and as small as possible."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final

from adjudicator.core.values import canonical_text
from adjudicator.script.quoting import without_comments

_MEMBER: Final = re.compile(r"[A-Za-z_][\w-]*", re.ASCII)


def assignments(before: Any, after: Any, path: str = "") -> Iterator[str]:
    """Yield ``PATH=VALUE`` for each part in which two plain values differ, in order."""
    if path and not _has_same_places(before, after):
        yield f"{path}={without_comments(canonical_text(after))}"
        return
    for key in after if isinstance(after, dict) else range(len(after)):
        old = before.get(key) if isinstance(before, dict) else before[key]
        if old != after[key]:
            yield from assignments(old, after[key], _inner(path, key))


def _has_same_places(before: Any, after: Any) -> bool:
    """Return whether ``before`` becomes ``after`` by changes of its members alone."""
    if isinstance(before, dict) and isinstance(after, dict):
        return before.keys() == after.keys() and all(map(_MEMBER.fullmatch, after))
    if isinstance(before, list) and isinstance(after, list) and len(before) == len(after):
        return any(isinstance(item, dict | list) for item in after)
    return False


def _inner(path: str, key: str | int) -> str:
    if isinstance(key, int):
        return f"{path}[{key}]"
    return f"{path}.{key}" if path else key

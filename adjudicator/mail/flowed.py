"""Join the lines that a mail program wrapped in transit (RFC 3676, ``format=flowed``)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

_NARROWEST: Final = 60
"""Columns below which no program wraps: the writer typed a space at the end of a shorter line."""


def unwrap(lines: Sequence[str], *, has_extra_space: bool) -> list[str]:
    """Return ``lines`` as they were before wrapping. Quoted lines do not change: each has its own mark.

    If ``has_extra_space``, the space at the end of a wrapped line is not part of the text (DelSp).
    """
    joined: list[str] = []
    parts: list[str] = []
    for index, line in enumerate(lines):
        is_quoted = line.startswith(">")
        if not is_quoted:
            line = line.removeprefix(" ")  # programs add a space to lines that look like quotes
        following = lines[index + 1] if index + 1 < len(lines) else ""
        if not is_quoted and _is_wrapped(line, following):
            parts.append(line[:-1] if has_extra_space else line)
            continue
        joined.append("".join([*parts, line]))
        parts = []
    return joined


def _is_wrapped(line: str, following: str) -> bool:
    """Return whether a program wrapped ``line``: it ends with a space, and the next word had no room on it."""
    if not line.endswith(" ") or line == "-- " or following.startswith(">"):
        return False
    word = following.split(maxsplit=1)[:1]
    return bool(word) and len(line) + len(word[0]) > _NARROWEST

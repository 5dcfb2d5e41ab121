"""Text of the format "flowed" (RFC 3676): lines that were wrapped for the journey are joined again."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

_NARROWEST: Final = 60
"""Columns below which no program wraps: a space at the end of a shorter line is the writer's, and no sign of wrapping."""


def unwrapped(lines: Sequence[str], *, has_extra_space: bool) -> list[str]:
    """Return ``lines`` as they were before they were wrapped; quoted lines stay as they are, each has its own mark.

    ``has_extra_space`` says that the space at the end of a wrapped line is no part of the text (DelSp).
    """
    joined: list[str] = []
    parts: list[str] = []
    for index, line in enumerate(lines):
        is_quoted = line.startswith(">")
        if not is_quoted:
            line = line.removeprefix(" ")  # a space before lines that would else be taken for quotes
        following = lines[index + 1] if index + 1 < len(lines) else ""
        if not is_quoted and _is_wrapped(line, following):
            parts.append(line[:-1] if has_extra_space else line)
            continue
        joined.append("".join([*parts, line]))
        parts = []
    return joined


def _is_wrapped(line: str, following: str) -> bool:
    """Return whether ``line`` was wrapped before ``following``: its end says so, and the next word had no room."""
    if not line.endswith(" ") or line == "-- " or following.startswith(">"):
        return False
    word = following.split(maxsplit=1)[:1]
    return bool(word) and len(line) + len(word[0]) > _NARROWEST

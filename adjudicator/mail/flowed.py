"""Undo what mail programs do to the ends of lines: wrap long ones (RFC 3676, ``format=flowed``), or join them all."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final

_NARROWEST: Final = 60
"""Columns below which no program wraps: the writer typed a space at the end of a shorter line."""
_END: Final = re.compile(r" \| *")
_HEADER: Final = re.compile(r"game [^ |]+ \|", re.IGNORECASE)
"""The header of a mail that the desk began."""


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


def divide(lines: Sequence[str]) -> Sequence[str]:
    """Return ``lines`` as the desk wrote them, which ends each with `` |``: some programs join the lines of a link.

    In mails that do not have the desk's header, and in quoted lines, this mark has no meaning.
    """
    if not any(map(_HEADER.match, lines)):
        return lines
    return [part for line in lines for part in ([line] if line.startswith(">") else _parts(line))]


def _parts(line: str) -> Iterable[str]:
    *parts, last = _END.split(line)
    return (*parts, last) if last or not parts else parts

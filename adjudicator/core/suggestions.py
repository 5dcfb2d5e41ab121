"""Which name is meant: the one that is written in another case, or those that look like it."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import SequenceMatcher


def in_any_case(written: str, known: Iterable[str]) -> str | None:
    """Return which of ``known`` is ``written``: itself, else the only one that differs in case alone, else ``None``."""
    names = tuple(known)
    if written in names:
        return written
    alike = [name for name in names if name.casefold() == written.casefold()]
    return alike[0] if len(alike) == 1 else None


def suggest(written: str, known: Iterable[str], most: int = 3) -> tuple[str, ...]:
    """Return up to ``most`` of ``known`` that look like ``written``, the likest first, ties by name."""
    wanted = written.casefold()
    scored = ((-SequenceMatcher(None, wanted, name.casefold()).ratio(), name) for name in known)
    return tuple(name for score, name in sorted(scored) if score <= -0.5)[:most]

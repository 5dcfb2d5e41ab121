"""Which name is meant: the one that is written in another case, or those that look like it."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import SequenceMatcher
from typing import Final

_ALIKE: Final = 0.5
"""Of two names, the part that must be the same for one to stand for the other: twice the letters that match, of all."""


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
    scored = ((-_likeness(wanted, name.casefold()), name) for name in known)
    return tuple(name for score, name in sorted(scored) if score <= -_ALIKE)[:most]


def _likeness(wanted: str, name: str) -> float:
    """Return how alike two names are, from 0 to 1; 0 if they are surely less than ``_ALIKE``, which is quickly seen."""
    both = len(wanted) + len(name)
    if 4 * min(len(wanted), len(name)) < both:  # the most that can match is the whole of the shorter one
        return 0.0
    if 4 * sum(min(wanted.count(sign), name.count(sign)) for sign in set(name)) < both:
        return 0.0
    return SequenceMatcher(None, wanted, name).ratio()

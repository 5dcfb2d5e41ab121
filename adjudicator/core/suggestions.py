"""Did you mean: names that look like the one written."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import SequenceMatcher


def suggest(written: str, known: Iterable[str], most: int = 3) -> tuple[str, ...]:
    """Return up to ``most`` of ``known`` that look like ``written``, the likest first, ties by name."""
    wanted = written.casefold()
    scored = ((-SequenceMatcher(None, wanted, name.casefold()).ratio(), name) for name in known)
    return tuple(name for score, name in sorted(scored) if score <= -0.5)[:most]

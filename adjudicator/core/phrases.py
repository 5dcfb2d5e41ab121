"""Counts and lists in words, the same in every game."""

from __future__ import annotations

from collections.abc import Iterable


def count(number: int, one: str, many: str = "") -> str:
    """Return ``number`` with its noun: ``1 space``, ``2 spaces``; ``many`` where the plural is not ``one`` with an s."""
    return f"{number} {one if number == 1 else many or one + 's'}"


def listed(words: Iterable[object], last: str = "and") -> str:
    """Return ``words`` as a list in a sentence: ``red, blue and green``; ``last`` joins the last two."""
    found = [str(word) for word in words]
    if len(found) < 2:
        return "".join(found)
    return f"{', '.join(found[:-1])} {last} {found[-1]}"

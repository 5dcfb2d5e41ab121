"""Good wishes that begin as orders of some games do, and would be read as such: "Take care!"."""

from __future__ import annotations

from collections.abc import Collection
from functools import lru_cache
from typing import Final

_WISHES: Final = {
    "take": {"care"},
    "keep": {"well", "safe", "healthy", "up", "going"},
    "drive": {"safely", "carefully", "well"},
    "move": {"safely", "carefully"},
    "go": {"safely", "carefully", "well"},
    "stay": {"well", "safe", "healthy", "tuned"},
}
"""How they begin: the first word, and the words that may follow it."""
_SIGNS: Final = " ,.!"


def is_wish(line: str, names: Collection[str]) -> bool:
    """Return whether ``line`` is a good wish: no digit is in it, and none of ``names``, which are those of the game."""
    words = _wish(line)
    return bool(words) and not any(word in names for word in words)


@lru_cache(8192)
def _wish(line: str) -> tuple[str, ...]:
    """Return the words of ``line`` in lower case if it could be a good wish, else nothing."""
    words = tuple(word.strip(_SIGNS).casefold() for word in line.split())
    is_one = len(words) > 1 and words[1] in _WISHES.get(words[0], ()) and not any(map(str.isdigit, line))
    return words if is_one else ()

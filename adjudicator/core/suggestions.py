"""Find the name that a player meant: the same in another case, or similar ones."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Final

_ALIKE: Final = 0.5
"""The least similarity of two names for a suggestion: twice the number of matching letters, divided by all letters."""
_REMEMBERED: Final = 16
"""How many lists of names are cached for the next wrong name."""


def in_any_case(written: str, known: Iterable[str]) -> str | None:
    """Return which of ``known`` is ``written``: itself, else the only one that differs just in case, else ``None``."""
    names = tuple(known)
    if written in names:
        return written
    alike = [name for name in names if name.casefold() == written.casefold()]
    return alike[0] if len(alike) == 1 else None


def suggest(written: str, known: Iterable[str], most: int = 3, alike: float = _ALIKE) -> tuple[str, ...]:
    """Return up to ``most`` of ``known`` that look like ``written``, the most similar first, ties by name.

    ``alike`` is the least similarity of a suggestion, from 0.5 to 1, which means the same letters.
    """
    from difflib import SequenceMatcher  # most commands make no suggestions

    names, wanted = _indexed(tuple(known)), written.casefold()
    best: list[tuple[float, str]] = []
    for bound, name in sorted(names.candidates(wanted)):
        if best and len(best) == most and bound > best[-1][0]:
            break  # none of the others can be more similar
        score = -SequenceMatcher(None, wanted, name.casefold()).ratio()
        if score <= -alike:
            best = sorted([*best, (score, name)])[:most]
    return tuple(name for _, name in best)


def did_you_mean(written: str, known: Iterable[str]) -> str:
    """Return a question for a message, `` (did you mean “red”?)``, with the one of ``known`` most similar; else nothing."""
    similar = suggest(written, known, 1)
    return f" (did you mean “{similar[0]}”?)" if similar else ""


class _Names:
    """Names indexed by their characters, so that only the few that can be similar are compared."""

    def __init__(self, known: tuple[str, ...]) -> None:
        self._known = tuple([(name, len(name.casefold())) for name in known])
        self._with: dict[str, list[tuple[int, int]]] = {}
        for at, name in enumerate(known):
            for sign, times in Counter(name.casefold()).items():
                self._with.setdefault(sign, []).append((at, times))

    def candidates(self, wanted: str) -> Iterator[tuple[float, str]]:
        """Yield the names with enough characters in common with ``wanted`` to be similar, with their least possible score.

        A score is the similarity of two names, negated: the most similar have the least.
        """
        common: dict[int, int] = {}
        for sign, most in Counter(wanted).items():
            for at, times in self._with.get(sign, ()):
                common[at] = common.get(at, 0) + min(most, times)
        for at, count in common.items():
            name, length = self._known[at]
            both = len(wanted) + length
            if 2 * count >= _ALIKE * both:
                yield -2.0 * count / both if both else -1.0, name


@lru_cache(maxsize=_REMEMBERED)
def _indexed(known: tuple[str, ...]) -> _Names:
    """Return the names ``known``, indexed; a text has many wrong names, which are all looked up in the same list."""
    return _Names(known)

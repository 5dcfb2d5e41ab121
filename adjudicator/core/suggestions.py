"""Which name is meant: the one that is written in another case, or those that look like it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Final

_ALIKE: Final = 0.5
"""Of two names, the part that must be the same for one to stand for the other: twice the letters that match, of all."""
_REMEMBERED: Final = 16
"""Lists of names that are kept for the next wrong one."""


def in_any_case(written: str, known: Iterable[str]) -> str | None:
    """Return which of ``known`` is ``written``: itself, else the only one that differs in case alone, else ``None``."""
    names = tuple(known)
    if written in names:
        return written
    alike = [name for name in names if name.casefold() == written.casefold()]
    return alike[0] if len(alike) == 1 else None


def suggest(written: str, known: Iterable[str], most: int = 3) -> tuple[str, ...]:
    """Return up to ``most`` of ``known`` that look like ``written``, the likest first, ties by name."""
    from difflib import SequenceMatcher  # most commands have nothing to suggest

    names, wanted = _indexed(tuple(known)), written.casefold()
    best: list[tuple[float, str]] = []
    for bound, name in sorted(names.near(wanted)):
        if best and len(best) == most and bound > best[-1][0]:
            break  # none of the others can be liker
        score = -SequenceMatcher(None, wanted, name.casefold()).ratio()
        if score <= -_ALIKE:
            best = sorted([*best, (score, name)])[:most]
    return tuple(name for _, name in best)


class _Names:
    """Names by the signs in them, so that of many only those few are compared that can be alike."""

    def __init__(self, known: tuple[str, ...]) -> None:
        self._known = tuple([(name, len(name.casefold())) for name in known])
        self._with: dict[str, list[tuple[int, int]]] = {}
        for at, name in enumerate(known):
            for sign, times in Counter(name.casefold()).items():
                self._with.setdefault(sign, []).append((at, times))

    def near(self, wanted: str) -> Iterator[tuple[float, str]]:
        """Yield the names that have signs enough in common with ``wanted`` to be alike, with the least score they can have.

        A score is how alike two names are, below 0: the least are the likest.
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
    """Return the names ``known`` by their signs: the same ones are asked for with each wrong name of a text."""
    return _Names(known)

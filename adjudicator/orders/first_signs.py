"""Which signs a pattern may begin with: of dozens of terminals that could come next, the next sign leaves a few."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from importlib import import_module
from typing import Any, Final

ANYTHING: Final = None
"""Stands for the signs of a pattern of which nothing is known."""
OFTEN: Final = 50
"""Times that a sign comes in a state before a pattern of its own is compiled, which takes as long as many terminals."""
_Signs = frozenset[str] | None
_Match = Callable[[str, int], Any]


def first_signs(pattern: str) -> str | None:
    """Return the ASCII signs that what ``pattern`` matches may begin with, in either case; ``ANYTHING`` in doubt.

    Python's own parser of patterns tells, which a later Python may have elsewhere: then nothing is known of any.
    """
    try:
        signs, is_empty = _beginning(import_module("re._parser").parse(pattern))
    except (ImportError, AttributeError):
        return ANYTHING
    return ANYTHING if signs is None or is_empty else "".join(sorted(signs))


class ByFirstSign(dict[str, _Match]):
    """What finds the next terminal in one state of a parser, by the sign that comes next; compiled when it comes often."""

    def __init__(self, tables: Mapping[str, Any], state: int, every: _Match) -> None:
        """Find in ``state`` of ``tables`` what ``every``, the pattern of all its terminals, would find."""
        super().__init__()
        self._every, self._terminals, self._signs = every, tables["terminals"], tables["signs"]
        self._pattern, self._flags = tables["scanners"][state]
        self._met = Counter[str]()

    def __missing__(self, sign: str) -> _Match:
        self._met[sign] += 1
        if self._met[sign] < OFTEN:
            return self._every
        names = re.compile(self._pattern, self._flags).groupindex
        likely = [name for name in names if self._signs[name] is ANYTHING or sign in self._signs[name]]
        is_known = sign.isascii() and joined(names, self._terminals) == self._pattern
        if is_known and likely:
            self[sign] = re.compile(joined(likely, self._terminals), self._flags).match
        else:
            self[sign] = self._every
        return self[sign]


def joined(names: Iterable[str], terminals: Mapping[str, str]) -> str:
    """Return the pattern of any of the ``terminals`` called ``names``, as Lark joins them."""
    return "|".join(f"(?P<{name}>{terminals[name]})" for name in names)


def _beginning(parts: Iterable[tuple[Any, Any]]) -> tuple[_Signs, bool]:
    """Return what parts of a pattern may begin with, and whether they may be empty."""
    found: frozenset[str] = frozenset()
    for kind, value in parts:
        signs, is_empty = _beginning_of(kind, value)
        if signs is None:
            return None, is_empty
        found |= signs
        if not is_empty:
            return found, False
    return found, True


def _beginning_of(kind: Any, value: Any) -> tuple[_Signs, bool]:
    match str(kind):
        case "LITERAL" | "IN":
            return _signs(value if str(kind) == "IN" else [(kind, value)]), False
        case "BRANCH":
            branches = [_beginning(branch) for branch in value[1]]
            known = [signs for signs, _ in branches if signs is not None]
            signs = frozenset[str]().union(*known) if len(known) == len(branches) else None
            return signs, any(is_empty for _, is_empty in branches)
        case "SUBPATTERN":
            return _beginning(value[-1])
        case "MAX_REPEAT" | "MIN_REPEAT" | "POSSESSIVE_REPEAT":
            signs, is_empty = _beginning(value[2])
            return signs, is_empty or value[0] == 0
        case "ASSERT" | "ASSERT_NOT" | "AT":
            return frozenset(), True
        case _:
            return None, True


def _signs(among: Iterable[tuple[Any, Any]]) -> _Signs:
    """Return the ASCII signs ``among`` those of a set in a pattern, letters in either case."""
    found: set[str] = set()
    for kind, value in among:
        match str(kind):
            case "LITERAL":
                found.add(chr(value))
            case "RANGE":
                found.update(map(chr, range(value[0], min(value[1], 127) + 1)))
            case _:
                return None
    return frozenset(sign for each in found if each.isascii() for sign in (each.lower(), each.upper()))

"""Count the steps that Python's backtracking matcher needs for a pattern and a text, the same on every machine.

The library of Python does not count them. This matcher walks the parsed pattern in the same order: greedy quantifiers take
all and give back one by one, alternatives from left to right, a search from each index. One step is one comparison with a
character, or one attempt to go on. It leaves out the library's shortcuts, so it counts rather more than less.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from functools import cache
from typing import Any

Next = Callable[[int], bool]
_DEEP = 60_000


class TooManyStepsError(Exception):
    """The pattern needs more steps than the limit."""


def steps(pattern: re.Pattern[Any], text: str, most: int, how: str) -> tuple[int, int]:
    """Return the steps of ``pattern`` on ``text``, and the end of its first match (−1: none).

    ``how`` is ``match``, ``fullmatch`` or ``all``, a search for all matches. Raises ``TooManyStepsError`` beyond ``most``.
    """
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(_DEEP)
    try:
        counter = _Counter(text, most, pattern.flags)
        parsed = _parsed(pattern)
        at, first, end = 0, -1, -1

        def done(place: int) -> bool:
            nonlocal end
            end = place
            return how != "fullmatch" or place == len(text)

        while at <= len(text):
            is_found = counter.run(parsed, 0, at, done)
            first = end if is_found and first < 0 else first
            at = max(at + 1, end) if is_found else at + 1
            if how != "all":
                break
        return counter.count, first
    finally:
        sys.setrecursionlimit(before)


@cache
def _parsed(pattern: re.Pattern[Any]) -> Any:
    source = pattern.pattern
    text = source if isinstance(source, str) else source.decode("latin-1")
    flags = pattern.flags & ~re.UNICODE if isinstance(source, bytes) else pattern.flags
    return re._parser.parse(text, flags)  # type: ignore[attr-defined]


class _Counter:
    """Matches one text and counts; ``run`` calls ``then`` with each index at which the rest of a pattern may go on."""

    def __init__(self, text: str, most: int, flags: int) -> None:
        self.text, self.most, self.flags = text, most, flags
        self.count = 0
        self.groups: dict[int, tuple[int, int]] = {}

    def step(self) -> None:
        self.count += 1
        if self.count > self.most:
            raise TooManyStepsError

    def run(self, items: Any, index: int, at: int, then: Next) -> bool:
        if index == len(items):
            self.step()
            return then(at)
        name, argument = str(items[index][0]), items[index][1]

        def rest(place: int) -> bool:
            return self.run(items, index + 1, place, then)

        if name in _SINGLE:
            self.step()
            return at < len(self.text) and self.fits(name, argument, self.text[at]) and rest(at + 1)
        if name in ("MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT"):
            return self.repeat(name, *argument, at, rest)
        if name == "BRANCH":
            return any(self.run(branch, 0, at, rest) for branch in argument[1])
        if name == "SUBPATTERN":
            group, added, removed, inner = argument
            flags, self.flags = self.flags, (self.flags | added) & ~removed

            def closed(place: int) -> bool:
                inside, self.flags = self.flags, flags
                before = self.groups.get(group, (-1, -1))
                if group is not None:
                    self.groups[group] = at, place
                if rest(place):
                    return True
                if group is not None:
                    self.groups[group] = before
                self.flags = inside
                return False

            found = self.run(inner, 0, at, closed)
            self.flags = flags
            return found
        if name == "ATOMIC_GROUP":
            end = self.first(argument, at)
            return end is not None and rest(end)
        if name in ("ASSERT", "ASSERT_NOT"):
            direction, inner = argument
            width = inner.getwidth()[0]
            place = at if direction > 0 else at - width
            found = place >= 0 and self.first(inner, place) is not None
            return found == (name == "ASSERT") and rest(at)
        if name == "AT":
            self.step()
            return self.is_at(str(argument), at) and rest(at)
        if name == "GROUPREF":
            begin, end = self.groups.get(argument, (-1, -1))
            self.count += max(1, end - begin)
            return begin >= 0 and self.text.startswith(self.text[begin:end], at) and rest(at + end - begin)
        raise NotImplementedError(name)

    def first(self, items: Any, at: int) -> int | None:
        """Return the first index at which a match of ``items`` ends, without what follows."""
        ends: list[int] = []

        def end(place: int) -> bool:
            ends.append(place)
            return True

        return ends[0] if self.run(items, 0, at, end) else None

    def repeat(self, name: str, least: int, most: Any, items: Any, at: int, rest: Next) -> bool:
        is_single = len(items) == 1 and str(items[0][0]) in _SINGLE
        if is_single or name == "POSSESSIVE_REPEAT":
            places = [at]
            while len(places) <= int(most):
                if is_single:
                    self.step()
                    fits = places[-1] < len(self.text) and self.fits(str(items[0][0]), items[0][1], self.text[places[-1]])
                    end = places[-1] + 1 if fits else None
                else:
                    end = self.first(items, places[-1])
                if end is None or (end == places[-1] and len(places) > least):
                    break
                places.append(end)
            possible = places[least:]
            if name == "POSSESSIVE_REPEAT":
                return bool(possible) and rest(possible[-1])
            return any(map(rest, reversed(possible) if name == "MAX_REPEAT" else possible))

        def more(done: int, place: int) -> bool:
            def again(after: int) -> bool:
                return (after > place or done < least) and more(done + 1, after)

            if name == "MIN_REPEAT" and done >= least and rest(place):
                return True
            if done < int(most) and self.run(items, 0, place, again):
                return True
            return name == "MAX_REPEAT" and done >= least and rest(place)

        return more(0, at)

    def fits(self, name: str, argument: Any, sign: str) -> bool:
        if name == "ANY":
            return bool(self.flags & re.DOTALL) or sign != "\n"
        if name == "LITERAL":
            return self.same(argument, sign)
        if name == "NOT_LITERAL":
            return not self.same(argument, sign)
        is_not = str(argument[0][0]) == "NEGATE"
        signs = {sign, sign.lower(), sign.upper()} if self.flags & re.IGNORECASE else {sign}
        return any(self.inside(part, one) for part in argument[is_not:] for one in signs if len(one) == 1) != is_not

    def same(self, code: int, sign: str) -> bool:
        return sign == chr(code) or bool(self.flags & re.IGNORECASE and sign.lower() == chr(code).lower())

    def inside(self, part: Any, sign: str) -> bool:
        name, argument = str(part[0]), part[1]
        if name == "LITERAL":
            return sign == chr(argument)
        if name == "RANGE":
            return argument[0] <= ord(sign) <= argument[1]
        kind = str(argument).removeprefix("CATEGORY_")
        is_not, kind = kind.startswith("NOT_"), kind.removeprefix("NOT_")
        is_plain = bool(self.flags & re.ASCII) and not sign.isascii()
        found = {"DIGIT": sign.isdecimal(), "SPACE": sign.isspace(), "WORD": sign == "_" or sign.isalnum()}[kind]
        return (found and not is_plain) != is_not

    def is_at(self, where: str, at: int) -> bool:
        text, end = self.text, len(self.text)
        is_many = bool(self.flags & re.MULTILINE)
        if where == "AT_BEGINNING":
            return at == 0 or (is_many and text[at - 1] == "\n")
        if where == "AT_BEGINNING_STRING":
            return at == 0
        if where == "AT_END":
            return at == end or text[at:] == "\n" or (is_many and text[at] == "\n")
        if where == "AT_END_STRING":
            return at == end
        sides = [0 <= place < end and (text[place] == "_" or text[place].isalnum()) for place in (at - 1, at)]
        return (sides[0] != sides[1]) == (where == "AT_BOUNDARY")


_SINGLE = frozenset({"LITERAL", "NOT_LITERAL", "ANY", "IN"})

"""The path language of `amend`: which value is changed, and to what (``racers[red].minutes=14``, ``discard+=H5``).

A path names members as a file has them; in brackets stands a number from 0, or the seat of an item. A value is JSON, or a
bare word. ``=`` sets a value, ``+=`` and ``-=`` put something into a list or take it out.
"""

from __future__ import annotations

import json
import re
from typing import Any, Final

from adjudicator.core.canonical import canonical_text
from adjudicator.core.corrections import CorrectionError
from adjudicator.core.frozen import frozen
from adjudicator.store.errors import Untrusted
from adjudicator.store.reading import parse, quoted, trail
from adjudicator.store.shape import LARGEST

_STEP: Final = re.compile(r"\.?([A-Za-z_][\w-]*)|\[([^\]]+)\]")
_MOST: Final = 4_000


@frozen
class Assignment:
    """One change that is asked for: its ``text``, and the ``path``, ``how`` (``=``, ``+=``, ``-=``) and ``value`` in it."""

    text: str
    path: str
    how: str
    value: Any


def parse_assignment(text: str) -> Assignment:
    """Return what ``text`` says. Raises ``CorrectionError`` if it is no assignment."""
    before, equals, value = text.partition("=")
    how = f"{before[-1]}=" if before.endswith(("+", "-")) else "="
    path = before.removesuffix(how[:-1]).strip()
    if len(text) > _MOST or not equals or not path or "+" in path:
        raise CorrectionError(f"an amendment is written PATH=VALUE, such as racers[red].minutes=14; {quoted(text)} is not")
    return Assignment(text, path, how, _value(text, value.lstrip()))


def _value(text: str, written: str) -> Any:
    """Return the value ``written`` in the assignment ``text``: JSON that a file can hold, or else a bare word."""
    if any("\ud800" <= sign <= "\udfff" for sign in written):
        raise CorrectionError(f"{quoted(text)}: holds half a character")
    try:
        canonical_text(json.loads(written, parse_int=_number, parse_float=_nothing, parse_constant=_nothing))
    except ValueError:
        return written
    except (RecursionError, OverflowError) as error:
        words = "a number is too large" if isinstance(error, OverflowError) else "it is nested too deeply"
        raise CorrectionError(f"{quoted(text)}: {words}") from None
    try:
        _, value = parse(text, written.encode())
    except Untrusted as error:
        raise CorrectionError("\n".join(f"{quoted(text)}: {violation.words}" for violation in error.violations)) from None
    return value


def _number(digits: str) -> int:
    number = int(digits)
    if abs(number) > LARGEST:
        raise OverflowError
    return number


def _nothing(_written: str) -> None:
    """Pass over a fraction: what is wrong with it is said where files are read."""


def assign(document: Any, assignment: Assignment) -> str:
    """Change ``document``, plain JSON, as it is asked; return the JSON path of what was changed.

    Raises ``CorrectionError`` if the path leads nowhere.
    """
    *steps, last = _steps(assignment.path)
    place, keys = document, []
    for step in steps:
        keys.append(_key(place, step, assignment.path))
        place = place[keys[-1]]
    key = _key(place, last, assignment.path)
    _put(place, key, assignment)
    return trail((*keys, key))


def _put(place: Any, key: Any, assignment: Assignment) -> None:
    if assignment.how == "=":
        place[key] = assignment.value
        return
    items = place[key]
    if not isinstance(items, list):
        raise CorrectionError(f"{quoted(assignment.path)} is no list: it takes `=`, not `{assignment.how}`")
    if assignment.how == "+=":
        items.append(assignment.value)
    elif assignment.value in items:
        items.remove(assignment.value)
    else:
        raise CorrectionError(f"{quoted(assignment.path)} does not hold {canonical_text(assignment.value)}")


def _steps(path: str) -> list[str]:
    steps, place = [], 0
    while place < len(path):
        match = _STEP.match(path, place)
        if match is None:
            raise CorrectionError(f"{quoted(path)} is no path: write members with dots, items in brackets")
        steps.append(match[1] or match[2])
        place = match.end()
    return steps


def _key(place: Any, step: str, path: str) -> Any:
    """Return the key or index that ``step`` means in ``place``. Raises ``CorrectionError`` if there is none."""
    if isinstance(place, dict) and step in place:
        return step
    if isinstance(place, list):
        if step.isdecimal() and int(step) < len(place):
            return int(step)
        for index, item in enumerate(place):
            if isinstance(item, dict) and str(item.get("seat")).lower() == step.lower():
                return index
    listed = ", ".join(place) if isinstance(place, dict) else f"0 to {len(place) - 1}" if isinstance(place, list) else ""
    known = listed if place else "nothing"
    raise CorrectionError(f"there is no {quoted(step)} in {quoted(path)}; there is: {known}")

"""Read and apply assignments of `amend`, such as ``clock of red=14`` or ``discard+=H5``.

A path names members as in the game file; brackets have a number from 0, or the name of an item: its seat, its cell, its
tile (``board[A1].rot=90``). ``hand of red`` is the seat's member of that name, wherever the file keeps it; all of the game's
names for an account work. Case does not matter in names, in paths or values. A value is JSON or a bare word. ``=`` sets
a value, ``+=`` adds an item to a list, ``-=`` removes one.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable, Mapping
from typing import Any, Final

from adjudicator.core.corrections import Naming
from adjudicator.core.problem import CorrectionError, Violation, suggest
from adjudicator.core.remember import Memo
from adjudicator.core.rules import AnyRuleset
from adjudicator.core.values import LARGEST, Value, canonical_bytes, canonical_text, json_value, replace
from adjudicator.files import typed
from adjudicator.files.errors import Untrusted
from adjudicator.files.reading import TOO_DEEP, parse, quoted, trail

_STEP: Final = re.compile(r"\.?([A-Za-z_][\w-]*)|\[([^\]]+)\]")
_MOST: Final = 4_000


class Assignment(Value):
    """A requested change: its ``text``, with the ``path``, ``how`` (``=``, ``+=``, ``-=``) and ``value`` in it."""

    text: str
    path: str
    how: str
    value: Any


def amended(rules: AnyRuleset, state: Any, seats: Collection[str], changes: Iterable[str]) -> Any:
    """Return ``state`` with the ``changes``, assignments. Raises ``CorrectionError``, which names the wrong one."""
    document, naming = json_value(state), Naming(rules)
    names = {*seats, *words_in(document)}, words_in(rules.config)
    parsed = [parse_assignment(text) for text in changes]
    meant = [replace(change, value=named(change.value, *names)) for change in parsed]
    assigned = [(assign(document, change, naming), change.text) for change in meant]
    kind, wrong = rules.types.state, list[Violation]()
    try:
        return typed.read(kind, canonical_bytes(document))
    except typed.Misfit as misfit:
        from adjudicator.files.explain import violations
        from adjudicator.store.schema import json_schema

        found = violations(document, json_schema, kind) or (misfit.violation,)
        wrong += (one for one in found if not any(_is_inside(other.path, one.path) for other in found))
    except RecursionError:
        wrong.append(Violation("$", TOO_DEEP))
    lines = []
    for violation in wrong:
        texts = [text for path, text in assigned if violation.path == path or _is_inside(violation.path, path)]
        lines.append(f"{quoted(texts[-1]) if texts else violation.place}: {violation.message}")
    raise CorrectionError("\n".join(lines))


def _is_inside(path: str, outer: str) -> bool:
    """Return whether the JSON path ``path`` is inside ``outer``: a list is wrong only because one of its values is."""
    return path.startswith((f"{outer}.", f"{outer}["))


def parse_assignment(text: str) -> Assignment:
    """Read the assignment ``text``. Raises ``CorrectionError`` if it is not one."""
    before, equals, value = text.partition("=")
    how = f"{before[-1]}=" if before.endswith(("+", "-")) else "="
    path = before.removesuffix(how[:-1]).strip()
    if len(text) > _MOST or not equals or not path or "+" in path:
        raise CorrectionError(f"write an amendment as NAME=VALUE, such as racers[red].minutes=14, not as {quoted(text)}")
    return Assignment(text, path, how, _value(text, value.lstrip()))


def _value(text: str, written: str) -> Any:
    """Return the value ``written`` in the assignment ``text``: JSON that a game file can hold, else a bare word."""
    if any("\ud800" <= sign <= "\udfff" for sign in written):
        raise CorrectionError(f"{quoted(text)}: holds half a character")

    def number(digits: str) -> int:
        if abs(int(digits)) > LARGEST:
            raise OverflowError
        return int(digits)

    def ignore(_fraction: str) -> None:
        """Leave it to the reader of files, which reports it."""

    try:
        canonical_text(json.loads(written, parse_int=number, parse_float=ignore, parse_constant=ignore))
    except ValueError:
        return written
    except (RecursionError, OverflowError) as error:
        words = "a number is too large" if isinstance(error, OverflowError) else TOO_DEEP
        raise CorrectionError(f"{quoted(text)}: {words}") from None
    try:
        _, value = parse(text, written.encode())
    except Untrusted as error:
        raise CorrectionError("\n".join(f"{quoted(text)}: {violation.message}" for violation in error.violations)) from None
    return value


def named(value: Any, *names: Collection[str]) -> Any:
    """Return ``value`` with each word that differs from a name only in case replaced by the name.

    An exact name has precedence; otherwise the first collection of ``names`` that has exactly one such name decides.
    """
    if isinstance(value, list):
        return [named(item, *names) for item in value]
    if isinstance(value, dict):
        return {key: named(item, *names) for key, item in value.items()}
    if not isinstance(value, str) or any(value in known for known in names):
        return value
    same = next(filter(None, ([name for name in known if _is_same(name, value)] for known in names)), ())
    return same[0] if len(same) == 1 else value


def words_in(*values: Any) -> set[str]:
    """Return all words in ``values``: plain JSON, or members of a game's ``config``."""
    words, seen, left = set[str](), set[int](), list(values)
    while left:
        value = left.pop()
        if isinstance(value, str):
            words.add(str(value))
        elif id(value) in seen or isinstance(value, Memo):  # a cache is no part of the configuration
            continue
        elif isinstance(value, Mapping):
            left += (*value.keys(), *value.values())
        elif isinstance(value, (list, tuple, set, frozenset)):
            left += value
        elif isinstance(value, Value):
            left += (getattr(value, name) for name in value.__struct_fields__)
        seen.add(id(value))
    return words


def assign(document: Any, assignment: Assignment, naming: Naming) -> str:
    """Apply ``assignment`` to ``document``, plain JSON; return the JSON path of the changed value.

    ``naming`` has the names of things. Raises ``CorrectionError`` if nothing has that path.
    """
    path, how, value = assignment.path, assignment.how, assignment.value
    place, keys, rest = _of_seat(document, path)
    steps, at = list[str](), 0
    while at < len(rest):
        match = _STEP.match(rest, at)
        if match is None:
            raise CorrectionError(f"{quoted(rest)} is not a path: write members with dots, items in brackets")
        steps.append(match[1] or match[2])
        at = match.end()
    for number, step in enumerate(steps):
        place = place[keys[-1]] if number else place
        keys.append(_key(place, step, path, naming, keys[-1] if len(keys) == 1 else ""))
    key = keys[-1]
    items = place[key]
    if how == "=" and isinstance(items, list) and isinstance(value, str):
        meant = canonical_text([word.strip() for word in value.strip("[] ").split(",")])
        words = f"is a list: write `{path}={meant}`, or change one item with `+=` or `-=`"
        raise CorrectionError(f"{quoted(path)} {words}")
    if how == "=":
        place[key] = value
    elif not isinstance(items, list):
        raise CorrectionError(f"{quoted(path)} is not a list: use `=`, not `{how}`")
    elif how == "+=":
        items.append(value)
    else:
        same = (at for at, item in enumerate(items) if isinstance(item, str) and _is_same(item, str(value)))
        found = items.index(value) if value in items else next(same, None) if isinstance(value, str) else None
        if found is None:
            raise CorrectionError(f"{quoted(path)} does not contain {canonical_text(value)}")
        del items[found]
    return trail(keys)


def _of_seat(document: Any, path: str) -> tuple[Any, list[Any], str]:
    """Return where a path begins, the keys to that place, and the rest: ``… of red`` begins at red's item.

    Raises ``CorrectionError`` if no seat has that name.
    """
    *what, of, seat = ["", "", *path.split()]
    if of.lower() != "of" or not any(what) or not isinstance(document, dict):
        return document, [], path
    seats = []
    for key, items in document.items():
        for index, item in enumerate(items if isinstance(items, list) else ()):
            if isinstance(item, dict) and isinstance(item.get("seat"), str):
                seats.append(item["seat"])
                if _is_same(item["seat"], seat):
                    return item, [key, index], "_".join(filter(None, what))
    known = f"; choose from: {', '.join(dict.fromkeys(seats))}" if seats else ""
    raise CorrectionError(f"there is no seat {quoted(seat)} for {quoted(path)}{known}")


def _key(place: Any, step: str, path: str, naming: Naming, above: Any = "") -> Any:
    """Return the key or index of ``step`` in ``place``, which the state has under the key ``above``.

    Raises ``CorrectionError`` if ``place`` has no such member.
    """
    found: Any = None
    where, has = "" if step == path else f" in {quoted(path)}", ""
    if isinstance(place, dict):
        same = [key for key in place if key == step] or [key for key in place if _is_same(key, step)]
        same = same or [key for key in place if naming.is_account(step.lower(), key)]
        found = same[0] if len(same) == 1 else None
        near = suggest(step, (*place, *naming.unit[1:3]) if naming.account in place else place, 1)
        has = f"{f' (did you mean {quoted(near[0])}?)' if near else ''}; choose from: {', '.join(place)}"
    elif isinstance(place, list):
        places = naming.places.get(above, ())
        found = int(step) if step.isdecimal() and int(step) < len(place) else _item(place, step, places)
        names = places or range(len(place))
        has = f"; choose from: {names[0]} to {names[-1]}" if place else ": the list is empty"
    if found is None:
        raise CorrectionError(f"there is no {quoted(step)}{where}{has}")
    return found


def _item(place: list[Any], step: str, places: tuple[str, ...]) -> int | None:
    """Return the index of the item that ``step`` names: by its place, its seat, or its first unique word."""
    by_place = next((index for index, name in enumerate(places) if _is_same(name, step)), None)
    if by_place is not None:
        return by_place
    records = [(index, item) for index, item in enumerate(place) if isinstance(item, dict)]
    for name in dict.fromkeys(["seat", *(key for _, item in records for key in item)]):
        found = [index for index, item in records if isinstance(item.get(name), str) and _is_same(item[name], step)]
        if len(found) == 1:
            return found[0]
    return None


def _is_same(name: str, word: str) -> bool:
    return name.casefold() == word.casefold()

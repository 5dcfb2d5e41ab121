"""Change values in `club.toml` by name, and keep its comments and all other lines.

A change replaces or adds one line. It counts only if the file then reads as before, except for the new value, and if the
club accepts all its settings.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from itertools import product
from typing import Any, Final

from adjudicator.club.folder import SETTINGS, ClubFolder, club_settings
from adjudicator.club.manage import ClubError
from adjudicator.files.atomic import PRIVATE, write_atomic
from adjudicator.files.errors import Untrusted
from adjudicator.files.lock import locked
from adjudicator.files.reading import read

_NAME: Final = re.compile(r"[a-z][a-z_]*(?:\.[a-z][a-z_]*)*")
_SECTION: Final = re.compile(r"\s*\[\s*([a-z_.]+)\s*\]\s*(?:#.*)?")
_LINE: Final = re.compile(r"(\s*)([a-z_.]+)(\s*=\s*)(.*)")
_MOST: Final = 8
"""Names in one change: each value may mean a text or something else, and the program tries all combinations."""


def change_settings(club: ClubFolder, wanted: Mapping[str, str]) -> list[str]:
    """Give each setting in ``wanted`` a new value; return a sentence for each.

    A value is TOML (`3`, `true`, `["mon"]`), or else a text without quotation marks. Raises ``ClubError`` for an unusable
    name, and ``Untrusted`` with the message of a load for an unusable value; then nothing changes. Raises ``CannotWrite``.
    """
    if not wanted or len(wanted) > _MOST:
        raise ClubError(f"name 1 to {_MOST} settings with their values, such as: deadlines.every='2 days'")
    for name, words in wanted.items():
        if not _NAME.fullmatch(name):
            raise ClubError(f"“{name}” is not the name of a setting; write it like deadlines.every='2 days'")
        if not words.isprintable():
            raise ClubError(f"{name}: the value has characters that cannot be printed")
    path = club.folder / SETTINGS
    with locked(path):
        before = read(path)[1].decode()
        after = _accepted(before, wanted, str(path))
        if after != before:
            write_atomic(path, after.encode(), PRIVATE)
    old, new = tomllib.loads(before), tomllib.loads(after)
    return [f"{name}: {_shown(_value(old, name))} → {_shown(_value(new, name))}" for name in wanted]


def _accepted(text: str, wanted: Mapping[str, str], path: str) -> str:
    """Return ``text`` with the first reading of the values that the club accepts.

    Raises ``Untrusted`` for the reading with the fewest mistakes.
    """
    errors: list[Untrusted] = []
    for values in product(*map(_readings, wanted.values())):
        changed = text
        for name, value in zip(wanted, values, strict=True):
            changed = _with_value(changed, name, value)
        try:
            club_settings(path, changed.encode())
        except Untrusted as error:
            errors.append(error)
        else:
            return changed
    raise min(errors, key=lambda error: len(error.violations))


def _readings(words: str) -> list[str]:
    """Return what ``words`` may mean, as TOML: what they are in TOML, and a text."""
    text = json.dumps(words, ensure_ascii=False)
    with suppress(tomllib.TOMLDecodeError):
        if tomllib.loads(f"x = {words}") and "#" not in words:
            return [words.strip(), text]
    return [text]


def _with_value(text: str, name: str, value: str) -> str:
    """Return the settings in ``text`` with ``value`` for ``name``. Raises ``ClubError`` if no line can be changed."""
    end = "\r\n" if "\r\n" in text else "\n"
    lines = text.rstrip().split(end)
    sections = list(_sections(lines))
    found = [number for number, section in enumerate(sections) if _full_name(section, lines[number]) == name]
    if found:
        begin, key, equals, rest = _parts(lines[found[0]])
        lines[found[0]] = f"{begin}{key}{equals}{value}{_comment(f'x = {rest}')}"
    else:
        _add(lines, sections, name, value)
    changed = end.join([*lines, ""])
    with suppress(tomllib.TOMLDecodeError):
        if tomllib.loads(changed) == _with(tomllib.loads(text), name.split("."), tomllib.loads(f"x = {value}")["x"]):
            return changed
    raise ClubError(f"the program cannot change {name} in this file; please edit {SETTINGS}")


def _sections(lines: Iterable[str]) -> Iterator[str]:
    """Yield the name of the section to which each line belongs, empty for the first lines."""
    section = ""
    for line in lines:
        found = _SECTION.fullmatch(line)
        section = found[1] if found else section
        yield section


def _parts(line: str) -> tuple[str, str, str, str]:
    found = _LINE.fullmatch(line)
    return (found[1], found[2], found[3], found[4]) if found else ("", "", "", "")


def _full_name(section: str, line: str) -> str:
    """Return the full name of the setting in ``line``; nothing if it has none."""
    key = _parts(line)[1]
    return f"{section}.{key}".removeprefix(".") if key else ""


def _comment(line: str) -> str:
    """Return the comment at the end of a ``line`` with the blanks before it; nothing if there is none."""
    for found in re.finditer(r"\s*#", line):
        with suppress(tomllib.TOMLDecodeError):
            if tomllib.loads(line[: found.start()]) == tomllib.loads(line):
                return line[found.start() :]
    return ""


def _add(lines: list[str], sections: list[str], name: str, value: str) -> None:
    """Add a line for a setting after the last setting of its section, or a new section at the end."""
    parts = name.split(".")
    for size in range(len(parts) - 1, -1, -1):
        section, key = ".".join(parts[:size]), ".".join(parts[size:])
        places = [
            at for at, of in enumerate(sections) if of == section and (_parts(lines[at])[1] or _SECTION.fullmatch(lines[at]))
        ]
        if places and (section or len(parts) == 1):
            lines.insert(places[-1] + 1, f"{key} = {value}")
            return
    section, _, key = name.rpartition(".")
    lines += ["", f"[{section}]", f"{key} = {value}"] if section else []


def _with(document: dict[str, Any], names: list[str], value: Any) -> dict[str, Any]:
    """Return ``document`` with ``value`` at the place that ``names`` lead to."""
    first, *others = names
    inner = document.get(first, {})
    if others and not isinstance(inner, dict):
        return document
    return document | {first: _with(inner, others, value) if others else value}


def _value(document: Any, name: str) -> Any:
    for part in name.split("."):
        document = document.get(part) if isinstance(document, dict) else None
    return document


def _shown(value: Any) -> str:
    return "the default" if value is None else json.dumps(value, ensure_ascii=False)

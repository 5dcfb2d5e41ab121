"""Change values in `club.toml` or `game.toml` by name, and keep comments and other lines, if the club accepts the result."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Mapping, MutableMapping
from contextlib import suppress
from itertools import product
from pathlib import Path
from typing import Any, Final

from adjudicator.club.folder import GAME_SETTINGS, SETTINGS, ClubFolder
from adjudicator.club.manage import ClubError, known_games
from adjudicator.club.settings import ClubSettings, GameSettings
from adjudicator.files.atomic import PRIVATE, write_atomic
from adjudicator.files.documents import Document, parse_toml
from adjudicator.files.errors import Untrusted
from adjudicator.files.reading import read

_NAME: Final = re.compile(r"[a-z][a-z_]*(?:\.[a-z][a-z_]*)*")
_NAME_IN_GAME: Final = re.compile(
    r"press|press_anonymous|press_with_report|seats\.[a-z][a-z0-9_]{0,23}\.(?:muted|public_name)|deadlines\.[a-z_]+"
)
"""The settings of a game that the command changes: others have secrets, which the ledger must not record, or sections."""
_MOST: Final = 8
"""Names in one change: each value may mean a text or something else, and the program tries all combinations."""


def change_settings(club: ClubFolder, wanted: Mapping[str, str], game: str = "") -> list[str]:
    """Give each setting in ``wanted``, of the club or of a ``game``, a new value; return a sentence for each.

    A value is TOML (`3`, `true`, `["mon"]`), or else a text without quotation marks. Raises ``ClubError`` for an unusable
    name, and ``Untrusted`` with the message of a load for an unusable value; then nothing changes. Raises ``CannotWrite``.
    The caller keeps others away from the file with the settings.
    """
    if not wanted or len(wanted) > _MOST:
        raise ClubError(f"name 1 to {_MOST} settings with their values, such as: deadlines.every='2 days'")
    for name, words in wanted.items():
        _require_usable(name, words, game)
    path, kind = _place(club, game)
    before = read(path)[1].decode()
    known = _with_deadlines(club, before, wanted, game)
    after = _accepted(known, wanted, str(path), kind)
    if after != before:
        write_atomic(path, after.encode(), PRIVATE)
    old, new = tomllib.loads(known), tomllib.loads(after)
    head = f"{game}: " if game else ""
    return [f"{head}{name}: {_shown(_value(old, name))} → {_shown(_value(new, name))}" for name in wanted]


def _require_usable(name: str, words: str, game: str) -> None:
    if not (_NAME_IN_GAME if game else _NAME).fullmatch(name):
        can = "deadlines (deadlines.every), press, press_anonymous, press_with_report, and muted or public_name of seats.red"
        of_game = f"{name}: of a game, this command changes only {can}; for others, edit {GAME_SETTINGS}"
        raise ClubError(
            of_game if game else f"“{name}” is not the name of a setting; write it like deadlines.every='2 days'"
        )
    if not words.isprintable():
        raise ClubError(f"{name}: the value has characters that cannot be printed")


def _place(club: ClubFolder, game: str) -> tuple[Path, type[Document]]:
    """Return the file with the settings of a ``game``, or of the club, and what it holds."""
    if not game:
        return club.folder / SETTINGS, ClubSettings
    known_games(club, [game])
    return club.path(game, GAME_SETTINGS), GameSettings


def _with_deadlines(club: ClubFolder, text: str, wanted: Mapping[str, str], game: str) -> str:
    """Return the settings of a ``game`` in ``text``, with the deadlines of the club before the first own ones."""
    if not game or "deadlines" in tomllib.loads(text) or not any(name.startswith("deadlines.") for name in wanted):
        return text
    return _with_values(text, {f"deadlines.{name}": value for name, value in club.settings.deadlines})


def _accepted(text: str, wanted: Mapping[str, str], path: str, kind: type[Document]) -> str:
    """Return ``text`` with the first reading of the values that the club accepts.

    Raises ``Untrusted`` for the reading with the fewest mistakes.
    """
    errors: list[Untrusted] = []
    for values in product(*map(_readings, wanted.values())):
        changed = _with_values(text, dict(zip(wanted, values, strict=True)))
        try:
            parse_toml(path, changed.encode(), kind)
        except Untrusted as error:
            errors.append(error)
        else:
            return changed
    raise min(errors, key=lambda error: len(error.violations))


def _readings(words: str) -> list[Any]:
    """Return what ``words`` may mean: their value in TOML, and a text."""
    with suppress(tomllib.TOMLDecodeError):
        if "#" not in words:
            return [tomllib.loads(f"x = {words}")["x"], words]
    return [words]


def _with_values(text: str, values: Mapping[str, Any]) -> str:
    """Return the settings in ``text`` with ``values`` by name. Raises ``ClubError`` if a name leads to no section."""
    import tomlkit

    document = tomlkit.parse(text)
    for name, value in values.items():
        *sections, key = name.split(".")
        place: Any = document
        for section in sections:
            place = place.setdefault(section, tomlkit.table())
            if not isinstance(place, MutableMapping):
                raise ClubError(f"{name}: “{section}” is a value in {SETTINGS}, not a section")
        place[key] = value
    return tomlkit.dumps(document)


def _value(document: Any, name: str) -> Any:
    for part in name.split("."):
        document = document.get(part) if isinstance(document, dict) else None
    return document


def _shown(value: Any) -> str:
    return "the default" if value is None else json.dumps(value, ensure_ascii=False)

"""Write the package of a new ruleset: the game of ``examples/own-ruleset``, under another name."""

from __future__ import annotations

import re
from importlib.util import find_spec
from keyword import iskeyword
from pathlib import Path
from typing import TYPE_CHECKING, Final

from adjudicator.library.errors import RequestError
from adjudicator.resources import folder
from adjudicator.rulesets import installed_games

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

_ID: Final = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
_LONGEST: Final = 40
_SKIPPED: Final = ("README.md", "__pycache__")
"""The files of the example that a new package does not need."""


def write_ruleset(name: str, target: Path) -> tuple[str, ...]:
    """Write the package of a game ``name`` into the new folder ``target``, and return the paths of its files there.

    Raises ``RequestError`` for a name that cannot be used and for a folder that exists, ``OSError`` if it cannot be written.
    """
    module = name.replace("-", "_")
    if not _ID.fullmatch(name) or len(name) > _LONGEST:
        raise RequestError(f"“{name}” is no id: use lower-case letters, digits and single hyphens, such as my-game")
    if any(one.id == name for one in installed_games()):
        raise RequestError(f"choose another name: the game {name} is already installed")
    if iskeyword(module) or find_spec(module) is not None:
        raise RequestError(f"choose another name: Python has a module {module} already")
    if target.exists():
        raise RequestError(f"choose another folder: {target} already exists")
    return tuple(_write(folder("examples/own-ruleset"), target, _names(name, module)))


def _names(name: str, module: str) -> dict[str, str]:
    """Return the names in the example, and what takes their places in the game ``name``."""
    words = name.split("-")
    initials = "".join(word[0] for word in words) if len(words) > 1 else name[:2]
    return {
        "last-match": name,
        "last_match": module,
        "LastMatch": "".join(map(str.capitalize, words)),
        "Last Match": " ".join(map(str.capitalize, words)),
        "LM": initials.upper(),
    }


def _write(example: Traversable, target: Path, names: dict[str, str]) -> list[str]:
    """Write the files of the ``example`` into the new folder ``target`` with other ``names``, and return their paths."""
    written = []
    target.mkdir(parents=True)
    for entry in sorted(example.iterdir(), key=lambda entry: entry.name):
        if entry.name in _SKIPPED:
            continue
        path = target / _renamed(entry.name, names)
        if entry.is_dir():
            written += [f"{path.name}/{file}" for file in _write(entry, path, names)]
        else:
            path.write_text(_renamed(entry.read_text("utf-8"), names), encoding="utf-8", newline="\n")
            written.append(path.name)
    return written


def _renamed(text: str, names: dict[str, str]) -> str:
    return re.sub("|".join(names), lambda found: names[found[0]], text)

"""Write the package of a new ruleset: the game of ``examples/own-ruleset``, under another name."""

from __future__ import annotations

import re
from collections.abc import Iterator
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
    words = name.split("-")
    names = {
        "last-match": name,
        "last_match": module,
        "LastMatch": "".join(map(str.capitalize, words)),
        "Last Match": " ".join(map(str.capitalize, words)),
        "LM": ("".join(word[0] for word in words) if len(words) > 1 else name[:2]).upper(),
    }

    def renamed(text: str) -> str:
        return re.sub("|".join(names), lambda found: names[found[0]], text)

    def write(example: Traversable, place: Path) -> Iterator[str]:
        place.mkdir(parents=True)
        for entry in sorted(example.iterdir(), key=lambda entry: entry.name):
            path = place / renamed(entry.name)
            if entry.name in _SKIPPED:
                continue
            if entry.is_dir():
                yield from write(entry, path)
            else:
                path.write_text(renamed(entry.read_text("utf-8")), encoding="utf-8", newline="\n")
                yield path.relative_to(target).as_posix()

    return tuple(write(folder("examples/own-ruleset"), target))

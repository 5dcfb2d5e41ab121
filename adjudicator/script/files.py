"""Open the files that a script names, which must be in its folder or below it."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from typing import Any, Final

from adjudicator.core.rules import AnyRules
from adjudicator.files.errors import FileProblem, Untrusted
from adjudicator.script.parts import BadLineError, Item, Script
from adjudicator.store.game_file import shipped
from adjudicator.store.other_files import load_components, load_position

_DRIVE: Final = re.compile("[A-Za-z]:")
_SHOWN: Final = 5


def components_of(script: Script, rules: AnyRules, folder: str | None) -> Any:
    """Return the components that ``script`` names, by name or as a file in ``folder``. Raises ``BadLineError``."""
    item = script.one("components")
    if item is None or item.value in (*rules.meta.component_sets, *rules.meta.older_sets):
        return shipped(rules, item.value if item else "")[0]
    return _loaded(script, item, folder, lambda path: load_components(path, rules))


def position_of(script: Script, rules: AnyRules, folder: str | None) -> Any:
    """Return the position that ``script`` begins with, ``None`` for the usual set-up. Raises ``BadLineError``."""
    item = script.one("position")
    return None if item is None else _loaded(script, item, folder, lambda path: load_position(path, rules))


def _loaded(script: Script, item: Item, folder: str | None, load: Callable[[str], Any]) -> Any:
    why = _objection(item.value, folder)
    if why:
        raise BadLineError(item.diagnostic(script.source, "script/bad-path", why))
    try:
        return load(os.path.join(folder or ".", item.value))
    except Untrusted as error:
        violations = "; ".join(str(violation) for violation in error.violations[:_SHOWN])
        more = len(error.violations) - _SHOWN
        words = f"{item.value}: {violations}" + (f"; and {more} more" if more > 0 else "")
    except FileProblem as error:
        words = f"{item.value}: {error.words}"
    raise BadLineError(item.diagnostic(script.source, "script/bad-file", words))


def _objection(path: str, folder: str | None) -> str:
    """Return why ``path`` must not be opened, empty if it may."""
    if folder is None:
        return "a script in an archive or on standard input cannot name a file: put both into a folder"
    if "\\" in path or "\0" in path:
        return "write `/` between the folders of a path"
    if path.startswith("/") or _DRIVE.match(path):
        return "paths are relative to the script's folder: this one is absolute"
    if ".." in path.split("/"):
        return "paths are relative to the script's folder: this one leads out of it"
    home = os.path.realpath(folder or ".")
    target = os.path.realpath(os.path.join(home, path))
    if os.path.commonpath((home, target)) != home:
        return "a link leads out of the script's folder: the program does not open this file"
    return "this is not a file" if os.path.exists(target) and not os.path.isfile(target) else ""

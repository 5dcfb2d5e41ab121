"""The kinds of file that belong to a ruleset."""

from __future__ import annotations

from enum import StrEnum
from typing import Any

from adjudicator.store.errors import Violation


class FileKind(StrEnum):
    """A kind of file, as its schema is named."""

    GAME = "game-file"
    PREPARED = "prepared-game"
    COMPONENTS = "components"
    POSITION = "position"


def name_whole_game(document: Any) -> list[Violation]:
    """Return one violation that names ``document`` if it is a file of a whole game, in place of all its wrong names."""
    if not isinstance(document, dict) or "ruleset" not in document:
        return []
    names = {"journal": "a game file", "prepared": "a prepared game", "seat_file": "a player's own file"}
    return [Violation("$", f"it is {words}") for tag, words in names.items() if tag in document][:1]

"""The kinds of file that belong to a ruleset."""

from __future__ import annotations

from enum import StrEnum


class FileKind(StrEnum):
    """A kind of file, as its schema is named."""

    GAME = "game-file"
    PREPARED = "prepared-game"
    COMPONENTS = "components"
    POSITION = "position"

"""The kinds of file that belong to a ruleset, and their types."""

from __future__ import annotations

from enum import StrEnum
from functools import cache
from typing import Annotated, Any, Final, Union

from adjudicator.core.corrections import OUTSIDE, Amended
from adjudicator.core.journal import Entry, Link
from adjudicator.core.ruleset import Setup, Types
from adjudicator.core.values import Meta
from adjudicator.files.errors import FileProblem, Violation
from adjudicator.files.reading import parse
from adjudicator.store.game import GameFile, PreparedFile

SEAT_FILE: Final = "seat_file"
"""The key that marks a player's own file; its value is the number of the file's form."""


class FileKind(StrEnum):
    """A kind of file, as its schema is named."""

    GAME = "game-file"
    PREPARED = "prepared-game"
    COMPONENTS = "components"
    POSITION = "position"


def is_seat_file(data: bytes) -> bool:
    """Return whether ``data``, the bytes of a file, has the key that marks a player's own file.

    Inside it, the word may be the name of a seat. A file that cannot be read is refused as either kind.
    """
    if f'"{SEAT_FILE}"'.encode() not in data:
        return False
    try:
        document = parse("", data)[1]
    except FileProblem:
        return True
    return isinstance(document, dict) and SEAT_FILE in document


def name_whole_game(document: Any) -> list[Violation]:
    """Return one violation that names ``document`` if it is a file of a whole game, in place of all its wrong names."""
    if not isinstance(document, dict) or "ruleset" not in document:
        return []
    names = {"journal": "a game file", "prepared": "a prepared game", SEAT_FILE: "a player's own file"}
    return [Violation("$", f"it is {words}") for tag, words in names.items() if tag in document][:1]


@cache
def type_of(types: Types, kind: FileKind) -> Any:
    """Return the type of files of ``kind`` of the ruleset with these ``types``."""
    if kind is FileKind.COMPONENTS:
        return types.components
    if kind is FileKind.POSITION:
        return types.position
    if kind is FileKind.PREPARED:
        return typed_as(PreparedFile, setup_type(types))
    corrections = (typed_as(Amended, types.state) if one is Amended else one for one in OUTSIDE)
    event: Any = Union[(*types.events, *corrections)]
    link: Any = typed_as(Link, typed_as(Entry, tuple[event, ...]))
    return typed_as(GameFile, setup_type(types), Annotated[tuple[link, ...], Meta(min_length=1)], types.state)


def typed_as(kind: Any, *types: Any) -> Any:
    """Return the generic ``kind`` with the ``types`` that a game has in the place of its type variables."""
    return kind[types]


def setup_type(types: Types) -> Any:
    """Return the type of the set-up in a file of the ruleset with these ``types``."""
    return typed_as(Setup, types.components | None, types.position | None)

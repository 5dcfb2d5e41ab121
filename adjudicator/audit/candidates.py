"""What there is to audit: places where games may be, and what could not be opened."""

from __future__ import annotations

from typing import Final

from adjudicator.core.frozen import frozen
from adjudicator.reports.verdict import Kind

PACKED: Final = ".json.zst"
_GAMES: Final = (".json", PACKED)
TEXT: Final = ".txt"
"""What games kept by hand are called; other texts are passed over."""
ARCHIVE: Final = ".zip"


@frozen
class Source:
    """Where a game may be: the file ``path``, or what has number ``member`` in the zip archive of that path.

    ``name`` is what it is called in messages. One that ``is_named`` was given by the user himself and is always judged;
    others may turn out to be no games. ``data`` holds what was read already (standard input).
    """

    name: str
    path: str
    member: int | None = None
    is_named: bool = False
    data: bytes | None = None


@frozen
class Unopened:
    """Something that is not opened, and why; of no ``kind`` if no game can have been lost by it."""

    name: str
    why: str
    kind: Kind | None = Kind.UNREAD


Candidate = Source | Unopened


def is_wanted(name: str) -> bool:
    """Return whether what is called ``name`` may hold games."""
    base = name.rpartition("/")[2].lower()
    return base.endswith((*_GAMES, ARCHIVE, TEXT)) and not base.startswith("._")

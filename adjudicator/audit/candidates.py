"""What there is to audit: places where games may be, and what could not be opened."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Final

from adjudicator.core.frozen import frozen
from adjudicator.reports.verdict import Kind

PACKED: Final = ".json.zst"
_GAMES: Final = (".json", PACKED)
TEXT: Final = ".txt"
"""What games kept by hand are called; other texts are passed over."""
ARCHIVE: Final = ".zip"
GAMES: Final = ".jsonl.zst"
"""What archives of many games are called, as `archive` makes them."""
TARS: Final = (".tar", ".tar.gz", ".tgz", ".tar.zst")
"""What tar archives are called."""
CONTAINERS: Final = (ARCHIVE, GAMES, *TARS)
"""What files with several games in them are called."""
INNER: Final = "#"
"""What stands between an archive of many games and the name of one of them."""


@frozen
class Source:
    """Where a game may be: the file ``path``, or what has number ``member`` in the archive of that path.

    ``name`` is what it is called in messages. One that ``is_named`` was given by the user himself and is always judged;
    others may turn out to be no games. ``data`` holds what was read already (standard input). ``hash`` is what an archive
    says of it (empty: nothing).
    """

    name: str
    path: str
    member: int | None = None
    is_named: bool = False
    data: bytes | None = None
    hash: str = ""


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
    return base.endswith((*_GAMES, *CONTAINERS, TEXT)) and not base.startswith("._")


def public_name(source: str, paths: Iterable[str]) -> str:
    """Return ``source`` from the folder or archive on in which it was found: where that lies is nobody's business."""
    for path in sorted(paths, key=len, reverse=True):
        inner = source.removeprefix(path)
        if inner != source and inner[:1] in ("/", os.sep, INNER):
            return inner.lstrip("/" + os.sep + INNER)
        if path.endswith(("/", os.sep)) and inner != source:
            return inner
    return os.path.basename(source)

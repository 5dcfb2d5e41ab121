"""Describe the candidates of an audit: places that may contain games, and files that cannot be opened."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from typing import Final

from adjudicator.core.values import Value
from adjudicator.files.reading import MEGABYTE
from adjudicator.verdict import Kind

PACKED: Final = ".json.zst"
_GAMES: Final = (".json", PACKED)
TEXT: Final = ".txt"
"""The file extension of games kept by hand; other texts are ignored."""
ARCHIVE: Final = ".zip"
GAMES: Final = ".jsonl.zst"
"""The file extension of archives of many games, as `archive` makes them."""
TARS: Final = (".tar", ".tar.gz", ".tgz", ".tar.zst")
"""The file extensions of tar archives."""
CONTAINERS: Final = (ARCHIVE, GAMES, *TARS)
"""The file extensions of files with several games."""
INNER: Final = "#"
"""The character between an archive of many games and the name of one of them."""
MEMBERS: Final = 100_000
"""The largest number of members of an archive."""
TOTAL: Final = 8 * 1024 * MEGABYTE
"""The limit in bytes for all games of an archive together, unpacked."""
LARGEST: Final = 64 * MEGABYTE
"""The limit in bytes for a game of an archive, unpacked."""
RATIO: Final = 100
"""The largest ratio of unpacked to packed size, except for small files. Games shrink to about a tenth."""
_DRIVE: Final = re.compile("[A-Za-z]:")


class Source(Value):
    """A place that may contain a game: the file ``path``, or number ``member`` in the archive at that path.

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


class Unopened(Value):
    """A file that is not opened, with the reason; without a ``kind`` if it cannot be a game."""

    name: str
    why: str
    kind: Kind | None = Kind.UNREAD


Candidate = Source | Unopened


def is_archive(path: str) -> bool:
    """Return whether ``path`` has the file extension of an archive of many games."""
    return path.lower().endswith(GAMES)


def is_wanted(name: str) -> bool:
    """Return whether a file with this ``name`` may contain games."""
    base = name.rpartition("/")[2].lower()
    return base.endswith((*_GAMES, *CONTAINERS, TEXT)) and not base.startswith("._")


def leads_out(name: str) -> bool:
    """Return whether the ``name`` of a member leads out of its archive."""
    parts = name.replace("\\", "/").split("/")
    return ".." in parts or not parts[0] or _DRIVE.match(name) is not None


def public_name(source: str, paths: Iterable[str]) -> str:
    """Return ``source`` relative to the folder or archive in which it was found, for privacy."""
    for path in sorted(paths, key=len, reverse=True):
        inner = source.removeprefix(path)
        if inner != source and inner[:1] in ("/", os.sep, INNER):
            return inner.lstrip("/" + os.sep + INNER)
        if path.endswith(("/", os.sep)) and inner != source:
            return inner
    return os.path.basename(source)

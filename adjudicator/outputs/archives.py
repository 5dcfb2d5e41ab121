"""Define the contents of archives of many games, and the output about them."""

from __future__ import annotations

from typing import Any, Final

from adjudicator.core.values import Digest, Value

ARCHIVE_FORMAT: Final = 1
"""The number of the format of archives."""


class ArchiveLine(Value, kw_only=True, omit_defaults=True):
    """One game, on one line of an archive: its ``name``, the ``hash`` of its file, and either ``game`` or ``text``.

    ``game`` is the game file itself. Its line ends are tabs, and the hash of a journal entry is empty if it follows from the
    one before: SHA-256 of that hash and of the entry. With both restored it is the file, byte for byte, and has the ``hash``
    (SHA-256). ``text`` is any other text: a script, or a file that an editor has reformatted.
    """

    hash: Digest
    name: str
    game: dict[str, Any] | None = None
    text: str | None = None


class ArchiveHead(Value, kw_only=True):
    """The first line of the index: the number of the format (``archive``), and the number of games.

    ``blocks`` has the number of games in each block, in their order.
    """

    archive: int
    games: int
    blocks: tuple[int, ...]


class ArchivedGame(Value, kw_only=True):
    """One game of the index, on one line: its number from 1 (``n``), ``name``, ``hash``, and ``size`` in bytes.

    ``game`` is its id and ``ruleset`` its rules; both are empty for other files, such as a script.
    """

    n: int
    name: str
    game: str
    ruleset: str
    hash: Digest
    size: int


class ArchiveProblem(Value, kw_only=True):
    """The problem (``wrong``) with a ``source`` that is left out of the archive, or cannot be read from it."""

    source: str
    wrong: str


class ArchiveEnd(Value, kw_only=True):
    """The result for an archive, and its ``task``: ``listed``, ``made``, ``added``, ``checked`` or ``extracted``.

    ``games`` counts the games in the ``file``, ``taken`` those that were added or extracted, ``same`` those that were
    already there, ``unsound`` those that were left out or are damaged. ``size`` is the size of the file in bytes, ``loose``
    the size of its games as separate files. ``folder`` is the target of an extraction (empty: there was none).
    """

    file: str
    task: str
    games: int
    taken: int
    same: int
    unsound: int
    size: int
    loose: int
    folder: str

"""Archives of many games: what stands in them, and what is told of them."""

from __future__ import annotations

from typing import Any, Final

from adjudicator.core.frozen import added_later, frozen
from adjudicator.core.ids import Digest

ARCHIVE_FORMAT: Final = 1
"""The number of the format of archives."""


@frozen(kw_only=True)
class ArchiveLine:
    """One game of an archive, one line of it: its ``name``, the ``hash`` of its file, and either ``game`` or ``text``.

    ``game`` is the game file itself. Its line ends are tabs, and the hash of a journal entry is empty where it follows from
    the one before: SHA-256 of that hash and of the entry. With both put back it is the file, byte for byte, and has the
    ``hash`` (SHA-256). ``text`` is any other text: a script, a file that an editor has laid out anew.
    """

    hash: Digest
    name: str
    game: dict[str, Any] | None = added_later(None)
    text: str | None = added_later(None)


@frozen(kw_only=True)
class ArchiveHead:
    """The first line of the index: the number of the format (``archive``), and how many games there are.

    ``blocks`` says how many games are in each block, in their order.
    """

    archive: int
    games: int
    blocks: tuple[int, ...]


@frozen(kw_only=True)
class ArchivedGame:
    """One game as the index has it, a line each: its number from 1 (``n``), ``name``, ``hash``, and ``size`` in bytes.

    ``game`` is its id and ``ruleset`` what it is played by; both are empty for what is no game file, such as a script.
    """

    n: int
    name: str
    game: str
    ruleset: str
    hash: Digest
    size: int


@frozen(kw_only=True)
class ArchiveProblem:
    """Something that is ``wrong`` with a ``source``: it is left out of the archive, or cannot be read from it."""

    source: str
    wrong: str


@frozen(kw_only=True)
class ArchiveEnd:
    """What an archive has in the end, and its ``task``: to be ``listed``, ``made``, ``added``, ``checked``, ``extracted``.

    ``games`` are those in the ``file``, ``taken`` those that were put in or out, ``same`` those that were there already,
    ``unsound`` those that were left out or are damaged. ``size`` is that of the file in bytes, ``loose`` that of its games
    as files of their own. ``folder`` is where games were extracted to (empty: nowhere).
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

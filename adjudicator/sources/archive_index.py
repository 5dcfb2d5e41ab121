"""Write and read the index of an archive: a line of JSON with the numbers of games, then a line for each game, packed."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any, BinaryIO, Final

from adjudicator.core.values import Digest, Value, canonical_bytes, replace
from adjudicator.results import ArchivedGame
from adjudicator.sources.archive_frames import BadFrameError
from adjudicator.sources.zstd import BadZstdError, Unpacker, pack, packer

MOST_GAMES: Final = 1_000_000
"""The largest number of games in an archive."""
_LEVEL: Final = 9
_LONGEST_LINE: Final = 16 * 1024
_LONGEST_HEAD: Final = 16 * MOST_GAMES
_CHUNK: Final = 256 * 1024


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


class IndexWriter:
    """Collects the index rows of games one by one; it keeps them packed in memory, some 60 bytes each."""

    def __init__(self) -> None:
        """Begin with an empty index."""
        self._packer = packer(_LEVEL)
        self._pieces: list[bytes] = []
        self._blocks: list[int] = []
        self.games = 0

    def add(self, row: ArchivedGame) -> None:
        """Add the ``row`` of the next game, which gets its number here."""
        self.games += 1
        self._pieces.append(self._packer.compress(canonical_bytes(replace(row, n=self.games)) + b"\n"))

    def close_block(self, games: int) -> None:
        """End a block, which contains the last ``games`` games."""
        self._blocks.append(games)

    def finish(self) -> bytes:
        """Return the packed index."""
        head = ArchiveHead(archive=ARCHIVE_FORMAT, games=self.games, blocks=tuple(self._blocks))
        first = pack(canonical_bytes(head) + b"\n", _LEVEL)
        return b"".join((first, *self._pieces, self._packer.flush()))


def read_head(stream: BinaryIO, at: int, size: int) -> ArchiveHead:
    """Return the head of the index, which has ``size`` bytes from byte ``at`` of ``stream``. Raises ``BadFrameError``."""
    head = _parsed(next(_lines(stream, at, size, 0), b""))
    if head.get("archive") != ARCHIVE_FORMAT:
        raise BadFrameError(f"its index is of format {head.get('archive')}; this program reads {ARCHIVE_FORMAT}")
    games, blocks = head.get("games"), head.get("blocks")
    if (
        type(games) is not int
        or not isinstance(blocks, list)
        or not all(type(count) is int and count > 0 for count in blocks)
    ):
        raise BadFrameError("its index is damaged")
    if games > MOST_GAMES:
        raise BadFrameError(f"its index has {games:,} games; an archive has up to {MOST_GAMES:,}")
    if sum(blocks) != games:
        raise BadFrameError("its index says two things about how many games there are")
    return ArchiveHead(archive=ARCHIVE_FORMAT, games=games, blocks=tuple(blocks))


def read_rows(stream: BinaryIO, at: int, size: int, games: Sequence[int]) -> Iterator[ArchivedGame]:
    """Yield the index rows of ``games``, consecutive numbers from 1. Raises ``BadFrameError``."""
    lines = _lines(stream, at, size, games[0] if games else 0)
    for n in games:
        row = _parsed(next(lines, b""))
        texts = [row.get(name) for name in ("name", "game", "ruleset", "hash")]
        if row.get("n") != n or type(row.get("size")) is not int or not all(isinstance(text, str) for text in texts):
            raise BadFrameError(f"its index is damaged at game {n:,}")
        name, game, ruleset, hash_ = map(str, texts)
        yield ArchivedGame(n=n, name=name, game=game, ruleset=ruleset, hash=hash_, size=row["size"])


def _parsed(line: bytes) -> dict[str, Any]:
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        raise BadFrameError("its index is damaged")
    return found


def _lines(stream: BinaryIO, at: int, size: int, skipped: int) -> Iterator[bytes]:
    """Yield the lines of the index after the first ``skipped``; only one piece of the index is in memory at a time."""
    rest, is_first = b"", True
    for piece in _pieces(stream, at, size):
        if skipped and skipped >= (ends := piece.count(b"\n")):
            skipped -= ends
            rest, is_first = piece[piece.rfind(b"\n") + 1 :] if ends else rest + piece, is_first and not ends
        else:
            *lines, rest = (rest + piece).split(b"\n")
            yield from lines[skipped:]
            skipped, is_first = 0, is_first and not lines
        if len(rest) > (_LONGEST_HEAD if is_first else _LONGEST_LINE):
            raise BadFrameError("its index is damaged")


def _pieces(stream: BinaryIO, at: int, size: int) -> Iterator[bytes]:
    unpacker = Unpacker(_Section(stream, at, size))
    try:
        while piece := unpacker.read(_CHUNK):
            yield piece
    except BadZstdError as error:
        raise BadFrameError(f"its index cannot be unpacked: {error}") from None


class _Section:
    """Reads a part of a file; others may read the same file meanwhile."""

    def __init__(self, stream: BinaryIO, at: int, size: int) -> None:
        self._stream, self._at, self._left = stream, at, size

    def read(self, size: int = -1) -> bytes:
        """Return the next ``size`` bytes, fewer at the end."""
        wanted = self._left if size < 0 else min(size, self._left)
        self._stream.seek(self._at)
        data = self._stream.read(wanted)
        self._at, self._left = self._at + len(data), self._left - len(data)
        return data

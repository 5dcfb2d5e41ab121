"""Read the games of an archive in order or by number; damage affects only the damaged parts."""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from typing import BinaryIO, Final

from adjudicator.core.problem import Violation
from adjudicator.files.errors import Untrusted
from adjudicator.files.reading import MEGABYTE
from adjudicator.results import ArchivedGame
from adjudicator.sources.archive_frames import (
    INDEX_MAGIC,
    MOST_FRAMES,
    BadFrameError,
    Frame,
    frames_in_list,
    search_frames,
    section_of,
    skippable_payload,
    unpack,
)
from adjudicator.sources.archive_index import MOST_GAMES, read_head, read_rows
from adjudicator.sources.archive_lines import BadLineError, name_in, unpack_game
from adjudicator.sources.candidates import LARGEST
from adjudicator.sources.places import open_binary

BLOCK: Final = 4 * MEGABYTE
"""The number of bytes of text after which a block ends."""
BLOCK_GAMES: Final = 64
"""The number of games after which a block ends."""
RATIO: Final = 200
"""The largest ratio of an archive's contents to its file, beyond the first gigabyte."""
_LARGEST_BLOCK: Final = LARGEST + 2 * BLOCK
_UNLIMITED: Final = 1024 * MEGABYTE


def open_archive(path: str) -> ArchiveReader:
    """Open the archive at ``path`` and return its reader, which you close. Raises ``CannotRead``."""
    with ExitStack() as stack:
        archive = ArchiveReader(stack.enter_context(open_binary(path)), path)
        stack.pop_all()  # the archive itself closes the stream
    return archive


class ArchiveReader:
    """Read the games of the archive in ``stream``, a binary file; messages call it ``name``.

    ``damage`` says why its index cannot be used (empty: it can). The reader then searches the file for blocks, and has the
    games that it can read there. It keeps one block in memory.
    """

    def __init__(self, stream: BinaryIO, name: str) -> None:
        """Read the head of the index, or search for blocks if it cannot be read."""
        self.name, self.damage = name, ""
        self._stream = stream
        self.size = stream.seek(0, 2)
        self._frames: list[Frame] = []
        self._firsts = array("Q")
        self._index = (0, 0)
        self._held: tuple[int, list[bytes]] | None = None
        self.games = 0
        try:
            self._take_index()
        except BadFrameError as error:
            self.damage = str(error)
            self._search_blocks()

    @property
    def blocks(self) -> int:
        """The number of blocks."""
        return len(self._frames)

    def close(self) -> None:
        """Close the file."""
        self._stream.close()

    def unpacked_of(self, block: int) -> int:
        """Return the number of bytes of text in a ``block``; -1 if it is unknown."""
        return self._frames[block].unpacked

    def rows(self, first: int = 1, last: int | None = None) -> Iterator[ArchivedGame]:
        """Yield the rows of the index for games ``first`` to ``last``, both included (``None``: to the end).

        Raises ``Untrusted``.
        """
        games = range(max(first, 1), (self.games if last is None else min(last, self.games)) + 1)
        if self.damage:
            yield from self._rows_without_index(games)
            return
        try:
            yield from read_rows(self._stream, *self._index, games)
        except BadFrameError as error:
            raise self._untrusted(str(error)) from None

    def read(self, number: int, name: str = "", hash_: str = "") -> tuple[str, bytes]:
        """Return the name and the file of game ``number``, which must have this ``name`` and ``hash_`` (empty: any).

        Raises ``Untrusted``.
        """
        line = self.line(number)
        try:
            there, hash_there, data = unpack_game(line)
        except BadLineError as error:
            raise self._untrusted(f"game {number:,}: {error}") from None
        if (name or there) != there or (hash_ or hash_there) != hash_there:
            raise self._untrusted(f"game {number:,}: its name or hash in the index differs from that in its block")
        return there, data

    def line(self, number: int) -> bytes:
        """Return the line of game ``number``. Raises ``Untrusted``."""
        if not 1 <= number <= self.games:
            raise self._untrusted(f"the archive has no game {number:,}")
        block = bisect_right(self._firsts, number) - 1
        return self.lines(block)[number - self._firsts[block]]

    def numbers(self, block: int) -> range:
        """Return the numbers of the games of a ``block``."""
        end = self._firsts[block + 1] if block + 1 < self.blocks else self.games + 1
        return range(self._firsts[block], end)

    def lines(self, block: int) -> list[bytes]:
        """Return the lines of a ``block``. Raises ``Untrusted``."""
        if self._held is None or self._held[0] != block:
            self._held = None
            try:
                lines = self._unpacked(self._frames[block])
            except BadFrameError as error:
                raise self._untrusted(f"block {block + 1:,} is damaged: {error}") from None
            if len(lines) != len(self.numbers(block)):
                words = f"block {block + 1:,} has {len(lines):,} games, its index says {len(self.numbers(block)):,}"
                raise self._untrusted(words)
            self._held = (block, lines)
        return self._held[1]

    def packed(self, block: int) -> bytes:
        """Return the bytes of a ``block`` as in the file, compressed. Raises ``Untrusted``."""
        try:
            return section_of(self._stream, self._frames[block])
        except BadFrameError as error:
            raise self._untrusted(str(error)) from None

    def _unpacked(self, frame: Frame) -> list[bytes]:
        most = _LARGEST_BLOCK if frame.unpacked < 0 else min(frame.unpacked, _LARGEST_BLOCK)
        if frame.unpacked > _LARGEST_BLOCK:
            raise BadFrameError(f"it was not unpacked: it claims to have {frame.unpacked // MEGABYTE:,} MB of text")
        text = unpack(section_of(self._stream, frame), most)
        return text.removesuffix(b"\n").split(b"\n")

    def _take_index(self) -> None:
        frames = frames_in_list(self._stream, self.size)
        if not frames:
            raise BadFrameError("it has no index")
        self._index = skippable_payload(self._stream, frames[-1], INDEX_MAGIC)
        head = read_head(self._stream, *self._index)
        if len(head.blocks) != len(frames) - 1:
            raise BadFrameError("its index does not fit the list of its blocks")
        if sum(frame.unpacked for frame in frames) > max(_UNLIMITED, RATIO * self.size):
            raise BadFrameError(f"it unpacks to more than {RATIO} times its size")
        self._frames, self.games = frames[:-1], head.games
        self._count(head.blocks)

    def _search_blocks(self) -> None:
        """Search for blocks without the index, and count the games of each; skip blocks that cannot be read."""
        counts, readable = list[int](), list[Frame]()
        with suppress(OSError):  # a disk that fails: what was found before it did
            self._search_frames(counts, readable)
        self._frames, self.games = readable, sum(counts)
        self._count(counts)

    def _search_frames(self, counts: list[int], readable: list[Frame]) -> None:
        for frame in search_frames(self._stream, self.size):
            try:
                lines = self._unpacked(frame)
            except BadFrameError:
                continue
            if len(lines) + sum(counts) <= MOST_GAMES and len(readable) < MOST_FRAMES and any(map(_is_game, lines)):
                readable.append(frame)
                counts.append(len(lines))

    def _count(self, counts: list[int] | tuple[int, ...]) -> None:
        number = 1
        for count in counts:
            self._firsts.append(number)
            number += count

    def _rows_without_index(self, games: range) -> Iterator[ArchivedGame]:
        for number in games:
            try:
                name, hash_ = name_in(self.line(number))
            except BadLineError:
                name, hash_ = f"{number}", ""
            yield ArchivedGame(n=number, name=name, game="", ruleset="", hash=hash_, size=0)

    def _untrusted(self, words: str) -> Untrusted:
        return Untrusted(self.name, [Violation("$", words)])


def _is_game(line: bytes) -> bool:
    try:
        return bool(name_in(line))
    except BadLineError:
        return False

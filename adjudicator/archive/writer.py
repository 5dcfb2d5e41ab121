"""Write an archive piece by piece: blocks of games, the index, the list of blocks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from adjudicator.core.values import Value
from adjudicator.files.errors import CannotWrite
from adjudicator.results import ArchivedGame
from adjudicator.sources.archive_frames import INDEX_MAGIC, MOST_FRAMES, Frame, seek_table, skippable
from adjudicator.sources.archive_index import MOST_GAMES, IndexWriter
from adjudicator.sources.archive_lines import PackedGame
from adjudicator.sources.archive_reader import BLOCK, BLOCK_GAMES, ArchiveReader
from adjudicator.sources.zstd import pack

LEVEL: Final = 12
"""The level of compression: about 60 MB a second, to a twentieth. A higher level is 30 times slower and saves a fifth."""


class PackedBlock(Value):
    """Games that are packed together: their ``rows`` in the index, the ``packed`` frame, and the length of its text."""

    rows: tuple[ArchivedGame, ...]
    packed: bytes
    unpacked: int


def pack_block(games: list[PackedGame]) -> PackedBlock:
    """Return ``games`` packed together."""
    text = b"".join(game.line + b"\n" for game in games)
    # The lines are in the frame now: only what the index says of them is kept.
    return PackedBlock(tuple(game.row for game in games), pack(text, LEVEL), len(text))


def blocks_of(games: Iterable[PackedGame]) -> Iterator[PackedBlock]:
    """Yield ``games`` in blocks of the usual size."""
    held: list[PackedGame] = []
    size = 0
    for game in games:
        if held and (len(held) == BLOCK_GAMES or size + len(game.line) > BLOCK):
            yield pack_block(held)
            held, size = [], 0
        held.append(game)
        size += len(game.line)
    if held:
        yield pack_block(held)


def archive_of(name: str, blocks: Iterable[PackedBlock], kept: Iterable[PackedBlock] = ()) -> Iterator[bytes]:
    """Yield the bytes of the archive ``name`` with the ``kept`` blocks and the others. Raises ``CannotWrite``."""
    index, frames, at = IndexWriter(), list[Frame](), 0
    for source in (kept, blocks):
        for block in source:
            if index.games + len(block.rows) > MOST_GAMES or len(frames) == MOST_FRAMES:
                raise CannotWrite(name, f"an archive has up to {MOST_GAMES:,} games: please make several")
            for row in block.rows:
                index.add(row)
            index.close_block(len(block.rows))
            frames.append(Frame(at, len(block.packed), block.unpacked))
            at += len(block.packed)
            yield block.packed
    payload = skippable(INDEX_MAGIC, index.finish())
    yield payload
    yield seek_table([*frames, Frame(at, len(payload), 0)])


def copy_blocks(archive: ArchiveReader, blocks: int) -> Iterator[PackedBlock]:
    """Yield the first ``blocks`` of ``archive`` as they are. Raises ``Untrusted``."""
    rows = archive.rows()
    for block in range(blocks):
        of_block = tuple(next(rows) for _ in archive.numbers(block))
        yield PackedBlock(of_block, archive.packed(block), archive.unpacked_of(block))

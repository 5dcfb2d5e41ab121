"""Pack, unpack, find and list Zstandard frames within limits.

The list in the end is that of the zstd seekable format: https://github.com/facebook/zstd, contrib/seekable_format.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from io import BytesIO
from typing import BinaryIO, Final

from adjudicator.core.values import Value, Whole
from adjudicator.files.reading import MEGABYTE
from adjudicator.sources.zstd import BadZstdError, Unpacker

MOST_FRAMES: Final = 1_000_000
INDEX_MAGIC: Final = 0x184D2A5D
"""The first bytes of the frame with the index, which every Zstandard program skips."""
_MAGIC: Final = 0xFD2FB528
_MAGIC_BYTES: Final = _MAGIC.to_bytes(4, "little")
_TABLE_MAGIC: Final = 0x184D2A5E
_SEEKABLE: Final = 0x8F92EAB1
_SKIPPABLE: Final = struct.Struct("<II")
_FOOTER: Final = struct.Struct("<IBI")
_ROW: Final = struct.Struct("<II")
_CHECKSUMS: Final = 0x80
_CHECKSUM: Final = 0x04
_RESERVED: Final = 0x08
_HEADER: Final = 18
_LONGEST: Final = 256 * MEGABYTE
_MOST_PIECES: Final = 4096
"""The largest number of pieces of a frame in a search: 64 MB are about 500."""
_MOST_MISSED: Final = 10_000
"""The number of false beginnings of a frame after which a search stops."""


class BadFrameError(ValueError):
    """Report a frame that is damaged or too large; the message describes the problem."""


class Frame(Value):
    """The position of a frame in bytes, its size (``packed``), and the size of its contents (``unpacked``).

    The last is -1 for a frame that a search found, since only the list of frames knows that size.
    """

    at: Whole
    packed: Whole
    unpacked: Whole = -1


def unpack(packed: bytes, most: int) -> bytes:
    """Return the text of the frame ``packed``. Raises ``BadFrameError``, also if it is more than ``most`` bytes."""
    pieces, size, unpacker = [], 0, Unpacker(BytesIO(packed))
    try:
        # The declared size of a frame may be wrong: the stream is read only up to the limit.
        while piece := unpacker.read(MEGABYTE):
            size += len(piece)
            if size > most:
                raise BadFrameError(f"it unpacks to more than the limit of {most:,} bytes")
            pieces.append(piece)
    except (BadZstdError, MemoryError) as error:
        raise BadFrameError(f"it cannot be unpacked: {error}") from None
    return b"".join(pieces)


def skippable(magic: int, payload: bytes) -> bytes:
    """Return ``payload`` in a frame that every Zstandard program skips."""
    return _SKIPPABLE.pack(magic, len(payload)) + payload


def seek_table(frames: list[Frame]) -> bytes:
    """Return the list of ``frames`` for the end of a seekable file."""
    rows = b"".join(_ROW.pack(frame.packed, frame.unpacked) for frame in frames)
    return skippable(_TABLE_MAGIC, rows + _FOOTER.pack(len(frames), 0, _SEEKABLE))


def frames_in_list(stream: BinaryIO, size: int) -> list[Frame]:
    """Return the frames in the list at the end of ``stream``, with ``size`` bytes. Raises ``BadFrameError``."""
    if size < _SKIPPABLE.size + _FOOTER.size:
        raise BadFrameError("the list of blocks at its end is missing")
    number, flags, magic = _FOOTER.unpack(_section(stream, size - _FOOTER.size, _FOOTER.size))
    if magic != _SEEKABLE or number > MOST_FRAMES or flags & ~_CHECKSUMS:
        raise BadFrameError("the list of blocks at its end is missing")
    row = _ROW.size + (4 if flags & _CHECKSUMS else 0)
    whole = _SKIPPABLE.size + number * row + _FOOTER.size
    start = size - whole
    if start < 0 or _SKIPPABLE.unpack(_section(stream, start, _SKIPPABLE.size)) != (_TABLE_MAGIC, whole - _SKIPPABLE.size):
        raise BadFrameError("its list of blocks is damaged")
    rows, frames, at = _section(stream, start + _SKIPPABLE.size, number * row), [], 0
    for place in range(0, number * row, row):
        packed, unpacked = _ROW.unpack_from(rows, place)
        frames.append(Frame(at, packed, unpacked))
        at += packed
    if at != start:
        raise BadFrameError("its list of blocks does not fit the file")
    return frames


def search_frames(stream: BinaryIO, size: int) -> Iterator[Frame]:
    """Yield the frames found in ``stream`` by a search, without the list."""
    at = found = missed = 0
    while at < size and found < MOST_FRAMES and missed < _MOST_MISSED:
        end = _end_of_frame(stream, at, size)
        if end is not None:
            yield Frame(at, end - at)
        found, missed = found + (end is not None), missed + (end is None)
        at = end if end is not None else _next_magic(stream, at + 1, size)


def section_of(stream: BinaryIO, frame: Frame) -> bytes:
    """Return the bytes of ``frame``. Raises ``BadFrameError`` if some are missing, or if there are far too many."""
    if frame.packed > _LONGEST:
        raise BadFrameError(f"one of its blocks has more than {_LONGEST // MEGABYTE} MB")
    return _section(stream, frame.at, frame.packed)


def skippable_payload(stream: BinaryIO, frame: Frame, magic: int) -> tuple[int, int]:
    """Return the position and the bytes of the payload of the skippable ``frame``. Raises ``BadFrameError``."""
    if _SKIPPABLE.unpack(_section(stream, frame.at, _SKIPPABLE.size)) != (magic, frame.packed - _SKIPPABLE.size):
        raise BadFrameError("it has no index")
    return frame.at + _SKIPPABLE.size, frame.packed - _SKIPPABLE.size


def _section(stream: BinaryIO, at: int, size: int) -> bytes:
    try:
        stream.seek(at)
        data = stream.read(size)
    except OSError as error:
        raise BadFrameError(f"it cannot be read: {error.strerror or error}") from error
    if len(data) != size:
        raise BadFrameError("it is cut off")
    return data


def _end_of_frame(stream: BinaryIO, at: int, size: int) -> int | None:
    """Return the end of the frame that begins ``at``, or ``None`` if there is no whole frame."""
    stream.seek(at)
    head = stream.read(_HEADER)
    if head[:4] != _MAGIC_BYTES or len(head) < 5 or head[4] & _RESERVED:
        return None
    place = at + _header_size(head)
    for _ in range(_MOST_PIECES):
        stream.seek(place)
        piece = int.from_bytes(stream.read(3), "little")
        is_last, kind, length = piece & 1, piece >> 1 & 3, piece >> 3
        place += 3 + (1 if kind == 1 else length)
        if kind == 3 or place > size:
            return None
        if is_last:
            end = place + (4 if head[4] & _CHECKSUM else 0)
            return end if end <= size else None
    return None


def _header_size(head: bytes) -> int:
    """Return the size of the header of a frame, from the descriptor in its ``head`` (RFC 8878, 3.1.1.1)."""
    size, is_single, dictionary = head[4] >> 6, head[4] >> 5 & 1, head[4] & 3
    return 5 + (0, 1, 2, 4)[dictionary] + (is_single, 2, 4, 8)[size] + (not is_single)


def _next_magic(stream: BinaryIO, at: int, size: int) -> int:
    """Return the possible beginning of the next frame, or ``size``."""
    while at < size:
        stream.seek(at)
        data = stream.read(MEGABYTE)
        found = data.find(_MAGIC_BYTES)
        if found >= 0:
            return at + found
        if len(data) < MEGABYTE:
            break
        at += len(data) - 3
    return size

"""Read archives of version 1.0.0, NAME.jsonl.zst: games as lines of JSON in blocks, which are Zstandard frames.

The blocks are found one after the other, without the index in the end, so a damaged block costs only its games.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from hashlib import sha256
from io import BytesIO
from typing import Any, BinaryIO, Final

from adjudicator.archive.store import LARGEST, restore
from adjudicator.archive.zstd import BadZstdError, Unpacker
from adjudicator.core.problem import Violation
from adjudicator.files.errors import FileProblem, Untrusted
from adjudicator.files.reading import MEGABYTE, TooLarge, bounded

OLD: Final = ".jsonl.zst"
"""The file extension of archives of version 1.0.0."""
_MAGIC: Final = b"\x28\xb5\x2f\xfd"
_LARGEST_BLOCK: Final = LARGEST + 8 * MEGABYTE
_MOST_PIECES: Final = 4096
"""The most pieces of a frame: 64 MB have about 500."""
_MOST_DAMAGES: Final = 10_000
_UNLIMITED: Final = 1024 * MEGABYTE
_RATIO: Final = 200
"""The largest ratio of an archive's contents to its file, beyond the first gigabyte."""
_LINE: Final = re.compile(rb'\{"hash":"([0-9a-f]{64})","name":("(?:[^"\\]|\\.)*"),"(game|text)":(.*)\}', re.DOTALL)


def old_games(stream: BinaryIO, archive: str) -> Iterator[tuple[str, bytes | FileProblem]]:
    """Yield the name and the bytes of each game in ``stream``, an old file ``archive``; ``Untrusted`` for damage.

    The name is empty if it is unknown. Raises ``CannotRead`` without a library for Zstandard, ``OSError``.
    """
    size = stream.seek(0, 2)
    at = block = total = damages = 0
    while at < size and damages < _MOST_DAMAGES:
        end, wrong = _end_of_frame(stream, at, size), ""
        stream.seek(at)
        if end is None:  # no whole frame: search for the next one
            following = _next_magic(stream, at + 1, size)
            wrong, end = f"{following - at:,} bytes from byte {at:,} on are damaged, or cut off", following
        elif stream.read(4) == _MAGIC:
            block += 1
            stream.seek(at)
            try:
                text = bounded(Unpacker(BytesIO(stream.read(end - at))), _LARGEST_BLOCK)
                total += len(text)
                if total > max(_UNLIMITED, _RATIO * size):
                    wrong, end = f"it unpacks to more than {_RATIO} times its size", size
                else:
                    yield from (_game(archive, block, line) for line in text.removesuffix(b"\n").split(b"\n"))
            except (BadZstdError, TooLarge) as error:
                wrong = f"block {block:,} is damaged: {error}"
        if wrong:
            damages += 1
            yield "", _damage(archive, wrong)
        at = end


def _game(archive: str, block: int, line: bytes) -> tuple[str, bytes | FileProblem]:
    found = _LINE.fullmatch(line)
    try:
        if found is None:
            raise ValueError
        name = _text(found[2])
        data = restore(found[4].replace(b"\t", b"\n")) if found[3] == b"game" else _text(found[4]).encode(errors="replace")
    except (ValueError, RecursionError):
        return "", _damage(archive, f"block {block:,} has a line that is no game")
    if sha256(data).hexdigest().encode() != found[1]:
        return name, _damage(archive, "the game does not fit its hash in the archive: somebody has changed it")
    return name, data


def _text(written: bytes) -> str:
    text: Any = json.loads(written)
    if not isinstance(text, str):
        raise ValueError
    return text


def _damage(archive: str, words: str) -> Untrusted:
    return Untrusted(archive, [Violation("$", words)])


def _end_of_frame(stream: BinaryIO, at: int, size: int) -> int | None:
    """Return the end of the frame that begins ``at`` (RFC 8878, 3.1), or ``None`` if there is no whole frame."""
    stream.seek(at)
    head = stream.read(14)
    if len(head) < 8:
        return None
    if head[1:4] == b"\x2a\x4d\x18" and head[0] >> 4 == 5:  # a frame that every Zstandard program skips
        end = at + 8 + int.from_bytes(head[4:8], "little")
        return end if end <= size else None
    if not head.startswith(_MAGIC):
        return None
    is_single = head[4] >> 5 & 1
    place = at + 6 - is_single + (0, 1, 2, 4)[head[4] & 3] + (is_single, 2, 4, 8)[head[4] >> 6]
    for _ in range(_MOST_PIECES):
        stream.seek(place)
        piece = int.from_bytes(stream.read(3), "little")
        kind, length = piece >> 1 & 3, piece >> 3
        place += 3 + (1 if kind == 1 else length)
        if kind == 3 or place > size:
            return None
        if piece & 1:
            end = place + (4 if head[4] & 4 else 0)  # the checksum
            return end if end <= size else None
    return None


def _next_magic(stream: BinaryIO, at: int, size: int) -> int:
    """Return the next possible beginning of a block, or ``size``."""
    while at < size:
        stream.seek(at)
        data = stream.read(MEGABYTE)
        found = data.find(_MAGIC)
        if found >= 0:
            return at + found
        at += max(len(data) - 3, 1) if len(data) == MEGABYTE else size
    return size

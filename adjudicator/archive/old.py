"""Read archives of version 1.0.0, NAME.jsonl.zst: games as lines of JSON in blocks, which are Zstandard frames.

The blocks are found one after the other, without the index in the end, so a damaged block costs only its games.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from hashlib import sha256
from io import BytesIO
from typing import BinaryIO, Final

from adjudicator.archive.store import LARGEST, RATIO, UNLIMITED, BadZstdError, Unpacker, restore
from adjudicator.core.problem import Violation
from adjudicator.files.errors import FileProblem, Untrusted
from adjudicator.files.reading import MEGABYTE, TooLarge, bounded

OLD: Final = ".jsonl.zst"
"""The file extension of archives of version 1.0.0."""
_MAGIC: Final = b"\x28\xb5\x2f\xfd"
_LARGEST_BLOCK: Final = LARGEST + 8 * MEGABYTE
_MOST_PIECES: Final = 2048
"""The most pieces of a frame: 72 MB have some 600."""
_MOST_DAMAGES: Final = 1000
_LINE: Final = re.compile(rb'\{"hash":"([0-9a-f]{64})","name":("(?:[^"\\]|\\.)*"),"(game|text)":(.*)\}', re.DOTALL)


def old_games(stream: BinaryIO, archive: str) -> Iterator[tuple[str, bytes | FileProblem]]:
    """Yield the name and the bytes of each game in ``stream``, an old file ``archive``; ``Untrusted`` for damage.

    The name is empty if it is unknown. Raises ``CannotRead`` without a library for Zstandard, ``OSError``.
    """
    size = stream.seek(0, 2)
    at = total = damages = 0
    while at < size and damages < _MOST_DAMAGES and total <= max(UNLIMITED, RATIO * size):
        end, is_block = _end_of_frame(stream, at, size), False
        if end is None:
            damages, end = damages + 1, _next_block(stream, at + 1, size)
            yield "", _damage(archive, f"{end - at:,} bytes from byte {at:,} on are damaged, or cut off")
        else:
            stream.seek(at)
            is_block = stream.read(4) == _MAGIC
            stream.seek(at)
        begin, at = at, end
        if not is_block:
            continue
        try:
            text = bounded(Unpacker(BytesIO(stream.read(end - begin))), _LARGEST_BLOCK)
        except (BadZstdError, TooLarge) as error:
            damages += 1
            yield "", _damage(archive, f"a block is damaged: {error}")
            continue
        total += len(text)
        for line in BytesIO(text or b"\n"):
            name, game = _game(archive, line.removesuffix(b"\n"))
            yield name, game
            damages += isinstance(game, Untrusted)
            if damages >= _MOST_DAMAGES:
                break
    if at < size or damages >= _MOST_DAMAGES:
        yield "", _damage(archive, f"the rest was not read: too much is damaged, or it unpacks to {RATIO} times its size")


def _game(archive: str, line: bytes) -> tuple[str, bytes | FileProblem]:
    """Return the game in a ``line``, with tabs as its line ends, and without hashes that follow from the text before."""
    found = _LINE.fullmatch(line)
    try:
        if found is None:
            raise ValueError
        name, text = str(json.loads(found[2])), found[4]
        data = restore(text.replace(b"\t", b"\n")) if found[3] == b"game" else str(json.loads(text)).encode(errors="replace")
    except (ValueError, RecursionError):
        return "", _damage(archive, "a line is no game")
    if sha256(data).hexdigest().encode() != found[1]:
        return name, _damage(archive, "the game does not fit its hash in the archive: somebody has changed it")
    return name, data


def _damage(archive: str, words: str) -> Untrusted:
    return Untrusted(archive, [Violation("$", words)])


def _end_of_frame(stream: BinaryIO, at: int, size: int) -> int | None:
    """Return the end of the frame that begins ``at`` (RFC 8878, 3.1), or ``None`` if there is no whole frame."""
    stream.seek(at)
    head = stream.read(14)
    if head[1:4] == b"\x2a\x4d\x18" and len(head) >= 8:  # a frame that every Zstandard program skips
        end = at + 8 + int.from_bytes(head[4:8], "little")
        return end if end <= size else None
    if not head.startswith(_MAGIC) or len(head) < 8:
        return None
    is_single = head[4] >> 5 & 1
    place = at + 6 - is_single + (0, 1, 2, 4)[head[4] & 3] + (is_single, 2, 4, 8)[head[4] >> 6]
    for _ in range(_MOST_PIECES):
        stream.seek(place)
        piece = int.from_bytes(stream.read(3), "little")
        kind, length = piece >> 1 & 3, piece >> 3
        place += 3 + (1 if kind == 1 else length)
        if kind == 3 or place > min(size, at + 2 * _LARGEST_BLOCK):
            break
        if piece & 1:
            end = place + (head[4] & 4)  # the checksum
            return end if end <= size else None
    return None


def _next_block(stream: BinaryIO, at: int, size: int) -> int:
    """Return the next possible beginning of a block from ``at`` on, or ``size``."""
    stream.seek(at)
    data = stream.read(MEGABYTE)
    while (found := data.find(_MAGIC)) < 0 and at + len(data) < size:
        at += len(data) - 3
        data = data[-3:] + stream.read(MEGABYTE)
    return at + found if found >= 0 else size

"""Read zip archives and compressed files in memory and within limits, without writing anything to a disk."""

from __future__ import annotations

import os
import struct
import zlib
from collections.abc import Iterator
from contextlib import ExitStack, closing
from io import BytesIO
from itertools import pairwise
from typing import Any, Final
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile, ZipInfo

from adjudicator.core.problem import Violation
from adjudicator.files.errors import CannotRead, Untrusted
from adjudicator.files.reading import MEGABYTE, read
from adjudicator.sources.archive_reader import ArchiveReader, open_archive
from adjudicator.sources.candidates import (
    CONTAINERS,
    LARGEST,
    MEMBERS,
    PACKED,
    RATIO,
    TARS,
    TOTAL,
    Candidate,
    Source,
    Unopened,
    is_archive,
    is_wanted,
    leads_out,
)
from adjudicator.sources.places import is_url, open_binary, read_url
from adjudicator.sources.tars import Tar
from adjudicator.sources.zstd import BadZstdError, Unpacker
from adjudicator.verdict import Kind

DIRECTORY: Final = 64 * MEGABYTE
"""The limit in bytes for an archive's list of members, which is read as a whole."""
SMALL: Final = MEGABYTE
"""The size in bytes up to which the ratio does not matter."""
_CHUNK: Final = 256 * 1024
_END: Final = struct.Struct("<4s4H2LH")
_LOCAL_HEADER: Final = 30
_BROKEN: Final = (BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, ValueError, struct.error)


def members(path: str) -> Iterator[Candidate]:
    """Yield the games in the zip archive at ``path``, in order, and the members that are not opened, with reasons."""
    try:
        if _directory_size(path) > DIRECTORY:
            yield Unopened(path, f"not opened: its list of members has more than {DIRECTORY // MEGABYTE} MB")
            return
        with open_binary(path) as stream, ZipFile(stream) as archive:
            infos = archive.infolist()
    except CannotRead as error:
        yield Unopened(path, error.words)
        return
    except OSError as error:
        yield Unopened(path, f"the archive cannot be read: {error.strerror or error}")
        return
    except _BROKEN:
        yield Unopened(path, "this is not a zip archive, or it is cut off", Kind.DAMAGED)
        return
    if len(infos) > MEMBERS:
        yield Unopened(path, f"not opened: the archive has {len(infos):,} members, and the limit is {MEMBERS:,}")
        return
    if _is_overlapping(infos):
        yield Unopened(path, "not opened: its members overlap, which no normal archive does", Kind.DAMAGED)
        return
    total = 0
    for index, info in enumerate(infos):
        if info.is_dir():
            continue
        name = f"{path}/{info.filename}"
        objection = _objection(info)
        if objection is not None:
            yield Unopened(name, objection)
        elif is_wanted(info.filename):
            total += info.file_size
            if total > TOTAL:
                yield Unopened(name, f"the rest was not opened: the archive unpacks to more than {TOTAL // SMALL:,} MB")
                return
            yield Source(name, path, index)


def _objection(info: ZipInfo) -> str | None:
    """Return why a member is not opened, whatever its name and contents; empty if it is."""
    if leads_out(info.filename):
        return "its name leads out of the archive: not opened"
    if not is_wanted(info.filename):
        return None
    if info.filename.lower().endswith(CONTAINERS):
        return "an archive within an archive: not opened; please unpack it first"
    if info.flag_bits & 1:
        return "it is encrypted: not opened"
    if info.compress_type not in (ZIP_STORED, ZIP_DEFLATED):
        return "it is packed in an unusual way: not opened; please use the ordinary one (deflate)"
    if info.file_size > LARGEST:
        return f"not opened: it unpacks to {info.file_size // MEGABYTE:,} MB, and the limit is {LARGEST // MEGABYTE} MB"
    if info.file_size > _most(info.compress_size):
        return f"not opened: it unpacks to more than {RATIO} times its size, so it is not a game"
    return None


def _most(packed: int) -> int:
    """Return the limit in bytes for the unpacked size of a member with ``packed`` bytes."""
    return min(LARGEST, max(SMALL, RATIO * packed))


def _directory_size(path: str) -> int:
    """Return the size of the list of members from the end of the archive; 0 if it has no such end."""
    with open_binary(path) as stream:
        stream.seek(max(0, stream.seek(0, os.SEEK_END) - _END.size - 0xFFFF))
        tail = stream.read()
    at = tail.rfind(b"PK\x05\x06")
    if at < 0 or len(tail) - at < _END.size:
        return 0
    size: int = _END.unpack_from(tail, at)[5]
    return size


def _is_overlapping(infos: list[ZipInfo]) -> bool:
    """Return whether two members share bytes, so that a small archive could unpack to a huge size."""
    placed = sorted((info.header_offset, info.compress_size) for info in infos)
    return any(offset + _LOCAL_HEADER + size > following for (offset, size), (following, _) in pairwise(placed))


class Opener:
    """Reads sources one after the other; an archive stays open while they come from it."""

    def __init__(self) -> None:
        """Begin with nothing open."""
        self._stack = ExitStack()
        self._path = ""
        self._archive: ArchiveReader | Tar | ZipFile | None = None

    def __enter__(self) -> Opener:
        """Return the opener itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close what is open."""
        self._stack.close()
        self._archive = None

    def __reduce__(self) -> tuple[type[Opener], tuple[()]]:
        """Return the parts from which another process makes an opener, with nothing open."""
        return Opener, ()

    def read(self, source: Source) -> bytes:
        """Return the bytes of the JSON text at ``source``. Raises ``CannotRead``, ``Untrusted``."""
        packed = None
        if source.data is not None:
            data = source.data
        elif source.member is None:
            data = read_url(source.path) if is_url(source.path) else read(source.path)[1]
        else:
            try:
                archive = self._opened(source.path)
                if isinstance(archive, ArchiveReader):
                    return archive.read(source.member, hash_=source.hash)[1]
                if isinstance(archive, Tar):
                    data = archive.read(source.member)
                else:
                    info = archive.infolist()[source.member]
                    packed = info.compress_size
                    with archive.open(info) as stream:
                        data = _limited(source.name, stream, packed)
            except OSError as error:
                raise CannotRead(source.name, f"the archive cannot be read: {error.strerror or error}") from error
            except (*_BROKEN, IndexError) as error:
                words = f"the archive is damaged and cannot be unpacked: {error}"
                raise Untrusted(source.name, [Violation("$", words)]) from None
        if not source.name.lower().endswith(PACKED):
            return data
        try:
            return _limited(source.name, Unpacker(BytesIO(data)), len(data) if packed is None else packed)
        except (BadZstdError, MemoryError) as error:
            raise Untrusted(source.name, [Violation("$", f"the file cannot be unpacked: {error}")]) from None

    def _opened(self, path: str) -> ArchiveReader | Tar | ZipFile:
        if self._archive is None or self._path != path:
            self.__exit__()
            if is_archive(path):
                self._archive = self._stack.enter_context(closing(open_archive(path)))
            elif path.lower().endswith(TARS):
                self._archive = self._stack.enter_context(closing(Tar(path)))
            else:
                self._archive = self._stack.enter_context(ZipFile(self._stack.enter_context(open_binary(path))))
            self._path = path
        return self._archive


def _limited(name: str, stream: Any, packed: int) -> bytes:
    """Return the unpacked contents of ``stream``, with ``packed`` bytes. Raises ``Untrusted`` if it is too much."""
    most, pieces, size = _most(packed), [], 0
    while piece := stream.read(_CHUNK):
        size += len(piece)
        if size > most:
            words = f"{LARGEST // MEGABYTE} MB" if most == LARGEST else f"{RATIO} times its size"
            raise Untrusted(name, [Violation("$", f"not opened: it unpacks to more than {words}, so it is not a game")])
        pieces.append(piece)
    return b"".join(pieces)

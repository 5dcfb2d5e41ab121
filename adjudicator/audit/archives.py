"""Zip archives and compressed files, read in memory and within limits: nothing of them is ever written to a disk."""

from __future__ import annotations

import re
import struct
import zlib
from collections.abc import Iterator
from contextlib import ExitStack
from typing import Final
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile, ZipInfo

from adjudicator.audit.candidates import PACKED, Candidate, Source, Unopened, is_wanted
from adjudicator.reports.verdict import Kind
from adjudicator.store.errors import CannotRead, Untrusted, Violation
from adjudicator.store.reading import LIMIT, read

MEMBERS: Final = 100_000
"""Members an archive may have."""
TOTAL: Final = 8 * 1024 * 1024 * 1024
"""Bytes that all games of one archive may have together, unpacked."""
RATIO: Final = 200
"""How many times larger than packed a member may be that is no small file. Games shrink to a tenth or so."""
SMALL: Final = 1024 * 1024
"""Bytes up to which nobody asks how well a member was packed."""
_WINDOW: Final = 128 * 1024 * 1024
_DRIVE: Final = re.compile("[A-Za-z]:")
_BROKEN: Final = (BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, ValueError, struct.error)


def members(path: str) -> Iterator[Candidate]:
    """Yield the games in the zip archive at ``path``, in the archive's order, and what of it is not opened, and why."""
    try:
        with ZipFile(path) as archive:
            infos = archive.infolist()
    except OSError as error:
        yield Unopened(path, f"the archive cannot be read: {error.strerror or error}")
        return
    except _BROKEN:
        yield Unopened(path, "this is no zip archive, or it is cut off", Kind.DAMAGED)
        return
    if len(infos) > MEMBERS:
        yield Unopened(path, f"the archive has {len(infos):,} members; up to {MEMBERS:,} are opened")
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
                yield Unopened(name, f"the archive unpacks to more than {TOTAL // SMALL:,} MB: the rest of it is not opened")
                return
            yield Source(name, path, index)


def _objection(info: ZipInfo) -> str | None:
    """Return why a member is not opened, whatever it is called or holds."""
    parts = info.filename.replace("\\", "/").split("/")
    if ".." in parts or not parts[0] or _DRIVE.match(info.filename):
        return "its name leads out of the archive: not opened"
    if not is_wanted(info.filename):
        return None
    if info.filename.lower().endswith(".zip"):
        return "an archive within an archive: not opened; please unpack it first"
    if info.flag_bits & 1:
        return "it is encrypted: not opened"
    if info.compress_type not in (ZIP_STORED, ZIP_DEFLATED):
        return "it is packed in an unusual way: not opened; please use the ordinary one (deflate)"
    if info.file_size > LIMIT:
        return f"it unpacks to {info.file_size // SMALL:,} MB; a game may have {LIMIT // SMALL} MB"
    if info.file_size > max(SMALL, RATIO * info.compress_size):
        return f"it unpacks to more than {RATIO} times its size: this is no game"
    return None


class Opener:
    """Reads sources one after the other; an archive stays open for as long as they come from it."""

    def __init__(self) -> None:
        """Begin with nothing open."""
        self._stack = ExitStack()
        self._path: str | None = None
        self._archive: ZipFile | None = None

    def __enter__(self) -> Opener:
        """Return the opener itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close what is open."""
        self._stack.close()

    def read(self, source: Source) -> bytes:
        """Return the bytes of the JSON text at ``source``. Raises ``CannotRead``, ``Untrusted``."""
        if source.data is not None:
            data = source.data
        elif source.member is None:
            _, data = read(source.path)
        else:
            data = self._member(source, source.member)
        return _unpacked(source.name, data) if source.name.lower().endswith(PACKED) else data

    def _member(self, source: Source, member: int) -> bytes:
        try:
            archive = self._opened(source.path)
            with archive.open(archive.infolist()[member]) as stream:
                data = stream.read(LIMIT + 1)
        except OSError as error:
            raise CannotRead(source.name, f"the archive cannot be read: {error.strerror or error}") from error
        except (*_BROKEN, IndexError) as error:
            raise Untrusted(
                source.name, [Violation("$", f"it cannot be unpacked, the archive is damaged: {error}")]
            ) from None
        if len(data) > LIMIT:
            raise Untrusted(source.name, [Violation("$", f"it unpacks to more than {LIMIT // SMALL} MB: this is no game")])
        return data

    def _opened(self, path: str) -> ZipFile:
        if self._archive is None or self._path != path:
            self._stack.close()
            self._archive = None
            self._archive = self._stack.enter_context(ZipFile(path))
            self._path = path
        return self._archive


def _unpacked(name: str, data: bytes) -> bytes:
    """Return what the Zstandard frames in ``data`` hold, up to the largest size a game may have."""
    try:
        from zstandard import ZstdDecompressor, ZstdError
    except ImportError:
        words = "to open a .zst file the extra `archive` is needed: pip install 'adjudicator[archive]'"
        raise CannotRead(name, words) from None
    try:
        # The size that a frame declares is not to be relied on: the stream is read up to the limit and no further.
        with ZstdDecompressor(max_window_size=_WINDOW).stream_reader(data, read_across_frames=True) as stream:
            unpacked: bytes = stream.read(LIMIT + 1)
    except (ZstdError, MemoryError) as error:
        raise Untrusted(name, [Violation("$", f"it cannot be unpacked: {error}")]) from None
    if len(unpacked) > LIMIT:
        raise Untrusted(name, [Violation("$", f"it unpacks to more than {LIMIT // SMALL} MB: this is no game")])
    return unpacked

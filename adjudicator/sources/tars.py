"""Read tar archives, plain or packed, as a stream in memory and within limits, one member after the other."""

from __future__ import annotations

import os
import tarfile
import zlib
from collections.abc import Iterator
from contextlib import ExitStack
from gzip import BadGzipFile, GzipFile
from typing import Any, Final, Self

from adjudicator.core.problem import Violation
from adjudicator.files.errors import CannotRead, Untrusted
from adjudicator.files.reading import MEGABYTE
from adjudicator.sources.candidates import (
    CONTAINERS,
    LARGEST,
    MEMBERS,
    RATIO,
    TOTAL,
    Candidate,
    Source,
    Unopened,
    is_wanted,
    leads_out,
)
from adjudicator.sources.places import open_binary
from adjudicator.sources.zstd import Unpacker
from adjudicator.verdict import Kind

HEADERS: Final = 4 * MEGABYTE
"""The limit for headers, long names and other extras of an archive, in bytes."""
HEADER_RATIO: Final = 5
"""The limit for them as a multiple of the packed archive, if that is more."""
_SPARSE: Final = "it holds a file with holes (sparse), and no game is one"
_TOO_MANY: Final = "its headers unpack to far more than those of games: the rest of it is not opened"
_MOST_AT_ONCE: Final = MEGABYTE
_BROKEN: Final = (tarfile.TarError, BadGzipFile, zlib.error, EOFError, ValueError, OverflowError, RecursionError)
"""The errors that a damaged archive raises."""


class Tar:
    """The tar archive at ``path``, read from the beginning; for an earlier member it starts again."""

    def __init__(self, path: str) -> None:
        """Open the archive. Raises ``CannotRead``."""
        self.path = path
        self._stack = ExitStack()
        self._rewind()

    def close(self) -> None:
        """Close the archive."""
        self._stack.close()

    def members(self) -> Iterator[tuple[int, tarfile.TarInfo]]:
        """Yield the remaining members, each with its number from 0.

        Raises ``Untrusted`` where the archive is damaged, ``CannotRead`` where it unpacks to too much.
        """
        try:
            for member in self._tar:
                self._tar.members = []  # it would keep them all
                self._next += 1
                self._require_small(member)
                yield self._next - 1, member
        except _BROKEN as error:
            raise self._untrusted(f"the archive is damaged or cut off: {error}") from None

    def read(self, number: int) -> bytes:
        """Return the contents of the member ``number``. Raises ``CannotRead``, ``Untrusted``."""
        if number < self._next:
            self._rewind()
        for at, member in self.members():
            if at == number:
                return self._content(member)
        raise self._untrusted(f"the archive has no member {number}")

    def _content(self, member: tarfile.TarInfo) -> bytes:
        try:
            stream = self._tar.extractfile(member)
            data = b"" if stream is None else b"".join(iter(lambda: stream.read(_MOST_AT_ONCE), b""))
        except _BROKEN as error:
            raise self._untrusted(f"the archive is damaged or cut off: {error}") from None
        if len(data) != member.size:
            raise self._untrusted("the archive is cut off")
        return data

    def _require_small(self, member: tarfile.TarInfo) -> None:
        """Raise ``CannotRead`` before the content of ``member`` is unpacked if the archive would unpack to too much."""
        end = member.offset_data + member.size
        if end > TOTAL:
            raise CannotRead(self.path, f"the rest was not opened: it unpacks to more than {TOTAL // MEGABYTE:,} MB")
        if end > max(LARGEST, RATIO * self._packed):
            raise CannotRead(self.path, f"the rest was not opened: the archive unpacks to more than {RATIO} times its size")

    def _rewind(self) -> None:
        self._stack.close()
        stream: Any = self._stack.enter_context(open_binary(self.path))
        self._next = 0
        try:
            self._packed = stream.seek(0, os.SEEK_END)
            stream.seek(0)
            # Tarfile's own decompression copies all that is left of a block, up to ten megabytes, at each header.
            counted: Any = type("_Counted", (_Bounded,), {})
            opened: Any = tarfile.TarFile.open(fileobj=self._plain(stream), mode="r|", tarinfo=counted)
            self._tar = self._stack.enter_context(opened)
            counted.headers_left = max(HEADERS, HEADER_RATIO * self._packed)
        except (OSError, *_BROKEN) as error:
            raise self._untrusted(f"this is not a tar archive, or it is cut off: {error}") from None

    def _plain(self, stream: Any) -> Any:
        """Return the archive in ``stream`` without its compression."""
        name = self.path.lower()
        if name.endswith(".zst"):
            return Unpacker(stream)
        return self._stack.enter_context(GzipFile(fileobj=stream)) if name.endswith(("gz", "tgz")) else stream

    def _untrusted(self, words: str) -> Untrusted:
        return Untrusted(self.path, [Violation("$", words)])


class _Headers:
    """The file of an archive while the headers of one member are read: it refuses more than a megabyte, and too many."""

    def __init__(self, file: Any, member: type[_Bounded]) -> None:
        self._file, self._member, self._read = file, member, 0

    def read(self, size: int) -> Any:
        self._read += size
        if self._read > _MOST_AT_ONCE:
            raise tarfile.ReadError("a header of it has more than a megabyte")
        self._member.headers_left -= size
        if self._member.headers_left < 0:
            raise CannotRead("the archive", _TOO_MANY)
        return self._file.read(size)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._file, name)


class _Bounded(tarfile.TarInfo):
    """A member; its headers, long names and other extras, which are read whole, are limited in size.

    ``headers_left`` is the number of header bytes that may still be read: each archive has its own class.
    """

    headers_left = HEADERS

    @classmethod
    def fromtarfile(cls, archive: Any) -> Self:
        """Return the next member of ``archive``. Raises ``CannotRead``."""
        file = archive.fileobj
        if isinstance(file, _Headers):  # a long name, for example, belongs to the member after it
            return super().fromtarfile(archive)
        archive.fileobj = _Headers(file, cls)
        try:
            member = super().fromtarfile(archive)
        finally:
            archive.fileobj = file
        if member.issparse():
            raise tarfile.ReadError(_SPARSE)
        return member


def tar_members(path: str) -> Iterator[Candidate]:
    """Yield the games in the tar archive at ``path``, in order, and the members that are not opened, with reasons."""
    try:
        archive = Tar(path)
    except CannotRead as error:
        yield Unopened(path, error.words)
        return
    except Untrusted as error:
        yield Unopened(path, error.violations[0].message, Kind.DAMAGED)
        return
    try:
        for number, member in archive.members():
            if number >= MEMBERS:
                yield Unopened(path, f"the rest was not opened: the archive has more than {MEMBERS:,} members")
                return
            objection = _objection(member)
            if objection is not None:
                yield Unopened(f"{path}/{member.name}", objection)
            elif member.isreg() and is_wanted(member.name):
                yield Source(f"{path}/{member.name}", path, number)
    except CannotRead as error:
        yield Unopened(path, error.words)
    except (Untrusted, OSError) as error:
        words = error.violations[0].message if isinstance(error, Untrusted) else f"the archive cannot be read: {error}"
        yield Unopened(path, words, Kind.DAMAGED)
    finally:
        archive.close()


def _objection(member: tarfile.TarInfo) -> str | None:
    if not member.isreg():
        return None
    if leads_out(member.name):
        return "its name leads out of the archive: not opened"
    if member.name.lower().endswith(CONTAINERS):
        return "an archive within an archive: not opened; please unpack it first"
    if member.size > LARGEST and is_wanted(member.name):
        return f"not opened: it has {member.size // MEGABYTE:,} MB, and the limit is {LARGEST // MEGABYTE} MB"
    return None

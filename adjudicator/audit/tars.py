"""Tar archives, plain or packed: read as a stream, in memory and within limits, one member after the other."""

from __future__ import annotations

import tarfile
import zlib
from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any, Final

from adjudicator.audit.archives import LARGEST, MEMBERS, TOTAL, leads_out
from adjudicator.audit.candidates import CONTAINERS, Candidate, Source, Unopened, is_wanted
from adjudicator.audit.places import open_binary
from adjudicator.reports.verdict import Kind
from adjudicator.store.errors import CannotRead, Untrusted, Violation
from adjudicator.store.reading import MEGABYTE

_MOST_AT_ONCE: Final = MEGABYTE
_BROKEN: Final = (tarfile.TarError, zlib.error, EOFError, ValueError, OverflowError)
"""What is raised over an archive that is damaged."""


class Tar:
    """The tar archive at ``path``, read from its beginning on; asked for a member that is passed, it begins anew."""

    def __init__(self, path: str) -> None:
        """Open the archive. Raises ``CannotRead``."""
        self.path = path
        self._stack = ExitStack()
        self._rewind()

    def close(self) -> None:
        """Close the archive."""
        self._stack.close()

    def members(self) -> Iterator[tuple[int, tarfile.TarInfo]]:
        """Yield the members that are left, each with its number from 0. Raises ``Untrusted`` where it is damaged."""
        try:
            for member in self._tar:
                self._tar.members = []  # it would keep them all
                self._next += 1
                yield self._next - 1, member
        except _BROKEN as error:
            raise self._untrusted(f"the archive is damaged, or cut off: {error}") from None

    def read(self, number: int) -> bytes:
        """Return what is in the member of that ``number``. Raises ``CannotRead``, ``Untrusted``."""
        if number < self._next:
            self._rewind()
        for at, member in self.members():
            if at == number:
                return self._content(member)
        raise self._untrusted(f"it has no member {number}")

    def _content(self, member: tarfile.TarInfo) -> bytes:
        try:
            stream = self._tar.extractfile(member)
            data = b"" if stream is None else b"".join(iter(lambda: stream.read(_MOST_AT_ONCE), b""))
        except _BROKEN as error:
            raise self._untrusted(f"the archive is damaged, or cut off: {error}") from None
        if len(data) != member.size:
            raise self._untrusted("the archive is cut off")
        return data

    def _rewind(self) -> None:
        self._stack.close()
        stream: Any = self._stack.enter_context(open_binary(self.path))
        if self.path.lower().endswith(".zst"):
            from adjudicator.archive.zstd import Unpacker

            stream = Unpacker(stream)
        kind: Any = "r|gz" if self.path.lower().endswith(("gz", "tgz")) else "r|"
        self._next = 0
        try:
            opened = tarfile.open(fileobj=stream, mode=kind, tarinfo=_Bounded)  # noqa: SIM115 - the stack closes it
            self._tar: Any = self._stack.enter_context(opened)
        except (OSError, *_BROKEN) as error:
            raise self._untrusted(f"this is no tar archive, or it is cut off: {error}") from None

    def _untrusted(self, words: str) -> Untrusted:
        return Untrusted(self.path, [Violation("$", words)])


class _Bounded(tarfile.TarInfo):
    """A member; its long name and its other extras, which are read whole, have an end."""

    def _proc_member(self, archive: tarfile.TarFile) -> Any:
        if not self.isreg() and self.size > _MOST_AT_ONCE:
            raise tarfile.ReadError("a header of it has more than a megabyte")
        return super()._proc_member(archive)  # type: ignore[misc]


def tar_members(path: str) -> Iterator[Candidate]:
    """Yield the games in the tar archive at ``path``, in its order, and what of it is not opened, and why."""
    try:
        archive = Tar(path)
    except CannotRead as error:
        yield Unopened(path, error.words)
        return
    except Untrusted as error:
        yield Unopened(path, error.violations[0].words, Kind.DAMAGED)
        return
    total = 0
    try:
        for number, member in archive.members():
            total += member.size
            if number >= MEMBERS or total > TOTAL:
                words = f"it has more than {MEMBERS:,} members or {TOTAL // MEGABYTE:,} MB: the rest of it is not opened"
                yield Unopened(path, words)
                return
            objection = _objection(member)
            if objection is not None:
                yield Unopened(f"{path}/{member.name}", objection)
            elif member.isreg() and is_wanted(member.name):
                yield Source(f"{path}/{member.name}", path, number)
    except (Untrusted, OSError) as error:
        words = error.violations[0].words if isinstance(error, Untrusted) else f"it cannot be read: {error}"
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
        return f"it has {member.size // MEGABYTE:,} MB; a packed game may have {LARGEST // MEGABYTE} MB"
    return None

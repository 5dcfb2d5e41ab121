"""Open archives of many games."""

from __future__ import annotations

from contextlib import ExitStack

from adjudicator.sources.archive_reader import SUFFIX, ArchiveReader
from adjudicator.sources.places import open_binary


def open_archive(path: str) -> ArchiveReader:
    """Open the archive at ``path`` and return its reader, which you close. Raises ``CannotRead``."""
    with ExitStack() as stack:
        archive = ArchiveReader(stack.enter_context(open_binary(path)), path)
        stack.pop_all()  # the archive itself closes the stream
    return archive


def is_archive(path: str) -> bool:
    """Return whether ``path`` has the file extension of an archive of many games."""
    return path.lower().endswith(SUFFIX)

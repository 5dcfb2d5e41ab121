"""Where archives are opened."""

from __future__ import annotations

from adjudicator.archive.reader import SUFFIX, ArchiveReader
from adjudicator.audit.places import open_binary


def open_archive(path: str) -> ArchiveReader:
    """Return the archive at ``path``, opened. Raises ``CannotRead``."""
    stream = open_binary(path)
    try:
        return ArchiveReader(stream, path)
    except BaseException:
        stream.close()
        raise


def is_archive(path: str) -> bool:
    """Return whether what is called ``path`` is an archive of many games."""
    return path.lower().endswith(SUFFIX)

"""Where archives are opened."""

from __future__ import annotations

from pathlib import Path

from adjudicator.archive.reader import SUFFIX, ArchiveReader
from adjudicator.store.errors import CannotRead


def open_archive(path: str) -> ArchiveReader:
    """Return the archive at ``path``, opened. Raises ``CannotRead``."""
    try:
        stream = Path(path).open("rb")  # noqa: SIM115 - the archive closes it
    except FileNotFoundError:
        raise CannotRead(path, "there is no such file") from None
    except (OSError, ValueError) as error:
        raise CannotRead(path, f"the archive cannot be read: {getattr(error, 'strerror', None) or error}") from error
    try:
        return ArchiveReader(stream, path)
    except BaseException:
        stream.close()
        raise


def is_archive(path: str) -> bool:
    """Return whether what is called ``path`` is an archive of many games."""
    return path.lower().endswith(SUFFIX)

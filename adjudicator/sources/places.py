"""Open files on a disk or at a URL (object storage, a web server), as fsspec reads them."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from io import BufferedReader
from pathlib import Path
from typing import Any, BinaryIO, Final, cast

from adjudicator.files.errors import CannotRead
from adjudicator.files.reading import MEGABYTE, bounded
from adjudicator.sources.candidates import Unopened, is_wanted

URL: Final = "://"
_BLOCK: Final = 4 * MEGABYTE


def is_url(path: str) -> bool:
    """Return whether ``path`` is a URL, such as ``s3://bucket/games.jsonl.zst``."""
    return URL in path


def open_binary(path: str) -> BinaryIO:
    """Return an open stream for ``path`` that can be read at any position. Raises ``CannotRead``."""
    with _readable(path, "the file cannot be opened"):
        try:
            if not is_url(path):
                return Path(path).open("rb")
            system, inner = _system(path)
            return cast(BinaryIO, BufferedReader(system.open(inner, "rb", block_size=_BLOCK)))
        except FileNotFoundError:
            raise CannotRead(path, "there is no such file") from None


def read_url(path: str) -> bytes:
    """Return the bytes of the file at the URL ``path``. Raises ``CannotRead``."""
    with open_binary(path) as stream, _readable(path, "the file cannot be read"):
        return bounded(stream)


def walk_url(url: str) -> Iterator[str | Unopened]:
    """Yield the files below ``url`` that may contain games, by name; or ``url`` itself if it is a file."""
    try:
        with _readable(url, "the folder cannot be listed"):
            system, inner = _system(url)
            is_file = system.isfile(inner)
            found = [] if is_file else sorted(system.find(inner))
    except CannotRead as error:
        yield Unopened(url, error.words)
        return
    if is_file:
        yield url
        return
    if not found:
        yield Unopened(url, "there is nothing there")
    head, start = url.rstrip("/"), inner.rstrip("/")
    yield from (f"{head}{name.removeprefix(start)}" for name in map(str, found) if is_wanted(name))


def exists(path: str) -> bool:
    """Return whether ``path`` is an ordinary file; ``False`` also if its storage does not answer."""
    if not is_url(path):
        return os.path.isfile(path)
    with suppress(CannotRead), _readable(path, "the file cannot be found"):
        system, inner = _system(path)
        return bool(system.isfile(inner))
    return False


def mark_of(path: str) -> str:
    """Return a mark that changes when the file at ``path`` changes: its size and time, or that of its storage.

    The mark is empty if the file or its storage does not answer.
    """
    with suppress(CannotRead), _readable(path, "the file cannot be found"):
        if not is_url(path):
            status = os.stat(path)
            return f"{status.st_size} {status.st_mtime_ns} {stat.S_IFMT(status.st_mode)}"
        system, inner = _system(path)
        info = system.info(inner)
        return " ".join(str(info.get(name, "")) for name in ("size", "ETag", "etag", "mtime", "LastModified"))
    return ""


@contextmanager
def _readable(path: str, words: str) -> Iterator[None]:
    """Raise ``CannotRead`` with ``words`` for the errors of a disk or a storage while ``path`` is looked at."""
    try:
        yield
    except CannotRead:
        raise
    except (OSError, ValueError) as error:
        raise CannotRead(path, f"{words}: {getattr(error, 'strerror', None) or error}") from error
    except Exception as error:
        if not is_url(path):
            raise
        # The packages for the kinds of storage raise their own errors, which have no class in common.
        raise CannotRead(path, f"{words}: {error}") from error


def _system(url: str) -> tuple[Any, str]:
    try:
        from fsspec.core import url_to_fs
    except ImportError:
        raise CannotRead(url, "install the extra `cluster` to read URLs: pip install 'pbem-adjudicator[cluster]'") from None
    try:
        system, inner = url_to_fs(url)
    except (ImportError, ValueError) as error:
        raise CannotRead(url, f"install a package that reads such URLs: {error}") from None
    return system, inner

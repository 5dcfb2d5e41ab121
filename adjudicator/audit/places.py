"""Open files on a disk or at a URL (object storage, a web server), as fsspec reads them."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from io import BufferedReader
from pathlib import Path
from typing import Any, BinaryIO, Final, cast

from adjudicator.audit.candidates import Unopened, is_wanted
from adjudicator.store.errors import CannotRead
from adjudicator.store.reading import LIMIT, MEGABYTE

URL: Final = "://"
_BLOCK: Final = 4 * MEGABYTE


def is_url(path: str) -> bool:
    """Return whether ``path`` is a URL, such as ``s3://bucket/games.jsonl.zst``."""
    return URL in path


def open_binary(path: str) -> BinaryIO:
    """Return an open stream for ``path`` that can be read at any position. Raises ``CannotRead``."""
    try:
        if not is_url(path):
            return Path(path).open("rb")
        system, inner = _system(path)
        return cast(BinaryIO, BufferedReader(system.open(inner, "rb", block_size=_BLOCK)))
    except FileNotFoundError:
        raise CannotRead(path, "there is no such file") from None
    except CannotRead:
        raise
    except Exception as error:  # each kind of storage has errors of its own
        raise CannotRead(path, f"the file cannot be opened: {getattr(error, 'strerror', None) or error}") from error


def read_url(path: str) -> bytes:
    """Return the bytes of the file at the URL ``path``. Raises ``CannotRead``."""
    with open_binary(path) as stream:
        try:
            data = stream.read(LIMIT + 1)
        except Exception as error:
            raise CannotRead(path, f"the file cannot be read: {error}") from error
    if len(data) > LIMIT:
        raise CannotRead(path, f"the file is larger than {LIMIT // MEGABYTE} MB: it is not an adjudicator file")
    return data


def walk_url(url: str) -> Iterator[str | Unopened]:
    """Yield the files below ``url`` that may contain games, by name; or ``url`` itself if it is a file."""
    try:
        system, inner = _system(url)
        if system.isfile(inner):
            yield url
            return
        found = sorted(system.find(inner))
    except CannotRead as error:
        yield Unopened(url, error.words)
        return
    except Exception as error:  # as above
        yield Unopened(url, f"the folder cannot be listed: {error}")
        return
    if not found:
        yield Unopened(url, "there is nothing there")
    head = url.rstrip("/")
    start = system._strip_protocol(head)
    yield from (f"{head}{name.removeprefix(start)}" for name in map(str, found) if is_wanted(name))


def exists(path: str) -> bool:
    """Return whether ``path`` is an ordinary file."""
    if not is_url(path):
        return os.path.isfile(path)
    try:
        system, inner = _system(path)
        return bool(system.isfile(inner))
    except Exception:  # as above; opening it will tell
        return False


def mark_of(path: str) -> str:
    """Return a mark that changes when the file at ``path`` changes: its size and time, or that of its storage."""
    try:
        if not is_url(path):
            status = os.stat(path)
            return f"{status.st_size} {status.st_mtime_ns} {stat.S_IFMT(status.st_mode)}"
        system, inner = _system(path)
        info = system.info(inner)
        return " ".join(str(info.get(name, "")) for name in ("size", "ETag", "etag", "mtime", "LastModified"))
    except Exception:  # what cannot be looked at is told by whoever reads it
        return ""


def _system(url: str) -> tuple[Any, str]:
    try:
        from fsspec.core import url_to_fs
    except ImportError:
        raise CannotRead(url, "install the extra `cluster` to read URLs: pip install 'adjudicator[cluster]'") from None
    try:
        system, inner = url_to_fs(url)
    except (ImportError, ValueError) as error:
        raise CannotRead(url, f"install a package that reads such URLs: {error}") from None
    return system, inner

"""Write the folder of a site file by file, each in one step, and leave other files in it alone."""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

from adjudicator.core.values import Value, canonical_bytes, digest
from adjudicator.files.errors import CannotWrite
from adjudicator.files.typed import read
from adjudicator.files.writing import PRIVATE, SHARED, sync_folder, write_atomic

MANIFEST: Final = "manifest.json"
_MADE_BY: Final = "adjudicator site"


class _Manifest(Value, omit_defaults=True):
    """The files of a site: the hash (``pages``) and the size in bytes (``sizes``) of each.

    Earlier versions had no sizes, and other facts about ``games``.
    """

    by: str
    pages: Mapping[str, str]
    sizes: Mapping[str, int] = MappingProxyType({})
    games: Any = None


class NotASite(CannotWrite):
    """Report that the folder for the site contains something other than a site."""


class SiteFolder:
    """A folder for the files of a site; ``finish`` removes those of earlier runs that are no longer part of it.

    ``manifest.json`` lists the files with their hashes. An interrupted run leaves complete pages, and the next run adds
    those that are missing. ``written`` is the number of files that this run has written because they were new or changed,
    ``removed`` that of files of earlier runs that ``finish`` has removed.
    """

    def __init__(self, path: str, *, force: bool = False, manifest: str = "") -> None:
        """Begin to write into the folder ``path``, and make the folder if it does not exist.

        The path ``manifest`` keeps the manifest outside of the folder.

        Raises ``NotASite`` if it contains anything but a site of this program, unless with ``force``; ``CannotWrite`` if it
        cannot be made.
        """
        self._path = path
        self._manifest, self._mode = (manifest, PRIVATE) if manifest else (os.path.join(path, MANIFEST), SHARED)
        self.written = self.removed = 0
        self._hashes: dict[str, str] = {}
        self._sizes: dict[str, int] = {}
        self._folders: set[str] = set()
        self._earlier, self._since = _Manifest(_MADE_BY, {}), 0
        is_site = False
        with suppress(OSError, ValueError):
            earlier: _Manifest = read(_Manifest, Path(self._manifest).read_bytes())
            if is_site := earlier.by == _MADE_BY:
                self._earlier, self._since = earlier, os.stat(self._manifest).st_mtime_ns
        if os.path.lexists(path) and not os.path.isdir(path):
            raise NotASite(path, "this is a file, but a site needs a folder")
        if not is_site and not force and os.path.isdir(path) and any(os.scandir(path)):
            raise NotASite(path, "name another folder, or use `force`: this one contains other files")
        self._make("")
        if not is_site:  # the manifest exists from the beginning: after an interruption, the next run recognises the folder
            self._write_manifest()

    @property
    def count(self) -> int:
        """The number of written pages, without pictures and the feed."""
        return sum(name.endswith(".html") for name in self._hashes)

    def write(self, name: str, data: bytes) -> None:
        """Write the file ``name``, such as ``games/rally.html``, unless it exists unchanged. Raises ``CannotWrite``."""
        if self._size(name, digest(data)) is None:
            self._make(os.path.dirname(name))
            write_atomic(os.path.join(self._path, name), data, SHARED, syncs_folder=False)
            self.written += 1
        self._hashes[name], self._sizes[name] = digest(data), len(data)

    def keep(self, hashes: Mapping[str, str]) -> bool:
        """Keep the files of these names if all exist with these ``hashes``, and return whether they do."""
        sizes = {name: size for name, hash_ in hashes.items() if (size := self._size(name, hash_)) is not None}
        if len(sizes) < len(hashes):
            return False
        self._hashes |= hashes
        self._sizes |= sizes
        return True

    def finish(self) -> None:
        """Write the manifest, and remove the pages of earlier runs that this run did not write. Raises ``CannotWrite``."""
        for name, hash_ in self._earlier.pages.items():
            climbs = os.path.isabs(name) or ".." in name.replace("\\", "/").split("/")
            if name not in self._hashes and not climbs and self._size(name, hash_) is not None:
                with suppress(OSError):
                    os.unlink(os.path.join(self._path, name))
                    self.removed += 1
        for inner in self._folders:
            sync_folder(os.path.join(self._path, inner))
        if self.written or (self._earlier.pages, self._earlier.sizes) != (self._hashes, self._sizes):
            self._write_manifest()

    def give_up(self) -> None:
        """Remove the files that this run has added: the manifest of before stays, with its files."""
        for name in self._hashes.keys() - self._earlier.pages.keys():
            with suppress(OSError):
                os.unlink(os.path.join(self._path, name))

    def _size(self, name: str, hash_: str) -> int | None:
        """Return the size of the file ``name`` in bytes; ``None`` unless it exists with this hash.

        A file that is older than the manifest, with the size in it, has not changed since: most files are not read again.
        """
        path, earlier = os.path.join(self._path, name), self._earlier
        with suppress(OSError, ValueError):
            status = os.stat(path)
            is_listed = earlier.pages.get(name) == hash_ and earlier.sizes.get(name) == status.st_size
            if (is_listed and status.st_mtime_ns < self._since) or digest(Path(path).read_bytes()) == hash_:
                return status.st_size
        return None

    def _write_manifest(self) -> None:
        made = _Manifest(_MADE_BY, self._hashes, self._sizes)
        write_atomic(self._manifest, canonical_bytes(made) + b"\n", self._mode)

    def _make(self, inner: str) -> None:
        if inner in self._folders:
            return
        path = os.path.join(self._path, inner) if inner else self._path
        try:
            os.makedirs(path, exist_ok=True)
        except (OSError, ValueError) as error:
            raise CannotWrite(path, f"the folder cannot be made: {getattr(error, 'strerror', None) or error}") from error
        self._folders.add(inner)

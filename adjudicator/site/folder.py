"""Write the folder of a site page by page, each in one step, and leave other files in it alone."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from adjudicator.core.values import Value, canonical_text, digest
from adjudicator.files.atomic import PRIVATE, SHARED, sync_folder, write_atomic
from adjudicator.files.errors import CannotWrite
from adjudicator.files.typed import Misfit, convert
from adjudicator.site.site_game import SiteGame

MANIFEST: Final = "manifest.json"
_MADE_BY: Final = "adjudicator site"


class CachedGame(Value):
    """A game with its pages from the last run: ``key`` covers everything that they depend on."""

    key: str
    game: SiteGame


class NotASite(CannotWrite):
    """Report that the folder for the site contains something other than a site."""


class SiteFolder:
    """A folder for the files of a site; ``finish`` removes those of earlier runs that are no longer part of it.

    ``manifest.json`` lists the pages with their hashes. An interrupted run leaves complete pages, and the next run adds
    those that are missing.
    """

    def __init__(self, path: str, *, force: bool = False, manifest: str = "") -> None:
        """Begin to write into the folder ``path``, and make the folder if it does not exist.

        The path ``manifest`` keeps the manifest outside of the folder, for a site whose manifest would reveal secrets.

        Raises ``NotASite`` if it contains anything but a site of this program, unless with ``force``; ``CannotWrite`` if it
        cannot be made.
        """
        self._path = path
        self._manifest, self._mode = (manifest, PRIVATE) if manifest else (os.path.join(path, MANIFEST), SHARED)
        self._written = self._removed = 0
        self._pages: dict[str, str] = {}
        self._games: dict[str, CachedGame] = {}
        self._earlier_games: dict[str, Any] = {}
        self._earlier = self._listed()
        if os.path.lexists(path) and not os.path.isdir(path):
            raise NotASite(path, "this is a file, but a site needs a folder")
        is_taken = self._earlier is None and os.path.isdir(path) and any(os.scandir(path))
        if is_taken and not force:
            raise NotASite(path, "name another folder, or use `force`: this one contains other files")
        self._folders: set[str] = set()
        self._make("")
        # The manifest exists from the beginning, so that the next run recognises the folder after an interruption.
        self._write_manifest(self._earlier or {}, self._earlier_games)

    @property
    def count(self) -> int:
        """The number of written pages, without pictures and the feed."""
        return sum(name.endswith(".html") for name in self._pages)

    @property
    def written(self) -> int:
        """The number of files that this run has written, because they were new or changed."""
        return self._written

    @property
    def removed(self) -> int:
        """The number of files of earlier runs that ``finish`` has removed."""
        return self._removed

    def write(self, name: str, data: bytes) -> None:
        """Write the file ``name``, such as ``games/rally.html``, unless it exists unchanged. Raises ``CannotWrite``."""
        self._pages[name] = digest(data)
        self.write_unlisted(name, data)

    def write_unlisted(self, name: str, data: bytes) -> None:
        """Write the file ``name`` as ``write`` does, but leave it out of the manifest. Raises ``CannotWrite``."""
        self._make(os.path.dirname(name))
        path = os.path.join(self._path, name)
        if self._bytes(path) != data:
            write_atomic(path, data, SHARED, syncs_folder=False)
            self._written += 1

    def finish(self) -> None:
        """Write the manifest, and remove the pages of earlier runs that this run did not write. Raises ``CannotWrite``."""
        for name, hash_ in (self._earlier or {}).items():
            path = os.path.join(self._path, name)
            data = self._bytes(path) if name not in self._pages else None
            if data is not None and digest(data) == hash_:
                with suppress(OSError):
                    os.unlink(path)
                    self._removed += 1
        for inner in self._folders:
            sync_folder(os.path.join(self._path, inner))
        self._write_manifest(self._pages, self._games)

    def kept(self, name: str) -> CachedGame | None:
        """Return the game of the page ``name`` from the last run, if its page and its pictures are unchanged."""
        try:
            found: CachedGame = convert(CachedGame, self._earlier_games.get(name))
        except Misfit:  # it is new, or the manifest is damaged
            return None
        files = self._files_of(name)
        return found if {name, found.game.thumbnail} <= files.keys() and self._has_all(files) else None

    def keep(self, game: CachedGame) -> None:
        """Keep the files of ``game`` from the last run."""
        self._pages |= self._files_of(game.game.file)
        self.note(game)

    def note(self, game: CachedGame) -> None:
        """Write ``game`` into the manifest at the end, for the next run."""
        self._games[game.game.file] = game

    def _files_of(self, name: str) -> dict[str, str]:
        """Return the page ``name`` and its pictures with their hashes, as the last run has written them."""
        stem = name.removesuffix(".html")
        return {one: hash_ for one in (name, f"{stem}.svg", f"{stem}.png") if (hash_ := (self._earlier or {}).get(one))}

    def _has_all(self, files: dict[str, str]) -> bool:
        return all(digest(self._bytes(os.path.join(self._path, name)) or b"") == hash_ for name, hash_ in files.items())

    def _write_manifest(self, pages: dict[str, str], games: Mapping[str, Any]) -> None:
        data = canonical_text({"by": _MADE_BY, "pages": pages, "games": games}).encode() + b"\n"
        if self._bytes(self._manifest) != data:
            write_atomic(self._manifest, data, self._mode)

    def _make(self, inner: str) -> None:
        if inner in self._folders:
            return
        path = os.path.join(self._path, inner) if inner else self._path
        try:
            os.makedirs(path, exist_ok=True)
        except (OSError, ValueError) as error:
            raise CannotWrite(path, f"the folder cannot be made: {getattr(error, 'strerror', None) or error}") from error
        self._folders.add(inner)

    def _listed(self) -> dict[str, str] | None:
        """Return the pages of the site in the folder with their hashes, ``None`` if it contains no site."""
        try:
            document: Any = json.loads(Path(self._manifest).read_bytes())
        except (OSError, ValueError, RecursionError):
            return None
        if not isinstance(document, dict) or document.get("by") != _MADE_BY or not isinstance(document.get("pages"), dict):
            return None
        games = document.get("games")
        self._earlier_games = games if isinstance(games, dict) else {}
        return {
            name: hash_
            for name, hash_ in document["pages"].items()
            if isinstance(hash_, str) and not os.path.isabs(name) and ".." not in name.replace("\\", "/").split("/")
        }

    def _bytes(self, path: str) -> bytes | None:
        try:
            return Path(path).read_bytes()
        except (OSError, ValueError):
            return None

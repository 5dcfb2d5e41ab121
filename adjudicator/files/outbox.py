"""Keep the reports of a turn beside the game until all are written, and protect other files from being replaced.

The reports are saved beside the game (``game.json.outbox``) before the game is. After any interruption the next run finds
there the reports that it still has to write.
"""

from __future__ import annotations

import os
import re
from base64 import b64decode, b64encode
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, Literal

from msgspec import Struct

from adjudicator.core.values import MODERATOR, Value, Viewer, canonical_text, digest, field
from adjudicator.files import typed
from adjudicator.files.errors import CannotWrite, FileProblem
from adjudicator.files.reading import read
from adjudicator.files.writing import open_plain, sync_folder, write_atomic
from adjudicator.results import Mails

MANIFEST: Final = "manifest.json"
_TAKEN: Final = re.compile(r"bystanders|moderator|manifest|con|prn|aux|nul|com\d|lpt\d")
"""Names that have another meaning here, or that some systems reserve."""
_UNSAFE: Final = re.compile(r"[^a-z0-9_]")
_LONGEST: Final = 80
_MOST_HASHES: Final = 500
_MOST_TOLD: Final = 10_000
_NO_FOLDER: Final = "this is a file, but reports need a folder"


class NotOurs(CannotWrite):
    """Report that a file at the place of a report is not a report of this game."""


class Outbox(Value):
    """The latest reports of a game, about the position with this ``seal`` and the entries from ``since`` on.

    ``files`` has their bytes by name, in the order of writing. ``earlier`` has the hashes of earlier reports, which they can
    replace. ``mails`` has the results of the mails, for each viewer with any. ``told`` has the texts that were
    reported without receipts, such as mails for an earlier turn: by seat and identity, each with the number of the
    adjudication in which it came. ``before`` is the seal of the game before the run that made the reports, ``news`` are
    those of ``told`` that this run has added.
    """

    seal: str
    since: int
    files: Mapping[str, bytes]
    earlier: tuple[str, ...] = ()
    mails: Mapping[str, Mails] = field(default_factory=dict)
    told: Mapping[str, int] = field(default_factory=dict)
    before: str = ""
    news: tuple[str, ...] = ()

    def told_to(self, seal: str) -> dict[str, int]:
        """Return the texts that were reported to the game with this ``seal``.

        If the run was interrupted before it wrote the game, its reports were never delivered.
        """
        was_interrupted = seal == self.before and seal != self.seal
        return {text: count for text, count in self.told.items() if not (was_interrupted and text in self.news)}

    @property
    def hashes(self) -> tuple[str, ...]:
        """The hashes of all known reports for this game."""
        own = map(digest, self.files.values())
        return tuple(dict.fromkeys((*self.earlier, *own)))[-_MOST_HASHES:]


class _Kept(Outbox, kw_only=True):
    """The same as JSON: text is kept unchanged, anything else as base64."""

    beginning: str
    files: Mapping[str, str | Mapping[Literal["base64"], str]]  # type: ignore[assignment]


class _Reported(Struct):
    hash: str


class _Manifest(Struct):
    """The part of a manifest that tells whose reports are in a folder."""

    beginning: str
    reports: tuple[_Reported, ...] = ()


def report_name(viewer: Viewer, kind: str = "txt") -> str:
    """Return the file name of the report to ``viewer``: safe on every system, and different for each viewer."""
    if viewer is None or viewer == MODERATOR:
        return f"{viewer or 'bystanders'}.{kind}"
    stem = _UNSAFE.sub(lambda found: f"@{ord(found[0]):06x}", viewer)
    if len(stem) > _LONGEST:
        stem = f"{stem[:40]}-{digest(viewer.encode('utf-8', 'surrogatepass'))[:32]}"
    return f"seat-{stem}.{kind}" if _TAKEN.fullmatch(stem) else f"{stem}.{kind}"


def outbox_of(game: str) -> str:
    """Return the name of the file beside ``game`` that keeps its reports."""
    return os.path.realpath(game) + ".outbox"


def read_outbox(path: str, beginning: str) -> Outbox | None:
    """Return the reports kept at ``path`` for the game with this ``beginning``; ``None`` if the file is of no use.

    Raises ``CannotRead`` where the system does not allow reading it, or where it is a link: without this error the program
    would make another report without a warning.
    """
    if not os.path.lexists(path):
        return None
    _, data = read(path, open_plain)
    try:
        kept: _Kept = typed.read(_Kept, data)
        files = {
            Path(name).name: one.encode() if isinstance(one, str) else b64decode(one["base64"], validate=True)
            for name, one in kept.files.items()
        }
    except (KeyError, RecursionError, ValueError):
        return None
    is_ours = kept.beginning == beginning and files.keys() == kept.files.keys()  # no name is a path
    return typed.recast(Outbox, kept, files=files) if is_ours else None


def write_outbox(path: str, beginning: str, outbox: Outbox) -> None:
    """Write ``outbox`` to ``path``. Raises ``CannotWrite``, also if ``path`` is a link."""
    files = dict[str, Any]()
    for name, data in outbox.files.items():
        try:
            files[name] = data.decode()
        except UnicodeDecodeError:
            files[name] = {"base64": b64encode(data).decode()}
    told = dict(list(outbox.told.items())[-_MOST_TOLD:])
    kept = typed.recast(_Kept, outbox, beginning=beginning, files=files, told=told)
    write_atomic(path, canonical_text(kept).encode() + b"\n", follows=False)


def spare_foreign(folder: str, outbox: Outbox, beginning: str) -> None:
    """Raise ``NotOurs`` if one of the files in ``outbox`` would replace anything but an earlier report of this game."""
    if os.path.lexists(folder) and not os.path.isdir(folder):
        raise NotOurs(folder, _NO_FOLDER)
    manifest: _Manifest | None = None
    with suppress(RecursionError, ValueError):
        manifest = typed.read(_Manifest, _bytes_of(os.path.join(folder, MANIFEST)) or b"")
    is_known = manifest is not None and manifest.beginning == beginning
    ours = {*outbox.hashes, *(one.hash for one in manifest.reports if is_known)} if manifest else {*outbox.hashes}
    for name in outbox.files:
        path = os.path.join(folder, name)
        if not os.path.lexists(path):
            continue
        data = _bytes_of(path) if os.path.isfile(path) and not os.path.islink(path) else None
        is_ours = data is not None and (not data or digest(data) in ours or (is_known and name == MANIFEST))
        if not is_ours:
            words = "name another folder, or replace this file with `force`: it exists already"
            raise NotOurs(path, f"{words} and is not a report of this game")


def deliver(folder: str, files: Mapping[str, bytes]) -> None:
    """Write ``files`` into ``folder``, each in one step; make the folder if it does not exist. Raises ``CannotWrite``."""
    make_folder(folder)
    for name, data in files.items():
        path = os.path.join(folder, name)
        if _bytes_of(path) != data:
            write_atomic(path, data, syncs_folder=False)
    sync_folder(folder)


def make_folder(folder: str) -> None:
    """Make ``folder``, private to its owner, unless it exists. Raises ``CannotWrite``."""
    try:
        os.mkdir(folder, 0o700)
    except FileExistsError:
        if not os.path.isdir(folder):
            raise CannotWrite(folder, _NO_FOLDER) from None
    except FileNotFoundError:
        raise CannotWrite(folder, "make the folder above it first: that does not exist") from None
    except (OSError, ValueError) as error:
        raise CannotWrite(folder, f"the folder cannot be made: {getattr(error, 'strerror', None) or error}") from error


def _bytes_of(path: str) -> bytes | None:
    try:
        return read(path)[1]
    except FileProblem:
        return None

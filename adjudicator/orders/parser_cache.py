"""Cache parsing tables on disk, so that a grammar is compiled once and not for every command.

A file holds its own hash and then plain data (no code: ``marshal`` of dicts, lists, strings and numbers). If a file is torn,
foreign, stale or unwritable, the program silently compiles the grammar.
"""

from __future__ import annotations

import marshal
import os
import re
import sys
from contextlib import suppress
from functools import cache
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

_KEPT: Final = 3
"""The most files for a ruleset: that of this program, and of others that use the same folder."""
_DIGEST: Final = 32
_UNFINISHED: Final = ".new-"
_HOUR: Final = 3600


def key(*parts: str) -> str:
    """Return the key of the tables for these grammars and options with this Lark and this Python."""
    text = "\0".join((*parts, lark_used(), sys.implementation.cache_tag or sys.version))
    return sha256(text.encode()).hexdigest()[:16]


@cache
def lark_used() -> str:
    """Return the identity of this Lark: the hash of its first file, which has its version.

    Loading Lark to ask for its version would take longer than all work with the tables.
    """
    found = find_spec("lark")
    assert found is not None
    assert found.origin is not None
    return sha256(Path(found.origin).read_bytes()).hexdigest()


def load(name: str, version: str) -> dict[str, Any] | None:
    """Return the tables stored for ruleset ``name`` under the key ``version``, or ``None``."""
    folder = cache_folder()
    if folder is None:
        return None
    try:
        content = (folder / _file_name(name, version)).read_bytes()
        digest, body = content[:_DIGEST], content[_DIGEST:]
        stored = marshal.loads(body) if sha256(body).digest() == digest else None
    except (OSError, ValueError, EOFError, TypeError):
        return None
    return stored if isinstance(stored, dict) else None


def save(name: str, version: str, content: dict[str, Any]) -> None:
    """Store ``content`` in one step, and remove old tables of this ruleset."""
    folder = cache_folder()
    if folder is None:
        return
    body = marshal.dumps(content)
    with suppress(OSError):
        from tempfile import mkstemp

        handle, temporary = mkstemp(dir=folder, prefix=_UNFINISHED)
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(sha256(body).digest() + body)
            Path(temporary).replace(folder / _file_name(name, version))
        except OSError:
            Path(temporary).unlink(missing_ok=True)
            raise
        _tidy(folder, name)


@cache
def cache_folder() -> Path | None:
    """Return the folder for tables (``$ADJUDICATOR_CACHE`` or the user's own), or ``None`` if there is no private one.

    Anyone who can write there decides how orders are read, so a folder of another user, or open to others, is not used.
    """
    chosen = os.environ.get("ADJUDICATOR_CACHE")
    path = Path(chosen) if chosen else _user_folder()
    try:
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
        status = path.stat()
    except OSError:
        return None
    is_private = not hasattr(os, "getuid") or (status.st_uid == os.getuid() and not status.st_mode & 0o022)
    return path if is_private else None


def _user_folder() -> Path:
    """Return the user's own folder for data of this program."""
    if sys.platform == "linux":  # the answer of platformdirs, which takes time to load
        base = os.environ.get("XDG_CACHE_HOME", "")
        return Path(base if base.strip() else os.path.expanduser("~/.cache")) / "adjudicator"
    from platformdirs import user_cache_path

    return user_cache_path("adjudicator", appauthor=False)


def _file_name(name: str, version: str) -> str:
    return f"{re.sub(r'[^a-z0-9-]', '_', name)}-{version}.tables"


def _tidy(folder: Path, name: str) -> None:
    """Remove all but the newest files of ruleset ``name``, and old remains of interrupted runs."""
    own = re.compile(re.escape(_file_name(name, "").removesuffix(".tables")) + r"[0-9a-f]{16}\.tables")
    ages = sorted(((file.stat().st_mtime, file) for file in folder.iterdir()), reverse=True)
    for _, file in [(age, file) for age, file in ages if own.fullmatch(file.name)][_KEPT:]:
        file.unlink(missing_ok=True)
    for age, file in ages:
        if file.name.startswith(_UNFINISHED) and age < ages[0][0] - _HOUR:
            file.unlink(missing_ok=True)

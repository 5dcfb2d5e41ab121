"""Lay out a game file: canonical JSON, with a line for each top-level name and for each journal entry."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from adjudicator.core.canonical import canonical_bytes


def game_bytes(document: Mapping[str, Any], links: Iterable[tuple[bytes, str]]) -> bytes:
    """Return the bytes of a game file: without its line ends it is canonical JSON.

    ``document`` has everything in it by name, except its ``journal``; ``links`` are the canonical bytes of the journal's
    entries, each with its hash.
    """
    lines = {name: canonical_bytes(value) for name, value in document.items() if name != "journal"}
    lines["journal"] = b"[\n%s\n]" % b",\n".join(
        b'{"entry":%s,"hash":"%s"}' % (entry, hash_.encode()) for entry, hash_ in links
    )
    return b"{%s}\n" % b",\n".join(b'"%s":%s' % (name.encode(), lines[name]) for name in sorted(lines))

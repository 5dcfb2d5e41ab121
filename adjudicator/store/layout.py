"""Lay out a game file: canonical JSON, with a line for each top-level name and for each journal entry."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from adjudicator.core.canonical import canonical_bytes


def game_bytes(document: Mapping[str, Any], links: Iterable[tuple[bytes, str]]) -> bytes:
    """Return the bytes of a game file: without its line ends it is canonical JSON.

    ``document`` has everything in it by name, except its ``journal``; ``links`` are the canonical bytes of the journal's
    entries, each with its hash.
    """
    return b"".join(_pieces(document, links))


def is_laid_out(data: bytes, document: Mapping[str, Any], links: Iterable[tuple[bytes, str]]) -> bool:
    """Return whether ``data`` is what ``game_bytes`` returns, without making a second copy of it."""
    at = 0
    for piece in _pieces(document, links):
        if not data.startswith(piece, at):
            return False
        at += len(piece)
    return at == len(data)


def _pieces(document: Mapping[str, Any], links: Iterable[tuple[bytes, str]]) -> Iterator[bytes]:
    before = b"{"
    for name in sorted({*document, "journal"}):
        yield b'%s"%s":' % (before, name.encode())
        if name == "journal":
            yield from _journal(links)
        else:
            yield canonical_bytes(document[name])
        before = b",\n"
    yield b"}\n"


def _journal(links: Iterable[tuple[bytes, str]]) -> Iterator[bytes]:
    before = b"[\n"
    for entry, hash_ in links:
        yield b'%s{"entry":%s,"hash":"%s"}' % (before, entry, hash_.encode())
        before = b",\n"
    yield b"\n]"

"""Text as mail programs leave it, cleaned without moving a character: columns stay what they were."""

from __future__ import annotations

import re
from typing import Final

MOST_BYTES: Final = 1_000_000
"""Bytes a turn file may have."""
MOST_LINES: Final = 20_000
"""Lines a turn file may have."""
MOST_COLUMNS: Final = 1_000
"""Characters an order line may have."""
MOST_DEPTH: Final = 20
"""Brackets and conditions that may stand within each other on a line."""

_SPACES: Final = "\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000"
_INVISIBLE: Final = "\u200b\u200c\u200d\u2060\ufeff\u00ad\u200e\u200f\u202a\u202b\u202c\u202d\u202e"
_DASHES: Final = "\u2010\u2011\u2012\u2013\u2014\u2015\u2212"
_TABLE: Final = {
    **dict.fromkeys(map(ord, _SPACES + _INVISIBLE + "\t\v\f\x1c\x1d\x1e\x1f\x85\u2028\u2029"), " "),
    **dict.fromkeys(map(ord, _DASHES), "-"),
    **dict.fromkeys(map(ord, "\u201c\u201d\u201e\u00ab\u00bb\u2018\u2019\u201a\u2039\u203a\"'`*\u2022"), " "),
    **{0xFF08: "(", 0xFF09: ")", 0xFF1A: ":", 0xFF0C: ",", 0xFF3B: "[", 0xFF3D: "]"},
}


_BULLET: Final = re.compile(r"\s*(?:-|[0-9]{1,3}[.)])(?:\s+|$)")
"""A bullet or a number before an order, as in a list."""


class NotTextError(ValueError):
    """The bytes are no text; the message says why in words."""


def decode(data: bytes) -> str:
    """Return ``data`` as text: UTF-8 or UTF-16 if it says so, UTF-8, else Windows-1252. Raises ``NotTextError``."""
    if len(data) > MOST_BYTES:
        raise NotTextError(f"the file has {len(data):,} bytes; orders may have {MOST_BYTES:,}")
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return _decoded(data, "utf-16")
    if b"\0" in data:
        raise NotTextError("this is a binary file, not a text of orders")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return _decoded(data, "cp1252")


def _decoded(data: bytes, charset: str) -> str:
    text = data.decode(charset, "replace")
    if text.count("\ufffd") > len(text) // 20:
        raise NotTextError("this is a binary file, not a text of orders")
    return text


def lines_of(text: str) -> list[str]:
    """Return the lines of ``text``, whatever their ends: LF, CRLF or CR."""
    return text.replace("\r\n", "\n").replace("\r", "\n").split("\n")


def clean(line: str) -> str:
    """Return ``line`` without comment, odd spaces and quotes, each character where it was; trailing space is cut."""
    if not line.isascii() or '"' in line or "'" in line or "\t" in line or "*" in line or "`" in line:
        line = line.translate(_TABLE)
    for mark in "#;":
        cut = line.find(mark)
        if cut >= 0:
            line = line[:cut]
    bullet = _BULLET.match(line)
    if bullet:
        line = " " * bullet.end() + line[bullet.end() :]
    return line.rstrip()


def is_quoted(line: str) -> bool:
    """Return whether ``line`` quotes an earlier mail."""
    return line.lstrip().startswith(">")


def is_signature_mark(line: str) -> bool:
    """Return whether ``line`` begins a signature."""
    return line.strip() in ("--", "—", "__") or line.rstrip("\r") == "-- "


def depth(line: str) -> int:
    """Return how deep brackets and conditions may be nested in ``line``: an upper bound."""
    return line.count("(") + line.lower().count("if") + line.lower().count("not")

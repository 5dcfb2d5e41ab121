"""Decode text: the declared charset counts if it is right."""

from __future__ import annotations

import codecs
import re
from email.errors import MessageError
from email.header import decode_header
from typing import Final

from adjudicator.mail.limits import MOST_OF_A_FIELD

_KNOWN: Final = re.compile(
    r"ascii|utf-(?:8|7|16|16-be|16-le|32|32-be|32-le)|iso8859-\d+|cp\d+|koi8-[rut]|mac-\w+|gb2312|gbk|gb18030|big5(?:hkscs)?"
    r"|hz|shift_jis(?:x0213|_2004)?|euc_(?:jp|kr|jis_2004|jisx0213)|iso2022_\w+|johab|tis-620|ptcp154|hp-roman8|kz1048"
)
"""Encodings of text. Python knows others that compress or transform, in any amount of time."""


def decode(data: bytes, charset: str) -> tuple[str, bool]:
    """Return ``data`` as text, and whether ``charset`` was right. If it was not, try UTF-8, then Windows-1252.

    Latin 1 means Windows-1252, and ASCII means UTF-8 or Windows-1252: programs often declare them wrongly.
    """
    name = _codec(charset)
    if name not in ("", "ascii", "iso8859-1", "utf-8"):
        try:
            return data.decode(name), True
        except ValueError:
            pass
    if name == "iso8859-1" and not data.isascii():
        return data.decode("cp1252", "replace"), True
    try:
        return data.decode("utf-8-sig"), name == "utf-8" or data.isascii()
    except UnicodeDecodeError:
        return data.decode("cp1252", "replace"), False


def decode_words(text: str) -> str:
    """Return ``text`` with its encoded words (``=?utf-8?q?…?=``) decoded, on one line."""
    try:
        pieces = decode_header(text[:MOST_OF_A_FIELD]) if "=?" in text else [(text, None)]
        words = "".join(piece if isinstance(piece, str) else decode(piece, charset or "")[0] for piece, charset in pieces)
    except (ValueError, LookupError, MessageError):
        words = text
    return " ".join("".join(sign if sign.isprintable() else " " for sign in words).split())


def _codec(charset: str) -> str:
    """Return Python's name of ``charset``, or nothing if it is no encoding of text."""
    if not charset.isascii() or len(charset) > 40 or "\0" in charset:
        return ""
    try:
        name = codecs.lookup(charset.strip()).name
    except (LookupError, ValueError):
        return ""
    return name if _KNOWN.fullmatch(name) else ""

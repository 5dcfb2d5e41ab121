"""Recognize a mail by the first lines of a file, without parsing it."""

from __future__ import annotations

import re
from typing import Final

from adjudicator.mail.limits import MOST_HEAD

_STRUCTURAL: Final = frozenset(
    {"received", "message-id", "mime-version", "return-path", "delivered-to", "content-type", "dkim-signature", "x-mailer"}
)
"""Fields that only programs write into the head of a mail."""
_FIELDS: Final = _STRUCTURAL | {"from", "to", "date", "subject", "reply-to", "sender", "cc"}
_FIELD: Final = re.compile(rb"([!-9;-~]{1,80}):")
_BOM: Final = b"\xef\xbb\xbf"
_SIZE: Final = re.compile(rb"([0-9]{1,9}) *\r?\n")
"""The first line of a file of Apple Mail: the bytes of the mail below it."""


def is_mail(data: bytes, *, is_named_so: bool = False) -> bool:
    """Return whether ``data`` is a mail with its head, as programs save it.

    A text with lines such as ``From:`` and ``Subject:`` at its top, as people copy them, is a mail only if its file name
    says so (``is_named_so``).
    """
    names = set(_field_names(data[:MOST_HEAD].removeprefix(_BOM)))
    return not names.isdisjoint(_FIELDS if is_named_so else _STRUCTURAL)


def without_properties(data: bytes) -> bytes:
    """Return the mail in ``data`` if that is a file of Apple Mail (``.emlx``), with a size above and properties below it."""
    size = _SIZE.match(data)
    mail = data[size.end() : size.end() + int(size[1])] if size else b""
    return mail if is_mail(mail) else data


def _field_names(data: bytes) -> list[str]:
    """Return the names of the fields at the top of ``data`` in lower case, or none if this is not the head of a mail."""
    names: list[str] = []
    for line in data.splitlines():
        if not line.strip():
            break
        if line[:1] in b" \t" and names:
            continue
        field = _FIELD.match(line)
        if field is None:
            return names if names and line.startswith(b">From ") else []
        names.append(field[1].decode("ascii").lower())
    return names

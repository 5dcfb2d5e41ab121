"""One mail, from its bytes to a value: what it says line by line, when it was received, who sent it about what."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from email.message import EmailMessage
from email.utils import parsedate_to_datetime
from typing import Final

from adjudicator.core.frozen import frozen
from adjudicator.mail.body import body_of
from adjudicator.mail.parse import decoded_words, parsed

_STRUCTURAL: Final = frozenset(
    {"received", "message-id", "mime-version", "return-path", "delivered-to", "content-type", "dkim-signature", "x-mailer"}
)
"""Fields that programs write into the head of a mail and people do not."""
_FIELDS: Final = _STRUCTURAL | {"from", "to", "date", "subject", "reply-to", "sender", "cc"}
_FIELD: Final = re.compile(rb"([!-9;-~]{1,80}):")
_BOM: Final = b"\xef\xbb\xbf"
_HEAD: Final = 65_536
"""Bytes at the beginning of a file in which the head of a mail must show."""
_LATEST: Final = datetime(9000, 1, 1, tzinfo=UTC)


@frozen
class Mail:
    """What a mail says.

    ``lines`` are its text, decoded; ``received`` is when the last server took it, in seconds since 1970, ``None`` if no
    ``Received`` field says so. ``sender`` is the name that the sender goes by, ``address`` the address; nothing proves
    either. ``left_out`` names what came with the text and is not read.
    """

    lines: tuple[str, ...]
    received: int | None = None
    subject: str = ""
    sender: str = ""
    address: str = ""
    left_out: tuple[str, ...] = ()


def read_mail(data: bytes) -> Mail:
    """Return the mail in ``data``. Raises ``MailError`` for what is too large, too deep or no text."""
    message = parsed(data.removeprefix(_BOM))
    body = body_of(message)
    sender, address = _sender(message)
    subject = decoded_words(str(message.get("Subject", "")))
    return Mail(body.lines, _received(message), subject, sender, address, body.left_out)


def is_mail(data: bytes, *, is_named_so: bool = False) -> bool:
    """Return whether ``data`` is a mail as programs keep it, head and all.

    A text that begins with lines such as ``From:`` and ``Subject:``, as people copy them, is none, unless it
    ``is_named_so``: unless its file is called a mail.
    """
    names = set(_field_names(data[:_HEAD].removeprefix(_BOM)))
    return not names.isdisjoint(_FIELDS if is_named_so else _STRUCTURAL)


def _field_names(data: bytes) -> list[str]:
    """Return the names of the fields with which ``data`` begins, in lower case; none if that is no head of a mail."""
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


def _received(message: EmailMessage) -> int | None:
    """Return the time of the topmost ``Received`` field: that of the own server, which nobody else can write."""
    value = str(message.get("Received", ""))
    try:
        when = parsedate_to_datetime(value.rpartition(";")[2].strip())
        when = when if when.tzinfo else when.replace(tzinfo=UTC)
        return int(when.timestamp()) if when < _LATEST else None
    except (ValueError, TypeError, OverflowError, IndexError):
        return None


def _sender(message: EmailMessage) -> tuple[str, str]:
    """Return the name and the address in the ``From`` field, as far as it can be read."""
    written = str(message.get("From", ""))
    name, bracket, rest = written.rpartition("<")
    address = rest.partition(">")[0].strip() if bracket else written.strip()
    if not bracket:
        address, _, name = address.partition("(")
    return decoded_words(name.strip(' "()')).strip(' "'), address.strip()

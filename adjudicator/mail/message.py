"""One mail, from its bytes to a value: what it says line by line, when it was received, who sent it about what."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from email.message import EmailMessage
from email.utils import parsedate_to_datetime
from typing import Final

from adjudicator.core.frozen import frozen
from adjudicator.mail.body import body_of
from adjudicator.mail.charset import decoded_words
from adjudicator.mail.parse import parsed

_LATEST: Final = datetime(9000, 1, 1, tzinfo=UTC)
_COMMENT: Final = r'\([^()<>@\\"]*\)'
_ENCODED: Final = r'=\?[^\s<>()@,;:"\\?]+\?[bqBQ]\?[^\s<>()@,;:"\\?]*\?='
_NAME: Final = rf'(?P<name>(?:"[^"\\]*(?:\\.[^"\\]*)*"|{_COMMENT}|{_ENCODED}|(?!=\?)[^<>()@,;:"\\\[\]])*)'
_ATOM: Final = r'(?:(?!=\?)[^\s<>()@,;:"\\\[\].])+'
_ATOMS: Final = rf"{_ATOM}(?:\.{_ATOM})*"
_ADDRESS: Final = rf"(?P<address>{_ATOMS}(?:@{_ATOMS})?)"
_SENDERS: Final = (
    re.compile(rf"{_NAME}<\s*{_ADDRESS}\s*>\s*(?:{_COMMENT})?\s*"),
    re.compile(rf"\s*{_ADDRESS}\s*(?P<name>(?:{_COMMENT})?)\s*"),
)
"""How a program writes its one sender. Other forms name several addresses, or servers may read another one in them."""


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
    message = parsed(data)
    body = body_of(message)
    sender, address = sender_of(message)
    subject = decoded_words(str(message.get("Subject", "")))
    return Mail(body.lines, received_at(message), subject, sender, address, body.left_out)


def received_at(message: EmailMessage) -> int | None:
    """Return the time of the topmost ``Received`` field: that of the own server, which nobody else can write."""
    value = str(message.get("Received", ""))
    try:
        when = parsedate_to_datetime(value.rpartition(";")[2].strip())
        when = when if when.tzinfo else when.replace(tzinfo=UTC)
        return int(when.timestamp()) if when < _LATEST else None
    except (ValueError, TypeError, OverflowError, IndexError):
        return None


def sender_of(message: EmailMessage) -> tuple[str, str]:
    """Return the name and the address of the sender, both empty unless the mail has one ``From`` field with one address."""
    written = [str(value) for value in message.get_all("From", ())]
    found = next(filter(None, (form.fullmatch(written[0]) for form in _SENDERS)), None) if len(written) == 1 else None
    if found is None:
        return "", ""
    return decoded_words(found["name"].strip(' "()')).strip(' "'), found["address"]

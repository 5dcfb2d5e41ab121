"""One mail, from its bytes to a value: what it says line by line, when it was received, who sent it about what."""

from __future__ import annotations

from datetime import UTC, datetime
from email.message import EmailMessage
from email.utils import parsedate_to_datetime
from typing import Final

from adjudicator.core.frozen import frozen
from adjudicator.mail.body import body_of
from adjudicator.mail.parse import decoded_words, parsed

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
    """Return the name and the address in the ``From`` field, as far as it can be read."""
    written = str(message.get("From", ""))
    name, bracket, rest = written.rpartition("<")
    address = rest.partition(">")[0].strip() if bracket else written.strip()
    if not bracket:
        address, _, name = address.partition("(")
    return decoded_words(name.strip(' "()')).strip(' "'), address.strip()

"""Read one mail: its lines, when it was received, who sent it, its subject and attachments."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import UTC, datetime
from email.message import EmailMessage
from email.utils import parsedate_to_datetime
from typing import Final

from adjudicator.core.values import Value, digest
from adjudicator.mail.addresses import one_address
from adjudicator.mail.body import body_of
from adjudicator.mail.charset import decode_words
from adjudicator.mail.parse import parse

_LATEST: Final = datetime(9000, 1, 1, tzinfo=UTC)
_QUOTED_FROM: Final = re.compile(r"^>+From ", re.MULTILINE)
"""The beginning of a line that an mbox file quotes; not every program removes the quote."""


class Mail(Value):
    """The content of a mail.

    ``lines`` are its text, decoded. ``received`` is when the last server received it, in seconds since 1970, or ``None`` if
    no ``Received`` field says so. ``sender`` is the name of the sender, which is not proven.
    ``left_out`` names the attachments, with their sizes. ``identity`` is a hash that all copies of the mail share, whichever
    path they took and however a program has stored them.
    """

    lines: tuple[str, ...]
    received: int | None = None
    sender: str = ""
    left_out: tuple[str, ...] = ()
    identity: str = ""


def read_mail(data: bytes) -> Mail:
    """Return the mail in ``data``. Raises ``MailError`` if it is too large, too deep or not text."""
    message = parse(data)
    body = body_of(message)
    name, address = sender_of(message)
    sender = f"{name} <{address}>" if address else str(message.get("From", ""))
    return Mail(body.lines, received_at(message), name, body.left_out, _identity(message, sender, body.lines))


def _identity(message: EmailMessage, sender: str, lines: Iterable[str]) -> str:
    """Return a hash of what its writer has fixed: servers and programs add fields, encode anew, and quote `From `."""
    fields = [str(message.get(name, "")) for name in ("Message-ID", "Date", "Subject")]
    if not any(fields[:2]):  # the first server's field is the only other one that differs in the next mail
        fields[1] = str((message.get_all("Received") or [""])[-1])
    text = _QUOTED_FROM.sub("From ", "\n".join(line.rstrip() for line in lines).strip("\n"))
    said = (*map(decode_words, (*fields, sender)), text)
    return digest(b"adjudicator mail 1\n", "\0".join(said).encode("utf-8", "surrogatepass"))


def received_at(message: EmailMessage) -> int | None:
    """Return the time of the topmost ``Received`` field, which only the reader's own server can write."""
    value = str(message.get("Received", ""))
    try:
        when = parsedate_to_datetime(value.rpartition(";")[2].strip())
        when = when if when.tzinfo else when.replace(tzinfo=UTC)
        return int(when.timestamp()) if when < _LATEST else None
    except (ValueError, TypeError, OverflowError, IndexError):
        return None


def sender_of(message: EmailMessage) -> tuple[str, str]:
    """Return the sender's name and address. Both are empty unless one ``From`` field has one address."""
    written = [str(value) for value in message.get_all("From", ())]
    return one_address(written[0]) if len(written) == 1 else ("", "")

"""Read mails, from any bytes to lines of text, and exchange them with mail servers. It knows no game and no order.

``mailbox.py``: is a file a mail, an mbox, a Maildir? ``envelope.py``: the head of a mail, charsets, addresses.
``message.py``: the text of a mail. ``imap.py`` fetches mails, ``outgoing.py`` makes them, ``smtp.py`` sends them. This
file: the limits of a mail, whose sender may be hostile, and servers.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from adjudicator.core.values import Value, Whole, digest

MOST_BYTES: Final = 40_000_000
"""Bytes of a mail, attachments included."""
MOST_TEXT: Final = 1_000_000
"""Bytes of the texts in a mail, as they came, and of its heads."""
MOST_LINES: Final = 40_000
"""Lines of the texts and heads in a mail, as they came."""
MOST_PARTS: Final = 1_000
"""Parts of a mail, including those that hold others."""
MOST_DEPTH: Final = 50
"""How deep parts may be nested."""
MOST_FIELDS: Final = 2_000
"""Fields in the heads of all parts together."""
MOST_OF_A_FIELD: Final = 2_000
"""Characters of a field to read; only lists of recipients and signatures are longer."""
MOST_PARAMETERS: Final = 50
"""Parameters of a field to read, such as the charset or the name of a file."""
MOST_HEAD: Final = 65_536
"""Bytes at the beginning of a mail to search for its head, if only the head is read."""
MOST_TAGS: Final = 20_000
"""Tags in a mail's HTML."""
MOST_MAILS: Final = 10_000
"""Mails in one file or folder."""


class MailError(ValueError):
    """A mail that cannot be read: the message says why, ``code`` names the problem."""

    def __init__(self, code: str, message: str) -> None:
        """Make the error with its ``code`` and ``message``."""
        super().__init__(message)
        self.code = code


def mail_hash(data: bytes) -> str:
    """Return the SHA-256 of a mail; if the mail is too large to read, that of its first bytes, one more than the limit."""
    return digest(data[: MOST_BYTES + 1])


class Security(StrEnum):
    """How a connection is protected."""

    TLS = "tls"
    STARTTLS = "starttls"
    NONE = "none"


class Server(Value, kw_only=True):
    """A mail server: its name, port, protection, and the user to log in as (empty: no login)."""

    host: str
    port: Whole
    security: Security = Security.TLS
    user: str = ""
    password: str = ""

    def __repr__(self) -> str:
        """Return a text for messages, without the password."""
        return f"Server({self.user}{'@' if self.user else ''}{self.host}:{self.port}, {self.security.value})"

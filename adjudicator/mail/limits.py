"""The limits of a mail: its sender may be hostile."""

from __future__ import annotations

from typing import Final

from adjudicator.core.values import digest

MOST_BYTES: Final = 40_000_000
"""Bytes of a mail, attachments included."""
MOST_TEXT: Final = 1_000_000
"""Bytes of the texts in a mail, as they came, and of its heads and borders."""
MOST_LINES: Final = 40_000
"""Lines of a mail as it came, without its attachments."""
MOST_PARTS: Final = 1_000
"""Parts of a mail, including those that hold others."""
MOST_DEPTH: Final = 50
"""How deep parts may be nested."""
MOST_FIELDS: Final = 2_000
"""Fields in the heads of all parts together."""
MOST_OF_A_FIELD: Final = 2_000
"""Characters of a field to read; only lists of recipients and signatures are longer."""
MOST_HEAD: Final = 65_536
"""Bytes at the beginning of a mail to search for its head, if only the head is read."""
MOST_PARAMETERS: Final = 50
"""Parameters of a field to read, such as the charset or the name of a file."""
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
    return digest(data if len(data) <= MOST_BYTES else data[: MOST_BYTES + 1])


def too_much_text() -> MailError:
    """Return the error for a mail whose texts are too large, however large its attachments are."""
    return MailError("mail/too-large", f"the mail has more than {MOST_TEXT:,} bytes of text: send only your orders")

"""Fetch mails from a Maildir, and define what every mailbox can do. A mail stays there until the club has stored it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Protocol

from adjudicator.core.values import Value
from adjudicator.mail.limits import MOST_BYTES
from adjudicator.mail.mailboxes import delivery


class NewMail(Value, kw_only=True):
    """A mail from a mailbox: its ``key`` there, its bytes, and when the server received it, in seconds since 1970.

    A mail beyond the limit is cut one byte after it.
    """

    key: str
    data: bytes
    received: int


class Mailbox(Protocol):
    """A place to fetch mails from, as a context manager.

    ``troubles`` say which mails could not be fetched or put away; these stay where they are. ``unread`` says when those
    came that could not be fetched, in seconds since 1970, as far as that is known.
    """

    troubles: list[str]
    unread: list[int]

    def fetch(self, most: int) -> Iterator[NewMail]:
        """Yield up to ``most`` mails in the order of their arrival."""
        ...

    def put_away(self, key: str) -> None:
        """Move a stored mail to a place where it is not fetched again."""
        ...

    def wait(self, seconds: float) -> bool:
        """Wait up to ``seconds`` for a mail; return whether one may have come."""
        ...


class MailboxError(Exception):
    """A mailbox that cannot be reached or used; the message says why."""


class Maildir(AbstractContextManager["Maildir"]):
    """A Maildir, whose new mails move to those seen."""

    def __init__(self, folder: Path) -> None:
        """Fetch from ``folder``."""
        self._new, self._cur = folder / "new", folder / "cur"
        self.troubles: list[str] = []
        self.unread: list[int] = []

    def __exit__(self, *_: object) -> None:
        return None

    def fetch(self, most: int) -> Iterator[NewMail]:
        """Yield the new mails in the order of their delivery. Raises ``MailboxError``."""
        try:
            found = [entry for entry in os.scandir(self._new) if entry.is_file() and not entry.name.startswith(".")]
        except OSError as error:
            raise MailboxError(f"{self._new}: {error.strerror or error}") from error
        for entry in sorted(found, key=delivery)[:most]:
            try:
                with open(entry.path, "rb") as stream:
                    data = stream.read(MOST_BYTES + 1)
                    received = int(os.fstat(stream.fileno()).st_mtime)
            except FileNotFoundError:
                continue  # another program has moved it
            except OSError as error:
                self.unread.append(delivery(entry)[0])
                self.troubles.append(f"a mail could not be read: {entry.path}: {error.strerror or error}")
                continue
            yield NewMail(key=entry.name, data=data, received=received)

    def put_away(self, key: str) -> None:
        """Mark a mail as seen. Raises ``MailboxError``."""
        try:
            os.makedirs(self._cur, exist_ok=True)
            os.replace(self._new / key, self._cur / f"{key.partition(':2,')[0]}:2,S")
        except FileNotFoundError:
            return
        except OSError as error:
            raise MailboxError(f"{self._new / key}: {error.strerror or error}") from error

    def wait(self, seconds: float) -> bool:
        """Return at once: a folder cannot report new mails."""
        del seconds
        return False

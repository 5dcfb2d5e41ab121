"""Mails to a mail server, one recipient each: sent, refused for good, or to be tried again."""

from __future__ import annotations

import smtplib
import ssl
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from enum import StrEnum
from typing import Final

from adjudicator.core.frozen import frozen
from adjudicator.mail.servers import Security, Server

_PATIENCE: Final = 60.0
"""Seconds to wait for the server."""
_LONGEST: Final = 300


class Fate(StrEnum):
    """What became of a mail that was handed to a server."""

    SENT = "sent"
    LATER = "later"
    """The server, or its network, does not take it now: greylisting, a full mailbox, nobody there."""
    REFUSED = "refused"
    """The server will never take it."""


@frozen
class Handed:
    """What became of one mail, and what the server ``said``."""

    fate: Fate
    said: str = ""


class Sender:
    """A connection to a mail server, which is made when the first mail is to go, and made again after a failure."""

    def __init__(self, server: Server) -> None:
        """Send by way of ``server``."""
        self._server = server
        self._connection: smtplib.SMTP | None = None
        self._is_away = ""

    def send(self, sender: str, to: str, data: bytes) -> Handed:
        """Hand the mail in ``data`` over, for the address ``to``. Nothing is raised for what the server does."""
        if self._is_away:  # who does not answer once would be waited for with each mail
            return Handed(Fate.LATER, self._is_away)
        try:
            connection = self._connected()
        except (OSError, smtplib.SMTPException) as error:
            self._is_away = _words(error)
            return Handed(Fate.LATER, self._is_away)
        try:
            connection.sendmail(sender, [to], data)
        except smtplib.SMTPRecipientsRefused as refused:
            code, said = next(iter(refused.recipients.values()), (550, b""))
            return _answered(code, said)
        except smtplib.SMTPResponseException as refused:
            self._reset()
            return _answered(refused.smtp_code, refused.smtp_error)
        except (OSError, smtplib.SMTPException) as error:
            self.close()
            return Handed(Fate.LATER, _words(error))
        return Handed(Fate.SENT)

    def close(self) -> None:
        """End the connection, if there is one."""
        connection, self._connection = self._connection, None
        if connection is not None:
            with suppress(OSError, smtplib.SMTPException):
                connection.quit()

    def _reset(self) -> None:
        if self._connection is not None:
            try:
                self._connection.rset()
            except (OSError, smtplib.SMTPException):
                self.close()

    def _connected(self) -> smtplib.SMTP:
        if self._connection is None:
            self._connection = _connect(self._server)
        return self._connection


@contextmanager
def sending(server: Server) -> Iterator[Sender]:
    """Yield a sender by way of ``server``, whose connection is ended afterwards."""
    sender = Sender(server)
    try:
        yield sender
    finally:
        sender.close()


def _connect(server: Server) -> smtplib.SMTP:
    context = ssl.create_default_context()
    if server.security is Security.TLS:
        connection: smtplib.SMTP = smtplib.SMTP_SSL(server.host, server.port, timeout=_PATIENCE, context=context)
    else:
        connection = smtplib.SMTP(server.host, server.port, timeout=_PATIENCE)
    try:
        if server.security is Security.STARTTLS:
            connection.starttls(context=context)
        if server.user:
            connection.login(server.user, server.password)
    except BaseException:
        connection.close()
        raise
    return connection


def _answered(code: int, said: bytes | str) -> Handed:
    words = said.decode("utf-8", "replace") if isinstance(said, bytes) else str(said)
    return Handed(Fate.LATER if 400 <= code < 500 else Fate.REFUSED, f"{code} {' '.join(words.split())}"[:_LONGEST])


def _words(error: Exception) -> str:
    if isinstance(error, smtplib.SMTPAuthenticationError):
        return f"the server does not accept the user or the password ({error.smtp_code})"
    return f"the server cannot be reached: {' '.join(str(error).split()) or type(error).__name__}"[:_LONGEST]

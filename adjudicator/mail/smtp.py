"""Send mails to a mail server, one recipient each; tell refusals from temporary failures."""

from __future__ import annotations

import smtplib
import ssl
from base64 import b64encode
from collections.abc import Callable
from contextlib import suppress
from enum import StrEnum
from time import monotonic
from typing import Final

from adjudicator.core.values import Value
from adjudicator.mail import Security, Server

_PATIENCE: Final = 60.0
"""Seconds to wait for each answer of a mail server."""
_ROUND: Final = 120.0
"""Seconds after which a sender begins no more mails."""
_LONGEST: Final = 300
_FAILURES: Final = (OSError, ValueError, smtplib.SMTPException)
"""Errors of the network and of the library, whatever the server answers."""


class Fate(StrEnum):
    """The result of sending a mail."""

    SENT = "sent"
    LATER = "later"
    """The server does not take it now: greylisting, a full mailbox, no answer, an unreadable answer."""
    REFUSED = "refused"
    """The server will never take it."""
    UNTRIED = "untried"
    """The sender did not try: an earlier mail hung, or the sender has used up its time."""


class Handover(Value):
    """The result of sending one mail, and what the server ``said``."""

    fate: Fate
    said: str = ""


class Sender:
    """A connection to a mail server. It begins with the first mail, and again after a failure."""

    def __init__(self, server: Server, clock: Callable[[], float] = monotonic) -> None:
        """Send through ``server``, for a limited time by ``clock``, which counts seconds."""
        self._server, self._clock = server, clock
        self._connection: smtplib.SMTP | None = None
        self._away = self._over = ""
        self._last = clock() + _ROUND

    def send(self, sender: str, to: str, data: bytes) -> Handover:
        """Send the mail in ``data`` to the address ``to``. No failure of the server raises an exception."""
        if self._away:  # otherwise each mail would wait for a server that does not answer
            return Handover(Fate.LATER, self._away)
        begun = self._clock()
        if begun >= self._last:
            self._over = self._over or f"the mails sent before took {_ROUND:g} seconds"
        if self._over:
            return Handover(Fate.UNTRIED, self._over)
        self._away = self.problem()
        if self._connection is None:
            return Handover(Fate.LATER, self._away)
        handed = Handover(Fate.SENT)
        try:
            self._connection.sendmail(sender, [to], data)
        except smtplib.SMTPRecipientsRefused as refused:
            handed = self._answered(*next(iter(refused.recipients.values()), (450, b"")))
        except smtplib.SMTPDataError as refused:
            handed = self._answered(refused.smtp_code, refused.smtp_error)
        except _FAILURES as error:  # also an answer about the club instead of this mail
            self._drop()
            handed = Handover(Fate.LATER, _words(error))
        if self._clock() - begun >= _PATIENCE:
            self._over = "the mail server did not answer in time"
            self._drop()
        return handed

    def problem(self) -> str:
        """Log in to the server, unless that is done, and return why it failed; empty if it succeeded."""
        if self._connection is not None and self._connection.sock is not None:  # the library closes what the server ended
            return ""
        server = self._server
        context = None if server.security is Security.NONE else ssl.create_default_context()
        self._drop()
        try:
            if server.security is Security.TLS:
                self._connection = smtplib.SMTP_SSL(server.host, server.port, timeout=_PATIENCE, context=context)
            else:
                self._connection = smtplib.SMTP(server.host, server.port, timeout=_PATIENCE)
            if server.security is Security.STARTTLS:
                self._connection.starttls(context=context)
            if not f"{server.user}{server.password}".isascii():
                self._connection.ehlo_or_helo_if_needed()  # the library cannot send other letters: UTF-8 (RFC 4616)
                proof = b64encode(f"\0{server.user}\0{server.password}".encode()).decode()
                code, said = self._connection.docmd("AUTH", f"PLAIN {proof}")
                if code not in (235, 503):  # 503: already logged in
                    raise smtplib.SMTPAuthenticationError(code, said)
            elif server.user:
                self._connection.login(server.user, server.password)
        except _FAILURES as error:
            self._drop()
            return _words(error)
        return ""

    def close(self) -> None:
        """End the connection, if any."""
        if self._connection is not None:
            with suppress(*_FAILURES):
                self._connection.quit()
        self._drop()

    def _answered(self, code: int, said: bytes | str) -> Handover:
        """Return the meaning of the answer ``code``. Only a readable answer refuses a mail for good."""
        if not 400 <= code < 600:  # after a breach of the protocol, the next answer means nothing
            self._drop()
        return Handover(Fate.REFUSED if 500 <= code < 600 else Fate.LATER, _answer(code, said))

    def _drop(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            with suppress(OSError):
                connection.close()


def _answer(code: int, said: bytes | str) -> str:
    words = said.decode("utf-8", "replace") if isinstance(said, bytes) else said
    return f"{code} {' '.join(words.split())}"[:_LONGEST]


def _words(error: Exception) -> str:
    if isinstance(error, smtplib.SMTPAuthenticationError):
        return f"the server does not accept the user or the password ({error.smtp_code})"
    if isinstance(error, smtplib.SMTPResponseException):
        return f"the server answers {_answer(error.smtp_code, error.smtp_error)}"
    return f"the server cannot be reached: {' '.join(str(error).split()) or type(error).__name__}"[:_LONGEST]

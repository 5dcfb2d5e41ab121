"""Send mails to a mail server, one recipient each, and tell refusals from temporary failures."""

from __future__ import annotations

import io
import smtplib
import socket
import ssl
from base64 import b64encode
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from enum import StrEnum
from time import monotonic
from typing import Any, Final

from adjudicator.core.values import Value
from adjudicator.mail.servers import Security, Server

_PATIENCE: Final = 60.0
"""Seconds for one mail, including the connection."""
_ROUND: Final = 120.0
"""Seconds after which a sender begins no more mails."""
_CONNECTING: Final = 20.0
"""Seconds to connect, for each address of the server."""
_CHUNK: Final = 16_384
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
    """The result of sending one mail, and what the server ``said``; it may ask to ``wait`` so many seconds."""

    fate: Fate
    said: str = ""
    wait: int = 0


class Sender:
    """A connection to a mail server. It begins with the first mail, and again after a failure."""

    def __init__(self, server: Server, clock: Callable[[], float] = monotonic) -> None:
        """Send through ``server``, for a limited time by ``clock``, which counts seconds."""
        self._server, self._clock = server, clock
        self._connection: smtplib.SMTP | None = None
        self._away = self._over = ""
        self._last = clock() + _ROUND  # the sender begins no mail after this
        self._until = 0.0  # the present mail must be done by then

    def send(self, sender: str, to: str, data: bytes) -> Handover:
        """Send the mail in ``data`` to the address ``to``. No failure of the server raises an exception."""
        if self._away:  # otherwise each mail would wait for a server that does not answer
            return Handover(Fate.LATER, self._away)
        if self._clock() >= self._last:
            self._over = self._over or f"the mails sent before took {_ROUND:g} seconds"
        if self._over:
            return Handover(Fate.UNTRIED, self._over)
        self._until = self._clock() + _PATIENCE
        handed = self._sent(sender, to, data)
        if self._clock() >= self._until:
            self._over = "the mail server did not answer in time"
            self._drop()
        return handed

    def problem(self) -> str:
        """Log in to the server, and return why that failed; empty if it succeeded."""
        self._until = self._clock() + _PATIENCE
        try:
            self._connected()
        except _FAILURES as error:
            return _words(error)
        return ""

    def close(self) -> None:
        """End the connection, if any."""
        self._until = self._clock() + _PATIENCE
        if self._connection is not None:
            with suppress(*_FAILURES):
                self._connection.quit()
        self._drop()

    def _sent(self, sender: str, to: str, data: bytes) -> Handover:
        try:
            connection = self._connected()
        except _FAILURES as error:
            self._away = _words(error)
            return Handover(Fate.LATER, self._away)
        try:
            connection.sendmail(sender, [to], data)
        except smtplib.SMTPRecipientsRefused as refused:
            code, said = next(iter(refused.recipients.values()), (450, b""))
            return self._answered(code, said)
        except smtplib.SMTPDataError as refused:
            return self._answered(refused.smtp_code, refused.smtp_error)
        except _FAILURES as error:  # also an answer about the club instead of this mail
            self._drop()
            return Handover(Fate.LATER, _words(error))
        return Handover(Fate.SENT)

    def _answered(self, code: int, said: bytes | str) -> Handover:
        """Return the meaning of the answer ``code``. Only a readable answer refuses a mail for good."""
        if not 400 <= code < 600:  # after a breach of the protocol, the next answer means nothing
            self._drop()
        return Handover(Fate.REFUSED if 500 <= code < 600 else Fate.LATER, _answer(code, said))

    def _connected(self) -> smtplib.SMTP:
        if self._connection is None or self._connection.sock is None:  # the library closes it if the server ended it
            self._connection = _connect(self._server, self._left)
        return self._connection

    def _left(self) -> float:
        """Return the seconds left for the present mail. Raises ``TimeoutError`` if none are left."""
        left = self._until - self._clock()
        if left <= 0:
            raise TimeoutError("timed out")
        return left

    def _drop(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            with suppress(OSError):
                connection.close()


@contextmanager
def open_sender(server: Server) -> Iterator[Sender]:
    """Yield a sender through ``server``, and end its connection afterwards."""
    sender = Sender(server)
    try:
        yield sender
    finally:
        sender.close()


class Replies(io.RawIOBase):
    """The bytes from a server, with one time limit for all together instead of one for each."""

    def __init__(self, sock: socket.socket, left: Callable[[], float]) -> None:
        """Read from ``sock`` in the seconds that are ``left``; it raises ``TimeoutError`` if none are."""
        self._sock, self._left = sock, left

    def readable(self) -> bool:
        """Return that bytes can be read."""
        return True

    def readinto(self, buffer: Any) -> int:
        """Read into ``buffer``, and return the number of bytes."""
        self._sock.settimeout(self._left())
        return self._sock.recv_into(buffer)


class _Timed(smtplib.SMTP):
    """A connection with a time limit for everything together: the seconds that are ``left``."""

    def __init__(self, server: Server, left: Callable[[], float], **more: Any) -> None:
        self._left = left
        super().__init__(server.host, server.port, timeout=min(left(), _CONNECTING), **more)

    def getreply(self) -> tuple[int, bytes]:
        if self.file is None and self.sock is not None:
            self.file = io.BufferedReader(Replies(self.sock, self._left))
        return super().getreply()

    def send(self, s: Any) -> None:
        data = s.encode(self.command_encoding) if isinstance(s, str) else s
        for at in range(0, len(data), _CHUNK):
            if self.sock is not None:
                self.sock.settimeout(self._left())
            super().send(data[at : at + _CHUNK])


class _TimedTls(_Timed, smtplib.SMTP_SSL):
    """A connection with a time limit that uses TLS from the first byte."""


def _connect(server: Server, left: Callable[[], float]) -> smtplib.SMTP:
    context = ssl.create_default_context()
    is_tls = server.security is Security.TLS
    connection = _TimedTls(server, left, context=context) if is_tls else _Timed(server, left)
    try:
        if server.security is Security.STARTTLS:
            connection.starttls(context=context)
        if server.user:
            _log_in(connection, server)
    except BaseException:
        connection.close()
        raise
    return connection


def _log_in(connection: smtplib.SMTP, server: Server) -> None:
    """Log in; beyond ASCII in UTF-8 (RFC 4616), which the library cannot send."""
    if f"{server.user}{server.password}".isascii():
        connection.login(server.user, server.password)
        return
    connection.ehlo_or_helo_if_needed()
    proof = b64encode(f"\0{server.user}\0{server.password}".encode()).decode()
    code, said = connection.docmd("AUTH", f"PLAIN {proof}")
    if code not in (235, 503):  # 503: already logged in
        raise smtplib.SMTPAuthenticationError(code, said)


def _answer(code: int, said: bytes | str) -> str:
    words = said.decode("utf-8", "replace") if isinstance(said, bytes) else said
    return f"{code} {' '.join(words.split())}"[:_LONGEST]


def _words(error: Exception) -> str:
    if isinstance(error, smtplib.SMTPAuthenticationError):
        return f"the server does not accept the user or the password ({error.smtp_code})"
    if isinstance(error, smtplib.SMTPResponseException):
        return f"the server answers {_answer(error.smtp_code, error.smtp_error)}"
    return f"the server cannot be reached: {' '.join(str(error).split()) or type(error).__name__}"[:_LONGEST]

"""Send mails to a mail server, one recipient each, and JSON to chat services; tell refusals from temporary failures."""

from __future__ import annotations

import math
import re
import smtplib
import ssl
from base64 import b64encode
from collections.abc import Callable
from contextlib import closing, suppress
from email.utils import parsedate_to_datetime
from enum import StrEnum
from http import HTTPStatus
from http.client import HTTPConnection, HTTPException, HTTPSConnection, responses
from time import monotonic, time
from typing import Final
from urllib.parse import urlsplit

from adjudicator.core.values import Value
from adjudicator.mail import Security, Server

_PATIENCE: Final = 60.0
"""Seconds to wait for each answer of a mail server."""
_ROUND: Final = 120.0
"""Seconds after which a sender begins no more mails."""
_SHORT_PATIENCE: Final = 10.0
"""Seconds to wait for each answer of a chat service."""
_LONGEST: Final = 300
_FAILURES: Final = (OSError, ValueError, smtplib.SMTPException)
"""Errors of the network and of the library, whatever the server answers."""
_LATER: Final = frozenset({HTTPStatus.REQUEST_TIMEOUT, HTTPStatus.TOO_EARLY, HTTPStatus.TOO_MANY_REQUESTS})
_LOCAL: Final = frozenset({"localhost", "127.0.0.1", "::1"})
_URL: Final = re.compile(r"https?://[!-~]+")
_SECONDS: Final = re.compile(r"[0-9]{1,9}(\.[0-9]{1,9})?")


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
        server, context = self._server, ssl.create_default_context()
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


def url_flaw(url: str) -> str:
    """Return why ``url`` cannot be the address of a webhook; empty if it can. The text does not quote it: it is secret."""
    try:
        parts = urlsplit(url if _URL.fullmatch(url) else "")
        if not parts.hostname or "@" in parts.netloc or parts.port == 0:
            return "the address is not valid: it begins with https:// and a host"
    except ValueError:
        return "the address is not valid"
    return "" if parts.scheme == "https" or parts.hostname in _LOCAL else "the address must begin with https://"


def post_json(url: str, data: bytes, identity: str) -> Handover:
    """Send ``data`` to ``url``, which has no flaw, with a unique ``identity``. No failure of the service raises.

    Redirects are refused, and the text of an answer is not read. A request whose answer is lost is not sent again.
    """
    parts = urlsplit(url)
    kind = HTTPConnection if parts.scheme == "http" else HTTPSConnection
    headers = {"Content-Type": "application/json", "User-Agent": "adjudicator", "Idempotency-Key": identity}
    with closing(kind(parts.hostname or "", parts.port, timeout=_SHORT_PATIENCE)) as connection:
        try:
            connection.request("POST", f"{parts.path or '/'}{f'?{parts.query}' if parts.query else ''}", data, headers)
        except (OSError, ValueError, HTTPException) as error:
            return Handover(Fate.LATER, f"the service cannot be reached: {type(error).__name__}")
        try:
            answer = connection.getresponse()
        except (OSError, ValueError, HTTPException):
            words = "the request went out, but no answer came: the service may have it, so the club does not repeat it"
            return Handover(Fate.REFUSED, words)
    if 200 <= answer.status < 300:
        return Handover(Fate.SENT)
    said = f"the service answers {answer.status} {responses.get(answer.status, '')}".rstrip()
    if answer.status not in _LATER and not 500 <= answer.status < 600:
        return Handover(Fate.REFUSED, said)
    wait, seconds = answer.getheader("Retry-After", ""), 0.0
    with suppress(ValueError, OverflowError):
        seconds = float(wait) if _SECONDS.fullmatch(wait) else parsedate_to_datetime(wait).timestamp() - time()
    return Handover(Fate.LATER, said, max(0, math.ceil(seconds)))

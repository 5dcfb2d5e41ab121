"""Send JSON to a webhook: one request without redirects, with one time limit for all of it, and no answer is read."""

from __future__ import annotations

import io
import math
import re
import ssl
import time
from collections.abc import Callable
from email.utils import parsedate_to_datetime
from http import HTTPStatus
from http.client import HTTPConnection, HTTPException, HTTPResponse, HTTPSConnection, responses
from types import SimpleNamespace
from typing import Any, Final
from urllib.parse import SplitResult, urlsplit

from adjudicator.mail.smtp import Fate, Handover, Replies

_PATIENCE: Final = 10.0
"""Seconds for one request, including the connection."""
_LATER: Final = frozenset({HTTPStatus.REQUEST_TIMEOUT, HTTPStatus.TOO_EARLY, HTTPStatus.TOO_MANY_REQUESTS})
_LOCAL: Final = frozenset({"localhost", "127.0.0.1", "::1"})
_URL: Final = re.compile(r"https?://[!-~]+")
_LOST: Final = "the request went out, but no answer came: the service may have it, so the club does not repeat it"


def url_flaw(url: str) -> str:
    """Return why ``url`` cannot be the address of a webhook; empty if it can. The text does not quote it: it is secret."""
    try:
        parts = urlsplit(url) if _URL.fullmatch(url) else None
        is_whole = parts is not None and bool(parts.hostname) and "@" not in parts.netloc and parts.port != 0
    except ValueError:
        return "the address is not valid"
    if parts is None or not is_whole:
        return "the address is not valid: it begins with https:// and a host"
    return "" if parts.scheme == "https" or parts.hostname in _LOCAL else "the address must begin with https://"


def post_json(url: str, data: bytes, identity: str, clock: Callable[[], float] = time.monotonic) -> Handover:
    """Send ``data`` to ``url``, which has no flaw, with a unique ``identity``. No failure of the service raises.

    Redirects are refused. A request whose answer is lost is not sent again. ``clock`` counts seconds.
    """
    until = clock() + _PATIENCE

    def left() -> float:
        if until <= clock():
            raise TimeoutError("timed out")
        return until - clock()

    parts = urlsplit(url)
    connection = _connection(parts, left())
    headers = {"Content-Type": "application/json", "User-Agent": "adjudicator", "Idempotency-Key": identity}
    try:
        try:
            connection.connect()
            connection.sock.settimeout(left())
            connection.request("POST", f"{parts.path or '/'}{f'?{parts.query}' if parts.query else ''}", data, headers)
        except (OSError, ValueError, HTTPException) as error:
            return Handover(Fate.LATER, f"the service cannot be reached: {type(error).__name__}")
        try:
            connection.response_class = _answer(left)
            answer = connection.getresponse()
        except (OSError, ValueError, HTTPException):
            return Handover(Fate.REFUSED, _LOST)
        return _verdict(answer.status, answer.getheader("Retry-After", ""))
    finally:
        connection.close()


def _connection(parts: SplitResult, seconds: float) -> HTTPConnection:
    assert parts.hostname is not None
    if parts.scheme == "http":
        return HTTPConnection(parts.hostname, parts.port, timeout=seconds)
    return HTTPSConnection(parts.hostname, parts.port, timeout=seconds, context=ssl.create_default_context())


def _answer(left: Callable[[], float]) -> Any:
    """Return the class of the answer: it is read within the seconds that are ``left``, however slowly it comes."""

    def begin(sock: Any, **more: Any) -> HTTPResponse:
        limited: Any = SimpleNamespace(makefile=lambda _mode: io.BufferedReader(Replies(sock, left)))
        return HTTPResponse(limited, **more)

    return begin


def _verdict(status: int, retry_after: str) -> Handover:
    """Return the meaning of an answer. Its text counts for nothing: it might quote the address."""
    if 200 <= status < 300:
        return Handover(Fate.SENT)
    said = f"the service answers {status} {responses.get(status, '')}".rstrip()
    if status in _LATER or 500 <= status < 600:
        return Handover(Fate.LATER, said, _seconds(retry_after))
    return Handover(Fate.REFUSED, said)


def _seconds(retry_after: str) -> int:
    """Return the seconds to wait that the header `Retry-After` asks for, as a number or a date; 0 if it is unreadable."""
    if re.fullmatch(r"[0-9]{1,9}(\.[0-9]{1,9})?", retry_after):
        return math.ceil(float(retry_after))
    try:
        return max(0, math.ceil(parsedate_to_datetime(retry_after).timestamp() - time.time()))
    except (ValueError, OverflowError):
        return 0

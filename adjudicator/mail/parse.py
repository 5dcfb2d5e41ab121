"""From bytes to the head and the parts of a mail, with every size bounded: the standard library does the reading."""

from __future__ import annotations

import re
from collections.abc import Callable
from email.errors import MessageError
from email.header import decode_header
from email.message import EmailMessage
from email.parser import BytesParser
from email.policy import EmailPolicy
from typing import Any, Final, cast

from adjudicator.mail.charset import decoded
from adjudicator.mail.limits import (
    MOST_BYTES,
    MOST_DEPTH,
    MOST_FIELDS,
    MOST_HEAD,
    MOST_LINES,
    MOST_OF_A_FIELD,
    MOST_PARAMETERS,
    MOST_PARTS,
    MailError,
)

_BOM: Final = b"\xef\xbb\xbf"
_BLANK_LINE: Final = re.compile(rb"(?:\r\n|\r(?!\n)|\n){2}")


def parsed_head(data: bytes) -> EmailMessage:
    """Return only the head of the mail in ``data``, however large its body is. Raises ``MailError``."""
    return _parsed(_BLANK_LINE.split(data.removeprefix(_BOM)[:MOST_HEAD], maxsplit=1)[0], headersonly=True)


def parsed(data: bytes) -> EmailMessage:
    """Return the mail in ``data``. Raises ``MailError`` if it is larger or more tangled than any that a player sends."""
    if len(data) > MOST_BYTES:
        words = f"the mail has {len(data):,} bytes; {MOST_BYTES:,} are read at most: orders need no attachments"
        raise MailError("mail/too-large", words)
    lines = data.count(b"\n") + data.count(b"\r") - data.count(b"\r\n")
    if lines > MOST_LINES:
        raise MailError("mail/too-many-lines", f"the mail has {lines:,} lines; {MOST_LINES:,} are read at most")
    return _parsed(data.removeprefix(_BOM), headersonly=False)


def _parsed(data: bytes, *, headersonly: bool) -> EmailMessage:
    try:
        return cast(EmailMessage, BytesParser(policy=_bounded()).parsebytes(data, headersonly))
    except MessageError as error:
        raise MailError("mail/unreadable", f"the mail cannot be read: {error}") from None


def decoded_words(text: str) -> str:
    """Return ``text`` with its encoded words (``=?utf-8?q?…?=``) decoded, on one line."""
    try:
        pieces = decode_header(text[:MOST_OF_A_FIELD]) if "=?" in text else [(text, None)]
        words = "".join(piece if isinstance(piece, str) else decoded(piece, charset or "")[0] for piece, charset in pieces)
    except (ValueError, LookupError, MessageError):
        words = text
    return " ".join("".join(sign if sign.isprintable() else " " for sign in words).split())


class _Part(EmailMessage):
    """A part of a mail, which knows how deep it is: the parser attaches a part before it reads what is in it."""

    _depth = 0

    def attach(self, payload: Any) -> None:
        """Add a part to this one. Raises ``MailError`` if it is too deep."""
        payload._depth = self._depth + 1
        if payload._depth >= MOST_DEPTH:
            raise MailError("mail/too-deep", f"parts of the mail are more than {MOST_DEPTH} deep within each other")
        super().attach(payload)


class _Bounded(EmailPolicy):
    """The default policy, but it cuts fields to a length and gives them as the text they are, which takes linear time.

    ``on_field`` is called for each field read.
    """

    on_field: Callable[[], None] = staticmethod(lambda: None)

    def header_source_parse(self, sourcelines: list[str]) -> tuple[str, Any]:
        """Return name and value of a field."""
        self.on_field()
        name, value = super().header_source_parse(sourcelines)
        value = value[:MOST_OF_A_FIELD]
        if name.lower().startswith("content-"):  # the library takes quadratic time over parameters
            value = ";".join(value.split(";")[: MOST_PARAMETERS + 1])
        return name, value

    def header_fetch_parse(self, name: str, value: Any) -> Any:
        """Return the ``value`` of the field ``name`` on one line, its bytes beyond ASCII as text."""
        raw = str(value).encode("utf-8", "surrogateescape")
        return " ".join(decoded(raw, "")[0].split())


def _bounded() -> _Bounded:
    """Return the policy with counters of parts and fields that have counted nothing yet."""
    count_part = _counter(MOST_PARTS, "mail/too-many-parts", "parts")
    count_field = _counter(MOST_FIELDS, "mail/too-many-fields", "fields in its heads")

    def part(policy: Any = None) -> EmailMessage:
        count_part()
        return _Part(policy)

    policy = _Bounded(message_factory=part)
    object.__setattr__(policy, "on_field", count_field)  # policies are frozen once they are made
    return policy


def _counter(most: int, code: str, what: str) -> Callable[[], None]:
    left = most

    def count() -> None:
        nonlocal left
        left -= 1
        if left < 0:
            raise MailError(code, f"the mail has more than {most:,} {what}")

    return count

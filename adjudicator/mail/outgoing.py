"""Make the bytes of a mail to send. No text in its head can add a field."""

from __future__ import annotations

import re
from binascii import b2a_base64, b2a_qp
from collections.abc import Mapping
from datetime import UTC, datetime
from email.headerregistry import Address, Group
from email.policy import SMTP
from email.utils import format_datetime
from typing import Final

from adjudicator.core.values import Value
from adjudicator.mail.envelope import address_flaw, one_line, plain_address

_LONGEST_SUBJECT: Final = 200
_LINES: Final = re.compile(rb".{1,76}")
_LONGEST_LINE: Final = 76
_OUTER, _INNER = "=_parts", "=_forms"
"""The boundaries in a mail. No encoded text contains ``=_``."""


class Attachment(Value, kw_only=True):
    """An attachment: its name, its kind (``image/svg+xml``) and its bytes."""

    name: str
    kind: str
    data: bytes


class Draft(Value, kw_only=True):
    """A mail that a person sends with a mail program, which knows the sender; ``to`` can be empty."""

    to: str
    subject: str
    text: str
    attached: tuple[Attachment, ...] = ()


class Letter(Draft, kw_only=True):
    """A mail to one address.

    ``message_id`` and ``references`` are in angle brackets. The last reference is the mail that this one answers: mail
    programs show the two together. ``html`` says the same as ``text`` (empty: no HTML). ``written`` is the time in seconds
    since 1970. ``reply_to`` is the address for answers (empty: the sender's). ``sender_name`` has only letters, digits,
    blanks and the characters - _ '. If no mail can go to the address ``to``, the letter names no recipient.
    """

    sender: str
    sender_name: str
    message_id: str
    written: int
    references: tuple[str, ...] = ()
    html: str = ""
    reply_to: str = ""


def letter_bytes(letter: Letter) -> bytes:
    """Return ``letter`` for a mail server, marked as sent by a program so that no other program answers it."""
    fields = {
        "From": str(_to(letter.sender_name, letter.sender)),
        "To": str(_to("", letter.to)),
        "Reply-To": str(_to(letter.sender_name, letter.reply_to)) if letter.reply_to else "",
        "Subject": one_line(letter.subject)[:_LONGEST_SUBJECT],
        "Date": format_datetime(datetime.fromtimestamp(letter.written, UTC)),
        "Message-ID": one_line(letter.message_id),
        "In-Reply-To": one_line(letter.references[-1]) if letter.references else "",
        "References": one_line(" ".join(letter.references)),
        "Auto-Submitted": "auto-replied" if letter.references else "auto-generated",
        "X-Auto-Response-Suppress": "All",  # Exchange knows only this field
    }
    return _mail(fields, letter, letter.html)


def draft_bytes(draft: Draft) -> bytes:
    """Return ``draft`` as a file (``.eml``): mail programs that know ``X-Unsent`` open it as a mail to send."""
    to = str(_to("", draft.to)) if draft.to else ""
    return _mail({"X-Unsent": "1", "To": to, "Subject": one_line(draft.subject)[:_LONGEST_SUBJECT]}, draft)


def _mail(fields: Mapping[str, str], draft: Draft, html: str = "") -> bytes:
    """Return a mail with those of the ``fields`` that have a value. The library takes three times as long for the same."""
    qp = b2a_qp(draft.text.encode("utf-8", "replace"), istext=True).replace(b"\n", b"\r\n")
    content = _part('text/plain; charset="utf-8"', "quoted-printable", qp)
    if html:
        data = html.replace("\n", "\r\n").encode("utf-8", "replace")
        content = _joined("alternative", _INNER, content, _part('text/html; charset="utf-8"', "base64", _base64(data)))
    if draft.attached:
        files = (_part(one.kind, "base64", _base64(one.data), one_line(one.name)) for one in draft.attached)
        content = _joined("mixed", _OUTER, content, *files)
    head = b""
    for name, value in {**fields, "MIME-Version": "1.0"}.items():
        if value.isascii() and "=?" not in value and len(name) + len(value) < _LONGEST_LINE:
            head += f"{name}: {value}\r\n".encode() if value else b""
        else:  # the library writes a long one, or one with other letters than ASCII
            head += SMTP.fold_binary(name, SMTP.header_store_parse(name, value)[1])
    return head + content


def _part(kind: str, encoding: str, data: bytes, file: str = "") -> bytes:
    name = f'Content-Disposition: attachment; filename="{file}"\r\n' if file else ""
    return f"Content-Type: {kind}\r\nContent-Transfer-Encoding: {encoding}\r\n{name}\r\n".encode() + data


def _joined(kind: str, boundary: str, *parts: bytes) -> bytes:
    head = f'Content-Type: multipart/{kind}; boundary="{boundary}"\r\n\r\n'.encode()
    return head + b"".join(f"--{boundary}\r\n".encode() + part + b"\r\n" for part in parts) + f"--{boundary}--\r\n".encode()


def _base64(data: bytes) -> bytes:
    return b"".join(line + b"\r\n" for line in _LINES.findall(b2a_base64(data, newline=False)))


def _to(name: str, address: str) -> Address | Group:
    """Return the value of a field such as ``To``; without a recipient if no mail can go to ``address``."""
    if address_flaw(address):
        return Group("undisclosed-recipients")
    local, _, domain = plain_address(address).partition("@")
    return Address(name, local, domain)

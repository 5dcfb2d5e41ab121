"""Make the bytes of a mail to send. No text in its head can add a field."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from email import message_from_bytes
from email.headerregistry import Address, Group
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime
from typing import Final

from adjudicator.core.values import Value
from adjudicator.mail.envelope import address_flaw, one_line, plain_address

_LONGEST_SUBJECT: Final = 200
_OUTER, _INNER = "=_parts", "=_forms"
"""The boundaries in a mail. No encoded text contains ``=_``, so the library need not search for a free one."""


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
    message = EmailMessage(SMTP)
    message["From"] = _to(letter.sender_name, letter.sender)
    message["To"] = _to("", letter.to)
    if letter.reply_to:
        message["Reply-To"] = _to(letter.sender_name, letter.reply_to)
    message["Subject"] = one_line(letter.subject)[:_LONGEST_SUBJECT]
    message["Date"] = format_datetime(datetime.fromtimestamp(letter.written, UTC))
    message["Message-ID"] = one_line(letter.message_id)
    if letter.references:
        message["In-Reply-To"] = one_line(letter.references[-1])
        message["References"] = one_line(" ".join(letter.references))
    message["Auto-Submitted"] = "auto-replied" if letter.references else "auto-generated"
    message["X-Auto-Response-Suppress"] = "All"  # Exchange knows only this field
    return _with_contents(message, letter, letter.html)


def draft_bytes(draft: Draft) -> bytes:
    """Return ``draft`` as a file (``.eml``): mail programs that know ``X-Unsent`` open it as a mail to send."""
    message = EmailMessage(SMTP)
    message["X-Unsent"] = "1"
    if draft.to:
        message["To"] = _to("", draft.to)
    message["Subject"] = one_line(draft.subject)[:_LONGEST_SUBJECT]
    return _with_contents(message, draft)


def letter_text(data: bytes) -> str:
    """Return the text of the letter in ``data``, which has no page."""
    return str(message_from_bytes(data, policy=SMTP).get_content())


def replaced(data: bytes, words: re.Pattern[str], by: str) -> bytes:
    """Return the letter in ``data``, a text without a page, with ``words`` in subject and text replaced ``by`` others."""
    message = message_from_bytes(data, policy=SMTP)
    subject, text = str(message["Subject"]), str(message.get_content())
    if words.search(f"{subject}\n{text}"):
        message.replace_header("Subject", words.sub(by, subject))
        message.set_content(words.sub(by, text), cte="quoted-printable")
        return message.as_bytes()
    return data


def _with_contents(message: EmailMessage, draft: Draft, html: str = "") -> bytes:
    message.set_content(draft.text, cte="quoted-printable")
    if html:
        message.make_alternative(_INNER)
        message.add_alternative(html, subtype="html", cte="base64")  # takes half the time of quoted-printable
    if draft.attached:
        message.make_mixed(_OUTER)
    for one in draft.attached:
        main, _, sub = one.kind.partition("/")
        message.add_attachment(one.data, maintype=main, subtype=sub, filename=one_line(one.name))
    return message.as_bytes()


def _to(name: str, address: str) -> Address | Group:
    """Return the value of a field such as ``To``; without a recipient if no mail can go to ``address``."""
    if address_flaw(address):
        return Group("undisclosed-recipients")
    local, _, domain = plain_address(address).partition("@")
    return Address(name, local, domain)

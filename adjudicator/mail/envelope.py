"""The outside of a mail: its sender, whether a program wrote it, the way that it came. The body is never looked at."""

from __future__ import annotations

import re
from email.message import EmailMessage
from typing import Final

from adjudicator.core.canonical import digest
from adjudicator.core.frozen import frozen
from adjudicator.mail.charset import decoded_words
from adjudicator.mail.message import received_at, sender_of
from adjudicator.mail.parse import parsed_head

_BLANK_LINE: Final = re.compile(rb"\r?\n\r?\n")
_IDENTIFIER: Final = re.compile(r"<[^<>\s]{1,900}>")
_BULK: Final = frozenset({"bulk", "junk", "list", "auto_reply"})
_ROBOT: Final = re.compile(r"(?i)(mailer-daemon|postmaster|no-?reply|do-?not-?reply)(@|\Z)")
_REPORT_OF_DELIVERY: Final = re.compile(r"(?i);\s*report-type\s*=\s*\"?delivery-status")
_MAILER: Final = re.compile(r"(?i)(mailer-daemon|postmaster)(@|\Z)")
_BOUNCE: Final = re.compile(r"(?i)<?\s*(mailer-daemon(@[^<>]*)?)?\s*>?")
_OF_PROGRAMS: Final = ("List-Id", "X-Autoreply", "X-Autorespond", "X-Vacation", "X-Failed-Recipients")
_OF_RECIPIENTS: Final = ("To", "Cc", "Delivered-To", "X-Original-To", "Envelope-To")
_HOST: Final = re.compile(r"\[(?:IPv6:)?([0-9A-Fa-f:.]{3,45})\]")
_INTERNAL: Final = re.compile(r"(?i)10\.|127\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.|::1\Z|f[cd]|fe80:")
"""Numbers of machines within a network, which hand a mail on to each other."""
_MOST_REFERENCES: Final = 20
_LONGEST_PATH: Final = 200
_MOST_HOPS: Final = 10
_MOST_RESULTS: Final = 20
"""Fields in which servers say what they have found out: the own server writes the topmost."""


@frozen(kw_only=True)
class Envelope:
    """What the head of a mail says; nothing proves any of it but what the own server has written.

    ``address`` is that of the sender, in lower case; it is empty if the mail does not name exactly one. ``recipients`` are
    the fields that say to whom it was sent. ``message_id`` and ``references`` are in angle brackets. ``received`` is when
    the own server took it, in seconds since 1970; ``path`` is who handed it to that server: the number of a machine, else
    the return path (empty: the server has written neither). ``robot`` says why an answer could start an endless exchange
    with a program (empty: a person seems to have written); ``is_bounce`` if it is about a mail that did not arrive.
    ``identity`` is the same for each copy of one mail, whichever
    way it came. ``results`` are the values of its topmost Authentication-Results fields, in their order.
    """

    address: str
    subject: str
    message_id: str
    references: tuple[str, ...]
    received: int | None
    robot: str
    identity: str
    recipients: tuple[str, ...] = ()
    path: str = ""
    results: tuple[str, ...] = ()
    is_bounce: bool = False


def envelope_of(data: bytes) -> Envelope:
    """Return the envelope of the mail in ``data``. Raises ``MailError`` if its head cannot be read."""
    message = parsed_head(data)
    _, address = sender_of(message)
    return Envelope(
        address=address.lower() if address.isascii() else address,  # other letters may become ASCII in lower case
        subject=decoded_words(str(message.get("Subject", ""))),
        message_id=_first_identifier(message, "Message-ID"),
        references=_references(message),
        received=received_at(message),
        robot=_robot(message, address),
        identity=_identity(message, data),
        recipients=tuple(value for name in _OF_RECIPIENTS for value in _values(message, name)),
        path=_path(message),
        results=_values(message, "Authentication-Results")[:_MOST_RESULTS],
        is_bounce=bool(_REPORT_OF_DELIVERY.search(str(message.get("Content-Type", ""))) or _MAILER.match(address)),
    )


def _values(message: EmailMessage, name: str) -> tuple[str, ...]:
    return tuple(str(value) for value in message.get_all(name, ()))


def _first_identifier(message: EmailMessage, name: str) -> str:
    found = _IDENTIFIER.search(str(message.get(name, "")))
    return found[0] if found else ""


def _references(message: EmailMessage) -> tuple[str, ...]:
    """Return the thread that the mail is part of, itself last, as an answer to it is to name them."""
    words = f"{message.get('References', '')} {message.get('In-Reply-To', '')} {message.get('Message-ID', '')}"
    found = dict.fromkeys(_IDENTIFIER.findall(words))
    return tuple(found)[-_MOST_REFERENCES:]


def _path(message: EmailMessage) -> str:
    """Return who handed the mail to the own server: its machines write the topmost fields, as they hand it on."""
    for value in _values(message, "Received")[:_MOST_HOPS]:
        hosts = _HOST.findall(value.partition(" by ")[0])  # the last counts: before it, the machine names itself
        if not (hosts and _INTERNAL.match(hosts[-1])):
            break
    else:
        hosts = []
    return str(hosts[-1] if hosts else message.get("Return-Path", ""))[:_LONGEST_PATH].strip("<> ").lower()


def _robot(message: EmailMessage, address: str) -> str:
    """Return why the mail was written by a program, and must not be answered: else two programs would never end."""
    submitted = [value.partition(";")[0].strip().lower() for value in _values(message, "Auto-Submitted")]
    for value in submitted:
        if value not in ("", "no"):
            return f"a program sent it (Auto-Submitted: {value[:40]})"
    for value in _values(message, "Precedence"):
        if value.strip().lower() in _BULK:
            return f"it was sent to many (Precedence: {value.strip().lower()})"
    if message.get_content_type() == "multipart/report":
        return "it is a report of a mail server"
    if any(map(_BOUNCE.fullmatch, _values(message, "Return-Path"))):
        return "its return path is that of a mail server"
    if any(name in message for name in _OF_PROGRAMS):
        return "it comes from a list or a program that answers by itself"
    has_sender = any(value.strip("<> ") for value in _values(message, "From"))
    return "its address is that of a program" if not has_sender or _ROBOT.match(address) else ""


def _identity(message: EmailMessage, data: bytes) -> str:
    """Return the hash by which copies of one mail are known: what servers add on the way is left out."""
    said = [str(message.get(name, "")) for name in ("Message-ID", "From", "Date", "Subject")]
    body = _BLANK_LINE.split(data, maxsplit=1)[1:]
    if not said[0]:
        return digest(data)
    whole = (body[0] if body else b"").replace(b"\r\n", b"\n").rstrip(b"\n")
    return digest("\0".join(said).encode("utf-8", "surrogatepass"), b"\0", whole)

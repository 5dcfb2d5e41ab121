"""Read the head of a mail: its sender, whether a program wrote it, which path it took. The body is never parsed."""

from __future__ import annotations

import re
from email.message import EmailMessage
from ipaddress import IPv4Address, ip_address, ip_network
from typing import Final

from adjudicator.core.values import Value, digest
from adjudicator.mail.addresses import with_plain_domains
from adjudicator.mail.charset import decode_words
from adjudicator.mail.message import sender_of
from adjudicator.mail.parse import parse_head

_BLANK_LINE: Final = re.compile(rb"\r?\n\r?\n")
_IDENTIFIER: Final = re.compile(r"<[^<>\s]{1,900}>")
_BULK: Final = frozenset({"bulk", "junk", "list", "auto_reply"})
_ROBOT: Final = re.compile(r"(?i)(mailer-daemon|postmaster|no-?reply|do-?not-?reply)(@|\Z)")
_REPORT_OF_DELIVERY: Final = re.compile(r"(?i);\s*report-type\s*=\s*\"?delivery-status")
_MAILER: Final = re.compile(r"(?i)(mailer-daemon|postmaster)(@|\Z)")
_BOUNCE: Final = re.compile(r"(?i)(mailer-daemon(@[^<>]*)?)?")
_OF_PROGRAMS: Final = ("List-Id", "X-Autoreply", "X-Autorespond", "X-Vacation", "X-Failed-Recipients")
_OF_RECIPIENTS: Final = ("To", "Cc", "Delivered-To", "X-Original-To", "Envelope-To")
_HOST: Final = re.compile(r"[\[(](?:IPv6:)?([0-9A-Fa-f:.]{3,45})[\])]")
_EXIM: Final = re.compile(
    r"(?i)from (?:[\w.-]+ \()?\[(?:IPv6:)?([0-9A-F:.]{3,45})\](?::\d+)?\)? \(?(?:port=\d+ )?(?:helo|ident)=.*\) ?(?:\(|by )"
)
"""A field of Exim: the peer's address stands before all that the peer has said, such as `helo=[192.0.2.1]`."""
_WITHIN: Final = re.compile(r"(?i) with lmtp\b")
"""The beginning of a field by which a machine passes a mail on within its own service: no sender can cause such a field."""
_INTERNAL: Final = re.compile(r"(?i)10\.|127\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.|::1\Z|f[cd]|fe80:")
"""Addresses of machines within one network, which pass mails on to each other."""
_MOST_REFERENCES: Final = 20
_PREFIX: Final = 64
"""The bits of an IPv6 address that its owner cannot choose."""
_MOST_HOPS: Final = 10
_MOST_RESULTS: Final = 20
"""Fields with the checks of servers to read: the reader's own server writes the topmost."""


class Envelope(Value, kw_only=True):
    """The head of a mail. Only the fields that the reader's own server wrote are proven.

    ``address`` is the sender's, in lower case, or empty if the mail does not name exactly one. ``recipients`` are the fields
    with its recipients. ``references`` are in angle brackets. ``path`` is the IP address of the machine that gave it to that
    server, of IPv6 the network (empty: the server did not write it). ``robot`` says why an answer could start an endless
    exchange with a program (empty: a person seems to have written). ``is_bounce`` says that it reports an undelivered mail.
    ``identity`` is the same for all copies of one mail, whichever path they took. ``results`` are the values of its topmost
    Authentication-Results fields, in their order.
    """

    address: str
    subject: str
    references: tuple[str, ...]
    robot: str
    identity: str
    recipients: tuple[str, ...] = ()
    path: str = ""
    results: tuple[str, ...] = ()
    is_bounce: bool = False


def envelope_of(data: bytes) -> Envelope:
    """Return the envelope of the mail in ``data``. Raises ``MailError`` if its head cannot be read."""
    message = parse_head(data)
    _, address = sender_of(message)
    return Envelope(
        address=address.lower() if address.isascii() else address,  # the lower case of another letter may be ASCII
        subject=decode_words(str(message.get("Subject", ""))),
        references=_references(message),
        robot=_robot(message, address),
        identity=_identity(message, data),
        recipients=tuple(with_plain_domains(value) for name in _OF_RECIPIENTS for value in _values(message, name)),
        path=_path(message),
        results=_values(message, "Authentication-Results")[:_MOST_RESULTS],
        is_bounce=bool(_REPORT_OF_DELIVERY.search(str(message.get("Content-Type", ""))) or _MAILER.match(address)),
    )


def _values(message: EmailMessage, name: str) -> tuple[str, ...]:
    return tuple(str(value) for value in message.get_all(name, ()))


def _references(message: EmailMessage) -> tuple[str, ...]:
    """Return the references for an answer: the thread of the mail, and the mail itself last."""
    words = f"{message.get('References', '')} {message.get('In-Reply-To', '')} {message.get('Message-ID', '')}"
    found = dict.fromkeys(_IDENTIFIER.findall(words))
    return tuple(found)[-_MOST_REFERENCES:]


def _path(message: EmailMessage) -> str:
    """Return who gave the mail to the own server, whose machines write the topmost fields."""
    for value in (" ".join(field.split()) for field in _values(message, "Received")[:_MOST_HOPS]):
        exim = _EXIM.match(value)
        # Otherwise the last counts: the machine itself chose the name before it.
        hosts = [exim[1]] if exim else _HOST.findall(value.partition(" by ")[0])
        if hosts and not _INTERNAL.match(hosts[-1]):
            return _network(hosts[-1])
        if not hosts and not _is_within(value):  # the sender may have written the fields below
            break
    return ""


def _is_within(value: str) -> bool:
    """Return whether a ``Received`` field without an address is one that only programs of the machine itself write."""
    before, by, after = value.casefold().partition(" by ")
    return before.startswith("by ") or bool(by and _WITHIN.search(f" {after}"))


def _network(host: str) -> str:
    """Return the IP address ``host``, of IPv6 its network; empty if it is none."""
    try:
        address = ip_address(host)
    except ValueError:
        return ""
    if isinstance(address, IPv4Address):
        return str(address)
    return str(address.ipv4_mapped or ip_network((address, _PREFIX), strict=False))


def _robot(message: EmailMessage, address: str) -> str:
    """Return why the mail is a program's. An answer could start an endless exchange."""
    submitted = [value.partition(";")[0].strip().lower() for value in _values(message, "Auto-Submitted")]
    for value in submitted:
        if value not in ("", "no"):
            return f"a program sent it (Auto-Submitted: {value[:40]})"
    for value in _values(message, "Precedence"):
        if value.strip().lower() in _BULK:
            return f"it was sent to many (Precedence: {value.strip().lower()})"
    if message.get_content_type() == "multipart/report":
        return "it is a report from a mail server"
    if any(
        _BOUNCE.fullmatch(value.removeprefix("<").removesuffix(">").strip()) for value in _values(message, "Return-Path")
    ):
        return "its return path belongs to a mail server"
    if any(name in message for name in _OF_PROGRAMS):
        return "it comes from a mailing list or an automatic reply"
    has_sender = any(value.strip("<> ") for value in _values(message, "From"))
    return "its address belongs to a program" if not has_sender or _ROBOT.match(address) else ""


def _identity(message: EmailMessage, data: bytes) -> str:
    """Return a hash that all copies of one mail share: it omits the fields that servers add in transit."""
    said = [str(message.get(name, "")) for name in ("Message-ID", "From", "Date", "Subject")]
    body = _BLANK_LINE.split(data, maxsplit=1)[1:]
    if not said[0]:
        return digest(data)
    whole = (body[0] if body else b"").replace(b"\r\n", b"\n").rstrip(b"\n")
    return digest("\0".join(said).encode("utf-8", "surrogatepass"), b"\0", whole)

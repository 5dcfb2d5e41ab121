"""Read the head of a mail: its sender, whether a program wrote it, which path it took; addresses and charsets on the way.

Every part of a mail has a head; its fields are plain text here, since the library takes quadratic time over some of them.
"""

from __future__ import annotations

import codecs
import re
from datetime import UTC, datetime
from email.errors import MessageError
from email.header import decode_header
from email.message import EmailMessage
from email.parser import BytesParser
from email.policy import EmailPolicy
from email.utils import parsedate_to_datetime
from ipaddress import IPv4Address, ip_address, ip_network
from typing import Any, Final, cast

from adjudicator.core.values import Value, digest
from adjudicator.mail import MOST_HEAD, MOST_OF_A_FIELD, MOST_PARAMETERS, MailError

_BLANK_LINE: Final = re.compile(rb"(?:\r\n|\r(?!\n)|\n){2}")
_LATEST: Final = datetime(9000, 1, 1, tzinfo=UTC)
_NO_CHARSET: Final = frozenset({"idna", "mbcs", "oem", "punycode", "raw-unicode-escape", "undefined", "unicode-escape"})
"""Python's encodings that are no charsets: some of them take any amount of time."""
_ENCODING: Final = re.compile(r"[\w-]+")

_QUOTED: Final = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"')
_COMMENT: Final = r'\([^()<>@\\"]*\)'
_ENCODED: Final = r'=\?[^\s<>()@,;:"\\?]+\?[bqBQ]\?[^\s<>()@,;:"\\?]*\?='
_BRACKETS: Final = r'\[[^\[\]()<>@,;:"\\]*\]'
_NAME: Final = rf"(?P<name>(?:{_QUOTED.pattern}|{_COMMENT}|{_ENCODED}|{_BRACKETS}|(?!=\?)[^<>()@;:\"\\\[\]])*)"
"""A name, also with commas: `Smith, Ann`."""
_ATOM: Final = r'(?:(?!=\?)[^\s<>()@,;:"\\\[\].])+'
_ATOMS: Final = rf"{_ATOM}(?:\.{_ATOM})*"
_ADDRESS: Final = rf"(?P<address>{_ATOMS}(?:@{_ATOMS})?)"
_TWICE: Final = re.compile(rf"\s*(?P<quote>'?)(?P<name>{_ATOMS}@{_ATOMS})(?P=quote)\s*<\s*{_ADDRESS}\s*>\s*")
"""An address as its own name, as some mail programs write it: `ann@example.org <ann@example.org>`."""
_FORMS: Final = (
    re.compile(rf"{_NAME}<\s*{_ADDRESS}\s*>\s*(?:{_COMMENT}\s*)?"),
    _TWICE,
    re.compile(rf"\s*{_ADDRESS}(?:\s*(?P<name>{_COMMENT}))?\s*"),
)
"""The forms of a single address. Other forms name several, or mail servers may read another address in them."""
_DOMAIN: Final = re.compile(r"(?<=@)[^\s<>()@,;:\"\\\[\]]+")
_PLAIN: Final = re.compile(
    r"(?=.{1,254}\Z)(?=.{1,64}@)[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*"
    r"@[A-Za-z0-9_](?:[A-Za-z0-9_-]*[A-Za-z0-9])?(?:\.[A-Za-z0-9_](?:[A-Za-z0-9_-]*[A-Za-z0-9])?)*"
)

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
"""A field of Exim: the peer's address comes before all that the peer has said, such as `helo=[192.0.2.1]`."""
_WITHIN: Final = re.compile(r"(?i) with lmtp\b")
"""A sign of a field by which a machine passes a mail on within its own service: no sender can cause such a field."""
_INTERNAL: Final = re.compile(r"(?i)10\.|127\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.|::1\Z|f[cd]|fe80:")
"""Addresses of machines within one network, which pass mails on to each other."""
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
    """Return the envelope of the mail in ``data``, however large its body is; a mail that cannot be read is a program's."""
    try:
        head = head_of(_BLANK_LINE.split(data.removeprefix(codecs.BOM_UTF8)[:MOST_HEAD], maxsplit=1)[0])
    except MailError:
        why = "it cannot be read as a mail"
        return Envelope(address="", subject="", references=(), robot=why, identity=digest(data))
    _, address = sender_of(head)
    # All copies of one mail share the identity: it omits the fields that servers add in transit.
    said = [head.get(name, "") for name in ("Message-ID", "From", "Date", "Subject")]
    if not said[0]:
        identity = digest(data)
    else:
        _, *body = re.split(rb"\r?\n\r?\n", data, maxsplit=1)
        text = b"".join(body).replace(b"\r\n", b"\n").rstrip(b"\n")
        identity = digest("\0".join(said).encode("utf-8", "surrogatepass"), b"\0", text)
    threads = f"{head.get('References', '')} {head.get('In-Reply-To', '')} {head.get('Message-ID', '')}"
    return Envelope(
        address=address.lower() if address.isascii() else address,  # the lower case of another letter may be ASCII
        subject=decode_words(head.get("Subject", "")),
        references=tuple(dict.fromkeys(_IDENTIFIER.findall(threads)))[-20:],
        robot=_robot(head, address),
        identity=identity,
        recipients=tuple(with_plain_domains(value) for name in _OF_RECIPIENTS for value in head.get_all(name, ())),
        path=_path(head),
        results=tuple(head.get_all("Authentication-Results", ()))[:_MOST_RESULTS],
        is_bounce=bool(_REPORT_OF_DELIVERY.search(head.get("Content-Type", "")) or _MAILER.match(address)),
    )


def head_of(data: bytes) -> EmailMessage:
    """Return the fields in ``data``, the head of a mail or of a part. Raises ``MailError`` if the library fails."""
    try:
        return cast(EmailMessage, BytesParser(policy=_POLICY).parsebytes(data, headersonly=True))
    except MessageError as error:
        raise MailError("mail/unreadable", f"the mail cannot be read: {error}") from None


class _Plain(EmailPolicy):
    """The default policy, but it cuts fields to a length and gives them as the text they are, on one line."""

    def header_source_parse(self, sourcelines: list[str]) -> tuple[str, Any]:
        name, value = super().header_source_parse(sourcelines)
        value = value[:MOST_OF_A_FIELD]
        if name.lower().startswith("content-"):
            value = ";".join(value.split(";")[: MOST_PARAMETERS + 1])
        return name, value

    def header_fetch_parse(self, name: str, value: Any) -> str:
        words = " ".join(decode(str(value).encode("utf-8", "surrogateescape"), "").split())
        encoding = _ENCODING.search(words) if name.lower() == "content-transfer-encoding" else None
        return encoding[0] if encoding else words  # an encoding may have other signs around it: `quoted-printable;`


_POLICY: Final = _Plain()


def decode(data: bytes, charset: str) -> str:
    """Return ``data`` as text. The declared ``charset`` counts if it is right, otherwise try UTF-8, then Windows-1252.

    Latin 1 means Windows-1252, and ASCII means UTF-8 or Windows-1252: programs often declare them wrongly.
    """
    try:
        name = codecs.lookup(charset.strip()).name if charset.isascii() and len(charset) <= 40 else ""
        if name == "iso8859-1" and not data.isascii():
            return data.decode("cp1252", "replace")
        if name not in ("", "ascii", "iso8859-1", "utf-8", *_NO_CHARSET):
            return data.decode(name)
    except (LookupError, ValueError):
        pass
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("cp1252", "replace")


def decode_words(text: str) -> str:
    """Return ``text`` with its encoded words (``=?utf-8?q?…?=``) decoded, on one line."""
    try:
        pieces = decode_header(text[:MOST_OF_A_FIELD]) if "=?" in text else [(text, None)]
        words = "".join(piece if isinstance(piece, str) else decode(piece, charset or "") for piece, charset in pieces)
    except (ValueError, LookupError, MessageError):
        words = text
    return one_line(words)


def one_line(words: str) -> str:
    """Return the printable ``words`` on one line."""
    return " ".join("".join(sign if sign.isprintable() else " " for sign in words).split())


def moment(written: str) -> int | None:
    """Return the seconds since 1970 at the time in ``written``, as mails and servers write it, or ``None``."""
    try:
        when = parsedate_to_datetime(written.strip())
        when = when if when.tzinfo else when.replace(tzinfo=UTC)
        return int(when.timestamp()) if when < _LATEST else None
    except (ValueError, TypeError, OverflowError, IndexError):
        return None


def sender_of(head: EmailMessage) -> tuple[str, str]:
    """Return the sender's name and address. Both are empty unless one ``From`` field has one address."""
    written = head.get_all("From", ())
    return one_address(written[0]) if len(written) == 1 else ("", "")


def one_address(written: str) -> tuple[str, str]:
    """Return the name and the address in ``written``, such as `Smith, Ann <ann@example.org>`, its domain as in DNS.

    Both are empty unless it has exactly one address, and no mail server could read another one in it.
    """
    found = next(filter(None, (form.fullmatch(written) for form in _FORMS)), None)
    if found is None:
        return "", ""
    address = with_plain_domains(found["address"])
    name = decode_words((found["name"] or "").strip(' "()')).strip(' "')
    is_twice = found.re is _TWICE and with_plain_domains(name).lower() != address.lower()
    is_list = re.search(r"[,\[]", _QUOTED.sub("", found["name"] or "")) and "@" in name
    return ("", "") if is_twice or is_list else (name, address)


def address_flaw(written: str) -> str:
    """Return why no mail can go to the one address in ``written``, and what to write; empty if any server can send it."""
    address = one_address(written)[1] if written.isprintable() else ""
    if _PLAIN.fullmatch(address):
        return ""
    local, at, _ = address.partition("@")
    words = "is not a mail address; write it like ann@example.org"
    if at and not local.isascii():
        words = "has letters other than a to z before the @, which many mail servers refuse; use another address"
    return f"“{''.join(sign if sign.isprintable() else '?' for sign in written[:80])}” {words}"


def plain_address(written: str) -> str:
    """Return the one address in ``written``, or ``written`` itself if no mail can go to it."""
    return written if address_flaw(written) else one_address(written)[1]


def plain_domain(domain: str) -> str:
    """Return ``domain`` in the form that DNS knows: `xn--mller-kva.de` for `müller.de`; unchanged if it is not valid."""
    if domain.isascii() and "xn--" not in domain.lower():
        return domain.lower()
    import idna

    try:
        return idna.encode(domain, uts46=True).decode("ascii")
    except idna.IDNAError:
        return domain


def with_plain_domains(text: str) -> str:
    """Return ``text`` with the domain of each address in it as in ``plain_domain``."""
    return _DOMAIN.sub(lambda found: plain_domain(found[0]), text)


def _path(head: EmailMessage) -> str:
    """Return who gave the mail to the own server, whose machines write the topmost fields."""
    for value in head.get_all("Received", ())[:_MOST_HOPS]:
        exim = _EXIM.match(value)
        # Otherwise the last counts: the machine itself chose the name before it.
        hosts = [exim[1]] if exim else _HOST.findall(value.partition(" by ")[0])
        if hosts and not _INTERNAL.match(hosts[-1]):
            try:
                address = ip_address(hosts[-1])
            except ValueError:
                return ""
            if isinstance(address, IPv4Address):
                return str(address)
            return str(address.ipv4_mapped or ip_network((address, 64), strict=False))  # its owner chooses the rest
        before, by, after = value.casefold().partition(" by ")
        if not (hosts or before.startswith("by ") or (by and _WITHIN.search(f" {after}"))):
            break  # programs of the machine itself write no such field: the sender may have written those below
    return ""


def _robot(head: EmailMessage, address: str) -> str:
    """Return why the mail is a program's. An answer could start an endless exchange."""
    for value in head.get_all("Auto-Submitted", ()):
        if (how := value.partition(";")[0].strip().lower()) not in ("", "no"):
            return f"a program sent it (Auto-Submitted: {how[:40]})"
    for value in head.get_all("Precedence", ()):
        if value.strip().lower() in _BULK:
            return f"it was sent to many (Precedence: {value.strip().lower()})"
    if head.get_content_type() == "multipart/report":
        return "it is a report from a mail server"
    if any(
        _BOUNCE.fullmatch(value.removeprefix("<").removesuffix(">").strip()) for value in head.get_all("Return-Path", ())
    ):
        return "its return path belongs to a mail server"
    if any(name in head for name in _OF_PROGRAMS):
        return "it comes from a mailing list or an automatic reply"
    has_sender = any(value.strip("<> ") for value in head.get_all("From", ()))
    return "its address belongs to a program" if not has_sender or _ROBOT.match(address) else ""

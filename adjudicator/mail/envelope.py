"""What stands on the outside of a mail: who seems to have sent it, whether a person did, and by which name it is known."""

from __future__ import annotations

import re
from email.message import EmailMessage
from typing import Final

from adjudicator.core.canonical import digest
from adjudicator.core.frozen import frozen
from adjudicator.mail.message import received_at, sender_of
from adjudicator.mail.parse import decoded_words, parsed_head

_IDENTIFIER: Final = re.compile(r"<[^<>\s]{1,900}>")
_BULK: Final = frozenset({"bulk", "junk", "list", "auto_reply"})
_ROBOT: Final = re.compile(r"(?i)(mailer-daemon|postmaster|no-?reply|do-?not-?reply)(@|\Z)")
_OF_PROGRAMS: Final = ("List-Id", "X-Autoreply", "X-Autorespond")
_MOST_REFERENCES: Final = 20
_MOST_RESULTS: Final = 20
"""Fields in which servers say what they have found out: the own server writes the topmost."""


@frozen(kw_only=True)
class Envelope:
    """What the head of a mail says; nothing proves any of it but what the own server has written.

    ``address`` is that of the sender in lower case, ``message_id`` and ``references`` are in angle brackets. ``received``
    is when the own server took it, in seconds since 1970. ``robot`` says why nobody should answer it (empty: a person
    seems to have written). ``identity`` is the same for each copy of one mail, whichever way it came. ``results`` are the
    values of its topmost Authentication-Results fields, in their order.
    """

    address: str
    subject: str
    message_id: str
    references: tuple[str, ...]
    received: int | None
    robot: str
    identity: str
    results: tuple[str, ...] = ()


def envelope_of(data: bytes) -> Envelope:
    """Return the envelope of the mail in ``data``; its body is not read. Raises ``MailError`` if its head cannot be read."""
    message = parsed_head(data)
    _, address = sender_of(message)
    return Envelope(
        address=address.strip("<> ").casefold(),
        subject=decoded_words(str(message.get("Subject", ""))),
        message_id=_first_identifier(message, "Message-ID"),
        references=_references(message),
        received=received_at(message),
        robot=_robot(message, address),
        identity=_identity(message, data),
        results=tuple(map(str, message.get_all("Authentication-Results", ())[:_MOST_RESULTS])),
    )


def _first_identifier(message: EmailMessage, name: str) -> str:
    found = _IDENTIFIER.search(str(message.get(name, "")))
    return found[0] if found else ""


def _references(message: EmailMessage) -> tuple[str, ...]:
    """Return the thread that the mail is part of, itself last, as an answer to it is to name them."""
    words = f"{message.get('References', '')} {message.get('In-Reply-To', '')} {message.get('Message-ID', '')}"
    found = dict.fromkeys(_IDENTIFIER.findall(words))
    return tuple(found)[-_MOST_REFERENCES:]


def _robot(message: EmailMessage, address: str) -> str:
    """Return why the mail was written by a program, and must not be answered: else two programs would never end."""
    submitted = str(message.get("Auto-Submitted", "no")).partition(";")[0].strip().lower()
    if submitted not in ("", "no"):
        return f"it was sent by itself (Auto-Submitted: {submitted[:40]})"
    precedence = str(message.get("Precedence", "")).strip().lower()
    if precedence in _BULK:
        return f"it was sent to many (Precedence: {precedence})"
    if "Return-Path" in message and str(message["Return-Path"]).strip() in ("<>", ""):
        return "it has no return path, as what mail servers send themselves"
    if any(name in message for name in _OF_PROGRAMS):
        return "it comes from a list or a program that answers by itself"
    return "its address is that of a program" if not address or _ROBOT.match(address.strip("<> ")) else ""


def _identity(message: EmailMessage, data: bytes) -> str:
    """Return the hash by which copies of one mail are known: what servers add on the way is left out."""
    said = [str(message.get(name, "")) for name in ("Message-ID", "From", "Date", "Subject")]
    body = re.split(rb"\r?\n\r?\n", data, maxsplit=1)[1:]
    if not said[0]:
        return digest(data)
    whole = (body[0] if body else b"").replace(b"\r\n", b"\n").rstrip(b"\n")
    return digest("\0".join(said).encode("utf-8", "surrogatepass"), b"\0", whole)

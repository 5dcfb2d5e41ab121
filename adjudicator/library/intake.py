"""Turn the files of a moderator into texts to read: turn files, mails, and mailboxes mail by mail."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Final

from adjudicator.core.problem import FAULT, Problem
from adjudicator.core.values import Seat
from adjudicator.mail.limits import MailError, mail_hash
from adjudicator.mail.recognize import is_mail, without_properties
from adjudicator.orders.submission import Submission, limit_lines, text_submission

if TYPE_CHECKING:
    from adjudicator.mail.mailboxes import BoxMail

_MAIL_NAMES: Final = (".eml", ".mail", ".mbox.eml")
_DELETED: Final = "this mail is marked as deleted in its mailbox"


def submissions(source: str, data: bytes, seat: Seat | None = None) -> Iterator[Submission]:
    """Yield the texts in the bytes of a file: the mails of an mbox, a mail, or a text; ``seat`` is their seat, if known."""
    if data.startswith(b"From "):  # every mbox begins so; other files need no mailbox reader
        from adjudicator.mail.mailboxes import is_mbox, mails_of_mbox

        if is_mbox(data):
            yield from _of_mailbox(source, mails_of_mbox(data), seat)
            return
    data = without_properties(data)
    if is_mail(data, is_named_so=source.lower().endswith(_MAIL_NAMES)):
        yield mail_submission(source, data, seat)
    else:
        yield text_submission(source, data, seat)


def folder_submissions(source: str, folder: Path, seat: Seat | None = None) -> Iterator[Submission]:
    """Yield the mails of a Maildir. Raises ``OSError``."""
    from adjudicator.mail.mailboxes import mails_of_maildir

    yield from _of_mailbox(source, mails_of_maildir(folder), seat)


def mail_submission(source: str, data: bytes, seat: Seat | None = None) -> Submission:
    """Return the mail in ``data``, with a problem if it cannot be read as a whole."""
    from adjudicator.mail.message import read_mail  # slow to load, and texts do not need it

    hash_ = mail_hash(data)
    try:
        mail = read_mail(data)
    except MailError as error:
        problem = Problem(error.code, str(error))
        return Submission(source, seat=seat, is_mail=True, problem=problem, hash=hash_, identity=hash_)
    except Exception as fault:  # the other mails are still read
        return Submission(source, seat=seat, is_mail=True, problem=FAULT, hash=hash_, fault=fault, identity=hash_)
    return limit_lines(
        Submission(
            *(source, mail.lines, seat, mail.received),
            is_mail=True,
            names=(mail.sender,) if mail.sender else (),
            left_out=mail.left_out,
            hash=hash_,
            identity=mail.identity,
        )
    )


def _of_mailbox(source: str, mails: Iterator[BoxMail], seat: Seat | None) -> Iterator[Submission]:
    try:
        for kept in mails:
            name = f"{source}, mail {kept.number}"
            if kept.is_deleted:
                yield Submission(name, seat=seat, is_mail=True, skipped=_DELETED)
            else:
                yield mail_submission(name, kept.data, seat)
    except MailError as error:
        yield Submission(source, seat=seat, is_mail=True, problem=Problem(error.code, str(error)))

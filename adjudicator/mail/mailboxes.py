"""Read files and folders with many mails: mbox and Maildir."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from adjudicator.core.values import Value
from adjudicator.mail.limits import MOST_BYTES, MOST_HEAD, MOST_MAILS, MailError

_BORDER: Final = re.compile(rb"^From [^\r\n]{0,200}\d\d:\d\d[^\r\n]{0,60}\r?\n(?=[!-9;-~]{1,80}:|>From )", re.MULTILINE)
"""The line above each mail in an mbox file. A blank line comes before it, the head of the mail after it."""
_FULL_BORDER: Final = re.compile(
    rb"From [^\r\n]{0,160}[^ \r\n] {1,2}[A-Z][a-z]{2} [A-Z][a-z]{2} [ 0-3]?\d \d\d:\d\d(?::\d\d)? (?:[A-Z+][A-Z0-9]{1,5} )?"
    rb"\d{4}(?: [+-]\d{4})?\r?\n"
)
"""Such a line with an address and a whole date. Programs mask this in texts, so it needs no blank line."""
_ESCAPED: Final = re.compile(rb"^>(>{0,20}From )", re.MULTILINE)
_EXPUNGED: Final = 0x0008
"""The bit of ``X-Mozilla-Status`` for a deleted mail, which stays in the file until that is compacted."""
_STATUS: Final = re.compile(rb"^X-Mozilla-Status: ([0-9a-fA-F]{4})$", re.MULTILINE)


class BoxMail(Value):
    """A mail in a file or folder: its number there from 1, its bytes, and whether it is marked as deleted."""

    number: int
    data: bytes
    is_deleted: bool = False


def is_mbox(data: bytes) -> bool:
    """Return whether ``data`` is an mbox file."""
    return _BORDER.match(data) is not None


def mails_of_mbox(data: bytes) -> Iterator[BoxMail]:
    """Yield the mails of an mbox file in their order. Raises ``MailError`` if it has too many."""
    borders = [match for match in _BORDER.finditer(data) if _is_border(data, match.start())]
    _require_few(len(borders))
    ends = [match.start() for match in borders[1:]] + [len(data)]
    for number, (border, end) in enumerate(zip(borders, ends, strict=True), 1):
        mail = _ESCAPED.sub(rb"\1", _without_blank_line(data[border.end() : end]))
        head = mail[:MOST_HEAD].replace(b"\r\n", b"\n").partition(b"\n\n")[0]
        status = _STATUS.search(head)
        yield BoxMail(number, mail, status is not None and bool(int(status[1], 16) & _EXPUNGED))


def is_maildir(folder: Path) -> bool:
    """Return whether ``folder`` is a Maildir."""
    return (folder / "cur").is_dir() and (folder / "new").is_dir()


def mails_of_maildir(folder: Path) -> Iterator[BoxMail]:
    """Yield the mails of a Maildir in the order of their delivery. Raises ``MailError`` if it has too many, ``OSError``.

    Trashed mails and drafts count as deleted. A mail beyond the limit is cut one byte after it.
    """
    files = [path for name in ("cur", "new") for path in (folder / name).iterdir() if not path.name.startswith(".")]
    _require_few(len(files))
    for number, path in enumerate(sorted(filter(Path.is_file, files), key=delivery), 1):
        flags = path.name.partition(":2,")[2]
        with path.open("rb") as stream:
            yield BoxMail(number, stream.read(MOST_BYTES + 1), "T" in flags or "D" in flags)


def delivery(path: os.PathLike[str]) -> tuple[int, str]:
    """Return the second of delivery from the name of a file in a Maildir, and the name to sort those of one second."""
    name = os.path.basename(path)
    seconds = name.partition(".")[0]
    return (int(seconds) if seconds.isdecimal() and len(seconds) < 20 else 0), name


def _without_blank_line(mail: bytes) -> bytes:
    """Return ``mail`` without the blank line that an mbox file adds to each mail: its hash is the same everywhere."""
    end = next((end for end in (b"\r\n", b"\n") if mail.endswith((end + end, b"\n" + end))), b"")
    return mail.removesuffix(end)


def _is_border(data: bytes, at: int) -> bool:
    return at == 0 or data[max(0, at - 3) : at].endswith((b"\n\n", b"\n\r\n")) or _FULL_BORDER.match(data, at) is not None


def _require_few(mails: int) -> None:
    if mails > MOST_MAILS:
        raise MailError("mail/too-many-mails", f"it has {mails:,} mails; the limit is {MOST_MAILS:,}")

"""Files and folders with mails: is a file a mail, the mails in an mbox file or a Maildir, and the inbox of a club."""

from __future__ import annotations

import os
import re
from codecs import BOM_UTF8
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final, Self

from adjudicator.core.values import Value
from adjudicator.mail import MOST_BYTES, MOST_HEAD, MOST_MAILS, MOST_TEXT, MailError

_STRUCTURAL: Final = frozenset(
    {"received", "message-id", "mime-version", "return-path", "delivered-to", "content-type", "dkim-signature", "x-mailer"}
)
"""Fields that only programs write into the head of a mail."""
_FIELDS: Final = _STRUCTURAL | {"from", "to", "date", "subject", "reply-to", "sender", "cc"}
_FIELD: Final = re.compile(rb"([!-9;-~]{1,80}):")
_SIZE: Final = re.compile(rb"([0-9]{1,9}) *\r?\n")
"""The first line of a file of Apple Mail: the bytes of the mail below it."""
_BORDER: Final = re.compile(rb"^From [^\r\n]{0,200}\d\d:\d\d[^\r\n]{0,60}\r?\n(?=[!-9;-~]{1,80}:|>From )", re.MULTILINE)
"""The line above each mail in an mbox file. A blank line comes before it, the head of the mail after it."""
_FULL_BORDER: Final = re.compile(
    rb"From [^\r\n]{0,160}[^ \r\n] {1,2}[A-Z][a-z]{2} [A-Z][a-z]{2} [ 0-3]?\d \d\d:\d\d(?::\d\d)? (?:[A-Z+][A-Z0-9]{1,5} )?"
    rb"\d{4}(?: [+-]\d{4})?\r?\n"
)
"""Such a line with an address and a whole date. Programs mask this in texts, so it needs no blank line."""
_ESCAPED: Final = re.compile(rb"^>(>{0,20}From )", re.MULTILINE)
_LAST_BLANK: Final = re.compile(rb"(?<=\n)\r?\n\Z")
_JUNK: Final = (".Junk", ".Spam")
"""The folders of a Maildir in which mail servers put what they take for junk."""
_MOST_LATEST: Final = 100
"""Mails of a Maildir that may have come since one was sent: a search begins with the latest."""


def is_mail(data: bytes, *, is_named_so: bool = False) -> bool:
    """Return whether ``data`` is a mail with its head, as programs save it.

    A text with lines such as ``From:`` and ``Subject:`` at its top, as people copy them, is a mail only if its file name
    says so (``is_named_so``).
    """
    names: set[str] = set()
    for line in data[:MOST_HEAD].removeprefix(BOM_UTF8).splitlines():
        if not line.strip():
            break
        if line[:1] in b" \t" and names:
            continue
        field = _FIELD.match(line)
        if field is None:
            if not line.startswith(b">From "):
                return False
            break
        names.add(field[1].decode("ascii").lower())
    return not names.isdisjoint(_FIELDS if is_named_so else _STRUCTURAL)


def without_properties(data: bytes) -> bytes:
    """Return the mail in ``data`` if that is a file of Apple Mail (``.emlx``), with a size above and properties below it."""
    size = _SIZE.match(data)
    mail = data[size.end() : size.end() + int(size[1])] if size else b""
    return mail if is_mail(mail) else data


def is_mbox(data: bytes) -> bool:
    """Return whether ``data`` is an mbox file."""
    return _BORDER.match(data) is not None


def mails_of_mbox(data: bytes) -> Iterator[bytes]:
    """Yield the mails of an mbox file in their order. Raises ``MailError`` if it has too many.

    The blank line after each mail belongs to the file, so that the hash of the mail is the same everywhere.
    """
    borders = []
    for border in _BORDER.finditer(data):
        above = data[max(0, border.start() - 3) : border.start()]
        if not above or above.endswith((b"\n\n", b"\n\r\n")) or _FULL_BORDER.match(border[0]):
            borders.append(border)
    _require_few(len(borders))
    ends = [border.start() for border in borders[1:]] + [len(data)]
    for border, end in zip(borders, ends, strict=True):
        yield _ESCAPED.sub(rb"\1", _LAST_BLANK.sub(b"", data[border.end() : end]))


def is_maildir(folder: Path) -> bool:
    """Return whether ``folder`` is a Maildir."""
    return (folder / "cur").is_dir() and (folder / "new").is_dir()


def mails_of_maildir(folder: Path) -> Iterator[bytes | None]:
    """Yield the mails of a Maildir in the order of their delivery, ``None`` for one that is marked as trashed or a draft.

    A mail beyond the limit is cut one byte after it. Raises ``MailError`` if there are too many, ``OSError``.
    """
    files = _delivered(folder / "cur", folder / "new")
    _require_few(len(files))
    for path in files:
        with path.open("rb") as stream:
            yield stream.read(MOST_BYTES + 1) if {"T", "D"}.isdisjoint(path.name.partition(":2,")[2]) else None


def _require_few(mails: int) -> None:
    if mails > MOST_MAILS:
        raise MailError("mail/too-many-mails", f"it has {mails:,} mails; the limit is {MOST_MAILS:,}")


def _delivered(*folders: Path, since: int = 0) -> list[Path]:
    """Return the mails in ``folders`` of a Maildir that were delivered after ``since``, in this order."""
    files = [path for folder in folders for path in folder.iterdir() if not path.name.startswith(".")]
    found = [path for path in files if (_second(path) or since) >= since and path.is_file()]
    return sorted(found, key=lambda path: (_second(path), path.name))


def _second(path: Path) -> int:
    """Return the second of delivery, which is in the name of the file."""
    seconds = path.name.partition(".")[0]
    return int(seconds) if seconds.isdecimal() and len(seconds) < 20 else 0


class NewMail(Value, kw_only=True):
    """A mail from a mailbox: its ``key`` there, its bytes, and when the server received it, in seconds since 1970.

    A mail beyond the limit is cut one byte after it.
    """

    key: str
    data: bytes
    received: int


class MailboxError(Exception):
    """A mailbox that cannot be reached or used; the message says why."""


class Mailbox:
    """A place to fetch mails from, as a context manager. A mail stays there until the club has stored it.

    ``troubles`` say which mails could not be fetched or put away; these stay where they are. ``unread`` says when those
    came that could not be fetched, in seconds since 1970, as far as that is known. Its methods raise ``MailboxError``.
    """

    def __init__(self) -> None:
        """Begin without troubles."""
        self.troubles: list[str] = []
        self.unread: list[int] = []

    def __enter__(self) -> Self:
        """Open the mailbox."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close the mailbox."""

    def fetch(self, most: int) -> Iterator[NewMail]:
        """Yield up to ``most`` mails in the order of their arrival."""
        raise NotImplementedError

    def put_away(self, key: str) -> None:
        """Move a stored mail to a place where it is not fetched again."""
        raise NotImplementedError

    def take(self, mark: str, since: int) -> tuple[str, bytes] | None:
        """Delete a mail with ``mark``, a word of letters and digits, that came after ``since``, in seconds since 1970.

        Return the folder for junk in which it was (empty: it was where the club fetches mails or keeps stored ones), and its
        bytes; ``None`` if there is none. Other mails stay as they are.
        """
        raise NotImplementedError

    def wait(self, seconds: float) -> bool:
        """Wait up to ``seconds`` for a mail; return whether one may have come. At once, if nothing can report mails."""
        del seconds
        return False


class Maildir(Mailbox):
    """A Maildir, whose new mails move to those seen.

    The standard library's class opens every mail that was ever stored to find the new ones, and rewrites a mail to mark it.
    """

    def __init__(self, folder: Path) -> None:
        """Fetch from ``folder``."""
        super().__init__()
        self._new, self._cur = folder / "new", folder / "cur"

    def fetch(self, most: int) -> Iterator[NewMail]:
        """Yield the new mails in the order of their delivery."""
        try:
            found = _delivered(self._new)
        except OSError as error:
            raise MailboxError(f"{self._new}: {error.strerror or error}") from error
        for path in found[:most]:
            try:
                with path.open("rb") as stream:
                    data, received = stream.read(MOST_BYTES + 1), int(os.fstat(stream.fileno()).st_mtime)
            except FileNotFoundError:
                continue  # another program has moved it
            except OSError as error:
                self.unread.append(_second(path))
                self.troubles.append(f"a mail could not be read: {path}: {error.strerror or error}")
                continue
            yield NewMail(key=path.name, data=data, received=received)

    def put_away(self, key: str) -> None:
        """Mark a mail as seen."""
        try:
            self._cur.mkdir(parents=True, exist_ok=True)
            (self._new / key).replace(self._cur / f"{key.partition(':2,')[0]}:2,S")
        except FileNotFoundError:
            return
        except OSError as error:
            raise MailboxError(f"{self._new / key}: {error.strerror or error}") from error

    def take(self, mark: str, since: int) -> tuple[str, bytes] | None:
        """Delete a mail with ``mark``, new or seen."""
        for place in ("", *_JUNK):
            top = self._new.parent / place
            found = _delivered(*(top / name for name in ("new", "cur") if (top / name).is_dir()), since=since)
            for path in reversed(found[-_MOST_LATEST:]):
                with suppress(FileNotFoundError):  # a round has just moved it
                    with path.open("rb") as stream:
                        data = stream.read(MOST_TEXT)
                    if mark.encode() in data:
                        path.unlink()
                        return place, data
        return None

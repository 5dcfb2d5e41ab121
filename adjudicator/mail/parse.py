"""From bytes to the parts of a mail, each size bounded: the standard library parses all but the content of attachments."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from email.errors import MessageError
from email.message import EmailMessage
from email.parser import BytesFeedParser, BytesParser
from email.policy import EmailPolicy
from typing import Any, Final, cast

from adjudicator.mail.charset import decode
from adjudicator.mail.limits import (
    MOST_BYTES,
    MOST_FIELDS,
    MOST_HEAD,
    MOST_LINES,
    MOST_OF_A_FIELD,
    MOST_PARAMETERS,
    MOST_PARTS,
    MOST_TEXT,
    MailError,
    too_much_text,
)
from adjudicator.mail.part import Part

_BOM: Final = b"\xef\xbb\xbf"
_BLANK_LINE: Final = re.compile(rb"(?:\r\n|\r(?!\n)|\n){2}")
_LINE_END: Final = re.compile(rb"\r\n?|\n")
_BORDER: Final = re.compile(rb"(?:\r\n?|\n)(?=--)")
"""The end of a line above one that may separate two parts."""
_ENCODING: Final = re.compile(r"[\w-]+")
_TOO_LARGE: Final = b"X-Adjudicator-Left-Out: this mail, which is too large\n"
"""The first line of a lean mail that was too large."""


def parse_head(data: bytes) -> Part:
    """Parse only the head of the mail in ``data``, however large its body is. Raises ``MailError``."""
    head = _BLANK_LINE.split(data.removeprefix(_BOM)[:MOST_HEAD], maxsplit=1)[0]
    with _readable():
        return cast(Part, BytesParser(policy=_bounded()).parsebytes(head, headersonly=True))


def parse(data: bytes) -> Part:
    """Parse the mail in ``data``, without the content of its attachments.

    Raises ``MailError`` if the mail is larger or more tangled than any that a player sends.
    """
    _require_small(data)
    parsing = _Parsing(data)
    for _ in parsing.pieces():
        pass
    return parsing.finished()


def lean(data: bytes) -> bytes:
    """Return a mail that reads like the one in ``data``, without the content of its attachments.

    A mail that is small with them stays as it came. A mail that cannot be read becomes one with the same problem.
    """
    if len(data) <= MOST_TEXT:
        return data
    if len(data) > MOST_BYTES:
        return _TOO_LARGE + data[:MOST_HEAD]
    pieces: list[bytes] = []
    try:
        for piece in _Parsing(data).pieces():
            pieces.append(piece)
    except MailError:  # the pieces until there have the same problem
        pass
    return b"".join(pieces)


class _Parsing:
    """Parses one mail line by line, so that the content of its attachments never reaches the library."""

    def __init__(self, data: bytes) -> None:
        self._data = data.removeprefix(_BOM)
        self._latest: Part | None = None
        self._parser = BytesFeedParser(policy=_bounded(self._note))
        self._lines_left = MOST_LINES
        self._left = {True: MOST_TEXT, False: MOST_TEXT}
        """Bytes that may follow in texts, and elsewhere."""

    def pieces(self) -> Iterator[bytes]:
        """Parse the mail, and yield each piece before it is parsed, or a line in place of what is skipped.

        Raises ``MailError``. The same pieces raise it again.
        """
        data, at, is_below_border = self._data, 0, False
        while at < len(data):
            part, is_border = self._latest, data.startswith(b"--", at)
            if part is not None and part.is_skipped and not (is_border or is_below_border):
                border = _BORDER.search(data, at)
                yield part.skip(data, at, border.start() if border else len(data))
                at = border.end() if border else len(data)
                continue
            found = _LINE_END.search(data, at)
            end = found.end() if found else len(data)
            is_text = part is not None and part.holds_text and not part.is_cut
            piece = data[at : min(end, at + self._left[is_text] + 1)]
            yield piece
            self._left[is_text] -= len(piece)
            if self._left[is_text] >= 0:
                self._parse(piece)
            elif part is not None and is_text:
                part.is_cut = True
            else:
                raise too_much_text()
            at, is_below_border = end, is_border

    def finished(self) -> Part:
        """Return the mail. Raises ``MailError``."""
        with _readable():
            return cast(Part, self._parser.close())

    def _note(self, part: Part) -> None:
        self._latest = part

    def _parse(self, line: bytes) -> None:
        self._lines_left -= 1
        if self._lines_left < 0:
            words = f"the mail has more than {MOST_LINES:,} lines without its attachments: send only your orders"
            raise MailError("mail/too-many-lines", words)
        with _readable():  # the library waits for another line after one that ends with CR alone
            self._parser.feed(_LINE_END.sub(b"\n", line))


def _require_small(data: bytes) -> None:
    if len(data) > MOST_BYTES or data.startswith(_TOO_LARGE):
        most = MOST_BYTES // 1_000_000
        words = f"the mail has more than {most} MB: send your orders again in a mail without attachments"
        raise MailError("mail/too-large", words)


@contextmanager
def _readable() -> Iterator[None]:
    try:
        yield
    except MessageError as error:
        raise MailError("mail/unreadable", f"the mail cannot be read: {error}") from None


class _Bounded(EmailPolicy):
    """The default policy, but it cuts fields to a length and gives them as the text they are, which takes linear time.

    It calls ``on_field`` for each field.
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
        """Return the ``value`` of the field ``name`` on one line, its bytes beyond ASCII as text.

        An encoding is known by its first word, as in ``quoted-printable;``.
        """
        raw = str(value).encode("utf-8", "surrogateescape")
        words = " ".join(decode(raw, "")[0].split())
        encoding = _ENCODING.search(words) if name.lower() == "content-transfer-encoding" else None
        return encoding[0] if encoding else words


def _bounded(on_part: Callable[[Part], None] = lambda _part: None) -> _Bounded:
    """Return a policy that counts parts and fields from zero, and calls ``on_part`` for each part."""
    count_part = _counter(MOST_PARTS, "mail/too-many-parts", "parts")
    count_field = _counter(MOST_FIELDS, "mail/too-many-fields", "fields in its heads")

    def part(policy: Any = None) -> EmailMessage:
        count_part()
        made = Part(policy)
        on_part(made)
        return made

    policy = _Bounded(message_factory=part)
    object.__setattr__(policy, "on_field", count_field)  # a policy is frozen after it is made
    return policy


def _counter(most: int, code: str, what: str) -> Callable[[], None]:
    left = most

    def count() -> None:
        nonlocal left
        left -= 1
        if left < 0:
            raise MailError(code, f"the mail has more than {most:,} {what}")

    return count

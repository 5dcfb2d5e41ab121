"""Parts of a mail: which are text, which are attachments, what an attachment is called and how large it is."""

from __future__ import annotations

import re
from email.message import EmailMessage
from typing import Any, Final

from adjudicator.mail.charset import decode_words
from adjudicator.mail.limits import MOST_DEPTH, MailError

_LONGEST_NAME: Final = 80
_LONGEST_ENCODED: Final = 500
"""Characters of an encoded file name to decode: the library takes quadratic time to decode them."""
_LEFT_OUT: Final = re.compile(rb"([0-9]{1,9}) bytes left out\s*")
"""The line that replaces the content of an attachment in a lean mail."""


class Part(EmailMessage):
    """A part of a mail, or the mail itself, as the parser builds it.

    ``size`` counts the bytes of an attachment. ``holds_text`` is true once its head says that the part is a text,
    ``is_cut`` if the text exceeds the limit.
    """

    size = 0
    holds_text = False
    is_cut = False
    _depth = 0
    _is_judged = False
    _attachment: Part | None = None

    def attach(self, payload: Any) -> None:
        """Add a part to this one, before the parser reads it. Raises ``MailError`` if it is too deep."""
        payload._depth = self._depth + 1
        if payload._depth >= MOST_DEPTH:
            raise MailError("mail/too-deep", f"the parts of the mail are nested more than {MOST_DEPTH} deep")
        if self.get_content_maintype() == "message":
            payload._attachment = self._attachment or self
        super().attach(payload)

    @property
    def is_skipped(self) -> bool:
        """Whether to skip the lines that follow: they are in an attachment, or beyond the limit of text."""
        if not (self._is_judged or self._attachment) and len(self):  # the parser has read its head
            self._is_judged, self.holds_text = True, self.is_text
            if self.get_content_maintype() != "multipart" and not self.holds_text:
                self._attachment = self
        return self._attachment is not None or self.is_cut

    @property
    def is_text(self) -> bool:
        """Whether this is plain text or HTML to read, and not a file."""
        kind, _, subkind = self.get_content_type().partition("/")
        is_text = not kind or not subkind or (kind == "text" and subkind in ("plain", "html"))
        return is_text and self.get_content_disposition() != "attachment" and not self._file_name()

    @property
    def title(self) -> str:
        """What to call an attachment: its file, its kind, its size."""
        kind, size = decode_words(self.get_content_type()[:_LONGEST_NAME]), _size_words(self.size)
        if kind == "message/rfc822":
            return f"a mail ({size})"
        name = self._file_name()
        return f"{name} ({kind}, {size})" if name else f"{kind} ({size})"

    def skip(self, data: bytes, start: int, end: int) -> bytes:
        """Count the bytes of ``data`` from ``start`` to ``end`` as skipped, and return a line that says how many."""
        whole = self._attachment or self
        placeholder = _LEFT_OUT.fullmatch(data, start, end)
        size = int(placeholder[1]) if placeholder else end - start
        if placeholder is None and str(whole.get("Content-Transfer-Encoding", "")).strip().lower() == "base64":
            size = (size - sum(data.count(sign, start, end) for sign in (b"\r", b"\n", b"="))) * 3 // 4
        whole.size += size
        return b"%d bytes left out\n" % size

    def parameter(self, name: str) -> str:
        """Return a parameter of the content type; it is empty if the part has none that can be read."""
        try:
            value = self.get_param(name, "")
        except (ValueError, LookupError, TypeError):
            return ""
        return str(value[2] if isinstance(value, tuple) else value).strip()

    def _file_name(self) -> str:
        try:
            return decode_words(str(self.get_filename(""))[:_LONGEST_ENCODED])[:_LONGEST_NAME]
        except (ValueError, LookupError, TypeError):
            return "a file"


def _size_words(size: int) -> str:
    if size < 1_000:
        return "1 byte" if size == 1 else f"{size} bytes"
    return f"{size / 1_000_000:,.1f} MB" if size >= 999_500 else f"{size / 1_000:.0f} kB"

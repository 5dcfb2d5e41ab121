"""The text of a mail: the parts to read, decoded, and unwrapped where a program wrapped them in transit."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import Final

from adjudicator.core.values import Value
from adjudicator.mail.charset import decode
from adjudicator.mail.flowed import divide, unwrap
from adjudicator.mail.html_text import html_lines
from adjudicator.mail.limits import MailError, too_much_text
from adjudicator.mail.part import Part

_SILENT: Final = frozenset(
    {"application/pgp-signature", "application/pkcs7-signature", "application/x-pkcs7-signature", "application/pgp-keys"}
)
"""Kinds of attachments that no list mentions: programs add them."""


class Body(Value):
    """The lines of a mail's text, and the titles of its attachments."""

    lines: tuple[str, ...]
    left_out: tuple[str, ...]


def body_of(message: Part) -> Body:
    """Return the text of ``message``. Raises ``MailError`` if it is not text or too large."""
    lines: list[str] = []
    left_out: list[str] = []
    for text in _texts(message, left_out):
        lines.extend(text.lines)
    return Body(tuple(divide(lines)), tuple(left_out))


class _Text:
    """A part of text. Its lines are decoded at the first use, and only once."""

    def __init__(self, part: Part) -> None:
        self._part = part
        self.is_html = part.get_content_subtype() == "html"

    @cached_property
    def lines(self) -> list[str]:
        return _lines(self._part)

    @cached_property
    def is_blank(self) -> bool:
        return not any(map(str.strip, self.lines))


def _texts(part: Part, left_out: list[str]) -> Iterator[_Text]:
    """Yield the texts to read in their order; add the titles of the attachments to ``left_out``."""
    if part.get_content_maintype() == "multipart":
        yield from _texts_in(part, left_out) if part.is_multipart() else iter([_Text(part)])  # without borders
    elif part.is_text and not part.is_multipart():
        yield _Text(part)
    elif part.get_content_type() not in _SILENT:
        left_out.append(part.title)


def _texts_in(part: Part, left_out: list[str]) -> Iterator[_Text]:
    children: list[Part] = part.get_payload()  # type: ignore[assignment]
    kind = part.get_content_subtype()
    if kind == "alternative":
        yield from _best(children, left_out)
    elif kind == "related":
        yield from _texts(children[0], left_out)
        for child in children[1:]:
            list(_texts(child, left_out))  # pictures in the text, not text themselves
    elif kind == "encrypted":
        left_out.append("an encrypted text")
    else:
        for child in children:
            yield from _texts(child, left_out)


def _best(children: list[Part], left_out: list[str]) -> Iterator[_Text]:
    """Yield the texts to read if ``children`` say the same in several forms: plain text that is not blank, else HTML."""
    candidates: list[tuple[bool, list[_Text], list[str]]] = []
    for child in children:
        beside: list[str] = []
        texts = list(_texts(child, beside))
        candidates.append((any(text.is_html for text in texts), texts, beside))
    for _, texts, beside in sorted(candidates, key=lambda candidate: candidate[0]):
        if not all(text.is_blank for text in texts):
            left_out.extend(beside)
            yield from texts
            return
    left_out.extend(name for _, _, beside in candidates for name in beside)


def _lines(part: Part) -> list[str]:
    """Return the lines of a part of text. Raises ``MailError``."""
    if part.is_cut:
        raise too_much_text()
    data = part.get_payload(decode=True)
    text, _ = decode(data if isinstance(data, bytes) else b"", part.parameter("charset"))
    if "\0" in text:
        raise MailError("mail/not-text", "the mail's text is binary data")
    if part.get_content_subtype() == "html":
        return html_lines(text)
    lines = text.replace("\r\n", "\n").replace("\r", "\n").removesuffix("\n").split("\n")
    if part.parameter("format").lower() == "flowed":
        return unwrap(lines, has_extra_space=part.parameter("delsp").lower() == "yes")
    return lines

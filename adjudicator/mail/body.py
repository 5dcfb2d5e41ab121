"""The text of a mail: the parts that say something, decoded, and unwrapped where it was wrapped in transit."""

from __future__ import annotations

from collections.abc import Iterator
from email.message import EmailMessage
from functools import cached_property
from typing import Any, Final

from adjudicator.core.frozen import frozen
from adjudicator.mail.charset import decoded
from adjudicator.mail.flowed import unwrapped
from adjudicator.mail.html_text import html_lines
from adjudicator.mail.limits import MailError
from adjudicator.mail.parse import decoded_words

_SILENT: Final = frozenset(
    {"application/pgp-signature", "application/pkcs7-signature", "application/x-pkcs7-signature", "application/pgp-keys"}
)
"""Parts that come with a mail and that nobody would miss."""
_LONGEST_NAME: Final = 80
_LONGEST_ENCODED: Final = 500
"""Characters in which a name of a file is encoded: the library takes quadratic time to decode them."""


@frozen
class Body:
    """The lines of a mail's text, and the names of the parts that were left out."""

    lines: tuple[str, ...]
    left_out: tuple[str, ...]


def body_of(message: EmailMessage) -> Body:
    """Return what ``message`` says. Raises ``MailError`` if that is no text."""
    lines: list[str] = []
    left_out: list[str] = []
    for text in _spoken(message, left_out):
        lines.extend(text.lines)
    return Body(tuple(lines), tuple(left_out))


class _Text:
    """A part of text. It is decoded when its lines are asked for, and only once."""

    def __init__(self, part: Any) -> None:
        self._part = part
        self.is_html = part.get_content_subtype() == "html"

    @cached_property
    def lines(self) -> list[str]:
        return _lines(self._part)

    @cached_property
    def is_blank(self) -> bool:
        return not any(map(str.strip, self.lines))


def _spoken(part: Any, left_out: list[str]) -> Iterator[_Text]:
    """Yield the parts of text that are to be read, one after the other; the names of the others go to ``left_out``."""
    kind, _, subkind = part.get_content_type().partition("/")
    is_text = not kind or not subkind or (kind == "text" and subkind in ("plain", "html"))
    if kind == "multipart":
        yield from _spoken_of_many(part, left_out) if part.is_multipart() else iter([_Text(part)])  # without borders
    elif is_text and not part.is_multipart() and not _is_attached(part):
        yield _Text(part)
    elif part.get_content_type() not in _SILENT:
        left_out.append(_name(part))


def _spoken_of_many(part: Any, left_out: list[str]) -> Iterator[_Text]:
    children = part.get_payload()
    kind = part.get_content_subtype()
    if kind == "alternative":
        yield from _best(children, left_out)
    elif kind == "related":
        yield from _spoken(children[0], left_out)
        for child in children[1:]:
            list(_spoken(child, left_out))  # pictures in the text, not text themselves
    elif kind == "encrypted":
        left_out.append("an encrypted text")
    else:
        for child in children:
            yield from _spoken(child, left_out)


def _best(children: list[Any], left_out: list[str]) -> Iterator[_Text]:
    """Yield the texts to read of several forms of one text: plain text if it says anything, else HTML."""
    candidates: list[tuple[bool, list[_Text], list[str]]] = []
    for child in children:
        beside: list[str] = []
        texts = list(_spoken(child, beside))
        candidates.append((any(text.is_html for text in texts), texts, beside))
    for _, texts, beside in sorted(candidates, key=lambda candidate: candidate[0]):
        if not all(text.is_blank for text in texts):
            left_out.extend(beside)
            yield from texts
            return
    left_out.extend(name for _, _, beside in candidates for name in beside)


def _is_attached(part: Any) -> bool:
    return part.get_content_disposition() == "attachment" or bool(_file_name(part))


def _lines(part: Any) -> list[str]:
    """Return the lines of a part of text."""
    data = part.get_payload(decode=True)
    text, _ = decoded(data if isinstance(data, bytes) else b"", _parameter(part, "charset"))
    if "\0" in text:
        raise MailError("mail/not-text", "the mail's text is binary data")
    if part.get_content_subtype() == "html":
        return html_lines(text)
    lines = text.replace("\r\n", "\n").replace("\r", "\n").removesuffix("\n").split("\n")
    if _parameter(part, "format").lower() == "flowed":
        return unwrapped(lines, has_extra_space=_parameter(part, "delsp").lower() == "yes")
    return lines


def _parameter(part: Any, name: str) -> str:
    """Return a parameter of the content type, empty if there is none that can be read."""
    try:
        value = part.get_param(name, "")
    except (ValueError, LookupError, TypeError):
        return ""
    return str(value[2] if isinstance(value, tuple) else value).strip()


def _file_name(part: Any) -> str:
    try:
        return decoded_words(str(part.get_filename(""))[:_LONGEST_ENCODED])[:_LONGEST_NAME]
    except (ValueError, LookupError, TypeError):
        return "a file"


def _name(part: Any) -> str:
    """Return what to call a part that is left out: its file's name, else its kind."""
    kind = decoded_words(part.get_content_type()[:_LONGEST_NAME])
    if kind == "message/rfc822":
        return "a mail"
    name = _file_name(part)
    return f"{name} ({kind})" if name else kind

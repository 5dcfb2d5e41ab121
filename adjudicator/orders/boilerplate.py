"""What mail programs and writers of mail put around orders: quotes, signatures, lines drawn across the page."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Final

from adjudicator.orders.clean import clean, is_quoted, is_ruled, is_signature_mark

_MAIL_HEAD: Final = re.compile(
    r"\s*(?:from|to|cc|bcc|date|sent|subject|reply-to|message-id|in-reply-to|content-type|mime-version|return-path|received)\s*:",
    re.IGNORECASE,
)
IsHeader = Callable[[str], bool]
Ignore = Callable[[int, str, str], None]


def content(lines: Sequence[str], is_header: IsHeader, ignore: Ignore) -> Iterator[tuple[int, str, str]]:
    """Yield of ``lines`` those that say something: number from 1, the line as it came, the line cleaned.

    ``ignore`` is told each line passed over that was not blank (number, line, why). A signature ends at the next line for
    which ``is_header`` holds, since many mails may stand in one file.
    """
    in_signature = False
    for number, raw in enumerate(lines, 1):
        line = clean(raw)
        if in_signature or line.endswith(":") or not line.lstrip(" ")[:1].isalnum():
            if not raw or raw.isspace():
                continue
            in_signature = is_signature_mark(raw) or (in_signature and not is_header(line))
            why = "part of a signature" if in_signature else _boilerplate(line, lines[number : number + 3])
            if why:
                ignore(number, raw, why)
            if why or not line:
                continue
        elif ":" in line and _MAIL_HEAD.match(line) and not is_header(line):
            ignore(number, raw, "the head of a mail")
            continue
        yield number, raw, line


def _boilerplate(line: str, following: Sequence[str]) -> str:
    """Return why the cleaned ``line`` says nothing, empty if it says something or is blank."""
    if is_quoted(line):
        return "quoted from an earlier mail"
    if line.endswith(":") and " " in line.strip(" :") and is_quoted(clean(next(filter(str.strip, following), ""))):
        return "it introduces a quote"
    return "a line without words" if line and is_ruled(line) else ""

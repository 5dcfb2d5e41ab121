"""Skip what mail programs and players write around orders: quotes, signatures, ruled lines."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Final

from adjudicator.orders.clean import clean, is_quoted, is_ruled, is_signature_mark
from adjudicator.orders.earlier_mails import HEAD, INTRODUCES, earlier_mails
from adjudicator.orders.form import Form, held_lines

EARLIER: Final = "an earlier mail"
EARLIER_SHEET: Final = "it begins a sheet, but it is part of an earlier mail"
BELOW_END: Final = "it is below END"
STRUCK: Final = "it is struck out"
_SIGNATURE: Final = "part of a signature"
_MAIL_HEAD: Final = re.compile(
    r"\s*(?:from|to|cc|bcc|date|sent|subject|reply-to|message-id|in-reply-to|content-type|mime-version|return-path|received)\s*:",
    re.IGNORECASE,
)
Judge = Callable[[str], bool]
Ignore = Callable[[int, str, str], None]


def content(
    lines: Sequence[str],
    is_header: Judge,
    ignore: Ignore,
    *,
    is_mail: bool = False,
    is_bound: bool = False,
    is_end: Judge = lambda _line: False,
    forms: Sequence[Form] = (),
    is_order: Judge = lambda _line: False,
) -> Iterator[tuple[int, str, str]]:
    """Yield the lines that may be orders: number from 1, the line as it came, the line cleaned.

    ``ignore`` is called for each ignored line that is not blank (number, line, why). A signature, and the text below END
    (``is_end``), continue to the next header (``is_header``), because a file may hold many mails. An earlier mail without
    quotation marks continues to the end of the text. ``is_mail`` says that the text is that of a mail without its head:
    nothing counts below its last END. ``is_bound`` says that the text is known to belong to one seat. ``forms`` are the
    order forms in it: their lines are not yielded, and each in an earlier mail without quotation marks gets deeper by one.
    """
    earlier = earlier_mails(lines, is_header, is_mail=is_mail, is_bound=is_bound)
    passed, old = earlier.passed, earlier.begins or len(lines) + 1
    last = _last_end(lines[: old - 1], is_end) if is_mail else old - 1
    held = held_lines(forms, lines, is_order)
    for form in forms:
        form.depth += form.first >= old
    below = ""  # why the following lines are ignored: they are below a signature mark, or below END
    for number, raw in enumerate(lines[:last], 1):
        line = clean(raw)
        if number in held or number in passed:
            why = held[number] if number in held else passed[number]
            if why:
                ignore(number, raw, why)
            if number in held and is_end(line):
                below = BELOW_END
            continue
        if below or line.endswith(":") or not line.lstrip(" ")[:1].isalnum():
            if not raw or raw.isspace():
                continue
            below = _SIGNATURE if is_signature_mark(raw) else "" if below and is_header(line) else below
            why = below or _boilerplate(line, lines[number : number + 3]) or (STRUCK if not line and "~~" in raw else "")
            if why:
                ignore(number, raw, why)
            if why or not line:
                continue
        elif ":" in line and _MAIL_HEAD.match(line) and not is_header(line):
            ignore(number, raw, HEAD)
            continue
        if line[-1] in "DdSs.!" and is_end(line):
            below = BELOW_END
        yield number, raw, line
    for number, raw in enumerate(lines[last:], last + 1):
        if number in held:
            if held[number]:
                ignore(number, raw, held[number])
        elif raw and not raw.isspace():
            is_sheet = not is_mail and is_header(clean(raw))  # perhaps a second mail, pasted with its head
            ignore(number, raw, BELOW_END if number < old else EARLIER_SHEET if is_sheet else EARLIER)


def _last_end(lines: Sequence[str], is_end: Judge) -> int:
    """Return the number of the last END (``is_end``) of ``lines``, or the number of lines if they have none."""
    return next((number for number in range(len(lines), 0, -1) if is_end(clean(lines[number - 1]))), len(lines))


def _boilerplate(line: str, following: Sequence[str]) -> str:
    """Return why to ignore the cleaned ``line``; empty if it may be an order or is blank."""
    if is_quoted(line):
        return "quoted from an earlier mail"
    if line.endswith(":") and " " in line.strip(" :") and is_quoted(clean(next(filter(str.strip, following), ""))):
        return INTRODUCES
    return "a line without words" if line and is_ruled(line) else ""

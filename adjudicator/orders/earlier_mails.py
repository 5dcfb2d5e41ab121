"""Find earlier mails in a text by the lines that mail programs write above them, in many languages."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Final

from adjudicator.core.frozen import frozen
from adjudicator.orders.clean import is_quoted, normal_form
from adjudicator.orders.earlier_words import BEGINNINGS, FIELDS, MEDIAL, OPENERS, SEPARATORS, VERBS_AT_END

INTRODUCES: Final = "it introduces a quote"
HEAD: Final = "the head of a mail"
PGP: Final = "part of a PGP signature"
_WIDEST: Final = 1_000
"""The most characters on a line of such a heading; mail programs break theirs much earlier."""
_TALLEST: Final = 4
"""The most lines of a broken "On …, … wrote:"."""
_BLOCK: Final = 16
"""The most lines in the head of an earlier mail, with blank lines and wrapped lists of addressees."""
_WRAPPED: Final = 2
"""The most consecutive lines of such a head without a field: a wrapped list of addressees."""
_ENOUGH: Final = 3
"""The fewest of the fields from, sent, to and subject in such a head."""
_DATE: Final = re.compile(r"(?<!\d)(?:(?:19|20)\d\d|\d{1,2}[:.h]\d\d|\d{1,2}[./-]\d{1,2}[./-]\d\d)(?!\d)")
_DIGIT: Final = re.compile(r"\d")
_WORD: Final = re.compile(r"[^\W\d_]+")


@frozen
class EarlierMails:
    """The earlier mails in a text, by line numbers from 1.

    ``passed`` has the reason to ignore each line that surrounds quotes. An earlier mail without quotation marks takes all
    lines from ``begins`` on (0: the text has no such mail).
    """

    passed: Mapping[int, str]
    begins: int = 0


def earlier_mails(
    lines: Sequence[str], is_header: Callable[[str], bool], *, is_mail: bool, is_bound: bool = False
) -> EarlierMails:
    """Return where ``lines`` quote earlier mails.

    A header (``is_header``) is never a part of a mail's head. A text that ``is_mail`` has lost its own head; any other may
    begin with one that was pasted. Fewer fields make a head in a mail or in a text that ``is_bound`` to one seat: in a text
    with many mails, they could be the head of the next mail.
    """
    return _Search(lines, is_header, is_mail=is_mail, is_one=is_mail or is_bound).result()


class _Search:
    """Reads the lines once, down to the first earlier mail without quotation marks."""

    def __init__(self, lines: Sequence[str], is_header: Callable[[str], bool], *, is_mail: bool, is_one: bool) -> None:
        self._lines = lines
        self._is_header = is_header
        self._may_be_own = not is_mail
        self._is_one = is_one
        self._passed: dict[int, str] = {}

    def result(self) -> EarlierMails:
        at = 0
        while at < len(self._lines):
            raw = self._lines[at]
            if _may_be_heading(raw):
                after = self._after_heading(at)
                if after < 0:
                    return EarlierMails(self._passed, -after)
                if after > at:
                    at = after
                    continue
            self._may_be_own = self._may_be_own and not raw.strip()
            at += 1
        return EarlierMails(self._passed)

    def _after_heading(self, at: int) -> int:
        """Return the index after the heading that ends or begins at ``at``; ``at`` itself if no heading does.

        If an earlier mail without marks follows, return the number of its first line as a negative number.
        """
        text = normal_form(self._lines[at])
        if not text or text[0] == ">":
            return at
        if text.startswith("-----begin pgp "):
            return self._after_pgp(at, text)
        if _is_separator(text):
            return self._after_quotation(at, at)
        if text[-1] == ":":
            first = _attribution_start(self._lines, at)
            if first is not None:
                return self._after_quotation(first, at)
        elif text[-1] in ">)" and _has_address(text) and self._is_marked(at + 1):
            return self._after_quotation(at, at)  # "2011/4/7 Ann <ann@example.org>" and nothing else
        return self._after_head(at, text)

    def _after_quotation(self, first: int, last: int) -> int:
        if not self._is_marked(last + 1):
            return -(first + 1)
        self._pass(first, last, INTRODUCES)
        return last + 1

    def _is_marked(self, at: int) -> bool:
        """Return whether the first line from ``at`` on that is not blank is a marked quote or introduces one."""
        at = self._next_said(at)
        if at == len(self._lines) or is_quoted(normal_form(self._lines[at])):
            return True
        for last in range(at, min(at + _TALLEST, len(self._lines))):
            if normal_form(self._lines[last]).endswith(":") and _attribution_start(self._lines, last) == at:
                after = self._next_said(last + 1)
                return after < len(self._lines) and is_quoted(normal_form(self._lines[after]))
        return False

    def _next_said(self, at: int) -> int:
        while at < len(self._lines) and not self._lines[at].strip():
            at += 1
        return at

    def _after_head(self, at: int, text: str) -> int:
        """Return the index after the block of ``From:``, ``Sent:`` and the like at ``at``; ``at`` if it is not one."""
        found: dict[str, str] = {}
        last, unknown = at, 0
        for index in range(at, min(at + _BLOCK, len(self._lines))):
            text = text if index == at else normal_form(self._lines[index])
            kind = self._field(text)
            if kind:
                found.setdefault(kind, text)
                last, unknown = index, 0
            elif index == at or (text and text[-1] == ":") or is_quoted(text):
                break
            elif text:
                unknown += 1
            elif index > last + 1:  # two blank lines, or one below a wrapped field
                break
            if unknown > _WRAPPED:
                break
        if not self._is_head(found):
            return at
        if not self._may_be_own:
            return self._after_quotation(at, last)
        self._may_be_own = False
        self._pass(at, last, HEAD)
        return last + 1

    def _is_head(self, found: Mapping[str, str]) -> bool:
        """Return whether the fields ``found``, by kind and with their lines, make the head of a mail."""
        kinds = found.keys() & {"from", "sent", "to", "subject"}
        if "from" in kinds and len(kinds) >= _ENOUGH:
            return True
        if not self._is_one:
            return False
        is_dated = _DATE.search(found.get("sent", "")) is not None
        if "from" in kinds:
            return "@" in found["from"] or "subject" in kinds or is_dated
        return is_dated and ("subject" in kinds or "@" in found.get("to", ""))

    def _field(self, text: str) -> str:
        """Return the field of a mail's head that a line begins; empty if it begins none."""
        kind = FIELDS.get(text.partition(":")[0].rstrip(), "") if ":" in text else ""
        return "" if kind and self._is_header(text) else kind

    def _after_pgp(self, at: int, text: str) -> int:
        """Return the index after the lines at ``at`` that PGP writes around a signed text."""
        end = at + 1
        is_done = _is_blank if text == "-----begin pgp signed message-----" else _is_end_of_pgp
        while end < len(self._lines) and not is_done(self._lines[end]):
            end += 1
        self._pass(at, min(end, len(self._lines) - 1), PGP)
        return end + 1

    def _pass(self, first: int, last: int, why: str) -> None:
        self._passed.update((index + 1, why) for index in range(first, last + 1) if self._lines[index].strip())


def _may_be_heading(raw: str) -> bool:
    """Return whether a line may be a heading: a quick test that nearly all lines fail."""
    if len(raw) > _WIDEST:
        return False
    if not raw.isascii():
        return ":" in raw or "--" in raw or "@" in raw or "\uff1a" in raw
    bare = raw.strip()
    if bare[-1:] in _LAST or bare[:1] in _FIRST:
        return True
    colon = raw.find(":")
    return colon >= 0 and raw[:colon].strip(" *\t").lower() in FIELDS


_FIRST: Final = frozenset("-=_")
_LAST: Final = frozenset(":>)-*")
"""Signs at the beginning and end of headings: -----Original Message-----, On … wrote:, From: Ann <ann@example.org>."""


def _is_blank(line: str) -> bool:
    return not line.strip()


def _is_end_of_pgp(line: str) -> bool:
    return normal_form(line).startswith("-----end pgp ")


def _is_separator(text: str) -> bool:
    """Return whether ``text`` says that an original or forwarded mail follows, as in ``-----Original Message-----``."""
    words = " ".join(text.strip("-_=*~>: ").split())
    if text[0] in "-_=" and (words in SEPARATORS or words.startswith("forwarded by ")):
        return True
    if text.startswith("----") and text.endswith("----"):
        return _is_attribution(words)
    return words in BEGINNINGS and text[-1] == ":"


def _attribution_start(lines: Sequence[str], last: int) -> int | None:
    """Return the index of the first line of the "On …, … wrote:" that ends at ``last``; ``None`` if none does.

    It may take several lines. First find the shortest part that must be one, then its first line.
    """
    joined = ""
    found = None
    for index in range(last, max(-1, last - _TALLEST), -1):
        text = normal_form(lines[index]) if len(lines[index]) <= _WIDEST else ""
        if not text or text[0] == ">" or (index < last and text[-1] == ":"):
            break
        joined = f"{text} {joined}".rstrip()
        is_opening = _is_opening(text) and bool(_DIGIT.search(text) if found is not None else _DATE.search(joined))
        if (found is not None and is_opening) or (found is None and _is_attribution(joined.rstrip(": "))):
            found = index
        if found is not None and is_opening:
            break
    return found


@lru_cache(64)
def _is_attribution(text: str) -> bool:
    """Return whether ``text``, without its colon, names the writer and the date of the text below."""
    if not text:
        return False
    words, dates = _WORD.findall(text), len(_DATE.findall(text))
    is_dated = dates > 1 or (dates == 1 and _is_opening(text))
    if _ends_with_verb(words):
        return is_dated or _has_address(text)
    if not MEDIAL.isdisjoint(words):
        return is_dated
    return dates > 0 and text[-1] in ">)]" and _has_address(text)


def _ends_with_verb(words: Sequence[str]) -> bool:
    ending = words[-2:-1] if words[-1:] == ["a"] else words[-1:]  # napisał(a)
    return bool(ending) and ending[0] in VERBS_AT_END


def _is_opening(text: str) -> bool:
    """Return whether ``text`` begins as dates do: with "On" and the like, the name of a weekday, or a number."""
    first = text.split(maxsplit=1)[0]
    return first[0].isdigit() or first.strip(".,;") in OPENERS


def _has_address(text: str) -> bool:
    start, end = text.rfind("<"), text.rfind(">")
    if not 0 <= start < end:
        start, end = text.rfind("("), text.rfind(")")
    return "@" in text[start:end] if 0 <= start < end else "@" in text.rsplit(maxsplit=1)[-1]

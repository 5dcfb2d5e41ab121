"""Find earlier mails in a text by the form of what mail programs write above them, in any language.

Such a heading is a line that ends in a colon and says who wrote when; a block of fields such as ``From: …``; or a title
between dashes above either.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from adjudicator.core.values import Value
from adjudicator.orders.clean import TOKEN, is_quoted, normal_form
from adjudicator.orders.courtesy import ORDERS

INTRODUCES: Final = "it introduces a quote"
HEAD: Final = "the head of a mail"
PGP: Final = "part of a PGP signature"
_WIDEST: Final = 1_000
"""The most characters on a line of a heading; mail programs break theirs much earlier."""
_WRAPS: Final = 60
"""The columns that a program fills at least before it breaks a line."""
_TALLEST: Final = 4
"""The most lines of a broken "On …, … wrote:"."""
_BLOCK: Final = 16
"""The most lines in the head of an earlier mail, with blank lines and wrapped lists of addressees."""
_WRAPPED: Final = 2
"""The most consecutive lines of such a head without a field: a wrapped list of addressees."""
_ENOUGH: Final = 3
"""The fewest fields of a head in an unknown language."""
_NUMERIC: Final = re.compile(r"(?<![\d./-])\d{1,2}([./-]) ?\d{1,2}\1 ?(?:\d\d){1,2}(?![\d/-]|\.\d)")
_YEAR: Final = re.compile(r"(?<!\d)(?:(?:19|20|14|٢٠|۲۰|۱۴)\d\d|25[67]\d)(?!\d)")
"""A year, also of the Persian and the Buddhist calendar, also in the digits of Arabic and Persian."""
_DAY: Final = re.compile(r"(?<!\d)\d{1,2}(?!\d)")
_TIME: Final = re.compile(r"(?<![\d:.])\d{1,2}(?:[:h]\d\d(?::\d\d)?|\.\d\d)(?![.:]?\d)")
_ADDRESS: Final = re.compile(r"[^\s<([@]@\w")
_LABEL: Final = re.compile(r"([^\W\d_][^\d:<>@,;!?|=#\[\]{}]{0,30}):(?!//)")
_TITLE: Final = re.compile(r"([-_=])\1{2,}[^-_=].*?\1\1")
_TITLES: Final = re.compile(
    "origin|oryginaln|ursprüng|ursprunglig|oorspronk|oprindelig|opprinnelig|původní|исходн|alkuperäi|forward|weitergeleitet"
    "|transféré|reenviado|inoltrato|doorgestuurd|przekazan|encaminhada|vidarebef|videresendt|přeposlan"
)
"""Parts of the titles that common programs write above an earlier mail; any other needs a name or date below."""
_OWN: Final = ORDERS | {"game", "turn", "deadline"}
"""Words of lines that players write above new orders, perhaps with a date."""
_CONTACT: Final = frozenset({"name", "player", "email", "e-mail", "mail", "tel", "tel.", "phone", "web"})
"""Fields of signatures and forms."""
_MOST_WORDS: Final = 7
"""The most words between a date and a colon: a name and "wrote"."""
_FROM: Final = re.compile(
    "from|von|absender|de|expéditeur|remitente|da|mittente|van|afzender|od|nadawca|från|avsändare|fra|afsender|avsender"
    "|odesílatel|от|отправитель|lähettäjä"
)
_SUBJECT: Final = re.compile(
    "subject|betreff|objet|sujet|asunto|oggetto|onderwerp|temat|assunto|ämne|emne|předmět|тема|aihe"
)
"""Fields of a head in common languages, in which less is enough."""


class EarlierMails(Value):
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
    begin with one that was pasted. Less makes a heading in a mail or in a text that ``is_bound`` to one seat: in a text
    with many mails, it could be the head of the next mail.
    """
    search = _Search(lines, is_header, is_one=is_mail or is_bound)
    passed: dict[int, str] = {}
    may_be_own, at = not is_mail, 0
    while at < len(lines):
        text = normal_form(lines[at]) if _may_be_heading(lines[at]) else ""
        if text.startswith("-----begin pgp "):
            first, last, why = at, search.end_of_pgp(at, text), PGP
        else:
            first, last = search.heading(at, text) if text and text[0] != ">" else (at, -1)
            why = INTRODUCES
            if last >= 0 and may_be_own and search.label(normal_form(lines[first])):
                why = HEAD
            elif last >= 0 and not search.is_quote(last + 1):
                return EarlierMails(passed, first + 1)
        passed.update((number + 1, why) for number in range(first, last + 1) if lines[number].strip())
        may_be_own = may_be_own and last < 0 and not lines[at].strip()
        at = max(last, at) + 1
    return EarlierMails(passed)


class _Search:
    """Finds headings in the lines of one text. Each look reads a fixed number of lines, except across blank ones."""

    def __init__(self, lines: Sequence[str], is_header: Callable[[str], bool], *, is_one: bool) -> None:
        self._lines, self._is_header, self._is_one = lines, is_header, is_one

    def heading(self, at: int, text: str) -> tuple[int, int]:
        """Return the first and last line of the heading that begins at ``at``, or of the attribution that ends there.

        The last is -1 if there is none.
        """
        if _TITLE.match(text):
            return at, self._end_of_title(at, text)
        if text[-1] == ":":
            first = self._attribution(at)
            if first >= 0:
                return first, at
        if text[-1] in ">)" and _is_dated(text) and _ADDRESS.search(text) and self.is_quote(at + 1):
            return at, at  # "2011/4/7 Ann <ann@example.org>" and nothing else
        return at, self._end_of_head(at)

    def is_quote(self, at: int) -> bool:
        """Return whether the first line from ``at`` on that is not blank is a marked quote or introduces one."""
        at = self._next_said(at)
        if at == len(self._lines) or is_quoted(normal_form(self._lines[at])):
            return True
        below = self._next_said(self._end_of_attribution(at) + 1)
        return at < below < len(self._lines) and is_quoted(normal_form(self._lines[below]))

    def end_of_pgp(self, at: int, text: str) -> int:
        """Return the last of the lines from ``at`` on that PGP writes around a signed text."""
        is_head = text == "-----begin pgp signed message-----"
        for index in range(at + 1, len(self._lines)):
            line = normal_form(self._lines[index])
            if (not line) if is_head else line.startswith("-----end pgp "):
                return index
        return len(self._lines) - 1

    def _next_said(self, at: int) -> int:
        while at < len(self._lines) and not self._lines[at].strip():
            at += 1
        return at

    def _end_of_title(self, at: int, text: str) -> int:
        """Return the last line of the heading with the title at ``at``; -1 if nothing shows that a mail follows it."""
        if not _OWN.isdisjoint(TOKEN.findall(text)) or self._is_header(text):
            return -1
        below = self._next_said(at + 1)
        last = max(self._end_of_attribution(below), self._end_of_head(below, is_titled=True))
        if last >= 0:
            return last
        following = normal_form(self._lines[below])[:_WIDEST] if below < len(self._lines) else ""
        is_line = following[:1] == "|" or self.label(following)
        is_head = is_line and (_is_dated(following) or _ADDRESS.search(following))
        is_known = _TITLES.search(text) or _says_who_wrote(text.strip("-_= "), needs_more=False)
        return at if is_head or is_known or is_quoted(following) else -1

    def _end_of_attribution(self, at: int) -> int:
        """Return the last line of the "On …, … wrote:" that begins at ``at``; -1 if none does."""
        for last in range(at, min(at + _TALLEST, len(self._lines))):
            if normal_form(self._lines[last][-_WIDEST:]).endswith(":") and self._attribution(last) == at:
                return last
        return -1

    def _attribution(self, last: int) -> int:
        """Return the first line of the "On …, … wrote:" that ends at ``last``; -1 if none does.

        It may take several lines: take the fewest that say who wrote, then those above with the date or the name.
        """
        found, joined = -1, ""
        for index in range(last, max(-1, last - _TALLEST), -1):
            text = normal_form(self._lines[index]) if len(self._lines[index]) <= _WIDEST else ""
            if not text or text[0] == ">" or (index < last and text[-1] == ":"):
                break
            if _TITLE.match(text) or self._is_header(text):
                break
            if found >= 0 and not _is_dated(text) and not (joined[0] == "<" and "," in text and _DAY.search(text)):
                break
            if found < 0 and joined and "@" not in text + joined and len(text) + len(joined.split(maxsplit=1)[0]) <= _WRAPS:
                break  # there was room for the next word
            joined = f"{text} {joined}".rstrip()
            if found >= 0 or _says_who_wrote(joined.rstrip(": "), needs_more=not self._is_one):
                found = index
        return found

    def _end_of_head(self, at: int, *, is_titled: bool = False) -> int:
        """Return the last line of the fields ``From:``, ``Sent:`` and the like from ``at`` on; -1 if they make no head.

        A blank line ends them, if not each field is followed by one.
        """
        fields: dict[str, str] = {}
        last, is_spaced = at, False
        for index in range(at, min(at + _BLOCK, len(self._lines))):
            text = normal_form(self._lines[index]) if len(self._lines[index]) <= _WIDEST else ""
            label = self.label(text)
            if label and not (is_spaced and self._lines[index - 1].strip()):
                fields.setdefault(label, text)
                last = index
            elif index == at or index > last + _WRAPPED or (text and (is_spaced or text[-1] == ":" or text[0] == ">")):
                break
            elif not text:
                is_spaced = is_spaced or len(fields) == 1
                if not is_spaced or index > last + 1:
                    break
        if self._is_head(fields, is_titled=is_titled, is_spaced=is_spaced):
            return last
        return at if is_spaced and self._is_head(dict([*fields.items()][:1]), is_titled=False, is_spaced=False) else -1

    def label(self, text: str) -> str:
        """Return the name of the field that a line begins; empty if it begins none, or is an order or a header."""
        label = _LABEL.match(text)
        words = label[1].split() if label else []
        is_label = 0 < len(words) <= 4 and (_OWN | _CONTACT).isdisjoint(words) and not self._is_header(text)
        return " ".join(words) if is_label else ""

    def _is_head(self, fields: Mapping[str, str], *, is_titled: bool, is_spaced: bool) -> bool:
        """Return whether the ``fields``, by name and with their lines, make the head of a mail: they say who and when.

        Lists such as "Ann: 10:15" or "Ann: ann@example.org" are not one, nor are the lines of a signature.
        """
        dated = [text for text in fields.values() if _is_dated(text)]
        addresses = [text for text in fields.values() if _ADDRESS.search(text)]
        written = any(_FROM.fullmatch(label.split()[0]) for label in fields)
        subject = any(_SUBJECT.fullmatch(label.split()[0]) for label in fields)
        signs = bool(dated) + bool(addresses) + written + subject
        is_list = len(fields) == len(dated) or (not dated and len(fields) == len(addresses))
        more = any(map(_TIME.search, dated)) + (len(addresses) > 1)
        if len(fields) >= _ENOUGH and not is_list and signs + more > 1 + is_spaced:
            return True
        if is_titled and len(fields) > 1 and (dated or addresses):
            return True
        return self._is_one and not is_spaced and signs > 1 and (len(fields) > 1 or written)


def _may_be_heading(raw: str) -> bool:
    """Return whether a line may begin or end a heading: a quick test that most lines fail."""
    return len(raw) <= _WIDEST and (
        ":" in raw or "\uff1a" in raw or raw.lstrip()[:1] in "-_=" or raw.rstrip()[-1:] in ("-", ">", ")")
    )


def _is_dated(text: str) -> bool:
    """Return whether ``text`` has a date with its year."""
    return bool(_NUMERIC.search(text) or (_YEAR.search(text) and _DAY.search(text)))


def _says_who_wrote(text: str, *, needs_more: bool) -> bool:
    """Return whether ``text``, without its colon, names the writer of the text below, by an address or after a date.

    If it ``needs_more``, an address alone is not enough.
    """
    address = _ADDRESS.search(text)
    if address is not None:
        is_named = " " not in text[: address.start()] or ">" in text[address.start() :] or ")" in text[address.start() :]
        ends = max(text.rfind(">"), text.rfind(")"))
        return _is_dated(text) or (is_named and not (needs_more and not _words(text[ends + 1 :])))
    if not _is_dated(text) or not _OWN.isdisjoint(TOKEN.findall(text)):
        return False
    ends = max(match.end() for sign in (_NUMERIC, _YEAR, _TIME) for match in sign.finditer(text))
    after = _words(text[ends:])
    return 1 < len(after) <= _MOST_WORDS or (len(after) == 1 and not after[0].isascii())


def _words(text: str) -> list[str]:
    return [word for word in TOKEN.findall(text) if word[0].isalpha()]

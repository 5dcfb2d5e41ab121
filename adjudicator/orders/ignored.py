"""Recognize the text around orders: earlier mails, quotes, signatures, ruled lines, greetings and other courtesies.

An earlier mail without quotation marks is found by the form of its heading, in any language: a line that ends in a colon
and says who wrote when; a block of fields such as ``From: …``; or a title between dashes above either. The words of
courtesies are in `courtesy.toml`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache, lru_cache
from typing import Final, Literal, NamedTuple

from adjudicator.core.phrases import PLEASE
from adjudicator.orders.form import Form, held_lines
from adjudicator.orders.submission import TOKEN, UNSEEN, clean, normal_form
from adjudicator.resources import files

ORDERS: Final = frozenset(
    {"orders", "order", "moves", "sheet", "befehle", "züge", "ordres", "órdenes", "ordenes", "ordini", "rozkazy", "ordens"}
    | {"ordrer", "příkazy", "приказы", "ходы", "bestellungen", "orden"}
)
"""Words for orders in several languages."""
EARLIER: Final = "an earlier mail"
_SHEET: Final = "it begins a sheet, but it is part of an earlier mail"
HEAD: Final = "the head of a mail"
_INTRODUCES: Final = "it introduces a quote"
BELOW_END: Final = "it is below END"
_WIDEST: Final = 1_000  # the most characters on a line of a heading; mail programs break theirs much earlier
_WRAPS: Final = 60  # the columns that a program fills at least before it breaks a line
_TALLEST: Final = 4  # the most lines of a broken "On …, … wrote:"
_BLOCK: Final = 16  # the most lines in the head of an earlier mail, with blank lines and wrapped lists of addressees
_WRAPPED: Final = 2  # the most consecutive lines of such a head without a field: a wrapped list of addressees
_NUMERIC: Final = re.compile(r"(?<![\d./-])\d{1,2}([./-]) ?\d{1,2}\1 ?(?:\d\d){1,2}(?![\d/-]|\.\d)")
_YEAR: Final = re.compile(r"(?<!\d)(?:(?:19|20|14|٢٠|۲۰|۱۴)\d\d|25[67]\d)(?!\d)")
"""A year, also of the Persian and the Buddhist calendar, also in the digits of Arabic and Persian."""
_DAY: Final = re.compile(r"(?<!\d)\d{1,2}(?!\d)")
_TIME: Final = re.compile(r"(?<![\d:.])\d{1,2}(?:[:h]\d\d(?::\d\d)?|\.\d\d)(?![.:]?\d)")
_ADDRESS: Final = re.compile(r"[^\s<([@]@\w")
_WRITER: Final = re.compile(r"(?:^|[<(] ?)[^\s<(@]*@\w[^\s<(@]* [^\W\d]")
"""An address, alone or in brackets, and a word below it, such as "wrote"."""
_MOST_WORDS: Final = 7  # the most words between a date and a colon: a name and "wrote"
_LABEL: Final = re.compile(r"(?:\| *)?([^\W\d_][^\d:<>@,;!?|=#\[\]{}]{0,30})([:|])(?!//)")
"""The name of a field, perhaps in a table."""
_TITLE: Final = re.compile(r"([-_=])\1{2,}[^-_=].*?\1\1")
_TITLES: Final = re.compile(
    "origin|oryginaln|ursprüng|ursprunglig|oorspronk|oprindelig|opprinnelig|původní|исходн|alkuperäi|forward|weitergeleitet"
    "|transféré|reenviado|inoltrato|doorgestuurd|przekazan|encaminhada|vidarebef|videresendt|přeposlan"
)
"""Parts of the titles that common programs write above an earlier mail; any other needs a name or date below."""
_OWN: Final = ORDERS | {"game", "turn", "deadline"}  # words of lines above new orders, perhaps with a date
_CONTACT: Final = frozenset({"name", "player", "email", "e-mail", "mail", "tel", "tel.", "phone", "web"})
"""Fields of signatures and forms."""
_FROM: Final = re.compile(
    "from|von|absender|de|expéditeur|remitente|da|mittente|van|afzender|od|nadawca|från|avsändare|fra|afsender|avsender"
    "|odesílatel|от|отправитель|lähettäjä"
)
_SUBJECT: Final = re.compile(
    "subject|betreff|objet|sujet|asunto|oggetto|onderwerp|temat|assunto|ämne|emne|předmět|тема|aihe"
)
"""Fields of a head in common languages, in which less is enough."""
_FIELD: Final = re.compile(
    r"\s*(?:from|to|cc|bcc|date|sent|subject|reply-to|message-id|in-reply-to|content-type|mime-version|return-path|received)\s*:",
    re.IGNORECASE,
)
"""A field of a head that needs no other beside it."""
Judge = Callable[[str], bool]
"""Answers a question about a line."""


def ignored_lines(
    lines: Sequence[str],
    is_header: Judge,
    is_end: Judge,
    is_plain: Judge,
    *,
    is_mail: bool,
    is_bound: bool,
    forms: Sequence[Form],
    is_order: Judge,
) -> dict[int, str]:
    """Return why ``lines`` are no orders, by number from 1. Each other line that is not blank may be one.

    A line that ``is_plain`` is surely an order: only what is above it can be a reason to ignore it.
    A signature, and the text below END (``is_end``), continue to the next header (``is_header``), because a file may hold
    many mails; in a text that ``is_bound`` to one seat, nothing counts below END. An earlier mail without quotation marks
    continues to the end of the text. ``is_mail`` says that the text is that of a mail without its head: nothing counts
    below its last END. ``forms`` are the order forms in it: the reason for their own lines is empty, and each in an earlier
    mail without quotation marks gets deeper by one.
    """
    plain = [*map(is_plain, lines)]
    cleaned = [raw if is_sure else clean(raw) for raw, is_sure in zip(lines, plain, strict=True)]
    passed, begins = earlier_mails(lines, is_header, plain, is_mail=is_mail, is_one=is_mail or is_bound)
    old = begins or len(lines) + 1
    ends = {at + 1 for at, line in enumerate(cleaned[: old - 1]) if line and not plain[at] and is_end(line)}
    last = max(ends) if is_mail and ends else old - 1
    held = held_lines(forms, lines, is_order)
    for form in forms:
        form.depth += form.first >= old
    reasons = {**passed, **held}
    below, is_over = "", False  # why the following lines are ignored, and whether no header ends that
    for number, (raw, line) in enumerate(zip(lines, cleaned, strict=True), 1):
        if plain[number - 1] and not below and number <= last and number not in reasons:
            continue
        if number in held or (number in passed and number <= last) or not raw.strip():
            below = BELOW_END if number in held and number in ends else below
            continue
        if number > last:
            is_sheet = not is_mail and is_header(line)  # perhaps a second mail, pasted with its head
            reasons[number] = BELOW_END if number < old else _SHEET if is_sheet else EARLIER
            continue
        has_words = any(map(str.isalnum, line))
        if not has_words and raw.translate(UNSEEN) in ("--", "—", "__"):
            below = "part of a signature"
        elif below and not is_over and is_header(line):
            below = ""
        if below:
            reasons[number] = below
        elif line.lstrip(" ").startswith(">"):
            reasons[number] = "quoted from an earlier mail"
        elif not has_words and (line or "~~" in raw):
            reasons[number] = "a line without words" if line else "it is struck out"
        elif line[-1:] == ":" and " " in line.strip(" :") and "".join(cleaned[number : number + 3]).lstrip(" ")[:1] == ">":
            reasons[number] = _INTRODUCES
        elif ":" in line and _FIELD.match(line) and not is_header(line):
            reasons[number] = HEAD
        elif number in ends:
            below, is_over = BELOW_END, is_bound
    return reasons


def earlier_mails(
    lines: Sequence[str], is_header: Judge, plain: Sequence[bool] = (), *, is_mail: bool, is_one: bool
) -> tuple[dict[int, str], int]:
    """Return why to ignore the lines that surround quotes, by number from 1, and the line that begins an unmarked quote.

    That line is 0 if there is none; the quote takes all lines below. A header (``is_header``) is never a part of a heading.
    A text that ``is_mail`` has lost its own head; any other may begin with one that was pasted. Less makes a heading in a
    text that ``is_one``: in one with many mails, it could be the head of the next mail. ``plain`` lines are orders: they
    begin a heading only together with the line below them.
    """
    plain = plain or [False] * len(lines)
    search = _Search(lines, is_header, plain, is_one=is_one)
    passed: dict[int, str] = {}
    may_be_own, at = not is_mail, 0
    while at < len(lines):
        if plain[at] and at not in search.attributions:
            may_be_own, at = False, at + 1
            continue
        text, last, why = search.said[at], search.end(at), _INTRODUCES
        if text.startswith("-----begin pgp "):
            end, why = "" if text == "-----begin pgp signed message-----" else "-----end pgp ", "part of a PGP signature"
            last = next((index for index in range(at + 1, len(lines)) if search.said[index][:13] == end), len(lines) - 1)
        elif last >= 0 and may_be_own and search.label(text):
            why = HEAD
        elif last >= 0 and not search.is_quote(last + 1):
            return passed, at + 1
        passed.update((number + 1, why) for number in range(at, last + 1) if lines[number].strip())
        may_be_own = may_be_own and last < 0 and not lines[at].strip()
        at = max(last, at) + 1
    return passed, 0


class _Search:
    """Finds headings in the lines of one text. Each look reads a fixed number of lines, except across blank ones."""

    def __init__(self, lines: Sequence[str], is_header: Judge, plain: Sequence[bool], *, is_one: bool) -> None:
        self._is_header, self._is_one, said = is_header, is_one, zip(lines, plain, strict=True)
        self.said = [*(line.lower() if is_sure else normal_form(line[: _WIDEST + 1]) for line, is_sure in said), ""]
        ends = [at for at, text in enumerate(self.said) if text.endswith(":")]
        self.attributions = {self._attribution(at): at for at in reversed(ends)}

    def end(self, at: int) -> int:
        """Return the last line of the heading that begins at ``at``; -1 if none does."""
        text = self.said[at]
        if not _TITLE.match(text):
            return max(self.attributions.get(at, -1), self._end_of_fields(at))
        if not _OWN.isdisjoint(TOKEN.findall(text)) or self._is_header(text):
            return -1
        below = self._next_said(at + 1)
        last = max(self.attributions.get(below, -1), self._end_of_fields(below, is_titled=True))
        is_known = last >= 0 or _TITLES.search(text) or _says_who_wrote(text.strip("-_= "))
        return max(at, last) if is_known else -1

    def is_quote(self, at: int) -> bool:
        """Return whether the first line from ``at`` on that is not blank is a marked quote or introduces one."""
        at = self._next_said(at)
        below = self._next_said(self.attributions.get(at, at - 1) + 1)
        return self.said[at][:1] in ("", ">") or self.said[below].startswith(">")

    def label(self, text: str) -> str:
        """Return the name of the field that a line begins; empty if it begins none, or is an order or a header."""
        label = _LABEL.match(text) if ":" in text or text[:1] == "|" else None
        words = label[1].split() if label and (text[0] == "|") == (label[2] == "|") else []
        return " ".join(words) if words and (_OWN | _CONTACT).isdisjoint(words) and not self._is_header(text) else ""

    def _next_said(self, at: int) -> int:
        while at < len(self.said) - 1 and not self.said[at]:
            at += 1
        return at

    def _attribution(self, last: int) -> int:
        """Return the first of the fewest lines that say who wrote and when, the last of which is ``last``; -1 if none do."""
        found, joined = -1, ""
        for index in range(last, max(-1, last - _TALLEST), -1):
            text = self.said[index]
            if not text or text[0] == ">" or len(text) > _WIDEST or _TITLE.match(text) or self._is_header(text):
                break
            if found >= 0 and not _is_dated(text) and not (joined[0] == "<" and _DAY.search(text)):
                break
            if found < 0 and joined and "@" not in text + joined and len(text) + len(joined.split()[0]) <= _WRAPS:
                break  # there was room for the next word
            joined = f"{text} {joined}".rstrip()
            if found >= 0 or _says_who_wrote(joined.rstrip(": ")):
                found = index
        return found

    def _end_of_fields(self, at: int, *, is_titled: bool = False) -> int:
        """Return the last line of the fields ``From:``, ``Sent:`` and the like from ``at`` on; -1 if they make no head.

        They say who and when. Lists such as "Ann: 10:15" or "Ann: ann@example.org" do not, nor do lines of a signature.
        A blank line ends them, if not each field is followed by one.
        """
        for is_spaced in (False, True) if self.label(self.said[at]) else ():
            fields: dict[str, str] = {}
            last = at
            for index in range(at, min(at + _BLOCK, len(self.said)), 1 + is_spaced):
                text = self.said[index]
                label = self.label(text)
                if label and not (is_spaced and index > at and self.said[index - 1]):
                    fields.setdefault(label, text)
                    last = index
                elif not text or is_spaced or index > last + _WRAPPED or text[-1] == ":" or text[0] == ">":
                    break
            dated = [text for text in fields.values() if _is_dated(text)]
            addresses = [text for text in fields.values() if _ADDRESS.search(text)]
            words = {label.split()[0] for label in fields}
            written = any(map(_FROM.fullmatch, words))
            signs = bool(dated) + bool(addresses) + written + any(map(_SUBJECT.fullmatch, words))
            more = len(addresses) > 1 or (len(fields) > 3 and any(map(_TIME.search, dated)))
            is_head = len(fields) > max(2, len(dated), len(addresses)) and signs + more > 1
            is_short = self._is_one and signs > 1 and (len(fields) > 1 or written)
            if is_head or is_short or (is_titled and (dated or addresses)):
                return last
        return -1


def _is_dated(text: str) -> bool:
    return bool(_NUMERIC.search(text) or (_YEAR.search(text) and _DAY.search(text)))


def _says_who_wrote(text: str) -> bool:
    """Return whether ``text``, without its colon, names the writer of the text below, by an address or after a date."""
    if _ADDRESS.search(text):
        return _is_dated(text) or _WRITER.search(text) is not None
    if not (_is_dated(text) and _OWN.isdisjoint(TOKEN.findall(text))):
        return False
    ends = max(match.end() for sign in (_NUMERIC, _YEAR, _TIME) for match in sign.finditer(text))
    after = [word for word in TOKEN.findall(text[ends:]) if word[0].isalpha()]
    return 1 < len(after) <= _MOST_WORDS or (len(after) == 1 and not after[0].isascii())


# Courtesies

_SMILEYS: Final = re.compile(r"(?:\s|[\u2190-\u245f\u249c-\u2bff\U0001f000-\U0001faff]|[()/|]++['-]?[:=])*+")
"""Smileys such as ``:-)`` and pictures at the end of a line, which is reversed."""
_BETWEEN: Final = " ,:-("
_SIGNS: Final = " .,!?:)"
_SENTENCE: Final = 8  # the fewest words of a footer in which an order word in capitals is none: “DO NOT PASS THIS MAIL ON”
_MOST: Final = 6  # the most words of a courtesy after an order
_LONG: Final = 5  # the fewest letters of a misspelled courtesy that is recognized: “tack” may mean “back”

_THANKS, _CLOSING, _FOOTER, _HEADING = "a courtesy", "the close of the mail", "a footer", "a heading"
_ADVERTISEMENT: Final = "an advertisement of a mail program"
_KINDS: Final = (
    *(("greeting", "a greeting"), ("thanks", _THANKS), ("closing", _CLOSING), ("device", _ADVERTISEMENT)),
    *(("footer", _FOOTER), ("remark", "a remark"), ("label", _HEADING)),
)
"""The kinds of phrases in `courtesy.toml`, each with why a line that begins with one is ignored."""


class Courtesy:
    """Names the kinds of remarks in one text, in their order: all lines below the close of a mail belong to it."""

    def __init__(self, names: Iterable[str] = ()) -> None:
        """Take the ``names`` of possible writers of the text."""
        self._names = frozenset(token for name in names for token in TOKEN.findall(normal_form(name)))
        self._closed, self._closed_at = "", 0

    def why(self, number: int, raw: str, line: str, order_line: int) -> str:
        """Return the kind of the remark on line ``number``; empty if it is not known.

        ``line`` is ``raw`` after cleaning. ``order_line`` is the number of the latest order read (0: none).
        """
        if order_line > self._closed_at:
            self._closed = ""
        if is_picture(raw):
            return "a picture"
        parts = [part.strip("<>()[].,:") for part in normal_form(raw).split()]
        links = ("http://", "https://", "www.", "mailto:")
        if all(part.startswith(links) or ("@" in part[1:] and "." in part) for part in parts):
            return "a link"
        tokens = TOKEN.findall(normal_form(line))
        kind, _ = _phrase(tokens)
        if kind in (_CLOSING, _ADVERTISEMENT, _FOOTER):
            self._closed, self._closed_at = kind, number
        if kind or words("courteous").issuperset(tokens):
            return kind or _THANKS
        return "the name of the player" if self._names.issuperset(tokens) else self._closed


def is_picture(raw: str) -> bool:
    """Return whether a line replaces a picture: ``[image: logo.png]``."""
    return normal_form(raw).startswith(("[image", "[cid:", "[inline"))


def is_footer(line: str) -> bool:
    """Return whether ``line`` is a sentence of a footer: it begins with a known phrase, and is long."""
    return phrase(line) == _FOOTER and len(TOKEN.findall(line)) >= _SENTENCE


def is_heading(line: str) -> bool:
    """Return whether ``line`` begins with a heading of orders: ``Orders:``."""
    return phrase(line.partition(":")[0]) == _HEADING


def phrase(line: str) -> str:
    """Return why to ignore a line that begins with a known phrase; else an empty text."""
    return _phrase(TOKEN.findall(normal_form(line)))[0]


@lru_cache(8192)
def bare_spans(line: str) -> tuple[tuple[int, int], ...]:
    """Return the places (start, end) of a possible order on the cleaned ``line`` without courtesies, the longest first.

    A courtesy after the order may have a few more words, but no digit: “good luck to all”.
    """
    parts = line.casefold().replace(":", " ").replace(",", " ").split()
    if line.isascii() and line[-1:] not in "()" and words("openings").isdisjoint(part.strip(_SIGNS) for part in parts):
        return ()
    found = list(TOKEN.finditer(line))
    tokens = [normal_form(word.group()) for word in found]
    first = next((at for at, token in enumerate(tokens) if token not in words("courteous")), 0)
    last = max(first, len(tokens) - 1 - _MOST)
    behind = []
    for at in range(len(tokens) - 1, last, -1):
        kind, length = _phrase(tokens[at:])
        if any(map(str.isdigit, tokens[at])):
            break
        if tokens[at] in words("courteous") or (length > 1 and kind in (_THANKS, _CLOSING)):
            behind.append(found[at].start())
    smileys = _SMILEYS.match(line[::-1])
    before = len(line) - (smileys.end() if smileys else 0)
    ends = [len(line[:end].rstrip(_BETWEEN)) for end in (len(line), before, *behind)]
    starts = dict.fromkeys((0, found[first].start())) if first else (0,)
    return tuple((start, end) for end in dict.fromkeys(ends) for start in starts if (start, end) != (0, len(line)))


def _phrase(tokens: Sequence[str]) -> tuple[str, int]:
    """Return the kind of the longest phrase with which ``tokens`` begin, and its length in words."""
    for known, kind in _known().phrases.get(tokens[0], ()) if tokens else ():
        if (*tokens[: len(known)],) == known:
            return kind, len(known)
    is_list = "unsubscribe" in tokens or "mailing list" in " ".join(tokens[:_MOST])
    return (_FOOTER, 1) if is_list else ("", 0)


@cache
def words(name: Literal["courteous", "long_courteous", "openings", "labels", "beside_labels"]) -> frozenset[str]:
    """Return a table of words: ``courteous`` ones, the long ones of them, the first words of phrases.

    ``labels`` announce an order, as “moves” does.
    """
    return _known().tables[name]


class _Known(NamedTuple):
    """What `courtesy.toml` has: ``tables`` of words, and by its first word each phrase with its kind, the longest first."""

    tables: Mapping[str, frozenset[str]]
    phrases: Mapping[str, Sequence[tuple[tuple[str, ...], str]]]


@cache
def _known() -> _Known:
    """Read `courtesy.toml`; a text of plain orders does not need it."""
    import tomllib

    document = tomllib.loads(files("adjudicator").joinpath("orders", "courtesy.toml").read_text("utf-8"))
    texts = {kind: text.casefold().replace("\n", ",").split(",") for kind, text in document.items()}
    found = {kind: [one.strip() for one in parts if one.strip()] for kind, parts in texts.items()}
    courteous = PLEASE.union(found["courteous"])
    phrases: dict[str, list[tuple[tuple[str, ...], str]]] = {}
    every = [((*phrase.split(" "),), kind) for name, kind in _KINDS for phrase in found[name]]
    for phrase, kind in sorted(every, key=lambda one: -len(one[0])):
        phrases.setdefault(phrase[0], []).append((phrase, kind))
    tables = {
        "courteous": courteous,
        "long_courteous": frozenset(word for word in courteous if len(word) >= _LONG),
        "openings": courteous.union(phrase.split(" ")[0] for kind in ("thanks", "closing") for phrase in found[kind]),
        "labels": frozenset(found["labels"]),
        "beside_labels": frozenset(found["beside_labels"]),
    }
    return _Known(tables, phrases)

"""A text that was sent: its bytes, its lines, the game it must be for, its characters without what mail programs add."""

from __future__ import annotations

import re
from bisect import insort
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping
from pathlib import Path
from typing import Final
from unicodedata import combining, normalize

from adjudicator.core.order import Sheet
from adjudicator.core.problem import Place, Problem
from adjudicator.core.remember import remember_last
from adjudicator.core.timeline import ValidTurns
from adjudicator.core.values import Seat, Value, digest, field, replace

EMPTY: Final = "orders/empty"
"""The code of the problem of a text without orders."""
MOST_BYTES: Final = 1_000_000
"""The most bytes of a turn file."""
MOST_LINES: Final = 20_000
"""The most lines of a turn file."""
MOST_COLUMNS: Final = 500
"""The most characters of an order line."""
MOST_DEPTH: Final = 20
"""The deepest nesting of brackets, conditions and negations on a line."""
_SPACES: Final = "\u00a0\u1680\u180e\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000"
_INVISIBLE: Final = "\u200b\u200c\u200d\u2060\u2061\u2062\u2063\u2064\ufeff\u00ad\u034f\u061c\u200e\u200f" + "".join(
    map(chr, (*range(0x202A, 0x202F), *range(0x2066, 0x206A), *range(0xFE00, 0xFE10)))
)
_ENDS: Final = "\t\v\f\x1c\x1d\x1e\x1f\x85\u2028\u2029"
_DASHES: Final = "\u2010\u2011\u2012\u2013\u2014\u2015\u2212"
_QUOTES: Final = "\u201c\u201d\u201e\u201f\u00ab\u00bb\u2018\u2019\u201a\u201b\u2039\u203a\u2032\u2033\u00b4\"'`"
_BULLETS: Final = "*\u2022\u2023\u2043\u25aa\u25ab\u25cf\u25cb\u25e6\u00b7"
_TABLE: Final = {
    **{0xFF01 + offset: chr(0x21 + offset) for offset in range(94)},  # full-width letters, digits and signs
    **dict.fromkeys(map(ord, _SPACES + _INVISIBLE + _ENDS + _QUOTES + _BULLETS + "＂＇｀＊"), " "),
    **dict.fromkeys(map(ord, _DASHES), "-"),
}
UNSEEN: Final = dict.fromkeys(map(ord, " " + _SPACES + _INVISIBLE + _ENDS))
"""A table that removes all blanks."""
_LIST_MARK: Final = re.compile(r" *(?:-|[0-9]{1,3}[.)])(?: +|$)")  # a dash or a number before an order, as in a list
_MARK_BEHIND_HEAD: Final = re.compile(r"( *[A-Za-z][A-Za-z0-9_]* *: *)([0-9]{1,3}[.)])(?= +[A-Za-z])")
"""The number of a list after the head of a sheet: ``red: 1. DRAW``. A word follows it."""
_STRUCK: Final = re.compile(r"(?<!~)~~(?=[^~\s])[^~]++(?<!\s)~~(?!~)")
"""Struck-out words, as the reader of HTML and Markdown write them."""
_EMPHASIS: Final = re.compile(r"(?<!\w)(__?)(?=[^\s_])([^_]*[^\s_])\1(?!\w)")
"""Words that mail programs underline: ``__Orders:__``."""
_UNACCENTED: Final = str.maketrans(
    {**dict(zip("łŁøØđĐ’", "lLoOdD'", strict=True)), "ß": "ss", "ẞ": "SS", "œ": "oe", "Œ": "OE", "æ": "ae", "Æ": "AE"}
)
TOKEN: Final = re.compile(r"[^\W_]+")
"""A word or number of a line."""
_CONTROL: Final = re.compile(r"[\x00-\x08\x0e-\x1a\x7f]")
_NESTING: Final = re.compile(r"[()]|\b(?:if|not|and|or|then|else)\b", re.IGNORECASE)


class Addressee(Value):
    """The game that a text must be for: its id, the turns that may be written, its seats and their players.

    ``names`` are the names of the game's things, in lower case: prose with one of them may be an order.
    ``question_times`` has for each seat the time of its present question: an earlier mail without a turn is no answer to it.
    ``form_notes`` returns what the order form of a seat says besides orders.
    """

    game: str
    turns: ValidTurns
    seats: tuple[Seat, ...]
    holders: Mapping[Seat, str] = field(default_factory=dict)
    names: Collection[str] = ()
    question_times: Mapping[Seat, int] = field(default_factory=dict)
    form_notes: Callable[[Seat], str] = lambda _seat: ""

    @remember_last
    def seats_by_name(self) -> dict[str, Seat]:
        """Return the seats by their names and the names of their players, in lower case.

        A player's name, or its first word, means the seat if no one else has that name.
        """
        holders = {seat: self.holders.get(seat, "").casefold() for seat in self.seats}
        names = {seat: {name, *name.split()[:1]} for seat, name in holders.items() if name}
        count = Counter(name for each in names.values() for name in each)
        held = {name: seat for seat, each in names.items() for name in each if count[name] == 1}
        return {**held, **{seat.casefold(): seat for seat in self.seats}}


class Submission(Value):
    """A text that was sent, line by line; messages call it ``source``.

    ``seat`` is the seat that sent it, if known: then it needs no head of a sheet, and heads of other seats do not count.
    ``received`` is the time of arrival in seconds since 1970, ``hash`` the SHA-256 of its bytes (empty: not known).
    ``identity`` is the same for all copies of it, however servers and programs have stored them (empty: not known).
    ``is_mail`` says that it is the text of one mail, ``names`` are possible signatures. ``problem`` says why the text cannot
    be read, ``skipped`` why it must not be; ``left_out`` names its attachments, which are not read. ``fault`` is the
    exception that the program raised, if that is the problem.
    """

    source: str
    lines: tuple[str, ...] = ()
    seat: Seat | None = None
    received: int | None = None
    is_mail: bool = False
    names: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()
    problem: Problem | None = None
    skipped: str = ""
    hash: str = ""
    fault: Exception | None = None
    identity: str = ""

    def written(self, number: int, raw: str) -> tuple[str, Place | None]:
        """Return line ``number`` as it came, and the place on it of ``raw``, a part of it in the same columns."""
        whole = self.lines[number - 1]
        return whole, None if raw == whole else (len(raw) - len(raw.lstrip(" ")), len(raw))


class SentSheet(Value):
    """The ``sheet`` of ``seat`` in ``text``, the ``number``-th text.

    ``is_sent`` says that it has an order or a line that is meant as one; otherwise it has at most ``remarks``,
    lines (number, text) that the program does not understand. ``is_flawed`` says that a part of it cannot be
    read or used, ``is_alone`` that no other seat has sent anything in this text, ``is_addressed`` that it is for this game
    and turn. ``later`` names the text whose sheet replaces this one, ``earlier`` the text that still counts instead of it;
    in both cases nothing of it ``counts``.
    """

    text: Submission
    seat: Seat
    sheet: Sheet
    number: int = 0
    is_sent: bool = True
    is_alone: bool = True
    is_addressed: bool = True
    is_flawed: bool = False
    remarks: tuple[tuple[int, str], ...] = ()
    counts: bool = True
    later: str = ""
    earlier: str = ""


Text = str | bytes | Path | Submission
"""A text with orders: itself, the bytes of a text or a mail, or the path of a file or a Maildir."""
Orders = Text | Mapping[str, Text] | Iterable[Text]
"""One text with the orders of any seats, the text of each seat by its name, or several texts."""


def text_submission(source: str, data: bytes, seat: Seat | None = None) -> Submission:
    """Return the text in the bytes of a file, with a problem if it cannot be read."""
    hash_ = digest(data)
    try:
        lines = lines_of(decode(data))
    except NotTextError as error:
        return Submission(source, seat=seat, problem=Problem(error.code, str(error)), hash=hash_, identity=hash_)
    text = "\n".join(lines).rstrip("\n") + "\n"  # most files are like this: then their identity is their hash
    return limit_lines(
        Submission(source, tuple(lines), seat, hash=hash_, identity=digest(text.encode("utf-8", "surrogatepass")))
    )


def limit_lines(submission: Submission) -> Submission:
    """Return ``submission``; if it has too many lines, without them and with a problem."""
    count = len(submission.lines)
    if count <= MOST_LINES:
        return submission
    words = "mail's text" if submission.is_mail else "file"
    message = f"the {words} has {count:,} lines; the limit is {MOST_LINES:,}"
    return replace(submission, lines=(), names=(), left_out=(), problem=Problem("orders/too-many-lines", message))


def in_order_of_arrival(sheets: Iterable[SentSheet]) -> dict[Seat, list[SentSheet]]:
    """Return the ``sheets`` of each seat in the order of arrival; without a known time, in their given order.

    A copy of a mail arrived when the first copy did: a server may deliver it after a newer mail.
    """
    by_seat: dict[Seat, list[SentSheet]] = {}
    first: dict[tuple[Seat, str], int] = {}
    for sent in sheets:
        by_seat.setdefault(sent.seat, []).append(sent)
        received, copy = sent.text.received, (sent.seat, sent.text.identity)
        if received is not None and sent.text.identity:
            first[copy] = min(received, first.get(copy, received))

    def arrival(sent: SentSheet) -> int:
        return first.get((sent.seat, sent.text.identity), sent.text.received or 0)

    for seat, mails in by_seat.items():
        done, timed = list[SentSheet](), list[SentSheet]()
        for sent in mails:
            if sent.text.received is None:
                done += (*timed, sent)
                timed = []
            else:
                insort(timed, sent, key=arrival)
        by_seat[seat] = done + timed
    return by_seat


# Bytes and characters -------------------------------------------------------------------------------------------------


class NotTextError(ValueError):
    """The bytes are not a turn file; the message says why, ``code`` names the problem."""

    def __init__(self, message: str, code: str = "orders/not-text") -> None:
        """Keep the ``message`` and its ``code``."""
        super().__init__(message)
        self.code = code


def decode(data: bytes) -> str:
    """Return ``data`` as text: UTF-16 with its mark, UTF-8 if valid, else Windows-1252. Raises ``NotTextError``."""
    if len(data) > MOST_BYTES:
        message = f"the file has {len(data):,} bytes; the limit is {MOST_BYTES:,}"
        raise NotTextError(message, "orders/too-large")
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        text = data.decode("utf-16", "replace")
    else:
        try:
            text = data.decode("utf-8-sig")
        except UnicodeDecodeError:
            text = data.removeprefix(b"\xef\xbb\xbf").decode("cp1252", "replace")
    strange = text.count("\ufffd") + len(_CONTROL.findall(text))
    if "\0" in text or strange > 2 + len(text) // 20:
        raise NotTextError("this is a binary file, not a text of orders")
    return text


def lines_of(text: str) -> list[str]:
    """Return the lines of ``text``, whatever their ends: LF, CRLF or CR."""
    return text.replace("\r\n", "\n").replace("\r", "\n").split("\n")


def clean(line: str) -> str:
    """Return ``line`` without comment, struck-out words, odd spaces and quotes, each character in its column.

    Trailing space is cut.
    """
    if "~~" in line:
        line = _STRUCK.sub(lambda struck: " " * len(struck[0]), line)
    if not (line.isascii() and line.isprintable()) or '"' in line or "'" in line or "*" in line or "`" in line:
        line = line.translate(_TABLE)
    if "#" in line or ";" in line:
        line = line[: comment_start(line)]
    if "_" in line:
        line = _EMPHASIS.sub(lambda found: found[0].replace("_", " "), line)
    first = line.lstrip(" ")[:1]
    if first == "-" or first.isdigit():
        mark = _LIST_MARK.match(line)
        if mark:
            line = " " * mark.end() + line[mark.end() :]
    elif ":" in line:
        mark = _MARK_BEHIND_HEAD.match(line)
        if mark:
            line = mark[1] + " " * len(mark[2]) + line[mark.end() :]
    return line.rstrip(" ")


def normal_form(line: str) -> str:
    """Return ``line``, comments included, in lower case, with plain spaces, dashes and no quotation marks."""
    if not line.isascii():
        line = normalize("NFC", line)
    return line.translate(_TABLE).strip(" ").casefold()


def plain(word: str) -> str:
    """Return ``word`` in lower case, without accents, with single blanks."""
    if word.isascii() and word.isalnum():
        return word.lower()
    bare = "".join(sign for sign in normalize("NFD", word.translate(_UNACCENTED)) if not combining(sign))
    return " ".join(re.split(r"[ ']+", bare.casefold().strip()))


def comment_start(line: str) -> int:
    """Return the index of the first ``#`` or ``;`` in ``line``, else its length; ``#1`` begins no comment."""
    first = len(line) - len(line.lstrip(" "))
    begin = first + 1 if line[first + 1 : first + 2].isdigit() else 0
    return min(at if at >= 0 else len(line) for at in (line.find("#", begin), line.find(";")))


def depth(line: str) -> int:
    """Return how deep brackets, conditions and negations are nested in ``line``."""
    outer: list[tuple[int, int, int]] = []
    deepest = base = ifs = negations = 0
    for match in _NESTING.finditer(line):
        word = match.group().lower()
        if word == "(":
            outer.append((base, ifs, negations))
            base, ifs, negations = base + ifs + negations + 1, 0, 0
        elif word == ")":
            base, ifs, negations = outer.pop() if outer else (0, 0, 0)
        elif word == "if":
            ifs += 1
        elif word == "not":
            negations += 1
        else:  # A negation ends with its part of a condition; OR ends every part inside its brackets.
            ifs, negations = 0 if word == "or" else ifs, 0
        deepest = max(deepest, base + ifs + negations)
    return deepest

"""Clean the text of mail programs without moving a character: columns stay the same."""

from __future__ import annotations

import re
from typing import Final
from unicodedata import combining, normalize

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

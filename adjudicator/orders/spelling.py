"""Find the spellings of a word: with its accents or without, in any case, ä as a or ae."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final
from unicodedata import combining, normalize

LETTER: Final = "(?-i:[A-Za-z\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u1fff])"
"""A letter or accent of the alphabets that are written from left to right, as a regular expression.

It is explicit because in grammars ``\\w`` means the letters of ASCII. It has both cases: to ignore case, Python would look
up the other case of each of 8,000 letters whenever it compiles the expression, which takes longer than all the rest.
"""
_PLAIN: Final = str.maketrans(
    {**dict(zip("łŁøØđĐ’", "lLoOdD'", strict=True)), "ß": "ss", "ẞ": "SS", "œ": "oe", "Œ": "OE", "æ": "ae", "Æ": "AE"}
)
_SPELLED_OUT: Final = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "Ä": "AE", "Ö": "OE", "Ü": "UE"})


def plain(word: str) -> str:
    """Return ``word`` in lower case, without accents, with single blanks."""
    bare = "".join(sign for sign in normalize("NFD", word.translate(_PLAIN)) if not combining(sign))
    return " ".join(re.split(r"[ ']+", bare.casefold().strip()))


def plain_ways(word: str) -> tuple[str, ...]:
    """Return the spellings of ``word`` without accents: ``plattchen`` and ``plaettchen``."""
    return tuple(dict.fromkeys((plain(word), plain(normalize("NFC", word).translate(_SPELLED_OUT)))))


def ways(word: str) -> tuple[str, ...]:
    """Return the spellings of ``word`` that differ in more than the case of plain letters."""
    composed = normalize("NFC", word)
    both = () if composed.isascii() else (composed.lower(), composed.upper(), normalize("NFD", composed))
    spelled = " ".join(re.split(r"[ '’]+", composed)) if "'" in composed or "’" in composed else composed
    return tuple(dict.fromkeys((spelled, *(" ".join(re.split(r"[ '’]+", way)) for way in both), *plain_ways(word))))


def _letter_by_letter(word: str) -> str:
    """Return a regular expression for ``word`` with any of its accents, also as separate characters."""
    return "".join(map(_letter, normalize("NFC", word)))


def _letter(sign: str) -> str:
    if sign in " '’":
        return " +"
    if sign.isascii():
        return re.escape(sign)
    accented = {sign, sign.lower(), sign.upper(), plain(sign), plain(sign.translate(_SPELLED_OUT))}
    return rf"(?:{'|'.join(sorted(accented, key=lambda way: (-len(way), way)))})[\u0300-\u036f]{{0,2}}"


def pattern(words: Iterable[str]) -> str:
    """Return a regular expression for ``words`` in all spellings, the longest first; no letter follows a match."""
    words_ = tuple(words)
    spelled = dict.fromkeys(way for word in words_ for way in ways(word))
    longest_first = sorted(spelled, key=lambda way: (-len(way), way))
    mixed = [_letter_by_letter(word) for word in words_ if not word.isascii()]
    choice = "|".join([re.escape(way).replace("\\ ", " +") for way in longest_first] + mixed)
    return rf"(?:{choice})(?!{LETTER})"

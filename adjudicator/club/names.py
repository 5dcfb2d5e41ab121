"""Compare names of members by their look, and refuse names that mislead."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterable
from functools import cache
from typing import Final

from adjudicator.core.values import USUAL_SEATS
from adjudicator.reports.sanitize import printable

_NAME: Final = re.compile(r"[^\W_](?:[\w.' -]{0,38}[\w.])?")
_LINK: Final = re.compile(r"\.\w\w|\d\.\d|www\.", re.IGNORECASE)
"""What mail programs may take for an address, and turn into a link."""
_WITHIN: Final = ("moderator", "gamemaster", "administrator", "adjudicator")
"""Words of the club's own, which no name may contain."""
_ALONE: Final = (
    "player",
    "all",
    "you",
    "everybody",
    "everyone",
    "nobody",
    "simulatedplayer",
    "club",
    "gm",
    "admin",
    *USUAL_SEATS,
)
"""Words that no name may be: messages, tables and commands mean others by them."""
_EAST_ASIAN: Final = frozenset({"CJK", "HIRAGANA", "KATAKANA", "BOPOMOFO", "HANGUL"})
"""Scripts that names of one language mix."""
_OF_ALL: Final = frozenset({"DIGIT", "MODIFIER", "IDEOGRAPHIC"})
"""First words of the Unicode names of signs that belong to no single script."""
_MARK: Final = "\u200e"
"""The direction with which the table surrounds letters that are written from right to left."""
_LIKE_LATIN: Final = str.maketrans("κτχηӏ", "ktxnl")
"""Letters that look like Latin ones in many fonts, although the table of Unicode does not say so."""


def name_key(name: str) -> str:
    """Return the form of ``name`` that it has in common with the same name in other capitals, widths and blanks."""
    return " ".join(unicodedata.normalize("NFKC", name).casefold().split())


def name_flaw(name: str, others: Iterable[str], seats: Collection[str] = ()) -> str:
    """Return why a member who plays ``seats`` cannot have this ``name``; empty if they can.

    ``others`` are the names of the others. A name like a seat is reserved, except for the player of this seat.
    """
    if not _NAME.fullmatch(name) or printable(name) != name:
        return "a name has 1 to 40 letters and digits, and between them blanks and the characters . - '"
    if _LINK.search(name):
        return "it looks like an internet address"
    if len(found := _scripts(name)) > 1 and not found <= _EAST_ASIAN:
        return "it has letters of several alphabets"
    key, look = name_key(name), _look(name)
    is_taken = any(name_key(one) == key or _look(one) == look for one in others)
    is_own = key not in seats and any(_reserved().search(re.sub(r"[\W_]", "", form)) for form in (key, look))
    return "this name is reserved, or it is too much like that of another member" if is_taken or is_own else ""


@cache
def _reserved() -> re.Pattern[str]:
    """Return what no name may have, without blanks and signs: the club's own words, and what looks like them."""
    within, alone = ("|".join({*words, *map(_look, words)}) for words in (_WITHIN, _ALONE))
    return re.compile(rf"{within}|^(?:a|the)?(?:{alone})\d*$")


def _look(name: str) -> str:
    """Return the form that ``name`` has in common with names of the same look: its skeleton (UTS 39), in lower case."""
    look = unicodedata.normalize("NFKC", name).translate(_LIKE_LATIN)
    for _ in range(2):  # also of the small letters
        letters = map(_prototype, unicodedata.normalize("NFD", look))
        look = "".join(letters).translate(_LIKE_LATIN).casefold()
    seen = (sign for sign in look if sign not in ".'" and not unicodedata.name(sign, "").startswith("MODIFIER"))
    return " ".join("".join(seen).replace("vv", "w").split())


def _prototype(letter: str) -> str:
    """Return what stands for all letters that look like ``letter``.

    The library lists with each letter those that look like it, in both directions: a prototype has several, or it is the
    longer one of two.
    """
    from confusable_homoglyphs.confusables import confusables_data

    similar = [one["c"].strip(_MARK) for one in confusables_data.get(letter, ())]
    if len(similar) != 1:
        return letter
    (other,) = similar
    is_prototype = len(confusables_data.get(other, ())) > 1
    return str(other if is_prototype else max(letter, other, key=lambda one: (len(one), one)))


def _scripts(name: str) -> set[str]:
    signs = filter(str.isalnum, unicodedata.normalize("NFKC", name))
    return {re.split("[ -]", unicodedata.name(sign, "unknown"))[0] for sign in signs} - _OF_ALL

"""Compare names of members by their look, and refuse names that mislead."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from typing import Final

_NAME: Final = re.compile(r"[^\W_](?:[\w.' -]{0,38}[\w.])?")
_LINK: Final = re.compile(r"\.\w\w|\d\.\d|www\.", re.IGNORECASE)
"""What mail programs may take for an address, and turn into a link."""
_TAKEN: Final = re.compile(r"player ?\d*|moderator|all|a simulated player|club", re.IGNORECASE)
_EAST_ASIAN: Final = frozenset({"CJK", "HIRAGANA", "KATAKANA", "BOPOMOFO", "HANGUL"})
"""Scripts that names of one language mix."""
_OF_ALL: Final = frozenset({"DIGIT", "MODIFIER", "IDEOGRAPHIC"})
"""First words of the Unicode names of signs that belong to no single script."""
_LOOK: Final = (
    str.maketrans("I10", "llo")
    | str.maketrans("АВЕЅІЈКМНОРСТУХаеорсухѕіјһԁԛԝѵӏ", "ABESlJKMHOPCTYXaeopcyxsijhdqwvl")
    | str.maketrans("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧαικνορτυχη", "ABEZHlKMNOPTYXaikvoptuxn")
    | str.maketrans("ՍՏՕօոսհց", "USOonuhg")
)
"""Digits, and letters of the Cyrillic, Greek and Armenian alphabets, with the Latin letters that they look like."""


def name_key(name: str) -> str:
    """Return the form of ``name`` that it has in common with the same name in other capitals, widths and blanks."""
    return " ".join(unicodedata.normalize("NFKC", name).casefold().split())


def name_flaw(name: str, others: Iterable[str]) -> str:
    """Return why a member cannot have this ``name`` if ``others`` are the names of the others; empty if they can."""
    if not _NAME.fullmatch(name) or not name.isprintable():
        return "a name has 1 to 40 letters and digits, and between them blanks and the characters . - '"
    if _LINK.search(name):
        return "it looks like an internet address"
    if len(found := _scripts(name)) > 1 and not found <= _EAST_ASIAN:
        return "it has letters of several alphabets"
    keys, look = {name_key(name), _look(name)}, _look(name)
    is_taken = any(map(_TAKEN.fullmatch, keys)) or any(name_key(one) in keys or _look(one) == look for one in others)
    return "this name is reserved, or it is too much like that of another member" if is_taken else ""


def _look(name: str) -> str:
    """Return the form of ``name`` that it has in common with names of the same look."""
    plain = unicodedata.normalize("NFKC", name).translate(_LOOK).casefold()
    return " ".join(plain.replace("rn", "m").replace("vv", "w").split())


def _scripts(name: str) -> set[str]:
    signs = filter(str.isalnum, unicodedata.normalize("NFKC", name))
    return {re.split("[ -]", unicodedata.name(sign, "unknown"))[0] for sign in signs} - _OF_ALL

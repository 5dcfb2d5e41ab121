"""Normalize the words that players add to chance: two words that look alike must be the same word."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

FEWEST: Final = 3
MOST: Final = 60
"""The most characters of a normalized word."""

_UNSEEN: Final = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]"
)
"""Invisible characters that Unicode counts as letters, marks or symbols."""


class BadWordError(ValueError):
    """A word is not valid; the message says why, and continues after the name of a seat: “has …”, “must …”."""


def normalize_word(written: str) -> str:
    """Return a player's word in small letters, digits and single spaces. Raises ``BadWordError``.

    Punctuation makes no difference. Invisible characters are refused and not dropped: someone or some program put them
    there, and the player should look.
    """
    for sign in written:
        if _UNSEEN.match(sign) or (unicodedata.category(sign)[0] == "C" and sign not in "\t\r\n"):
            name = unicodedata.name(sign, "no character")
            raise BadWordError(f"has an invisible character (U+{ord(sign):04X}, {name}): write the word without it")
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", written).casefold())
    word = " ".join("".join(sign if unicodedata.category(sign)[0] in "LMN" else " " for sign in folded).split())
    if not FEWEST <= len(word) <= MOST:
        raise BadWordError(f"must have {FEWEST} to {MOST} letters, digits and spaces; this one has {len(word)}")
    if not any(sign.isalnum() for sign in word):
        raise BadWordError("must have at least one letter or digit")
    return word

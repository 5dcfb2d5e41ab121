"""The words that players add to chance, brought to one form: two that look alike must not deal two games."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

FEWEST: Final = 3
MOST: Final = 60
"""Characters that a word may have, in its one form."""

_UNSEEN: Final = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]"
)
"""What Unicode counts as a letter, a mark or a symbol, and nobody can see."""


class BadWordError(ValueError):
    """A word cannot be taken; the message says why, and is to stand behind the name of a seat."""


def normalized_word(written: str) -> str:
    """Return the one form of a player's word: small letters, digits and single spaces. Raises ``BadWordError``.

    A stop at the end that nobody would notice makes no other word. What nobody can see is refused, not dropped: it was put
    there by somebody, or by a program, and the player is to look.
    """
    for sign in written:
        if _UNSEEN.match(sign) or (unicodedata.category(sign)[0] == "C" and sign not in "\t\r\n"):
            name = unicodedata.name(sign, "no character")
            raise BadWordError(f"has a character in it that nobody can see (U+{ord(sign):04X}, {name}): write it without")
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", written).casefold())
    word = " ".join("".join(sign if unicodedata.category(sign)[0] in "LMN" else " " for sign in folded).split())
    if not FEWEST <= len(word) <= MOST:
        raise BadWordError(f"has {FEWEST} to {MOST} letters, digits and spaces, this one has {len(word)}")
    if not any(sign.isalnum() for sign in word):
        raise BadWordError("has at least one letter or digit in it")
    return word

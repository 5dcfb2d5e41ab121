"""Make text from players and files harmless, so that it cannot move, colour, hide or reorder text on a terminal."""

from __future__ import annotations

import json
import unicodedata
from typing import Any, Final

from adjudicator.core.values import canonical_text

_MOST_MARKS: Final = 4
_PICTURES: Final = 0x2400
_DELETE_PICTURE: Final = "␡"
_HIDDEN: Final = frozenset(("Cc", "Cf", "Cs", "Cn", "Zl", "Zp"))
_LOOKS_EMPTY: Final = frozenset("\u115f\u1160\u3164\uffa0\u034f\u17b4\u17b5\u2800")
"""Invisible letters and marks that Unicode does not classify as invisible."""
_MARKS: Final = frozenset(("Mn", "Me"))
_plain: Final[set[str]] = set()
"""A cache of harmless characters, so that long logs are fast."""


def printable(text: str) -> str:
    r"""Return ``text`` on one line with visible signs for controls, escapes, directions and invisible characters.

    Control characters become their pictures (``␛``), other invisible ones ``\u202e``-like escapes, odd spaces plain ones.
    Only the first four combining marks after a character remain marks.
    """
    if text.isascii() and text.isprintable():
        return text
    if _plain.issuperset(text):
        return text
    for character in {*text}:
        category = unicodedata.category(character)
        if category not in _MARKS and _visible(character, category) == character:
            _plain.add(character)
    return "".join(visible_characters(text))


def visible_characters(text: str) -> list[str]:
    """Return the replacement by ``printable`` of each character of ``text``."""
    shown = []
    marks = 0
    for character in text:
        category = unicodedata.category(character)
        marks = marks + 1 if category in _MARKS else 0
        shown.append(_escaped(character) if marks > _MOST_MARKS else _visible(character, category))
    return shown


def safe_json(data: Any) -> str:
    r"""Return the canonical compact JSON of plain ``data`` on one line, with invisible characters as ``\uXXXX`` escapes.

    The escapes do not change the JSON data; they protect a terminal from the text of players.
    """
    text = canonical_text(data)
    if text.isprintable():
        return text
    return "".join(character if character.isprintable() else json.dumps(character)[1:-1] for character in text)


def _visible(character: str, category: str) -> str:
    code = ord(character)
    if code < 0x20:
        return chr(_PICTURES + code)
    if code == 0x7F:
        return _DELETE_PICTURE
    if category == "Zs" and character != "\u3000":
        return " "
    return _escaped(character) if category in _HIDDEN or character in _LOOKS_EMPTY else character


def _escaped(character: str) -> str:
    code = ord(character)
    return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"

"""Choose colours on a terminal by the meaning of words: a red car is red, grassland is green."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from adjudicator.scenes.colors import seat_color

FAINT: Final = "2"
STRONG: Final = "1"

_WORDS: Final = {
    "red": "31",
    "green": "32",
    "yellow": "33",
    "orange": "33",
    "blue": "34",
    "purple": "35",
    "violet": "35",
    "pink": "95",
    "cyan": "36",
    "brown": "33",
    "white": "97",
    "black": "90",
    "grey": "90",
    "gray": "90",
    "city": "31",
    "town": "31",
    "grassland": "32",
    "meadow": "32",
    "forest": "32",
    "desert": "33",
    "sand": "33",
    "mountains": "35",
    "mountain": "35",
    "sea": "34",
    "water": "34",
}
_SEATS: Final = {"orange": "38;5;208", "brown": "38;5;130", "black": "39"}
"""Other colours for seats, if the colour of the word would be invisible on a terminal or too similar to another."""


def word_style(word: str) -> str:
    """Return the style for ``word``, a colour or a ground; empty for any other."""
    return _WORDS.get(word.casefold(), "")


def seat_style(seat: str, seats: Sequence[str]) -> str:
    """Return the style for the pieces of ``seat``, one of ``seats``: bold, in its colour in pictures."""
    return f"{STRONG};{_SEATS.get(color := seat_color(seat, seats), _WORDS[color])}"


def painted(text: str, style: str, *, color: bool) -> str:
    """Return ``text`` in ``style``, the inside of an ANSI colour code; unchanged without ``color``."""
    return f"\x1b[{style}m{text}\x1b[0m" if color and style and text else text

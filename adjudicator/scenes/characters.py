"""Draw boards with characters: short names, text in the ink of a seat or of a ground, boards in parts for a narrow page."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence
from typing import Final

from adjudicator.scenes.scene import Sign

SIGNS: Final = {Sign.PIECE: "▲", Sign.MARK: "✓", Sign.GOAL: "◎", Sign.NOTE: ""}
"""The sign before the text of a token, by the meaning of the token."""
_MOST_ALIKE: Final = 8
"""Names with a longer common beginning are distinguished by their ends."""
_BEGINNING: Final = 3
_INKED: Final = re.compile("\x0e([^\x0e\x0f]*)\x0f")
"""What switches to an ink, and (without its name) back: characters that no text of players has on a page."""


def inked(text: str, ink: str = "", *, seat: str = "") -> str:
    """Return ``text`` in an ``ink`` or in the colour of a ``seat``, for a terminal that has colours; a mail has none.

    An ink is ``STRONG``, ``FAINT``, a colour, or a ground such as ``desert``.
    """
    return f"\x0eseat {seat}\x0f{bare(text)}\x0e\x0f" if seat else f"\x0e{ink}\x0f{bare(text)}\x0e\x0f" if ink else text


def bare(text: str) -> str:
    """Return ``text`` without its inks, for measuring."""
    return _INKED.sub("", text)


def ink_parts(text: str) -> list[tuple[str, str]]:
    """Return ``text`` as pairs of an ink (``seat red``, empty for none) and the text in it."""
    first, *others = _INKED.split(text)
    return [("", first), *zip(others[::2], others[1::2], strict=True)]


def in_parts(many: int, most: int, part: Callable[[int, int], Iterable[str]]) -> list[str]:
    """Return the lines of a board of ``many`` columns in as few parts of at most ``most`` as possible, all about equal.

    ``part`` draws the columns from one number to another (excluded) as lines.
    """
    parts, lines = -(-many // max(1, most)), list[str]()
    for at in range(parts):
        lines += [*([""] if at else []), *part(round(many * at / parts), round(many * (at + 1) / parts))]
    return lines


def short_name(name: str, names: Sequence[str], longest: int) -> str:
    """Return ``name`` cut to ``longest`` characters, or to more if it would be identical to others of ``names``, sorted.

    For names with a long common beginning, return the beginning and a unique end.
    """
    # In sorted order, names with the same beginning are neighbours: a search in thousands of crews would be slow.
    at = bisect_left(names, name)
    beside = [other for other in names[max(at - 1, 0) : at + 2] if other != name]
    least = next((n for n in range(1, len(name)) if not any(o.startswith(name[:n]) for o in beside)), len(name))
    if least <= max(longest, _MOST_ALIKE):
        return name[: max(least, longest)]
    others = [other for other in names if other != name]
    end = next((n for n in range(1, len(name)) if not any(o.endswith(name[-n:]) for o in others)), len(name))
    cut = f"{name[:_BEGINNING]}…{name[-end:]}"
    return cut if len(cut) < least else name[:least]


def initial(name: str, names: Sequence[str], seat: str, seats: Sequence[str]) -> str:
    """Return the letters for ``name`` on a token of ``seat``: one or two unique letters, else the number of the seat."""
    short = short_name(name, names, 1).upper()
    return short if len(short) < 3 or seat not in seats else str(seats.index(seat) + 1)

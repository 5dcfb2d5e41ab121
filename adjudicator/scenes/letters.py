"""Text in pictures: widths by the metrics of DejaVu Sans, which PNGs use, and free places; text on boards of characters."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from typing import Final
from unicodedata import combining, normalize

from adjudicator.core.phrases import display_width
from adjudicator.core.values import Value

_EM: Final = 2048
"""The height of the font in its units."""
_OTHER: Final = 1500
"""About the width of a letter that is not in the table."""
_LETTERS: Final = (*map(chr, range(0x20, 0x7F)), *"ÆØŒßæøœıđł–—−×·…’“”▲✓")
_PLAIN: Final = """
651 821 942 1716 1303 1946 1597 563 799 799 1024 1716 651 739 651 690 1303 1303 1303 1303 1303 1303 1303 1303 1303
1303 690 690 1716 1716 1716 1087 2048 1401 1405 1430 1577 1294 1178 1587 1540 604 604 1343 1141 1767 1532 1612 1235
1612 1423 1300 1251 1499 1401 2025 1403 1251 1403 799 690 799 1716 1024 1024 1255 1300 1126 1300 1260 721 1300 1298
569 569 1186 569 1995 1298 1253 1300 1300 842 1067 803 1298 1212 1675 1212 1212 1075 1303 690 1303 1716 1995 1612 2191
1290 2011 1253 2095 569 1300 582 1024 2048 1716 1716 651 2048 651 1061 1061 1575 1716
"""
_BOLD: Final = """
713 934 1067 1716 1425 2052 1786 627 936 936 1071 1716 778 850 778 748 1425 1425 1425 1425 1425 1425 1425 1425 1425
1425 819 819 1716 1716 1716 1188 2048 1585 1561 1503 1700 1399 1399 1681 1714 762 762 1587 1305 2038 1714 1741 1501
1741 1577 1475 1397 1663 1585 2259 1579 1483 1485 936 748 936 1716 1024 1024 1382 1466 1214 1466 1389 891 1466 1458
702 702 1362 702 2134 1458 1407 1466 1466 1010 1219 979 1458 1335 1892 1321 1335 1192 1458 748 1458 1716 2222 1741
2390 1473 2146 1407 2241 702 1466 760 1024 2048 1716 1716 778 2048 778 1346 1346 1575 1716
"""
_WIDTHS: Final = tuple(dict(zip(_LETTERS, map(int, widths.split()), strict=True)) for widths in (_PLAIN, _BOLD))


@lru_cache(maxsize=1 << 13)
def text_width(text: str, size: float, *, is_bold: bool = False) -> float:
    """Return the width in pixels of ``text`` in DejaVu Sans of ``size``; most sans-serif fonts are narrower.

    It is exact for Latin letters, also with accents, and about right for others.
    """
    widths, wide = _WIDTHS[is_bold], 0
    for letter in text:
        known = widths.get(letter) or widths.get(normalize("NFD", letter)[0])
        wide += known or (0 if combining(letter) else (0, _OTHER, _EM)[display_width(letter)])
    return wide * size / _EM


def fitting(texts: Iterable[str], room: float, sizes: Iterable[int], *, is_bold: bool = False) -> int:
    """Return the first of ``sizes`` in which each of ``texts`` fits into ``room`` pixels, else the last."""
    listed, size = [*texts], 0
    for size in sizes:
        if all(text_width(text, size, is_bold=is_bold) <= room for text in listed):
            break
    return size


def text_lines(text: str, room: float, size: float, *, is_bold: bool = False) -> tuple[str, ...]:
    """Return ``text`` in lines that fit into ``room`` pixels, broken at blanks; a word that does not fit is broken, too."""
    lines, line = list[str](), ""
    for word in text.split(" "):
        longer = f"{line} {word}" if line else word
        if line and text_width(longer, size, is_bold=is_bold) > room:
            lines.append(line)
            longer = word
        while text_width(longer, size, is_bold=is_bold) > room and len(longer) > 1:
            cuts = range(len(longer) - 1, 1, -1)
            cut = next((at for at in cuts if text_width(longer[:at], size, is_bold=is_bold) <= room), 1)
            lines.append(longer[:cut])
            longer = longer[cut:]
        line = longer
    return (*lines, line)


# Places for names on a map, so that they cover no spot, no road and no other name


class Box(Value):
    """A rectangle: its left, top, right and bottom."""

    left: float
    top: float
    right: float
    bottom: float


class Taken:
    """The boxes on a map that are taken."""

    def __init__(self, boxes: Iterable[Box] = ()) -> None:
        """Begin with ``boxes``."""
        self._boxes = [*boxes]

    def add(self, box: Box) -> None:
        """Add ``box``."""
        self._boxes.append(box)

    def best(self, choices: Iterable[Box]) -> Box:
        """Return the first of ``choices`` (at least one) that covers nothing, else the one that covers least."""
        covered = dict[float, Box]()
        for box in choices:
            area, left, top, right, bottom = 0.0, box.left, box.top, box.right, box.bottom
            for other in self._boxes:
                if left < other.right and other.left < right and top < other.bottom and other.top < bottom:
                    wide = min(right, other.right) - max(left, other.left)
                    area += wide * (min(bottom, other.bottom) - max(top, other.top))
            covered.setdefault(area, box)
            if not area:
                break
        return covered[min(covered)]


# Boards of characters: short names, inks, parts for a narrow page

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

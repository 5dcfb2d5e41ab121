"""Draw cards and counters: a card with its person, the strip of a covered card, a card back, a counter."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from adjudicator.core.tableau import Card, Counter
from adjudicator.reports.picture_figure import feature_icon, figure_parts
from adjudicator.reports.svg import element, words
from adjudicator.scenes.colors import counter_inks
from adjudicator.scenes.letters import text_width

WIDE: Final = 86
HIGH: Final = 120
STRIP: Final = 35
"""The visible height of a covered card in a pile: its name and the signs of its person."""
COUNTER: Final = 12
"""The radius of a counter."""
_EDGE: Final = "#55524a"
_SMALL: Final = 11
_NAME: Final = (13, 12, 11, 10, 9, 8)


@lru_cache(maxsize=1 << 9)
def card_parts(card: Card, remark: str, *, is_covered: bool = False) -> str:
    """Return ``card`` with its corner at 0, 0 and ``remark`` below; only its strip if it ``is_covered``."""
    inner = [element("rect", width=WIDE, height=HIGH, rx=6, fill="#fffdf7", stroke=_EDGE, stroke_width=1.2)]
    if is_covered:
        room = WIDE - (26 if card.pieces else 8) - text_width(card.remark, _SMALL)
        inner.append(fitted(card.label, 5, 14, room, 12, anchor="start"))
        inner.append(words(card.remark, WIDE - (20 if card.pieces else 5), 14, size=_SMALL, anchor="end"))
        for at, feature in enumerate(card.features):
            inner += feature_icon(feature, 11 + at * 16, 25)
    else:
        inner.append(fitted(card.label, WIDE / 2, 15, WIDE - (36 if card.pieces else 8)))
        inner.append(element("g", *figure_parts(card.features), transform="translate(0 22)") if card.features else "")
        inner.append(element("path", d=f"M0 100 H{WIDE}", stroke=_EDGE, stroke_width=1.2))
        inner.append(fitted(remark, WIDE / 2, 114, WIDE - 6, 12, font_weight="normal"))
    return element("g", *inner)


def card_back(count: int) -> Iterator[str]:
    """Yield a stack of cards face down with its corner at 0, 0 and its number; an empty frame for no cards."""
    if not count:
        yield element("rect", width=WIDE, height=HIGH, rx=6, fill="none", stroke=_EDGE, stroke_dasharray="5 4")
        yield words("empty", WIDE / 2, HIGH / 2 + 4, size=12, fill=_EDGE)
        return
    for at in range(min(count, 4) - 1, -1, -1):
        yield element("rect", x=at * 2, y=-at * 2, width=WIDE, height=HIGH, rx=6, fill="#3f5f7d", stroke="#ffffff")
    lattice = " ".join(f"M{x} 8 L{x + 18} 26 M{x + 18} 8 L{x} 26" for x in range(7, 72, 18))
    for row in range(0, 104, 18):
        yield element("path", d=lattice, fill="none", stroke="#9fb6cb", transform=f"translate(0 {row - 1})")
    yield element("circle", cx=WIDE / 2, cy=HIGH / 2, r=19, fill="#ffffff", stroke="#3f5f7d", stroke_width=2)
    yield words(str(count), WIDE / 2, HIGH / 2 + 6, size=18, font_weight="bold")


@lru_cache(maxsize=1 << 10, typed=True)
def counter_part(counter: Counter, x: float, y: float) -> str:
    """Return ``counter`` around ``x``, ``y``: a disc with its text, or a dotted disc with a question mark if face down."""
    return "".join(_counter_parts(counter, x, y))


def _counter_parts(counter: Counter, x: float, y: float) -> Iterator[str]:
    if counter.feature is not None:
        yield element("circle", cx=x, cy=y, r=COUNTER, fill="#ffffff", stroke=_EDGE, stroke_width=1.6)
        yield from feature_icon(counter.feature, x, y)
        return
    ground, ink = counter_inks(counter.ground)
    dashes = {} if counter.mark else {"stroke_dasharray": "2 2"}
    yield element("circle", cx=x, cy=y, r=COUNTER, fill=ground, stroke=_EDGE, stroke_width=1.6, **dashes)
    yield fitted(counter.mark or "?", x, y + 4, 2 * COUNTER - 2, 12, fill=ink)


def fitted(text: str, x: float, y: float, room: float, most: int = 13, **attributes: object) -> str:
    """Return ``text`` in the largest letters, at most ``most``, in which it fits into ``room`` pixels."""
    sizes = [size for size in _NAME if size <= most]
    size = next((size for size in sizes if text_width(text, size, is_bold=True) <= room), 7)
    return words(text, x, y, size=size, **{"font_weight": "bold", **attributes})

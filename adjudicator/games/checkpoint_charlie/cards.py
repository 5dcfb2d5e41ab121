"""Draw cards and counters: a card with its person, the strip of a covered card, a card back, a counter."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Any, Final

from adjudicator.games.checkpoint_charlie.figures import feature_icon, figure_parts
from adjudicator.games.checkpoint_charlie.tableau import Card, Counter
from adjudicator.scenes import Element, Group, Path, circle, group, rect, text_width, words

WIDE: Final = 100
"""The width of a card: two of them fit beside a pile on a phone."""
HIGH: Final = 120
STRIP: Final = 35
"""The visible height of a covered card in a pile: its name and the signs of its person."""
COUNTER: Final = 12
"""The radius of a counter."""
EDGE: Final = "#55524a"
PAPER: Final = "#fffdf7"
_SMALL: Final = 11
_FIGURE: Final = 86
"""The width of a person."""
_NAME: Final = (16, 15, 14, 13, 12, 11, 10, 9, 8)


_COUNTERS: Final = {"gold": ("#e3b23c", "#000000"), "white": ("#ffffff", "#000000"), "black": ("#222222", "#ffffff")}
"""The colour of a counter with a ground, and the colour of the text on it."""


@lru_cache(maxsize=1 << 9)
def card_parts(card: Card, remark: str, *, is_covered: bool = False) -> Group:
    """Return ``card`` with its corner at 0, 0 and ``remark`` below; only its strip if it ``is_covered``."""
    inner: list[Element] = [rect(WIDE, HIGH, rx=6, fill=PAPER, stroke=EDGE, stroke_width=1.2)]
    if is_covered:
        inner += _strip(card)
    else:
        inner.append(fitted(card.label, WIDE / 2, 15, WIDE - (36 if card.pieces else 8)))
        if card.features:
            inner.append(group(figure_parts(card.features), (WIDE - _FIGURE) / 2, 22))
        inner.append(Path(f"M0 100H{WIDE}", stroke=EDGE, stroke_width=1.2))
        inner.append(fitted(remark, WIDE / 2, 114, WIDE - 6, 12, is_bold=False))
    return group(inner)


def _strip(card: Card) -> Iterator[Element]:
    room = WIDE - (26 if card.pieces else 8) - text_width(card.remark, _SMALL)
    yield fitted(card.label, 5, 14, room, 12, anchor="start")
    yield words(card.remark, WIDE - (20 if card.pieces else 5), 14, _SMALL, "end")
    step = min(16, 64 / max(1, len(card.features) - 1))
    yield from (group(feature_icon(feature), 11 + at * step, 25) for at, feature in enumerate(card.features))


def card_back(count: int) -> Iterator[Element]:
    """Yield a stack of cards face down with its corner at 0, 0 and its number; an empty frame for no cards."""
    if not count:
        yield rect(WIDE, HIGH, rx=6, stroke=EDGE, stroke_dasharray="5 4")
        yield words("empty", WIDE / 2, HIGH / 2 + 4, 12, fill=EDGE)
        return
    for at in range(min(count, 4) - 1, -1, -1):
        yield rect(WIDE, HIGH, at * 2, -at * 2, 6, fill="#3f5f7d", stroke="#ffffff")
    lattice = " ".join(f"M{x} 8 L{x + 18} 26 M{x + 18} 8 L{x} 26" for x in range(5, WIDE - 18, 18))
    for row in range(0, 104, 18):
        yield group((Path(lattice, stroke="#9fb6cb"),), 0, row - 1)
    yield circle(WIDE / 2, HIGH / 2, 19, fill="#ffffff", stroke="#3f5f7d", stroke_width=2)
    yield words(str(count), WIDE / 2, HIGH / 2 + 6, 18, is_bold=True)


@lru_cache(maxsize=1 << 10)
def counter_part(counter: Counter) -> tuple[Element, ...]:
    """Return ``counter`` around 0, 0: a disc with its text, or a dotted disc with a question mark if face down."""
    if counter.feature is not None:
        disc = circle(0, 0, COUNTER, fill="#ffffff", stroke=EDGE, stroke_width=1.6)
        return disc, *feature_icon(counter.feature)
    ground, ink = _COUNTERS.get(counter.ground, ("#ffffff", "#000000"))
    dashes = "" if counter.mark else "2 2"
    disc = circle(0, 0, COUNTER, fill=ground, stroke=EDGE, stroke_width=1.6, stroke_dasharray=dashes)
    return disc, fitted(counter.mark or "?", 0, 4, 2 * COUNTER - 2, 12, fill=ink)


def fitted(text: str, x: float, y: float, room: float, most: int = 13, **look: Any) -> Element:
    """Return ``text`` in the largest letters, at most ``most``, in which it fits into ``room`` pixels."""
    sizes = [size for size in _NAME if size <= most]
    size = next((size for size in sizes if text_width(text, size, is_bold=True) <= room), 7)
    return words(text, x, y, size, **{"is_bold": True, **look})

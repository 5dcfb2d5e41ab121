"""What lies on a table as a picture: the middle, and before each seat its counters, its row of cards and its pile."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from adjudicator.core.drawing import Badge, Sign
from adjudicator.core.tableau import Card, Cards, Counters, Place, Tableau
from adjudicator.reports.legend import Key
from adjudicator.reports.picture_cards import COUNTER, HIGH, STRIP, WIDE, card_back, card_parts, counter_parts
from adjudicator.reports.picture_colors import seat_ink
from adjudicator.reports.picture_figure import stripe_definition
from adjudicator.reports.shape_tables import told_cards, told_counters
from adjudicator.reports.sketch import Part, badge_parts
from adjudicator.reports.svg import element, text_lines, text_width, words

_WIDTH: Final = 480
"""As wide as a legend at least is: what is wider would be too small to be read on a phone."""
_PAD: Final = 9
_GAP: Final = 7
_BETWEEN: Final = 10
_TITLE: Final = 15
_SIZE: Final = 12
_LINE: Final = 16
_LABEL: Final = "#55524a"
_FELT: Final = "#e9efe6"
_PAPER: Final = "#fbfaf6"
_SLOT: Final = 2 * COUNTER + 3
"""From one counter to the next."""


def tableau_part(shape: Tableau, key: Key) -> Part:
    """Return ``shape`` drawn: place below place, each as high as what lies there."""
    drawn, y = [stripe_definition()], 0.0
    for place in shape.places:
        inner, height = _place(place, shape.remark, key)
        drawn.append(element("g", *inner, transform=f"translate(0 {y})"))
        y += height + _BETWEEN
    return Part(tuple(drawn), _WIDTH, max(y - _BETWEEN, 0))


def _place(place: Place, remark: str, key: Key) -> tuple[list[str], float]:
    """Return what lies at ``place``, and how high that is: stacks at the left, piles at the right, the rest between."""
    inner: list[str] = []
    left, right, bottom = _PAD, _WIDTH - _PAD, 0.0
    for cards in place.cards:
        if not place.seat and not cards.cards:
            inner.append(element("g", *card_back(cards.down), transform=f"translate({left} {_PAD + 6})"))
            left, bottom = left + WIDE + 8 + _PAD, HIGH + 2 * _PAD + 6
        elif cards.cards and cards.is_pile:
            right -= WIDE
            inner += _pile(cards, right, remark, key)
            right, bottom = right - _PAD, max(bottom, 24 + (len(cards.cards) - 1) * STRIP + HIGH + _PAD)
    drawn, y = _headed(place, left, right, key)
    inner += drawn
    for cards in place.cards:
        if cards.cards and not cards.is_pile:
            drawn, y = _row(cards, left, right, y, remark, key)
            inner += drawn
    ink = seat_ink(place.seat, key.seats)
    frame = {"fill": _PAPER, "stroke": ink, "stroke_width": 2.5} if place.seat else {"fill": _FELT, "stroke": _LABEL}
    bottom = max(bottom, y)
    return [element("rect", width=_WIDTH, height=bottom, rx=8, **frame), *inner], bottom


def _headed(place: Place, left: float, right: float, key: Key) -> tuple[list[str], float]:
    """Return the title of ``place``, its rows and counters between ``left`` and ``right``, and where they end."""
    drawn: list[str] = []
    title = left
    if place.seat:
        badge = Badge(place.seat, Sign.PIECE, place.seat)
        drawn += badge_parts(badge, left + 8, 17, seat_ink(place.seat, key.seats), key.initial(badge))
        title += 22
    drawn.append(words(place.title, title, 22, size=_TITLE, anchor="start", font_weight="bold"))
    y = 32.0
    rows = [f"{label}: {value}" for label, value in place.rows]
    rows += [f"{cards.label}: {told_cards(cards)}" for cards in place.cards if not (place.seat or cards.cards)]
    beside = " · ".join(rows)
    if place.seat:
        is_beside = title + text_width(place.title, _TITLE, is_bold=True) + 8 + text_width(beside, _SIZE) <= right
        drawn += [words(beside, right, 21, size=_SIZE, anchor="end")] if is_beside else []
        rows = [] if is_beside else [beside]
    for line in (line for row in rows for line in text_lines(row, right - left, _SIZE)):
        drawn.append(words(line, left, y + 11, size=_SIZE, anchor="start"))
        y += _LINE
    x = left
    for counters in place.counters:
        parts, wide = _counters(counters)
        if x > left and x + wide > right:
            x, y = left, y + 2 * COUNTER + 8
        drawn.append(element("g", *parts, transform=f"translate({round(x, 1)} {y + 3})"))
        x += wide + 14
    return drawn, y + (2 * COUNTER + 10 if place.counters else 4)


def _counters(counters: Counters) -> tuple[list[str], float]:
    """Return ``counters`` side by side behind their label, and how wide they are; in words where none lies there."""
    drawn = [words(counters.label, 0, COUNTER + 4, size=_SIZE, anchor="start", fill=_LABEL)]
    x = text_width(counters.label, _SIZE) + 4
    for counter in counters.counters:
        drawn += counter_parts(counter, round(x + COUNTER, 1), COUNTER)
        x += _SLOT
    told = told_counters(counters)
    drawn.append(words(told, round(x + 2, 1), COUNTER + 4, size=_SIZE, anchor="start"))
    return drawn, x + text_width(told, _SIZE) + 2


def _row(cards: Cards, left: float, right: float, y: float, remark: str, key: Key) -> tuple[list[str], float]:
    """Return cards side by side between ``left`` and ``right``, from ``y`` on, and where they end."""
    drawn = [words(cards.label, left, y + 12, size=_SIZE, anchor="start", fill=_LABEL)]
    each = max(1, int((right - left + _GAP) // (WIDE + _GAP)))
    for at, card in enumerate(cards.cards):
        row, column = divmod(at, each)
        drawn.append(_card(card, left + column * (WIDE + _GAP), y + 18 + row * (HIGH + _GAP), remark, key))
    return drawn, y + 18 + -(-len(cards.cards) // each) * (HIGH + _GAP) - _GAP + _PAD


def _pile(cards: Cards, x: float, remark: str, key: Key) -> Iterator[str]:
    """Yield cards on each other, below their label."""
    yield words(cards.label, x, 19, size=_SIZE, anchor="start", fill=_LABEL)
    for at, card in enumerate(cards.cards):
        yield _card(card, x, 24 + at * STRIP, remark, key, is_covered=at < len(cards.cards) - 1)


def _card(card: Card, x: float, y: float, remark: str, key: Key, *, is_covered: bool = False) -> str:
    """Return ``card`` at ``x``, ``y``, with the pieces of seats at its upper edge, and a frame of their colour."""
    told = f"{remark} {card.remark}".strip() if card.remark else ""
    inner = [card_parts(card, told, is_covered=is_covered)]
    for at, seat in enumerate(card.pieces):
        ink, badge = seat_ink(seat, key.seats), Badge(seat, Sign.PIECE, seat)
        high = STRIP if is_covered else HIGH
        inner.append(element("rect", width=WIDE, height=high, rx=6, fill="none", stroke=ink, stroke_width=4))
        inner += badge_parts(badge, WIDE - 4 - at * 18, 2, ink, key.initial(badge))
    return element("g", *inner, transform=f"translate({round(x, 1)} {round(y, 1)})")

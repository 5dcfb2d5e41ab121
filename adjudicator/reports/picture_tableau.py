"""Draw a table with cards: the middle, and for each seat its counters, its row of cards and its pile."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from adjudicator.core.drawing import Badge, Sign
from adjudicator.core.tableau import Card, Cards, Counters, Place, Tableau
from adjudicator.reports.changes import lying_name
from adjudicator.reports.kept import Kept
from adjudicator.reports.legend import Key
from adjudicator.reports.picture_cards import COUNTER, HIGH, STRIP, WIDE, card_back, card_parts, counter_part
from adjudicator.reports.picture_colors import seat_ink
from adjudicator.reports.picture_figure import stripe_definition
from adjudicator.reports.shape_tables import cards_text, counters_text
from adjudicator.reports.sketch import Anchor, Part, badge_anchors, badge_parts, badges_at
from adjudicator.reports.svg import element, text_lines, text_width, words

_WIDTH: Final = 480
"""The width of a table, that of the narrowest legend: a wider picture would be too small on a phone."""
_PAD: Final = 9
_GAP: Final = 7
_RIM: Final = 4
"""Pixels from a card to the frame of a new card."""
_BETWEEN: Final = 10
_TITLE: Final = 15
_SIZE: Final = 12
_LINE: Final = 16
_SLOT: Final = 2 * COUNTER + 3
"""Pixels from one counter to the next."""
_LABEL: Final = "#55524a"
_FELT: Final = "#e9efe6"
_PAPER: Final = "#fbfaf6"


def tableau_part(shape: Tableau, key: Key) -> Part:
    """Return ``shape`` drawn: place below place, each as high as its contents."""
    drawn, y = [stripe_definition()], 0.0
    anchors: list[Anchor] = []
    for place in shape.places:
        part = _LOWERED.of((place.title, y), place, shape.remark, key, y)
        drawn += part.drawn
        anchors += part.anchors
        y += part.height + _BETWEEN
    return Part(tuple(drawn), _WIDTH, max(y - _BETWEEN, 0), tuple(anchors))


def _lowered(place: Place, remark: str, key: Key, y: float) -> Part:
    """Return ``place`` drawn ``y`` pixels lower, from a cache: an order changes one or two places."""
    part = _PLACES.of(place.title, place, remark, key)
    anchors = tuple([replace(anchor, y=anchor.y + y) for anchor in part.anchors])
    return Part((element("g", *part.drawn, transform=f"translate(0 {y})"),), part.width, part.height, anchors)


def _place_part(place: Place, remark: str, key: Key) -> Part:
    return _PlaceDrawing(place, remark, key).part()


_LOWERED: Final = Kept(_lowered)
_PLACES: Final = Kept(_place_part)


class _PlaceDrawing:
    """The drawing of one place: stacks on the left, piles on the right; words, counters and rows between."""

    def __init__(self, place: Place, remark: str, key: Key) -> None:
        self.place, self.remark, self.key = place, remark, key
        self.ink = seat_ink(place.seat, key.seats)
        self.drawn: list[str] = []
        self.anchors: list[Anchor] = []
        self.left, self.right = float(_PAD), float(_WIDTH - _PAD)
        self.y = self.bottom = 0.0

    def part(self) -> Part:
        """Return all contents of the place in a frame."""
        for cards in self.place.cards:
            if not (self.place.seat or cards.cards):
                self._draw_stack(cards)
            elif cards.cards and cards.is_pile:
                self._draw_pile(cards)
        self._draw_title()
        self._draw_rows()
        self._draw_counters()
        for cards in self.place.cards:
            if cards.cards and not cards.is_pile:
                self._draw_row(cards)
        height = max(self.y, self.bottom)
        frame = {"fill": _PAPER, "stroke": self.ink, "stroke_width": 2.5}
        if not self.place.seat:
            frame = {"fill": _FELT, "stroke": _LABEL}
        table = element("rect", width=_WIDTH, height=height, rx=8, **frame)
        return Part((table, *self.drawn), _WIDTH, height, tuple(self.anchors))

    def _draw_stack(self, cards: Cards) -> None:
        top = _PAD + 6
        self.drawn.append(element("g", *card_back(cards.down), transform=f"translate({self.left} {top})"))
        self._note(cards.label, self.left, top, WIDE, HIGH)
        self.left += WIDE + 8 + _PAD
        self.bottom = top + HIGH + _PAD

    def _draw_pile(self, cards: Cards) -> None:
        """Draw a pile of cards below its label; each card partly covers the previous one."""
        self.right -= WIDE
        self._label(cards.label, self.right, 19)
        for at, card in enumerate(cards.cards):
            self._draw_card(card, self.right, 24 + at * STRIP, is_covered=at < len(cards.cards) - 1)
        self.bottom = max(self.bottom, 24 + (len(cards.cards) - 1) * STRIP + HIGH + _PAD)
        self.right -= _PAD

    def _draw_row(self, cards: Cards) -> None:
        """Draw cards side by side, in as many lines as they need."""
        self._label(cards.label, self.left, self.y + 12)
        each = max(1, int((self.right - self.left + _GAP) // (WIDE + _GAP)))
        for at, card in enumerate(cards.cards):
            line, column = divmod(at, each)
            self._draw_card(card, self.left + column * (WIDE + _GAP), self.y + 18 + line * (HIGH + _GAP))
        self.y += 18 + -(-len(cards.cards) // each) * (HIGH + _GAP) - _GAP + _PAD

    def _draw_card(self, card: Card, x: float, y: float, *, is_covered: bool = False) -> None:
        """Draw ``card`` at ``x``, ``y``, with the pieces of seats in its upper corner, and a frame in their colour."""
        told = f"{self.remark} {card.remark}".strip() if card.remark else ""
        inner, high = [card_parts(card, told, is_covered=is_covered)], STRIP if is_covered else HIGH
        for seat in card.pieces[:1]:
            frame = {"fill": "none", "stroke": seat_ink(seat, self.key.seats), "stroke_width": 4}
            inner.append(element("rect", width=WIDE, height=high, rx=6, **frame))
        self.drawn.append(element("g", *inner, transform=f"translate({round(x, 1)} {round(y, 1)})"))
        rim = 0 if is_covered else _RIM
        self._note(card.label, x - rim, y - rim, WIDE + 2 * rim, high + 2 * rim)
        points = ((x + WIDE - 9 - at * 18, y + 10) for at in range(len(card.pieces)))
        pieces = [*badge_anchors(card.label, (Badge(seat, Sign.PIECE, seat) for seat in card.pieces), points)]
        self.drawn += badges_at(pieces, self.key)
        self.anchors += pieces

    def _draw_title(self) -> None:
        left, place = self.left, self.place
        if place.seat:
            badge = Badge(place.seat, Sign.PIECE, place.seat)
            self.drawn += badge_parts(badge, left + 8, 17, self.ink, self.key.initial(badge))
            left += 22
        else:
            self._note(place.title, left - 6, 8, text_width(place.title, _TITLE, is_bold=True) + 12, 18)
        self.drawn.append(words(place.title, left, 22, size=_TITLE, anchor="start", font_weight="bold"))
        self.y = 32.0

    def _draw_rows(self) -> None:
        """Draw the words of a place: line by line in the middle, in as few lines as possible for a seat."""
        place = self.place
        if place.seat:
            self._draw_beside()
            return
        rows = [(label, f"{label}: {value}") for label, value in place.rows]
        rows += [("", f"{cards.label}: {cards_text(cards)}") for cards in place.cards if not cards.cards]
        for label, text in rows:
            self._draw_text(text, lying_name(place, label))

    def _draw_beside(self) -> None:
        """Draw the words about a seat beside its title if they fit, else below it."""
        place = self.place
        text = " · ".join(f"{label}: {value}" for label, value in place.rows)
        wide, taken = text_width(text, _SIZE), text_width(place.title, _TITLE, is_bold=True) + 30
        names = [lying_name(place, label) for label, _ in place.rows]
        if self.left + taken + wide > self.right:
            self._draw_text(text, *names)
            return
        self.drawn.append(words(text, self.right, 21, size=_SIZE, anchor="end"))
        for name in names:
            self._note(name, self.right - wide - 6, 9, wide, 16)

    def _draw_text(self, text: str, *names: str) -> None:
        """Draw ``text`` in lines and note its place under ``names``."""
        lines = text_lines(text, self.right - self.left, _SIZE)
        for name in names:
            self._note(name, self.left - 6, self.y + 1, self.right - self.left, _LINE)
        for line in lines:
            self.drawn.append(words(line, self.left, self.y + 11, size=_SIZE, anchor="start"))
            self.y += _LINE

    def _draw_counters(self) -> None:
        """Draw the counters side by side, each group after its label; a group without room begins a new line."""
        x = self.left
        for counters in self.place.counters:
            wide = _counters_width(counters)
            if x > self.left and x + wide > self.right:
                x, self.y = self.left, self.y + 2 * COUNTER + 8
            self._note(lying_name(self.place, counters.label), x - 6, self.y + 3, wide, 2 * COUNTER)
            self._label(counters.label, x, self.y + COUNTER + 7)
            at = x + text_width(counters.label, _SIZE) + 4
            for counter in counters.counters:
                self.drawn.append(counter_part(counter, round(at + COUNTER, 1), self.y + COUNTER + 3))
                at += _SLOT
            told = counters_text(counters)
            self.drawn.append(words(told, round(at + 2, 1), self.y + COUNTER + 7, size=_SIZE, anchor="start"))
            x += wide + 14
        self.y += 2 * COUNTER + 10 if self.place.counters else 4

    def _label(self, text: str, x: float, y: float) -> None:
        self.drawn.append(words(text, round(x, 1), y, size=_SIZE, anchor="start", fill=_LABEL))

    def _note(self, name: str, x: float, y: float, width: float, height: float) -> None:
        """Note the place of ``name`` by its corner, for marks of changes."""
        self.anchors.append(Anchor(name, None, x + width / 2, y + height / 2, width, height))


def _counters_width(counters: Counters) -> float:
    words_wide = text_width(counters.label, _SIZE) + text_width(counters_text(counters), _SIZE)
    return words_wide + 6 + len(counters.counters) * _SLOT

"""Draw a table with cards: the middle, and for each seat its counters, its row of cards and its pile."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from adjudicator.games.checkpoint_charlie.cards import COUNTER, HIGH, STRIP, WIDE, card_back, card_parts, counter_part
from adjudicator.games.checkpoint_charlie.components import LOOKS
from adjudicator.games.checkpoint_charlie.figures import feature_icon
from adjudicator.games.checkpoint_charlie.tableau import Card, Cards, Feature, Place, Tableau
from adjudicator.games.checkpoint_charlie.tableau_text import tableau_sentences, told_cards, told_counters
from adjudicator.scenes import (
    SEAT,
    Element,
    Entry,
    Frame,
    Group,
    Kept,
    Scene,
    Token,
    group,
    rect,
    text_lines,
    text_width,
    words,
)

_WIDTH: Final = 334
"""The width of a place, that of a phone."""
_PAD: Final = 9
_GAP: Final = 7
_RIM: Final = 3
"""Pixels from a card to the frame of a new card."""
_BELOW: Final = 11
"""Pixels from the base line of a label to the cards below it, so that no frame covers the label."""
_PILE: Final = 30
"""The top of a pile."""
_ROW_TOP: Final = 22
"""Pixels from the words above a row to its cards."""
_TITLE: Final = 15
_SIZE: Final = 12
_LINE: Final = 16
_SLOT: Final = 2 * COUNTER + 3
"""Pixels from one counter to the next."""
_ROW: Final = 2 * COUNTER + 8
"""Pixels from one line of counters to the next."""
_LABEL: Final = "#55524a"
_FELT: Final = "#e9efe6"
_PAPER: Final = "#fbfaf6"


def tableau_scenes(shape: Tableau) -> Iterator[Scene]:
    """Yield the places of ``shape`` as panels, each as high as its contents; sentences of the first describe all of them."""
    sentences = tuple(tableau_sentences(shape))
    for place in shape.places:
        part, height = _PLACES.of(place.title, place, shape.remark)
        name = f"panel of {place.seat}" if place.seat else "table"
        yield Scene(name, place.title, (part,), _WIDTH, height, sentences=sentences, is_beside=True)
        sentences = ()


def look_entries() -> Iterator[Entry]:
    """Yield the meaning of the signs, for pictures only: text has words for them."""
    yield from (Entry(look.value, (group(feature_icon(Feature(look.value, look)), 8, 7),), 22) for look in LOOKS)


def piece_entry(shape: Tableau) -> Entry:
    """Return the meaning of a piece on a card."""
    piece = Token("", 8, 7, ink="#555555", is_key=True)
    return Entry(f"on a {shape.card}: {shape.pieces} this player", (piece,), 22)


def _placed(place: Place, remark: str) -> tuple[Group, float]:
    return _PlaceDrawing(place, remark).part()


_PLACES: Final = Kept(_placed)


class _PlaceDrawing:
    """The drawing of one place: stacks on the left, piles on the right; words, counters and rows between."""

    def __init__(self, place: Place, remark: str) -> None:
        self.place, self.remark = place, remark
        self.drawn: list[Element] = []
        self.left, self.right = float(_PAD), float(_WIDTH - _PAD)
        self.y = self.bottom = 0.0

    def part(self) -> tuple[Group, float]:
        """Return all contents of the place in a frame, and its height."""
        for cards in self.place.cards:
            if not (self.place.seat or cards.cards):
                self._draw_stack(cards)
            elif cards.cards and cards.is_pile:
                self._draw_pile(cards)
        aside, self.drawn = self.drawn, []
        self._draw_title()
        self._draw_rows()
        self._draw_counters()
        for cards in self.place.cards:
            if cards.cards and not cards.is_pile:
                self._draw_row(cards)
        height = max(self.y, self.bottom)
        if self.place.seat:
            table = rect(_WIDTH, height, rx=8, fill=_PAPER, stroke=SEAT, stroke_width=2.5)
        else:
            table = rect(_WIDTH, height, rx=8, fill=_FELT, stroke=_LABEL)
        return group((table, *self.drawn, *aside), seat=self.place.seat), height

    def _draw_stack(self, cards: Cards) -> None:
        top = _PAD + 6
        self.drawn.append(group(card_back(cards.down), self.left, top))
        self._note(cards.label, self.left, top, WIDE, HIGH, holds=(cards.down, cards.told))
        self.left += WIDE + 8 + _PAD
        self.bottom = top + HIGH + _PAD

    def _draw_pile(self, cards: Cards) -> None:
        """Draw a pile of cards below its label; each card partly covers the previous one."""
        self.right -= WIDE
        self._label(cards.label, self.right, _PILE - _BELOW)
        for at, card in enumerate(cards.cards):
            self._draw_card(card, cards.label, self.right, _PILE + at * STRIP, is_covered=at < len(cards.cards) - 1)
        self.bottom = max(self.bottom, _PILE + (len(cards.cards) - 1) * STRIP + HIGH + _PAD)
        self.right -= _PAD

    def _draw_row(self, cards: Cards) -> None:
        """Draw cards side by side, in as many lines as they need."""
        self._label(cards.label, self.left, self.y + _ROW_TOP - _BELOW)
        each = max(1, int((self.right - self.left + _GAP) // (WIDE + _GAP)))
        for at, card in enumerate(cards.cards):
            line, column = divmod(at, each)
            x, y = self.left + column * (WIDE + _GAP), self.y + _ROW_TOP + line * (HIGH + _GAP)
            self._draw_card(card, cards.label, x, y)
        self.y += _ROW_TOP + -(-len(cards.cards) // each) * (HIGH + _GAP) - _GAP + _PAD

    def _draw_card(self, card: Card, lies: str, x: float, y: float, *, is_covered: bool = False) -> None:
        """Draw ``card`` at ``x``, ``y``, with the pieces of seats in its upper corner, and a frame in their colour."""
        told = f"{self.remark} {card.remark}".strip() if card.remark else ""
        inner: list[Element] = [card_parts(card, told, is_covered=is_covered)]
        high = STRIP if is_covered else HIGH
        inner += (group((rect(WIDE, high, rx=6, stroke=SEAT, stroke_width=4),), seat=seat) for seat in card.pieces[:1])
        rim = 0 if is_covered else _RIM
        frame = Frame(WIDE / 2, high / 2, WIDE + 2 * rim, high + 2 * rim)
        holds = (card.features, lies, self.place.title)
        self.drawn.append(group(inner, round(x, 1), round(y, 1), id=card.label, frame=frame, holds=holds))
        for at, seat in enumerate(card.pieces):
            # A piece on a card comes from a stock, never from another card.
            self.drawn.append(Token(seat, x + WIDE - 9 - at * 18, y + 10, card.label, seat, seat, field=card.label))

    def _draw_title(self) -> None:
        left, place = self.left, self.place
        if place.seat:
            self.drawn.append(Token(place.seat, left + 8, 17, seat=place.seat, text=place.seat, is_key=True))
            left += 22
        else:
            self._note(place.title, left - 6, 8, text_width(place.title, _TITLE, is_bold=True) + 12, 18)
        self.drawn.append(words(place.title, left, 22, _TITLE, "start", is_bold=True))
        self.y = 32.0

    def _draw_rows(self) -> None:
        """Draw the words of a place: line by line in the middle, in as few lines as possible for a seat."""
        place = self.place
        if place.seat:
            self._draw_beside()
            return
        rows = [(label, f"{label}: {value}", value) for label, value in place.rows]
        for label, text, value in rows:
            self._draw_text(text, {place.name_of(label): value})
        for cards in place.cards:
            if not cards.cards:
                self._draw_text(f"{cards.label}: {told_cards(cards)}", {})

    def _draw_beside(self) -> None:
        """Draw the words about a seat beside its title if they fit, else below it."""
        place = self.place
        text = " · ".join(f"{label}: {value}" for label, value in place.rows)
        wide, taken = text_width(text, _SIZE), text_width(place.title, _TITLE, is_bold=True) + 30
        named = {place.name_of(label): value for label, value in place.rows}
        if self.left + taken + wide > self.right:
            self._draw_text(text, named)
            return
        self.drawn.append(words(text, self.right, 21, _SIZE, "end"))
        for name, value in named.items():
            self._note(name, self.right - wide - 6, 9, wide + 12, 16, holds=value)

    def _draw_text(self, text: str, named: Mapping[str, object]) -> None:
        """Draw ``text`` in lines and note its place under the names of the values in it."""
        lines = text_lines(text, self.right - self.left, _SIZE)
        for name, value in named.items():
            self._note(name, self.left - 6, self.y + 1, self.right - self.left, _LINE, holds=value)
        for line in lines:
            self.drawn.append(words(line, self.left, self.y + 11, _SIZE, "start"))
            self.y += _LINE

    def _draw_counters(self) -> None:
        """Draw each group of counters in lines: its label, the counters, and what they are."""
        for counters in self.place.counters:
            top = self.y
            self._label(counters.label, self.left, top + COUNTER + 7)
            at = self.left + text_width(counters.label, _SIZE) + 8
            for counter in counters.counters:
                if at + _SLOT > self.right:
                    at, self.y = self.left, self.y + _ROW
                self.drawn.append(group(counter_part(counter), round(at + COUNTER, 1), self.y + COUNTER + 3))
                at += _SLOT
            told = told_counters(counters)
            if at + 2 + text_width(told, _SIZE) <= self.right:
                self.drawn.append(words(told, round(at + 2, 1), self.y + COUNTER + 7, _SIZE, "start"))
                self.y += _ROW
            else:
                self.y += _ROW
                self._draw_text(told, {})
            holds, wide = (counters.told, counters.counters), self.right - self.left
            self._note(self.place.name_of(counters.label), self.left - 6, top + 3, wide, self.y - top - 8, holds=holds)
        self.y += 4

    def _label(self, text: str, x: float, y: float) -> None:
        self.drawn.append(words(text, round(x, 1), y, _SIZE, "start", fill=_LABEL))

    def _note(self, name: str, x: float, y: float, width: float, height: float, *, holds: object = None) -> None:
        """Note the place of ``name`` by its corner, for marks of changes."""
        frame = Frame(x + width / 2, y + height / 2, width, height)
        self.drawn.append(group((), name=name, frame=frame, holds=holds))

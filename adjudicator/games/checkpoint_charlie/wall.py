"""Draw all suspects as a wall of cards: those that miss a known clue are crossed off, those not turned yet are pale."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Any, Final

from adjudicator.games.checkpoint_charlie.cards import HIGH, STRIP, WIDE, card_parts, strip_parts
from adjudicator.games.checkpoint_charlie.tableau import Card
from adjudicator.scenes import Element, Group, Kept, Path, Scene, group, words

_ACROSS: Final = 5
_PITCH: Final = 98
_GAP: Final = 6
_TITLE: Final = 24
WIDTH: Final = 480
_CROSS: Final[dict[str, Any]] = {"stroke": "#b3261e", "stroke_width": 2, "stroke_opacity": 0.75, "stroke_linecap": "round"}


def wall_scene(cards: Sequence[Card], crossed: Collection[str], absent: Collection[str]) -> Scene:
    """Return ``cards`` in rows, with a cross over the ``crossed`` ones; ``absent`` cards do not lie on the table yet."""
    parts = [_title("Suspects. Crossed off: misses a clue you know. Pale: not turned yet.")]
    for at, card in enumerate(cards):
        x, y = at % _ACROSS * _PITCH, _TITLE + at // _ACROSS * (STRIP + _GAP)
        parts.append(_CARDS.of((card.label, at), card, card.label in crossed, card.label in absent, x, y))
    height = _TITLE + -(-len(cards) // _ACROSS) * (STRIP + _GAP)
    return Scene("wall", "Suspects", tuple(parts), WIDTH, height)


def box_scene(cards: Sequence[Card]) -> Scene:
    """Return all ``cards`` of a component set, whole."""
    drawn = (
        group((card_parts(card, ""),), at % _ACROSS * _PITCH, at // _ACROSS * (HIGH + _GAP), id=card.label)
        for at, card in enumerate(cards)
    )
    return Scene("wall", "Suspects", tuple(drawn), WIDTH, -(-len(cards) // _ACROSS) * (HIGH + _GAP))


def _title(text: str) -> Element:
    return words(text, 0, 14, 11, "start", fill="#55524a")


def _card(card: Card, is_crossed: bool, is_absent: bool, x: float, y: float) -> Group:
    """Return a card of the wall; it is no place, because the table shows the changes of the same card."""
    inner = Group(tuple(strip_parts(card)), opacity=0.6 if is_absent or is_crossed else 1)
    return group((inner, *(_cross() if is_crossed else ())), x, y, id=card.label)


def _cross() -> Iterator[Element]:
    yield Path(f"M4 4L{WIDE - 4} {STRIP - 4}M{WIDE - 4} 4L4 {STRIP - 4}", **_CROSS)


_CARDS: Final = Kept(_card)
